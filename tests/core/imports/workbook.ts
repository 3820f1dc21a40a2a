import { inflated } from "../../../adapters/workbooks/inflate.ts";
import { WorkbookRefused } from "../../../core/imports/workbook/refused.ts";
import type { SheetWanted } from "../../../core/imports/workbook/sheet-choice.ts";
import { type SheetFacts, sheetText } from "../../../core/imports/workbook/sheet-text.ts";

/** What was read of a sheet: its rows by the lines on which they are. */
interface ReadSheet {
  readonly rows: readonly { readonly line: number; readonly cells: Readonly<Record<string, unknown>> }[];
  readonly facts: SheetFacts;
}

/** The text that an import stores of a sheet. */
export const textOfSheet = async (
  file: Uint8Array,
  wanted: Partial<SheetWanted> = {},
): Promise<{ readonly text: string; readonly facts: SheetFacts }> => {
  const reading = sheetText(file, inflated, { own: {}, ...wanted });
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return { text, facts: value };
    text += decoder.decode(value, { stream: true });
  }
};

/** Reads a sheet of a workbook to its end. */
export const readSheet = async (file: Uint8Array, wanted: Partial<SheetWanted> = {}): Promise<ReadSheet> => {
  const { text, facts } = await textOfSheet(file, wanted);
  const lines = text.split("\n").map((line, index) => ({ line: index + 1, text: line }));
  const rows = lines.filter((one) => one.text !== "").map((one) => ({ line: one.line, cells: JSON.parse(one.text) }));
  return { rows, facts };
};

/** Why a workbook is refused, as its code and its message; `read` if it is not. */
export const refusalOf = async (file: Uint8Array, wanted: Partial<SheetWanted> = {}): Promise<string> => {
  try {
    await readSheet(file, wanted);
    return "read";
  } catch (error) {
    if (!(error instanceof WorkbookRefused)) throw error;
    return `${error.fault.code}: ${error.fault.message}`;
  }
};
