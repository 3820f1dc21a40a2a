import type { Value } from "./channel.ts";

const OPEN = /^http:/i;

/** The first image that the channel accepts. */
export const IMAGE: Value = {
  field: "images",
  write({ taken, images, channel }, severity, report) {
    const [first] = taken;
    const open = taken.find((address) => OPEN.test(address));
    if (open !== undefined) report({ rule: "image_http", severity: "warning", field: "images", evidence: open });
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
  write: ({ taken }) => taken[place] ?? null,
});

/** Up to `most` images after the first one. */
export const otherImages = (most: number): Value => ({
  field: "images",
  write: ({ taken }) => taken.slice(1, most + 1),
});

/** All images, with http as well as https addresses. */
export const ALL_IMAGES: Value = { field: "images", write: ({ images }) => images };
