import { FILE_LIMITS } from "../file/file.ts";
import { dateValue, hasLostDigits, numberValue, type SheetValue } from "./cell-values.ts";
import { WORKBOOK_LIMITS } from "./limits.ts";
import { columnOf } from "./merges.ts";
import type { NumberFormat } from "./number-formats.ts";
import { broken, tooLarge } from "./refused.ts";
import { attributeOf, cellText, plainText, type XmlPiece, XmlReader } from "./xml-reader.ts";

/** A row of a sheet that is written in its file. */
export interface SheetRow {
  /** Its number in the sheet, from 1. */
  readonly line: number;
  readonly isHidden: boolean;
  /** The values by their columns. Columns without a value may be missing. */
  readonly values: readonly (SheetValue | undefined)[];
  /** The first column with a formula that has no value; `null` if there is none. */
  readonly withoutValue: number | null;
  /** The first column with a number that has lost its last digits; `null` if there is none. */
  readonly digitsLost: number | null;
}

/** What the cells of a workbook refer to. */
export interface CellContext {
  readonly texts: { at(place: number): string | null };
  readonly formatOf: (style: number) => NumberFormat;
  readonly is1904: boolean;
}

const isYes = (value: string | null): boolean => value === "1" || value === "true";

/** Reads the rows of a sheet from its XML, in chunks of any size. It holds one row. */
export class SheetReader {
  private readonly xml = new XmlReader("the sheet");
  private isInRows = false;
  private line = 0;
  private column = -1;
  private isHidden = false;
  private values: (SheetValue | undefined)[] = [];
  private size = 0;
  private withoutValue: number | null = null;
  private digitsLost: number | null = null;
  private type = "";
  private style = 0;
  private text = "";
  private hasFormula = false;
  private isInText = false;
  private isPronunciation = false;

  constructor(private readonly context: CellContext) {}

  /** The rows that are whole so far. They must all be taken before the next chunk. */
  *push(chunk: string): Generator<SheetRow> {
    const { xml } = this;
    xml.push(chunk);
    while (xml.advance()) {
      const { kind, name } = xml;
      if (kind === "text") {
        if (this.isInText && !this.isPronunciation) this.addText(xml);
      } else if (name === "sheetData") this.isInRows = kind === "open" && !xml.isEmpty;
      else if (this.isInRows) {
        if (kind === "open") this.open(xml);
        if (kind === "close" || xml.isEmpty) {
          this.close(name);
          if (name === "row") yield this.row();
        }
      }
    }
  }

  private addText(piece: XmlPiece): void {
    this.text += plainText(piece);
    if (this.text.length > FILE_LIMITS.rowBytes) this.refuseLong();
  }

  private refuseLong(): never {
    throw tooLarge(`Row ${this.line} of the sheet is larger than 256 KiB.`);
  }

  private row(): SheetRow {
    const { line, isHidden, values, withoutValue, digitsLost } = this;
    return { line, isHidden, values, withoutValue, digitsLost };
  }

  private open(piece: XmlPiece): void {
    const { name } = piece;
    if (name === "c") this.openCell(piece.text);
    else if (name === "v" || name === "t") this.isInText = true;
    else if (name === "f") this.hasFormula = true;
    else if (name === "rPh") this.isPronunciation = true;
    else if (name === "row") this.openRow(piece.text);
  }

  private openRow(tag: string): void {
    const named = attributeOf(tag, "r");
    const line = named === null ? this.line + 1 : Number(named);
    if (!Number.isInteger(line) || line <= this.line || line > WORKBOOK_LIMITS.rows) {
      const where = line > WORKBOOK_LIMITS.rows ? "beyond the last row of all sheets" : `not behind row ${this.line}`;
      throw broken(`row ${(named ?? String(line)).slice(0, 20)} of the sheet is ${where}`);
    }
    this.line = line;
    this.isHidden = isYes(attributeOf(tag, "hidden"));
    this.values = [];
    this.column = -1;
    this.size = 0;
    this.withoutValue = null;
    this.digitsLost = null;
  }

  private openCell(tag: string): void {
    const named = attributeOf(tag, "r");
    this.column = named === null ? this.column + 1 : (columnOf(named) ?? this.column + 1);
    this.type = attributeOf(tag, "t") ?? "n";
    this.style = Number(attributeOf(tag, "s") ?? 0);
    this.text = "";
    this.hasFormula = false;
  }

  private close(name: string): void {
    if (name === "c") this.closeCell();
    else if (name === "v" || name === "t") this.isInText = false;
    else if (name === "rPh") this.isPronunciation = false;
  }

  private closeCell(): void {
    if (this.hasFormula && this.text === "" && this.type !== "str") this.withoutValue ??= this.column;
    const value = this.value();
    if (value === null || value === "" || this.column >= WORKBOOK_LIMITS.columns) return;
    // A few bytes of the file may stand for a long text that cells share.
    if (typeof value === "string") this.size += value.length;
    if (this.size > FILE_LIMITS.rowBytes) this.refuseLong();
    this.values[this.column] = value;
  }

  private value(): SheetValue {
    const { text, type, context } = this;
    if (type === "s") return text === "" ? null : context.texts.at(Number(text));
    if (type === "str" || type === "inlineStr") return cellText(text);
    if (type === "b") return text === "" ? null : isYes(text);
    if (type === "e") return null;
    if (type === "d") return dateValue(text);
    const number = numberValue(text, context.formatOf(this.style), context.is1904);
    if (hasLostDigits(number)) this.digitsLost ??= this.column;
    return number;
  }
}
