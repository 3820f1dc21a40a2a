import { BYTES_PER_PIXEL, pixelsOf } from "./png-pixels.ts";

const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;
const ZLIB_HEADER = 2;
const BLOCK_HEADER = 5;
/** The two bits of a block's first byte that say how it is packed; none for one that is not. */
const PACKED = 0x06;
const LAST = 0x01;
const RGBA = 6;

/** Reads the stream in the pieces of a PNG byte by byte, at places that only grow. */
const streamIn = (file: Buffer): ((place: number) => number) => {
  let chunk = SIGNATURE_BYTES;
  /** The place in the stream at which the present piece begins. */
  let begin = 0;
  return (place) => {
    while (chunk < file.length) {
      const length = file.readUInt32BE(chunk);
      const isPiece = file.toString("latin1", chunk + 4, chunk + 8) === "IDAT";
      if (isPiece && place < begin + length) return file[chunk + 8 + place - begin] ?? 0;
      if (isPiece) begin += length;
      chunk += FRAME_BYTES + length;
    }
    throw new Error("a PNG of the runtime ends too early");
  };
};

/** The bytes at these places of the unpacked rows, which grow; `null` if the rows are packed. */
const bytesAt = (file: Buffer, places: readonly number[]): readonly number[] | null => {
  const byte = streamIn(file);
  const found: number[] = [];
  let block = ZLIB_HEADER;
  for (let begin = 0; found.length < places.length; ) {
    const first = byte(block);
    if ((first & PACKED) !== 0) return null;
    const length = byte(block + 1) + (byte(block + 2) << 8);
    for (let place = places[found.length]; place !== undefined && place < begin + length; place = places[found.length])
      found.push(byte(block + BLOCK_HEADER + place - begin));
    if ((first & LAST) !== 0 && found.length < places.length) return null;
    begin += length;
    block += BLOCK_HEADER + length;
  }
  return found;
};

/**
 * Red, green and blue of the four corners of a PNG that the runtime has made; `null` if it made another kind. Of one that
 * is not packed, hardly anything is read: unpacking it would take as much memory as the picture.
 */
export const cornersOf = async (png: Uint8Array): Promise<readonly (readonly number[])[] | null> => {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  if (file[25] !== RGBA) return null;
  const rowBytes = 1 + width * BYTES_PER_PIXEL;
  const corners = [0, height - 1].flatMap((row) => [0, width - 1].map((column) => ({ row, column })));
  const places = [0, height - 1].flatMap((row) => [
    row * rowBytes,
    ...[0, width - 1].flatMap((column) =>
      [1, 2, 3].map((channel) => row * rowBytes + column * BYTES_PER_PIXEL + channel),
    ),
  ]);
  const bytes = bytesAt(file, places);
  const perRow = places.length / 2;
  // The first byte of a row says how it is filtered.
  if (bytes !== null && bytes[0] === 0 && bytes[perRow] === 0)
    return [1, 4, perRow + 1, perRow + 4].map((at) => bytes.slice(at, at + 3));
  const found = await pixelsOf(png);
  if (found === null) return null;
  return corners.map(({ row, column }) => {
    const at = row * rowBytes + 1 + column * BYTES_PER_PIXEL;
    return [...found.rows.subarray(at, at + 3)];
  });
};
