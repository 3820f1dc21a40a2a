import type { StoredImage } from "../images/image.ts";
import type { ImageDecision } from "../images/image-repository.ts";

/**
 * Gives the images with an address elsewhere the photo that was fetched from it. If the vehicle has that photo already,
 * they go. Nothing changes if no image has the address any more.
 */
export const imageFetched = (present: readonly StoredImage[], elsewhere: string, photo: string): ImageDecision => {
  const there = present.find(({ image_url }) => image_url === photo);
  const [first, ...others] = present.filter(({ image_url }) => image_url === elsewhere);
  if (first === undefined) return { steps: [] };
  const spare = there === undefined ? others : [first, ...others];
  const stays = there ?? first;
  const wasPrimary = spare.some(({ is_primary }) => is_primary);
  return {
    steps: [
      ...(there === undefined ? [{ does: "change", id: first.id, changes: { image_url: photo } } as const] : []),
      ...spare.map(({ id }) => ({ does: "remove", id }) as const),
      ...(wasPrimary ? [{ does: "mark", id: stays.id } as const] : []),
    ],
  };
};
