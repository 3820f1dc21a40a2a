const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** Of workbooks of earlier formats, and of those that are encrypted. */
const OLD_WORKBOOK = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** The kinds of binary files, with their first bytes. */
const BINARY: readonly (readonly [kind: string, ...start: readonly number[]])[] = [
  ["a workbook (.xlsx) or another ZIP archive", ...ZIP],
  ["an empty ZIP archive", 0x50, 0x4b, 0x05, 0x06],
  ["a workbook of an old format (.xls), or one that is protected by a password", ...OLD_WORKBOOK],
  ["a PDF", 0x25, 0x50, 0x44, 0x46, 0x2d],
  ["a picture", 0xff, 0xd8, 0xff],
  ["a picture", 0x89, 0x50, 0x4e, 0x47],
  ["a picture", 0x47, 0x49, 0x46, 0x38],
  ["an archive", 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
  ["an archive", 0x52, 0x61, 0x72, 0x21],
  ["an archive", 0x42, 0x5a, 0x68],
  ["an archive", 0x28, 0xb5, 0x2f, 0xfd],
  ["an archive", 0xfd, 0x37, 0x7a, 0x58, 0x5a],
];
const GZIP = [0x1f, 0x8b, 0x08];

const startsWith = (first: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, index) => first[index] === byte);

/**
 * The kind of a binary file, such as `a workbook (.xlsx) …`; `null` for text. It needs the first 8 uncompressed bytes.
 */
export const binaryKindOf = (first: Uint8Array): string | null =>
  BINARY.find(([, ...start]) => startsWith(first, start))?.[0] ?? null;

/** True if a file begins like a ZIP archive, as workbooks are. */
export const isZip = (first: Uint8Array): boolean => startsWith(first, ZIP);

/** True if a file begins like a workbook of an old format, or like one that is protected by a password. */
export const isOldWorkbook = (first: Uint8Array): boolean => startsWith(first, OLD_WORKBOOK);

/** True if a file begins like a gzip file. */
export const isGzip = (first: Uint8Array): boolean => startsWith(first, GZIP);
