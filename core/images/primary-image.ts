import type { StoredImage } from "./image.ts";

/** The images of a vehicle as they are now, in their order. */
type Present = readonly StoredImage[];

/** Whether a new image becomes the primary one: the first image of a vehicle does, unless it was sent otherwise. */
export const isPrimaryWhenAdded = (present: Present, sent: boolean | undefined): boolean =>
  sent ?? present.length === 0;

/** The image that becomes primary if one is not so any more, or is removed: the first of the others, if it was. */
export const nextPrimary = (present: Present, former: StoredImage): StoredImage | null =>
  former.is_primary ? (present.find(({ id }) => id !== former.id) ?? null) : null;
