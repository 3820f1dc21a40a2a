import { checksumOf } from "./checksum.ts";
import { inMebibytes } from "./limits.ts";
import { broken, tooLarge, WorkbookRefused } from "./refused.ts";
import { type Archive, packedBytesOf } from "./zip-archive.ts";

declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean },
) => { decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string };

/** Unpacks bytes that were deflated, in chunks of limited size, each of which it makes only when it is asked for. */
export type Inflate = (packed: Uint8Array) => AsyncIterable<Uint8Array>;

/** A workbook whose parts can be read. */
export interface Parts {
  readonly archive: Archive;
  readonly inflate: Inflate;
}

/** The largest part of a stored file that is handled at once. */
const CHUNK_BYTES = 64 * 1024;

function* inChunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield bytes.subarray(from, from + CHUNK_BYTES);
}

/** A part of a workbook, and its maximum size. */
interface WantedPart {
  readonly name: string;
  readonly most: number;
  /** What it is, for people. */
  readonly what: string;
}

/** Whether a workbook has a part of this name. */
export const hasPart = ({ archive }: Parts, name: string): boolean => archive.entries.has(name.toLowerCase());

/** The size of a part, unpacked, as the table of contents has it; 0 if there is none. */
export const partBytes = ({ archive }: Parts, name: string): number =>
  archive.entries.get(name.toLowerCase())?.bytes ?? 0;

async function* unpackedPart(
  { archive, inflate }: Parts,
  { name, most, what }: WantedPart,
): AsyncGenerator<Uint8Array> {
  const entry = archive.entries.get(name.toLowerCase());
  if (entry === undefined) throw broken(`${what} is missing`);
  if (entry.bytes > most) throw tooLarge(`The workbook is too large: ${what} takes more than ${inMebibytes(most)}.`);
  const packed = packedBytesOf(archive, entry);
  let bytes = 0;
  let checksum = 0;
  for await (const chunk of entry.isDeflated ? inflate(packed) : inChunks(packed)) {
    bytes += chunk.length;
    // Its table of contents says how large it is. A part that is larger may have no end.
    if (bytes > entry.bytes) throw broken(`${what} is larger than the workbook says`);
    checksum = checksumOf(chunk, checksum);
    yield chunk;
  }
  if (bytes !== entry.bytes || checksum !== entry.checksum) throw broken(`${what} is damaged`);
}

/** The text of a part in chunks, while it is unpacked. */
export async function* textOfPart(parts: Parts, wanted: WantedPart): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of unpackedPart(parts, wanted)) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof WorkbookRefused) throw error;
    throw broken(`${wanted.what} cannot be unpacked`);
  }
}
