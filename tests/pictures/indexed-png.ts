import { crc32, deflateSync } from "node:zlib";

/** A picture with four bytes for each pixel, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const MOST_COLOURS = 256;
const INDEXED = 3;
const BITS = 8;
/** Shades closer than this are merged: pages are flat, and only the edges of letters have many. */
const STEP = 8;

const chunk = (type: string, data: Uint8Array): Uint8Array => {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
};

const coarse = (value: number): number => Math.min(255, Math.round(value / STEP) * STEP);

const distance = (one: number, other: number): number =>
  [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);

/** The picture as a PNG with at most 256 colours: much smaller, and hardly distinguishable. */
export const indexedPng = ({ width, height, rgba }: Pixels): Uint8Array => {
  const colours = new Uint32Array(width * height);
  const uses = new Map<number, number>();
  for (let at = 0; at < colours.length; at++) {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(at * 4, at * 4 + 3);
    const colour = (coarse(red) << 16) | (coarse(green) << 8) | coarse(blue);
    colours[at] = colour;
    uses.set(colour, (uses.get(colour) ?? 0) + 1);
  }
  const palette = [...uses]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const placeOf = (colour: number): number => {
    const known = places.get(colour);
    if (known !== undefined) return known;
    const nearest = palette.reduce((best, other) => (distance(colour, other) < distance(colour, best) ? other : best));
    const place = places.get(nearest) ?? 0;
    places.set(colour, place);
    return place;
  };

  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = placeOf(colours[y * width + x] ?? 0);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS, INDEXED, 0, 0, 0], 8);
  const entries = Uint8Array.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", entries),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", new Uint8Array()),
  ]);
};
