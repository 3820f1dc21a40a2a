import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { inflate } from "node:zlib";

const inflated = promisify(inflate);

const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;
const BYTES_PER_PIXEL = 4;
const RGBA = 6;
const WHITE = 255;
/** The rows after which others have their turn on the event loop. */
const ROWS_PER_TURN = 64;
/** The longest block of bytes that are stored without compression. */
const MAX_BLOCK = 65_535;

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

/** Lays a row of pixels on white. */
const onWhite = (row: Uint8Array): void => {
  for (let at = 0; at < row.length; at += BYTES_PER_PIXEL) {
    const alpha = row[at + 3] ?? WHITE;
    if (alpha === WHITE) continue;
    for (let channel = at; channel < at + 3; channel++)
      row[channel] = Math.round(((row[channel] ?? 0) * alpha + WHITE * (WHITE - alpha)) / WHITE);
    row[at + 3] = WHITE;
  }
};

const chunkOf = (name: string, content: Buffer): Buffer => {
  const chunk = Buffer.alloc(FRAME_BYTES + content.length);
  chunk.writeUInt32BE(content.length, 0);
  chunk.write(name, 4, "latin1");
  content.copy(chunk, SIGNATURE_BYTES);
  chunk.writeUInt32BE(Bun.hash.crc32(chunk.subarray(4, chunk.length - 4)), chunk.length - 4);
  return chunk;
};

const adler32 = (bytes: Uint8Array): number => {
  let [low, high] = [1, 0];
  for (let at = 0; at < bytes.length; ) {
    // The sums stay below 2^32 for so many bytes.
    for (const end = Math.min(at + 3800, bytes.length); at < end; at++) {
      low += bytes[at] ?? 0;
      high += low;
    }
    low %= 65_521;
    high %= 65_521;
  }
  return ((high << 16) | low) >>> 0;
};

/** The zlib form of bytes without compression. */
const stored = (bytes: Buffer): Buffer => {
  const pieces: Buffer[] = [Buffer.from([0x78, 0x01])];
  for (let at = 0; at < bytes.length; at += MAX_BLOCK) {
    const block = bytes.subarray(at, at + MAX_BLOCK);
    const head = Buffer.alloc(5);
    head[0] = at + MAX_BLOCK >= bytes.length ? 1 : 0;
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(~block.length & 0xffff, 3);
    pieces.push(head, block);
  }
  const check = Buffer.alloc(4);
  check.writeUInt32BE(adler32(bytes));
  return Buffer.concat([...pieces, check]);
};

/**
 * The same PNG on white. It must be one that the runtime has made: 8 bits of red, green, blue and alpha, not
 * interlaced. The colour profile stays.
 */
export const opaque = async (png: Uint8Array): Promise<Uint8Array> => {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  if (file[25] !== RGBA) return png;
  const kept: Buffer[] = [file.subarray(0, SIGNATURE_BYTES)];
  const packed: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; at < file.length; ) {
    const end = at + FRAME_BYTES + file.readUInt32BE(at);
    const name = file.toString("latin1", at + 4, at + 8);
    if (name === "IDAT") packed.push(file.subarray(at + 8, end - 4));
    else if (name !== "IEND") kept.push(file.subarray(at, end));
    at = end;
  }
  const rowBytes = 1 + width * BYTES_PER_PIXEL;
  const pixels = await inflated(Buffer.concat(packed), { maxOutputLength: rowBytes * height });
  const rowAt = (row: number): Uint8Array => pixels.subarray(row * rowBytes + 1, (row + 1) * rowBytes);
  for (let row = 0; row < height; row++) {
    unfilter(rowAt(row), row === 0 ? null : rowAt(row - 1), pixels[row * rowBytes] ?? 0);
    if (row % ROWS_PER_TURN === 0) await setImmediate();
  }
  for (let row = 0; row < height; row++) {
    pixels[row * rowBytes] = 0;
    onWhite(rowAt(row));
    if (row % ROWS_PER_TURN === 0) await setImmediate();
  }
  return Buffer.concat([...kept, chunkOf("IDAT", stored(pixels)), chunkOf("IEND", Buffer.alloc(0))]);
};
