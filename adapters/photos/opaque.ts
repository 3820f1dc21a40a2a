import { setImmediate } from "node:timers/promises";
import { BYTES_PER_PIXEL, pixelsOf, ROWS_PER_TURN } from "./png-pixels.ts";
import { release } from "./release.ts";

const NAME_END = 8;
const FRAME_BYTES = 12;
const WHITE = 255;
/** The longest block of bytes that are stored without compression. */
const MAX_BLOCK = 65_535;

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
  content.copy(chunk, NAME_END);
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

/** The same PNG on white. It must be one that the runtime has made. The colour profile stays. */
export const opaque = async (png: Uint8Array): Promise<Uint8Array> => {
  const found = await pixelsOf(png);
  if (found === null) return png;
  const { width, height, rows, others } = found;
  const rowBytes = 1 + width * BYTES_PER_PIXEL;
  for (let row = 0; row < height; row++) {
    rows[row * rowBytes] = 0;
    onWhite(rows.subarray(row * rowBytes + 1, (row + 1) * rowBytes));
    if (row % ROWS_PER_TURN === 0) await setImmediate();
  }
  const packed = stored(rows);
  release(rows);
  const chunk = chunkOf("IDAT", packed);
  release(packed);
  const whole = Buffer.concat([...others, chunk, chunkOf("IEND", Buffer.alloc(0))]);
  release(chunk);
  return whole;
};
