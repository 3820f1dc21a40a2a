import type { StoredImage } from "./image.ts";

/** The images of a vehicle as they are now, in their order. */
type Present = readonly StoredImage[];

/** Whether a new image becomes the primary one: the first image of a vehicle does, unless it was sent otherwise. */
export const isPrimaryWhenAdded = (present: Present, sent: boolean | undefined): boolean =>
  sent ?? present.length === 0;

/** The image that becomes primary if one is removed: the first of those that stay, if the removed one was primary. */
export const primaryAfterRemoval = (present: Present, removed: StoredImage): StoredImage | null =>
  removed.is_primary ? (present.find(({ id }) => id !== removed.id) ?? null) : null;
