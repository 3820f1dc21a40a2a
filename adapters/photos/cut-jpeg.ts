import { BYTES_PER_PIXEL, pixelsOf } from "./png-pixels.ts";

const GRAY = 128;
const NEARLY = 12;
const END_BYTES = 2;
/** It begins with a zero, as a cut may have left the first half of an escaped byte, and has no byte that begins a marker. */
const DATA = Uint8Array.from({ length: 96 }, (_, place) => (place * 37) % 255);

/**
 * True if one of the four corners is gray: the decoder leaves what is missing of a JPEG so. A photo that was cut is gray
 * where it ends, which is in another corner if it was turned.
 */
export const hasGrayCorner = async (png: Uint8Array): Promise<boolean> => {
  const found = await pixelsOf(png);
  if (found === null) return true;
  const { width, height, rows } = found;
  const rowBytes = 1 + width * BYTES_PER_PIXEL;
  const isGray = (row: number, column: number): boolean => {
    const at = row * rowBytes + 1 + column * BYTES_PER_PIXEL;
    return rows.subarray(at, at + 3).every((channel) => Math.abs(channel - GRAY) <= NEARLY);
  };
  return [0, height - 1].some((row) => isGray(row, 0) || isGray(row, width - 1));
};

/**
 * The JPEG with more data before its end. The decoder ignores it if the picture was whole before, and otherwise takes it
 * for what is missing.
 */
export const withMoreData = (jpeg: Uint8Array): Uint8Array =>
  Buffer.concat([jpeg.subarray(0, -END_BYTES), DATA, jpeg.subarray(-END_BYTES)]);
