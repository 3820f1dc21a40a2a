/** The kinds of image that are taken. */
export type PhotoKind = "jpeg" | "png" | "webp";

const ASCII_START = 0x20;

/** The bytes as Latin-1 text. */
export const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

const JPEG = "\xff\xd8\xff";
const PNG = "\x89PNG\r\n\x1a\n";

/** The brands of the containers in which phones save photos. */
const BRANDS: ReadonlyMap<string, string> = new Map([
  ["avif", "AVIF"],
  ["avis", "AVIF"],
  ...["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"].map((brand) => [brand, "HEIC"] as const),
]);

const OTHERS: readonly (readonly [beginning: string, name: string])[] = [
  ["GIF8", "GIF"],
  ["BM", "BMP"],
  ["II*\0", "TIFF"],
  ["MM\0*", "TIFF"],
  ["%PDF", "PDF"],
  ["PK\x03\x04", "ZIP"],
  ["<svg", "SVG"],
  ["<?xml", "XML"],
  ["<", "HTML or XML"],
  ["{", "JSON"],
];
const SHOWN_BYTES = 16;

/** The kind of a photo by its first bytes; `null` if it is none that is taken. */
export const kindOf = (bytes: Uint8Array): PhotoKind | null => {
  const start = latin1(bytes, 0, SHOWN_BYTES);
  if (start.startsWith(JPEG)) return "jpeg";
  if (start.startsWith(PNG)) return "png";
  return start.startsWith("RIFF") && start.slice(8, 12) === "WEBP" ? "webp" : null;
};

/** What bytes are that are no photo, in words. */
export const foundIn = (bytes: Uint8Array): string => {
  if (bytes.length === 0) return "nothing";
  const start = latin1(bytes, 0, SHOWN_BYTES);
  if (start.slice(4, 8) === "ftyp") return BRANDS.get(start.slice(8, 12)) ?? "a video";
  const known = OTHERS.find(([beginning]) => start.startsWith(beginning));
  if (known !== undefined) return known[1];
  const isText = bytes
    .subarray(0, SHOWN_BYTES)
    .every((byte) => byte >= ASCII_START || byte === 9 || byte === 10 || byte === 13);
  return isText ? "text" : "bytes of an unknown kind";
};
