import type { WorkbookFault } from "../../core/imports/workbook/refused.ts";
import type { SheetWanted } from "../../core/imports/workbook/sheet-choice.ts";
import type { SheetFacts } from "../../core/imports/workbook/sheet-text.ts";

/** The workbook that a thread reads. */
export interface WorkbookWork {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly wanted: SheetWanted;
}

/** Asks a thread for the next piece, or tells it that no more are wanted. */
export type WorkbookRequest = "next" | "end";

/** What a thread answers: a piece, or how the reading ended. */
export type WorkbookAnswer =
  | { readonly piece: Uint8Array }
  | { readonly facts: SheetFacts }
  | { readonly fault: WorkbookFault }
  | { readonly defect: string };
