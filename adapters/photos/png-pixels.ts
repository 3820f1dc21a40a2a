import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { release } from "./release.ts";

const inflated = promisify(inflate);

const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;
/** The bytes of a pixel: red, green, blue and alpha. */
export const BYTES_PER_PIXEL = 4;
const RGBA = 6;
/** The rows after which others have their turn on the event loop. */
export const ROWS_PER_TURN = 64;

/** The nearest of left, upper and upper left, as PNG has it. */
const paeth = (left: number, up: number, corner: number): number => {
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
};

const PREDICTIONS: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
];

/** Takes the filter of a row away. */
const unfilter = (row: Uint8Array, before: Uint8Array | null, filter: number): void => {
  const predict = PREDICTIONS[filter];
  if (predict === undefined || filter === 0) return;
  for (let at = 0; at < row.length; at++) {
    const left = at < BYTES_PER_PIXEL ? 0 : (row[at - BYTES_PER_PIXEL] ?? 0);
    const corner = at < BYTES_PER_PIXEL ? 0 : (before?.[at - BYTES_PER_PIXEL] ?? 0);
    row[at] = (row[at] ?? 0) + predict(left, before?.[at] ?? 0, corner);
  }
};

/** What is in a PNG that the runtime has made. */
export interface PngPixels {
  readonly width: number;
  readonly height: number;
  /** Rows of pixels, each behind one byte. */
  readonly rows: Buffer;
  /** The file up to its end, without the pixels. */
  readonly others: readonly Buffer[];
}

/**
 * The pixels of a PNG. It must be one that the runtime has made: 8 bits of red, green, blue and alpha, not interlaced;
 * `null` if it is not.
 */
export const pixelsOf = async (png: Uint8Array): Promise<PngPixels | null> => {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  if (file[25] !== RGBA) return null;
  const others: Buffer[] = [file.subarray(0, SIGNATURE_BYTES)];
  const packed: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; at < file.length; ) {
    const end = at + FRAME_BYTES + file.readUInt32BE(at);
    const name = file.toString("latin1", at + 4, at + 8);
    if (name === "IDAT") packed.push(file.subarray(at + 8, end - 4));
    else if (name !== "IEND") others.push(file.subarray(at, end));
    at = end;
  }
  const rowBytes = 1 + width * BYTES_PER_PIXEL;
  const whole = Buffer.concat(packed);
  const rows = await inflated(whole, { maxOutputLength: rowBytes * height });
  release(whole);
  const rowAt = (row: number): Uint8Array => rows.subarray(row * rowBytes + 1, (row + 1) * rowBytes);
  for (let row = 0; row < height; row++) {
    unfilter(rowAt(row), row === 0 ? null : rowAt(row - 1), rows[row * rowBytes] ?? 0);
    if (row % ROWS_PER_TURN === 0) await setImmediate();
  }
  return { width, height, rows, others };
};
