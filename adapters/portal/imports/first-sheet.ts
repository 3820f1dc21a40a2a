import { WorkbookRefused } from "../../../core/imports/workbook/refused.ts";
import { firstRowsIn, openSheet } from "../../../core/imports/workbook/sheet-text.ts";

/** Unpacks a part of a workbook with the means of the browser. */
async function* inflated(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  const reader = new Blob([packed.slice()]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The headings and first rows of a sheet, its name, and those of all sheets. */
interface FirstSheet {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly sheet: string;
  readonly sheets: readonly string[];
}

/** The first rows of a workbook's sheet, and the names of its sheets; a message if it cannot be read. */
export const firstSheetOf = async (
  bytes: Uint8Array,
  { sheet, headingRow, most }: { readonly sheet: string; readonly headingRow: number | null; readonly most: number },
): Promise<FirstSheet | string> => {
  try {
    const opened = await openSheet(bytes, inflated, {
      own: {},
      ...(sheet !== "" && { sheet }),
      ...(headingRow !== null && { headingRow }),
    });
    const { headings, rows } = firstRowsIn(opened, most);
    return {
      heading: headings,
      rows: rows.map((cells) => cells.map((cell) => (typeof cell === "boolean" ? String(cell) : cell))),
      sheet: opened.sheet.name,
      sheets: opened.sheets,
    };
  } catch (error) {
    if (error instanceof WorkbookRefused) return error.fault.message;
    throw error;
  }
};
