import { fieldInWords } from "../../../core/audit/field-words.ts";
import { columnsOf, type OwnColumns } from "../../../core/imports/headings/columns.ts";
import {
  foldHeading,
  IMPORT_FIELDS,
  type ImportField,
  isComputed,
  knownHeading,
} from "../../../core/imports/headings/headings.ts";

/** What the columns of a file are taken for, in its order. */
export interface Taken {
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
export const takenFor = (heading: readonly string[], own: OwnColumns): Taken => {
  const found = columnsOf(heading, own);
  if ("columns" in found) return { fields: found.columns.map(({ field }) => field), fault: null };
  const fields = heading.map(
    (name) => own[name.trim()] ?? (name.trim() in own ? null : knownHeading(name)?.field) ?? null,
  );
  const several = fields.filter((field, at) => field !== null && field !== "images" && fields.indexOf(field) !== at);
  const fault =
    several.length === 0
      ? "No column is known. Choose what at least one of them is."
      : `Two columns are taken for ${[...new Set(several)].map((field) => fieldInWords(field ?? "")).join(", ")}. Choose “Not read” for one of them.`;
  return { fields, fault };
};

/** The user's own words for the columns after another choice; what was the same field before is no more read. */
export const chosenColumn = (
  heading: readonly string[],
  own: OwnColumns,
  { at, field }: { readonly at: number; readonly field: ImportField | null },
): OwnColumns => {
  const { fields } = takenFor(heading, own);
  const others = heading.filter((_, place) => place !== at && field !== null && fields[place] === field);
  const freed = field === "images" ? [] : others.map((name) => [name.trim(), null] as const);
  return { ...own, ...Object.fromEntries(freed), [(heading[at] ?? "").trim()]: field };
};

interface Kept {
  /** The dealer and the headings for which it is kept. */
  readonly file: string;
  readonly columns: OwnColumns;
}

/** So many kinds of files are remembered. */
const MOST_KEPT = 50;

const storeOf = (userId: number): string => `portal-import-columns-${userId}`;

const keptBy = (userId: number): readonly Kept[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storeOf(userId)) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
};

/** Tells files of one kind: their headings, without those that a file of failed rows has besides. */
const kindOf = (dealerId: string, heading: readonly string[]): string =>
  JSON.stringify([
    dealerId,
    ...heading
      .filter((name) => !isComputed(name))
      .map(foldHeading)
      .sort(),
  ]);

/** What the user last chose, in this browser, for a file of this dealer with the same headings. */
export const keptColumns = (userId: number, dealerId: string, heading: readonly string[]): OwnColumns =>
  keptBy(userId).find(({ file }) => file === kindOf(dealerId, heading))?.columns ?? {};

/** Keeps what was chosen for the dealer's next file of the same headings. */
export const keepColumns = (
  userId: number,
  dealerId: string,
  { heading, own }: { readonly heading: readonly string[]; readonly own: OwnColumns },
): void => {
  const file = kindOf(dealerId, heading);
  const others = keptBy(userId).filter((kept) => kept.file !== file);
  const mine = Object.keys(own).length === 0 ? [] : [{ file, columns: own }];
  localStorage.setItem(storeOf(userId), JSON.stringify([...mine, ...others].slice(0, MOST_KEPT)));
};
