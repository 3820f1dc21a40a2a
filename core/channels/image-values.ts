import type { Value } from "./channel.ts";

/** The first image that the channel accepts. */
export const IMAGE: Value = {
  field: "images",
  write({ secureImages, images, channel }, severity, report) {
    const [first] = secureImages;
    if (first !== undefined) return first;
    report({
      rule: "image_missing",
      severity,
      field: "images",
      message:
        images.length === 0
          ? `${channel.reader} wants a photo; this vehicle has none.`
          : `${channel.reader} wants a photo whose address begins with https; this vehicle has none.`,
      evidence: images[0] ?? null,
    });
    return null;
  },
};

/** The image at this place, where the first image has place 0. */
export const imageAt = (place: number): Value => ({
  field: "images",
  write: ({ secureImages }) => secureImages[place] ?? null,
});

/** Up to `most` images after the first one. */
export const otherImages = (most: number): Value => ({
  field: "images",
  write: ({ secureImages }) => secureImages.slice(1, most + 1),
});

/** All images, with http as well as https addresses. */
export const ALL_IMAGES: Value = { field: "images", write: ({ images }) => images };
