import { fieldInWords } from "../../../core/audit/field-words.ts";
import { columnsOf, type OwnColumns } from "../../../core/imports/headings/columns.ts";
import { IMPORT_FIELDS, type ImportField, knownHeading } from "../../../core/imports/headings/headings.ts";

/** What the columns of a file are taken for, in its order. */
export interface ColumnAssignment {
  readonly fields: readonly (ImportField | null)[];
  /** Why the file cannot be read that way. */
  readonly fault: string | null;
}

/** A field of a vehicle, as the first word of a line: "Stock number". */
export const fieldTitle = (field: string): string => {
  const words = fieldInWords(field);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What a column can be, for its menu. */
export const FIELD_CHOICES: readonly { readonly value: string; readonly label: string }[] = [
  { value: "", label: "Not read" },
  ...IMPORT_FIELDS.map((value) => ({ value, label: fieldTitle(value) })),
];

/** What the service will take these columns for, with the user's own words for some of them. */
export const assignColumns = (heading: readonly string[], ownColumns: OwnColumns): ColumnAssignment => {
  const found = columnsOf(heading, ownColumns);
  if ("columns" in found) return { fields: found.columns.map(({ field }) => field), fault: null };
  const fields = heading.map(
    (name) => ownColumns[name.trim()] ?? (name.trim() in ownColumns ? null : knownHeading(name)?.field) ?? null,
  );
  const several = fields.filter((field, at) => field !== null && field !== "images" && fields.indexOf(field) !== at);
  const fault =
    several.length === 0
      ? "No column is known. Choose what at least one of them is."
      : `Two columns are taken for ${[...new Set(several)].map((field) => fieldInWords(field ?? "")).join(", ")}. Choose “Not read” for one of them.`;
  return { fields, fault };
};

/** The user's own words for the columns after another choice; what was the same field before is no more read. */
export const withChosenColumn = (
  heading: readonly string[],
  ownColumns: OwnColumns,
  { at, field }: { readonly at: number; readonly field: ImportField | null },
): OwnColumns => {
  const { fields } = assignColumns(heading, ownColumns);
  const others = heading.filter((_, place) => place !== at && field !== null && fields[place] === field);
  const freed = field === "images" ? [] : others.map((name) => [name.trim(), null] as const);
  return { ...ownColumns, ...Object.fromEntries(freed), [(heading[at] ?? "").trim()]: field };
};
