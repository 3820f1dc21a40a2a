import { fieldInWords } from "../../../core/audit/field-words.ts";
import { columnsOf, type OwnColumns } from "../../../core/imports/headings/columns.ts";
import { IMPORT_FIELDS, type ImportField, knownHeading } from "../../../core/imports/headings/headings.ts";
import type { FirstRows } from "./first-rows.ts";

/** The vehicle field of each column of a file, in the file's order. */
export interface ColumnAssignment {
  readonly fields: readonly (ImportField | null)[];
  /** The places of columns that only their cells name. */
  readonly guessed: ReadonlySet<number>;
  /** Why the file cannot be imported with these columns. */
  readonly fault: string | null;
}

/** The label of a vehicle field, such as "Stock number". */
export const fieldTitle = (field: string): string => {
  const words = fieldInWords(field);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The fields to choose from for a column. */
export const FIELD_CHOICES: readonly { readonly value: string; readonly label: string }[] = [
  { value: "", label: "Not read" },
  ...IMPORT_FIELDS.map((value) => ({ value, label: fieldTitle(value) })),
];

/** The fields that the service will assign to these columns; the user's choices come first. */
export const assignColumns = (
  { heading, contents }: Pick<FirstRows, "heading" | "contents">,
  ownColumns: OwnColumns,
): ColumnAssignment => {
  const found = columnsOf(heading, ownColumns, contents);
  if ("columns" in found) {
    const { columns } = found;
    const guessed = new Set(columns.flatMap((column, place) => (column.guessed === true ? [place] : [])));
    return { fields: columns.map(({ field }) => field), guessed, fault: null };
  }
  const fields = heading.map(
    (name) => ownColumns[name.trim()] ?? (name.trim() in ownColumns ? null : knownHeading(name)?.field) ?? null,
  );
  const several = fields.filter((field, at) => field !== null && field !== "images" && fields.indexOf(field) !== at);
  const fault =
    several.length === 0
      ? "No column is known. Choose what at least one of them is."
      : `Two columns are taken for ${[...new Set(several)].map((field) => fieldInWords(field ?? "")).join(", ")}. Choose “Not read” for one of them.`;
  return { fields, guessed: new Set(), fault };
};

/** The user's choices after another one. A column that had the same field before is no longer read. */
export const withChosenColumn = (
  rows: Pick<FirstRows, "heading" | "contents">,
  ownColumns: OwnColumns,
  { at, field }: { readonly at: number; readonly field: ImportField | null },
): OwnColumns => {
  const { heading } = rows;
  const { fields } = assignColumns(rows, ownColumns);
  const others = heading.filter((_, place) => place !== at && field !== null && fields[place] === field);
  const freed = field === "images" ? [] : others.map((name) => [name.trim(), null] as const);
  return { ...ownColumns, ...Object.fromEntries(freed), [(heading[at] ?? "").trim()]: field };
};
