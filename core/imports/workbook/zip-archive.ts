import { WORKBOOK_LIMITS } from "./limits.ts";
import { broken, tooLarge, unreadable } from "./refused.ts";

const END_MARK = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT = 0xffff;
const WIDE_END_MARK = 0x06064b50;
const WIDE_LOCATOR_MARK = 0x07064b50;
const WIDE_LOCATOR_BYTES = 20;
const WIDE_END_BYTES = 56;
const ENTRY_MARK = 0x02014b50;
const ENTRY_BYTES = 46;
const FILE_MARK = 0x04034b50;
const FILE_BYTES = 30;
/** A number that stands in the wide fields instead. */
const WIDE = 0xffffffff;
const WIDE_FIELD = 1;
const MAX_NAME = 512;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

/** A file in an archive. */
export interface ArchiveEntry {
  readonly isDeflated: boolean;
  /** Where its header begins. */
  readonly offset: number;
  readonly packedBytes: number;
  /** Its size, unpacked. */
  readonly bytes: number;
  readonly checksum: number;
}

/** A ZIP archive in memory. */
export interface Archive {
  readonly file: Uint8Array;
  /** Its files, by their names in small letters. */
  readonly entries: ReadonlyMap<string, ArchiveEntry>;
}

const CUT_OFF = "its table of contents is not whole";

/** A number of 8 bytes. No place in a file of these limits needs more than 53 bits. */
const wideNumber = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

/** The place of the record that ends an archive. */
const endOf = (view: DataView): number => {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= 0 && at >= last - MAX_COMMENT; at--) if (view.getUint32(at, true) === END_MARK) return at;
  throw broken("it is not whole");
};

/** The number of entries, and where their list begins. */
const listOf = (view: DataView): { readonly count: number; readonly start: number } => {
  const end = endOf(view);
  const narrow = { count: view.getUint16(end + 10, true), start: view.getUint32(end + 16, true) };
  const locator = end - WIDE_LOCATOR_BYTES;
  if (locator < 0 || view.getUint32(locator, true) !== WIDE_LOCATOR_MARK) return narrow;
  const wide = wideNumber(view, locator + 8);
  if (wide + WIDE_END_BYTES > view.byteLength || view.getUint32(wide, true) !== WIDE_END_MARK) throw broken(CUT_OFF);
  return { count: wideNumber(view, wide + 32), start: wideNumber(view, wide + 48) };
};

const nameAt = (file: Uint8Array, start: number, length: number): string =>
  String.fromCharCode(...file.subarray(start, start + Math.min(length, MAX_NAME)))
    .replaceAll("\\", "/")
    .toLowerCase();

/** The wide numbers of an entry, in the order in which they stand there; empty if it has none. */
const wideNumbersAt = (view: DataView, start: number, end: number): readonly number[] => {
  for (let at = start; at + 4 <= end; ) {
    const [kind, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (kind === WIDE_FIELD) {
      const count = Math.min(3, Math.floor(Math.min(length, end - at - 4) / 8));
      return Array.from({ length: count }, (_, place) => wideNumber(view, at + 4 + place * 8));
    }
    at += 4 + length;
  }
  return [];
};

const entryAt = (view: DataView, at: number): ArchiveEntry => {
  const extra = at + ENTRY_BYTES + view.getUint16(at + 28, true);
  const wide = [...wideNumbersAt(view, extra, Math.min(extra + view.getUint16(at + 30, true), view.byteLength))];
  const numberAt = (place: number): number => {
    const narrow = view.getUint32(place, true);
    return narrow === WIDE ? (wide.shift() ?? narrow) : narrow;
  };
  const method = view.getUint16(at + 10, true);
  if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0)
    throw unreadable("The workbook is encrypted. Save it without a password, and send that file.");
  if (method !== STORED && method !== DEFLATED) throw broken("it is packed in a way that workbooks are not");
  const bytes = numberAt(at + 24);
  const packedBytes = numberAt(at + 20);
  const checksum = view.getUint32(at + 16, true);
  return { isDeflated: method === DEFLATED, bytes, packedBytes, checksum, offset: numberAt(at + 42) };
};

/** Reads the table of contents of an archive. Nothing is unpacked. */
export const archiveOf = (file: Uint8Array): Archive => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const { count, start } = listOf(view);
  if (count > WORKBOOK_LIMITS.entries) throw tooLarge(`The workbook has more than ${WORKBOOK_LIMITS.entries} parts.`);
  const entries = new Map<string, ArchiveEntry>();
  let at = start;
  for (let place = 0; place < count; place++) {
    if (at + ENTRY_BYTES > view.byteLength || view.getUint32(at, true) !== ENTRY_MARK) throw broken(CUT_OFF);
    const nameBytes = view.getUint16(at + 28, true);
    const next = at + ENTRY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > view.byteLength) throw broken(CUT_OFF);
    const name = nameAt(file, at + ENTRY_BYTES, nameBytes);
    // Programs do not agree on which of two files of one name counts.
    if (entries.has(name)) throw broken("two of its parts have the same name");
    entries.set(name, entryAt(view, at));
    at = next;
  }
  return { file, entries };
};

/** The bytes of a file in an archive, as they are packed. */
export const packedBytesOf = ({ file }: Archive, { offset, packedBytes }: ArchiveEntry): Uint8Array => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (offset + FILE_BYTES > view.byteLength || view.getUint32(offset, true) !== FILE_MARK)
    throw broken("a part is not where its table of contents says");
  const start = offset + FILE_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + packedBytes > view.byteLength) throw broken("a part is not whole");
  return file.subarray(start, start + packedBytes);
};
