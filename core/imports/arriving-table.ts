import { Failure, invalid, type Outcome } from "../failure.ts";
import { type Charset, FILE_FORMATS, type FileFormat } from "./file/file.ts";
import { binaryKindOf, isOldWorkbook, isZip } from "./file/signature.ts";
import type { OwnColumns } from "./headings/columns.ts";
import type { ImportQuery } from "./import.ts";
import { inMebibytes, WORKBOOK_LIMITS } from "./workbook/limits.ts";
import type { WorkbookFault } from "./workbook/refused.ts";
import type { SheetFacts } from "./workbook/sheet-text.ts";
import type { WorkbookReader } from "./workbook/workbook-reader.ts";

/** The formats in which files are sent. Workbooks are stored as what their sheet contains. */
export const SENT_FORMATS = [...FILE_FORMATS, "xlsx"] as const;
export type SentFormat = (typeof SENT_FORMATS)[number];

/** The number of bytes at the start that show whether a file is binary. */
const SIGNATURE_BYTES = 8;
/** The memory for all workbooks that arrive or wait to be read. */
const MAX_HELD_BYTES = 2 * WORKBOOK_LIMITS.packed;

/** A file that arrives, as its sender announces it. */
export interface AnnouncedFile {
  readonly format: SentFormat;
  readonly charset: Charset | null;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** A table that arrives as text. */
export interface ArrivingTable {
  readonly format: FileFormat;
  readonly charset: Charset | null;
  readonly pieces: AsyncIterable<Uint8Array>;
  /** What is known about the sheet that it comes from, once all pieces were read; `null` if it comes from none. */
  facts(): SheetFacts | null;
  /** Gives the memory of the file back. */
  end(): void;
}

/** How a file is to be read. */
export interface ReadOptions {
  readonly query: Pick<ImportQuery, "sheet" | "heading_row">;
  readonly own: OwnColumns;
}

/** The failure for a workbook that is refused. */
export const failureOfWorkbook = ({ code, message }: WorkbookFault): Failure => {
  if (code === "sheet_unknown") return invalid({ path: "sheet", message });
  if (code === "too_large") return new Failure({ kind: "file-too-large", reason: message });
  return new Failure({ kind: code === "unsupported" ? "file-unsupported" : "file-unreadable", reason: message });
};

const NO_WORKBOOK = failureOfWorkbook({
  code: "unreadable",
  message: "The file is no workbook (.xlsx). If it is another kind of file, send it with the media type of that kind.",
});
const PROTECTED = failureOfWorkbook({
  code: "unreadable",
  message:
    "The file is a workbook that is protected by a password, or of an old format (.xls). Save it as .xlsx without a password.",
});
const TOO_LARGE = failureOfWorkbook({
  code: "too_large",
  message: `The workbook is larger than ${inMebibytes(WORKBOOK_LIMITS.packed)}. Save the sheet as CSV, and send that file.`,
});

const unsupported = (kind: string): Failure =>
  failureOfWorkbook({
    code: "unsupported",
    message: `The file is ${kind}; open it in a spreadsheet and save it as .xlsx or CSV`,
  });

/** The first bytes of a file, and all of it. */
const withBeginning = async (
  pieces: AsyncIterable<Uint8Array>,
): Promise<{ readonly first: Uint8Array; readonly all: AsyncIterable<Uint8Array> }> => {
  const iterator = pieces[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  const first = new Uint8Array(SIGNATURE_BYTES);
  let filled = 0;
  while (filled < SIGNATURE_BYTES) {
    const next = await iterator.next();
    if (next.done) break;
    begun.push(next.value.slice());
    const some = next.value.subarray(0, SIGNATURE_BYTES - filled);
    first.set(some, filled);
    filled += some.length;
  }
  const all = (async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* begun;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
  return { first: first.subarray(0, filled), all };
};

/** The bytes that workbooks hold in memory at this moment. */
class HeldBytes {
  private held = 0;

  /** A count of the bytes of one workbook. */
  begin(): { add(bytes: number): boolean; end(): void } {
    let own = 0;
    return {
      add: (bytes) => {
        own += bytes;
        this.held += bytes;
        return this.held <= MAX_HELD_BYTES;
      },
      end: () => {
        this.held -= own;
        own = 0;
      },
    };
  }
}

const joined = (pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};

/** Opens files that arrive as tables of text: of a workbook, that is its sheet. `full` is for too many at once. */
export const tableOpener = (workbooks: WorkbookReader | null, full: Failure) => {
  const memory = new HeldBytes();

  const sheetOf = async (
    all: AsyncIterable<Uint8Array>,
    { query, own }: ReadOptions,
  ): Promise<Outcome<ArrivingTable>> => {
    if (workbooks === null) return unsupported("a workbook (.xlsx)");
    const held = memory.begin();
    let isHanded = false;
    try {
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      for await (const piece of all) {
        bytes += piece.length;
        if (bytes > WORKBOOK_LIMITS.packed) return TOO_LARGE;
        if (!held.add(piece.length)) return full;
        pieces.push(piece.slice());
      }
      const { sheet, heading_row: headingRow } = query;
      const wanted = { own, ...(sheet !== undefined && { sheet }), ...(headingRow !== undefined && { headingRow }) };
      const reading = workbooks.read(joined(pieces), wanted);
      isHanded = true;
      return { format: "ndjson", charset: "utf-8", pieces: reading.pieces, facts: reading.facts, end: held.end };
    } finally {
      if (!isHanded) held.end();
    }
  };

  return async ({ format, charset, pieces }: AnnouncedFile, options: ReadOptions): Promise<Outcome<ArrivingTable>> => {
    const { first, all } = await withBeginning(pieces);
    if (isZip(first)) return sheetOf(all, options);
    const binary = binaryKindOf(first);
    if (format === "xlsx")
      return isOldWorkbook(first) ? PROTECTED : binary === null ? NO_WORKBOOK : unsupported(binary);
    if (binary !== null) return unsupported(binary);
    return { format, charset, pieces: all, facts: () => null, end: () => {} };
  };
};
