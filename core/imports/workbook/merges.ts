import type { Sheet } from "./contents.ts";
import { WORKBOOK_LIMITS } from "./limits.ts";
import { type Parts, textOfPart } from "./parts.ts";
import { tooLarge } from "./refused.ts";
import { attributeOf, XmlReader } from "./xml-reader.ts";

/** Cells that are one: from the first to the last row and column, the first column being 0 and the first row 1. */
export interface Merge {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const LETTERS = 26;
const BEFORE_A = 64;

/** The column of a cell such as `C7`, from 0; `null` for a text that does not begin with a capital letter. */
export const columnOf = (reference: string): number | null => {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - BEFORE_A;
    if (letter < 1 || letter > LETTERS) break;
    column = column * LETTERS + letter;
  }
  return column === 0 ? null : column - 1;
};

const PLACE = /^[A-Z]{1,3}(\d{1,7})$/;

const placeOf = (reference: string): { readonly column: number; readonly row: number } | null => {
  const [, digits] = PLACE.exec(reference) ?? [];
  return digits === undefined ? null : { column: columnOf(reference) ?? 0, row: Number(digits) };
};

const mergeOf = (reference: string): Merge | null => {
  const [first = "", last = first] = reference.split(":");
  const [from, to] = [placeOf(first), placeOf(last)];
  if (from === null || to === null) return null;
  return { top: from.row, bottom: to.row, left: from.column, right: to.column };
};

const LIST = "mergeCells";

/** The merged cells of a sheet, from the top down. They stand behind its rows. */
export const mergesOf = async (parts: Parts, { part }: Sheet): Promise<readonly Merge[]> => {
  const what = "the sheet";
  const reader = new XmlReader(what);
  const merges: Merge[] = [];
  let before = "";
  let isInList = false;
  for await (const chunk of textOfPart(parts, { name: part, most: WORKBOOK_LIMITS.sheet, what })) {
    let text = chunk;
    if (!isInList) {
      const stretch = before + chunk;
      const at = stretch.indexOf(LIST);
      before = chunk.slice(-LIST.length);
      if (at < 0) continue;
      isInList = true;
      text = stretch.slice(at);
    }
    reader.push(text);
    while (reader.advance()) {
      const isMerge = reader.kind === "open" && reader.name === "mergeCell";
      const merge = isMerge ? mergeOf(attributeOf(reader.text, "ref") ?? "") : null;
      if (merge === null) continue;
      if (merges.length === WORKBOOK_LIMITS.merges)
        throw tooLarge(`The sheet has more than ${WORKBOOK_LIMITS.merges} merged cells.`);
      merges.push(merge);
    }
  }
  return merges.sort((one, other) => one.top - other.top);
};
