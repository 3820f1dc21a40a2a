import { latin1 } from "./signature.ts";
import { CUT_OFF, Damaged, MAX_CHUNKS, type Structure, TOO_MANY_CHUNKS, viewOf } from "./structure.ts";

const HEAD_BYTES = 12;
const CHUNK_HEAD = 8;
const CANVAS_BYTES = 10;
/** The bytes of a frame of an animation before its picture. */
const FRAME_HEAD = 16;
const HAS_ALPHA = 0x10;
const HAS_PROFILE = 0x20;

interface Chunk {
  readonly name: string;
  readonly content: Uint8Array;
  /** The chunk with its name and length. */
  readonly whole: Uint8Array;
}

const chunksIn = (bytes: Uint8Array): readonly Chunk[] | Damaged => {
  const view = viewOf(bytes);
  const chunks: Chunk[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (chunks.length === MAX_CHUNKS) return TOO_MANY_CHUNKS;
    if (at + CHUNK_HEAD > bytes.length) return CUT_OFF;
    const length = view.getUint32(at + 4, true);
    const end = at + CHUNK_HEAD + length;
    if (end > bytes.length) return CUT_OFF;
    const padded = Math.min(end + (length % 2), bytes.length);
    chunks.push({
      name: latin1(bytes, at, at + 4),
      content: bytes.subarray(at + CHUNK_HEAD, end),
      whole: bytes.subarray(at, padded),
    });
    at = padded;
  }
  return chunks;
};

const uint24 = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);

/** The size in the bitstream of a picture. */
const sizeOf = ({ name, content }: Chunk): { readonly width: number; readonly height: number } | null => {
  const view = viewOf(content);
  if (name === "VP8 ")
    return content.length < 10
      ? null
      : { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
  if (content.length < 5 || content[0] !== 0x2f) return null;
  const bits = view.getUint32(1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
};

const isPicture = ({ name }: Chunk): boolean => name === "VP8 " || name === "VP8L";

const littleEndian = (number: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, place) => (number >>> (8 * place)) & 0xff);
const ascii = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));

/** A file with one picture, made of the chunks that are decoded. */
const stillOf = (
  picture: Chunk,
  { alpha, profile }: { alpha: Chunk | undefined; profile: Chunk | undefined },
): readonly Uint8Array[] => {
  const size = sizeOf(picture) ?? { width: 1, height: 1 };
  const flags = (alpha === undefined ? 0 : HAS_ALPHA) | (profile === undefined ? 0 : HAS_PROFILE);
  const extended = Uint8Array.from([
    ...ascii("VP8X"),
    ...littleEndian(CANVAS_BYTES, 4),
    ...littleEndian(flags, 4),
    ...littleEndian(size.width - 1, 3),
    ...littleEndian(size.height - 1, 3),
  ]);
  const chunks = [
    ...(flags === 0 ? [] : [extended]),
    ...[profile, alpha, picture].flatMap((chunk) => (chunk === undefined ? [] : [evenly(chunk.whole)])),
  ];
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 4);
  return [Uint8Array.from([...ascii("RIFF"), ...littleEndian(length, 4), ...ascii("WEBP")]), ...chunks];
};

/** Chunks have an even length. The byte that fills up the last one may be missing. */
const evenly = (chunk: Uint8Array): Uint8Array => {
  if (chunk.length % 2 === 0) return chunk;
  const filled = new Uint8Array(chunk.length + 1);
  filled.set(chunk);
  return filled;
};

/** Walks through a WebP from chunk to chunk. Of an animation, the first frame is what is decoded. */
export const webpStructure = (bytes: Uint8Array): Structure | Damaged => {
  if (bytes.length < HEAD_BYTES) return CUT_OFF;
  const length = viewOf(bytes).getUint32(4, true);
  if (length < 4 || CHUNK_HEAD + length > bytes.length) return CUT_OFF;
  const chunks = chunksIn(bytes.subarray(HEAD_BYTES, CHUNK_HEAD + length));
  if (chunks instanceof Damaged) return chunks;
  const named = (name: string, among: readonly Chunk[] = chunks): Chunk | undefined =>
    among.find((chunk) => chunk.name === name);
  const frame = named("ANMF");
  const within = frame === undefined ? chunks : chunksIn(frame.content.subarray(FRAME_HEAD));
  const picture = within instanceof Damaged ? undefined : within.find(isPicture);
  const size = picture === undefined ? null : sizeOf(picture);
  if (within instanceof Damaged || picture === undefined || size === null)
    return new Damaged("is damaged: it has no picture");
  const canvas = named("VP8X");
  const alpha = picture.name === "VP8 " ? named("ALPH", within) : undefined;
  return {
    width: Math.max(size.width, canvas === undefined ? 0 : uint24(canvas.content, 4) + 1),
    height: Math.max(size.height, canvas === undefined ? 0 : uint24(canvas.content, 7) + 1),
    parts: stillOf(picture, { alpha, profile: named("ICCP") }),
    isTransparent: alpha !== undefined || picture.name === "VP8L",
  };
};
