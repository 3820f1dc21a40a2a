import type { Content } from "../file/content-survey.ts";
import { FILE_LIMITS, type FileFault, unreadable } from "../file/file.ts";
import type { ImportIssue } from "../import-issue.ts";
import type { Decided } from "./decided.ts";
import { foldHeading } from "./fold-heading.ts";
import { CONTENT_WORDS, guessedField } from "./guesses.ts";
import { type ImportField, isComputed, isImportField, knownHeading } from "./headings.ts";

/** A column of a file: its heading as it is written, and the field that it contains. */
interface ImportColumn {
  readonly heading: string;
  /** `null` if the column is not read. */
  readonly field: ImportField | null;
  /** True if only the column's cells say what it is. */
  readonly guessed?: true;
}

/** The columns of a file in their order. */
export interface ImportColumns {
  readonly columns: readonly ImportColumn[];
  /** An issue for each unknown heading. */
  readonly warnings: readonly ImportIssue[];
  /** True if this service wrote the file: all headings are names of its fields, including `id` and `created_at`. */
  readonly isOwnExport: boolean;
  /** What was decided when the file had arrived. Files that earlier versions received do not have it. */
  readonly decided?: Decided;
}

/** The option `columns`: the field of each heading; `null` for columns that are not read. */
export type OwnColumns = Readonly<Record<string, ImportField | null>>;

interface Candidate {
  readonly field: ImportField;
  /** The candidate with the lowest rank is used. Columns that the caller named come first. */
  readonly rank: number;
  /** Of candidates with the same rank, the one with the lowest place is used, if the field is no `DECIDING` one. */
  readonly place: number;
}
const NAMED = -1;

/** Fields of which a wrong column would mix up vehicles or sell them at wrong prices: nothing is chosen for them. */
const DECIDING: ReadonlySet<ImportField> = new Set([
  ...(["dealer_id", "vin", "stock_number", "year", "make", "model", "price", "sold_price", "msrp"] as const),
  ...(["status", "mileage_unit", "currency"] as const),
]);

/** Fields that several columns may contain. */
const MAY_HAVE_SEVERAL: ReadonlySet<ImportField> = new Set(["images"]);

const quoted = (headings: readonly string[]): string => headings.map((heading) => `"${heading}"`).join(" and ");

/** Finds what the caller says about a heading: a field, `null`, or nothing. */
const ownFields = (own: OwnColumns): ((name: string) => ImportField | null | undefined) => {
  const named = new Map(Object.entries(own).map(([name, field]) => [foldHeading(name), field]));
  const exactly = new Map(Object.entries(own).map(([name, field]) => [name.trim(), field]));
  return (name) => (exactly.has(name) || named.size === 0 ? exactly.get(name) : named.get(foldHeading(name)));
};

/**
 * Finds the field that a heading names, according to the caller and the table of headings; `null` if none. A text that
 * is too long for a heading is none.
 */
export const headingReader = (own: OwnColumns): ((heading: string) => ImportField | null) => {
  const ownFieldOf = ownFields(own);
  return (heading) => {
    const name = heading.trim();
    if (name.length > FILE_LIMITS.heading) return null;
    const field = ownFieldOf(name);
    return field === undefined ? (knownHeading(name)?.field ?? null) : field;
  };
};

type OwnFieldOf = ReturnType<typeof ownFields>;

/** The columns that only their cells name. A field that a heading names has none, nor one that two columns look like. */
const guessedPlaces = (
  heading: readonly string[],
  {
    named,
    own,
    contents,
  }: {
    readonly named: readonly (Candidate | null)[];
    readonly own: OwnFieldOf;
    readonly contents: readonly (Content | null)[];
  },
): ReadonlyMap<number, Candidate> => {
  const taken = new Set(named.map((candidate) => candidate?.field ?? null));
  const guesses = heading.map((text, place) => {
    const name = text.trim();
    const isOpen = named[place] === null && own(name) === undefined && !isComputed(name);
    const field = isOpen ? guessedField(text, contents[place]) : null;
    return field === null || taken.has(field) ? null : field;
  });
  return new Map(
    guesses.flatMap((field, place) =>
      field === null || (!MAY_HAVE_SEVERAL.has(field) && guesses.filter((one) => one === field).length > 1)
        ? []
        : [[place, { field, rank: 0, place: 0 }]],
    ),
  );
};

/** What is said of a heading that is not known. */
const warningsOf = (
  text: string,
  { own, guess }: { readonly own: OwnFieldOf; readonly guess: Candidate | undefined },
): readonly ImportIssue[] => {
  const name = text.trim();
  if (guess !== undefined) {
    const looks = CONTENT_WORDS[guess.field as Content];
    const message = `is not a known heading; as its cells look like ${looks}, it is read as ${guess.field}. columns says otherwise`;
    return [{ path: text, code: "heading_guessed", message }];
  }
  const isKnown = name === "" || own(name) !== undefined || isComputed(name) || knownHeading(name) !== undefined;
  return isKnown
    ? []
    : [{ path: text, code: "heading_unknown", message: "is not a known heading; the column is not read" }];
};

/**
 * Determines what the columns of a file contain, from the caller's `columns` and the table of headings, and from the
 * cells of columns that these do not know. It is a fault
 * if two columns contain the same field, or if no column contains a field.
 */
export const columnsOf = (
  heading: readonly string[],
  own: OwnColumns,
  contents: readonly (Content | null)[] = [],
): ImportColumns | FileFault => {
  const ownFieldOf = ownFields(own);
  const warnings: ImportIssue[] = [];
  const named = heading.map((text): Candidate | null => {
    const name = text.trim();
    const field = ownFieldOf(name);
    if (field !== undefined) return field === null ? null : { field, rank: NAMED, place: 0 };
    const known = knownHeading(name);
    return known ?? null;
  });
  const guesses = guessedPlaces(heading, { named, own: ownFieldOf, contents });
  const candidates = named.map((candidate, place) => guesses.get(place) ?? candidate);
  for (const [place, text] of heading.entries())
    warnings.push(...warningsOf(text, { own: ownFieldOf, guess: guesses.get(place) }));
  const columnsOfField = Map.groupBy(candidates.keys(), (index) => candidates[index]?.field ?? null);
  const read = new Set<number>();
  for (const [field, indices] of columnsOfField) {
    if (field === null) continue;
    const best = Math.min(...indices.map((index) => candidates[index]?.rank ?? 0));
    const alike = indices.filter((index) => candidates[index]?.rank === best);
    const first = Math.min(...alike.map((index) => candidates[index]?.place ?? 0));
    const isChosen = !DECIDING.has(field) && !MAY_HAVE_SEVERAL.has(field);
    const used = isChosen ? alike.filter((index) => candidates[index]?.place === first) : alike;
    if (used.length > 1 && !MAY_HAVE_SEVERAL.has(field))
      return unreadable(
        `The columns ${quoted(used.map((index) => heading[index] ?? ""))} are both taken for ${field}. Name the right one in \`columns\`, and null for the others.`,
      );
    for (const index of MAY_HAVE_SEVERAL.has(field) ? indices : used) read.add(index);
    for (const index of alike.filter((one) => !read.has(one)))
      warnings.push({
        path: heading[index] ?? "",
        code: "heading_unused",
        message: `is not read, as ${field} is taken from ${quoted(used.map((one) => heading[one] ?? ""))}; columns says otherwise`,
      });
  }
  if ([...read].every((place) => guesses.has(place)))
    return unreadable(
      "No heading of the file is known. Its first row must name the columns, such as VIN, Make and Price.",
    );
  const columns = heading.map((text, index) => ({
    heading: text,
    field: read.has(index) ? (candidates[index]?.field ?? null) : null,
    ...(read.has(index) && guesses.has(index) && { guessed: true as const }),
  }));
  return {
    columns,
    warnings,
    isOwnExport:
      heading.includes("id") &&
      heading.includes("created_at") &&
      heading.every((name) => isImportField(name) || isComputed(name)),
  };
};

/** The heading of a field in the file; the field's own name if the file has no column for it. */
export const headingOf = ({ columns }: Pick<ImportColumns, "columns">, field: string): string =>
  columns.find((column) => column.field === field)?.heading ?? field;
