/** The reason why a workbook is refused. */
export interface WorkbookFault {
  /** `sheet_unknown` if the workbook has no sheet of the wanted name, `unsupported` if it is in another format. */
  readonly code: "unreadable" | "too_large" | "unsupported" | "sheet_unknown";
  readonly message: string;
}

/** Thrown while a workbook is read that cannot be read on. */
export class WorkbookRefused extends Error {
  override readonly name = "WorkbookRefused";

  constructor(readonly fault: WorkbookFault) {
    super(fault.message);
  }
}

/** For a workbook that cannot be read. */
export const unreadable = (message: string): WorkbookRefused => new WorkbookRefused({ code: "unreadable", message });

/** For a workbook of which something is too large. */
export const tooLarge = (message: string): WorkbookRefused => new WorkbookRefused({ code: "too_large", message });

/** For a workbook that is not whole, or was not written as workbooks are. */
export const broken = (what: string): WorkbookRefused =>
  unreadable(`The workbook is broken: ${what}. Open it in a spreadsheet, save it anew, and send that file.`);
