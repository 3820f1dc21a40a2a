import { cornersOf } from "./png-corners.ts";

const GRAY = 128;
/** A corner of a smaller picture also has a little of what is beside it. */
const NEARLY = 24;
const END_BYTES = 2;
/** It begins with a zero, as a cut may have left the first half of an escaped byte, and has no byte that begins a marker. */
const DATA = Uint8Array.from({ length: 96 }, (_, place) => (place * 37) % 255);

/**
 * True if one of the four corners is gray: the decoder leaves what is missing of a JPEG so. A photo that was cut is gray
 * where it ends, which is in another corner if it was turned. What is missing may be its last few pixels alone, so the
 * picture must be the largest that there is.
 */
export const hasGrayCorner = async (png: Uint8Array): Promise<boolean> => {
  const corners = await cornersOf(png);
  return corners === null || corners.some((pixel) => pixel.every((channel) => Math.abs(channel - GRAY) <= NEARLY));
};

/**
 * The JPEG with more data before its end. The decoder ignores it if the picture was whole before, and otherwise takes it
 * for what is missing.
 */
export const withMoreData = (jpeg: Uint8Array): Uint8Array =>
  Buffer.concat([jpeg.subarray(0, -END_BYTES), DATA, jpeg.subarray(-END_BYTES)]);
