import { deflateSync } from "node:zlib";
import { BYTES_OF_PIXEL, type Canvas } from "./canvas.ts";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const BITS = 8;
const RGB = 2;
const AROUND_CONTENT = 12;

const chunk = (name: string, content: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(AROUND_CONTENT + content.length);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(name, 4, "latin1");
  bytes.set(content, 8);
  bytes.writeUInt32BE(Bun.hash.crc32(bytes.subarray(4, bytes.length - 4)), bytes.length - 4);
  return bytes;
};

/** A picture as a PNG. It is not compressed, as it is only read again. */
export const pngOf = ({ width, height, pixels }: Canvas): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([BITS, RGB], 8);
  const row = width * BYTES_OF_PIXEL;
  const rows = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows, { level: 0 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};
