import type { Cell, FileFault, FileFormat, FileRow, ScannedFile } from "../../../core/imports/file/file.ts";
import { readerOf } from "../../../core/imports/file/reader.ts";
import { isFault, type ScanOptions, scanFile } from "../../../core/imports/file/scan.ts";

const utf8 = new TextEncoder();
/** Text as bytes of UTF-8; bytes as they are. */
export const bytesOf = (file: string | Uint8Array): Uint8Array => (typeof file === "string" ? utf8.encode(file) : file);

/** Bytes in pieces of these sizes, one after the other and again from the start. */
export const piecesOf = (bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] => {
  const pieces: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
};

const WHOLE = [Number.MAX_SAFE_INTEGER];

/** What a scan of a file finds. */
export const scanned = (
  file: string | Uint8Array,
  wish: ScanOptions,
  sizes: readonly number[] = WHOLE,
): ScannedFile | FileFault => {
  const scan = scanFile(wish);
  for (const piece of piecesOf(bytesOf(file), sizes)) scan.push(piece);
  return scan.end();
};

/** What a scan of a file finds, which has no fault. */
export const found = (file: string | Uint8Array, wish: ScanOptions, sizes: readonly number[] = WHOLE): ScannedFile => {
  const all = scanned(file, wish, sizes);
  if (isFault(all)) throw new Error(all.message);
  return all;
};

/** All rows of a scanned file. */
export const rowsOf = (file: string | Uint8Array, layout: ScannedFile, sizes: readonly number[] = WHOLE): FileRow[] => {
  const reader = readerOf(layout);
  return [...piecesOf(bytesOf(file), sizes).flatMap((piece) => [...reader.push(piece)]), ...reader.end()];
};

/** The heading and the cells of a file. */
export const tableOf = (
  file: string | Uint8Array,
  format: FileFormat,
): { heading: readonly string[]; cells: (readonly Cell[])[] } => {
  const layout = found(file, { format });
  return { heading: layout.heading, cells: rowsOf(file, layout).map(({ cells }) => cells) };
};
