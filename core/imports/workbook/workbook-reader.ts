import type { SheetWanted } from "./sheet-choice.ts";
import type { SheetFacts } from "./sheet-text.ts";

/** A sheet while it is read. */
export interface SheetReading {
  /** Its rows as NDJSON. Reading them throws WorkbookRefused if the workbook cannot be read. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** What is known when all pieces were read. */
  facts(): SheetFacts;
}

/** Reads workbooks aside, so that requests do not wait for it. */
export interface WorkbookReader {
  /** Reads a sheet. The memory of `file` must not be used any more. */
  read(file: Uint8Array<ArrayBuffer>, wanted: SheetWanted): SheetReading;
}
