import type { Image } from "../../../core/images/image.ts";

/** True for a photo that the service holds, and not only an address. */
export const isOwnPhoto = ({ width }: Image): boolean => width !== undefined;

/** What stands below a small image: its description, the size of a photo, or the address. */
export const wordsOf = ({ alt, width, height, image_url }: Image): string => {
  if (alt !== null && alt !== "") return alt;
  return width === undefined ? image_url : `${width} × ${height}`;
};

/** The text in place of an image: its description, or its place among the images of the vehicle. */
export const altOf = (image: Image | undefined, title: string, at: number): string =>
  image?.alt || `${title}, image ${at + 1}`;
