import { latin1 } from "./signature.ts";
import { CUT_OFF, Damaged, MAX_CHUNKS, type Structure, TOO_MANY_CHUNKS, viewOf } from "./structure.ts";

const SIGNATURE_BYTES = 8;
/** The length of a chunk's own length, name and check. */
const FRAME_BYTES = 12;
const HEADER_BYTES = 13;
/** The place of the colour type in the file, and its bit for transparency. */
const COLOUR_TYPE_AT = 25;
const WITH_ALPHA = 4;
/** Texts, times and the frames of animations are left out. */
const KEPT: ReadonlySet<string> = new Set([
  "IHDR",
  "PLTE",
  "IDAT",
  "IEND",
  "tRNS",
  "iCCP",
  "gAMA",
  "cHRM",
  "sRGB",
  "sBIT",
]);

/** Walks through a PNG from chunk to chunk, up to its end. */
export const pngStructure = (bytes: Uint8Array): Structure | Damaged => {
  const view = viewOf(bytes);
  const parts = [bytes.subarray(0, SIGNATURE_BYTES)];
  let size: { readonly width: number; readonly height: number } | null = null;
  let packedProfile: Uint8Array | undefined;
  let hasPicture = false;
  let isTransparent = ((bytes[COLOUR_TYPE_AT] ?? 0) & WITH_ALPHA) !== 0;
  for (let [at, chunks] = [SIGNATURE_BYTES, 0]; ; chunks++) {
    if (chunks === MAX_CHUNKS) return TOO_MANY_CHUNKS;
    if (at + FRAME_BYTES > bytes.length) return CUT_OFF;
    const length = view.getUint32(at);
    const name = latin1(bytes, at + 4, at + 8);
    const end = at + FRAME_BYTES + length;
    if (end > bytes.length) return CUT_OFF;
    if (size === null) {
      if (name !== "IHDR" || length !== HEADER_BYTES) return new Damaged("is damaged: it does not begin with its size");
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    }
    if (name === "IDAT") hasPicture = true;
    if (name === "tRNS") isTransparent = true;
    if (name === "iCCP") {
      if (packedProfile !== undefined) return new Damaged("has two colour profiles");
      packedProfile = bytes.subarray(at + 8, end - 4);
    }
    if (KEPT.has(name)) parts.push(bytes.subarray(at, end));
    at = end;
    if (name !== "IEND") continue;
    if (!hasPicture) return new Damaged("is damaged: it has no picture");
    return { ...size, parts, isTransparent, ...(packedProfile !== undefined && { packedProfile }) };
  }
};
