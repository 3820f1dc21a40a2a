import type { ImportIssue, RowWarnings } from "./import-issue.ts";
import type { CountedNote, ImportProgress, StoredImport, StoredRow } from "./import-repository.ts";
import type { Note } from "./values/values.ts";

/** The number of lines that a warning names. */
const SHOWN_LINES = 5;

/** The lines of rows without a readable key, with those of further rows. */
export const withLines = (lines: readonly number[], more: readonly number[]): readonly number[] =>
  [...lines, ...more].slice(0, SHOWN_LINES);

/** The notes with those of further rows. */
export const withNotes = (notes: readonly CountedNote[], more: readonly Note[]): readonly CountedNote[] => {
  if (more.length === 0) return notes;
  const all = new Map(notes.map((note) => [`${note.code} ${note.path}`, note]));
  for (const note of more) {
    const known = all.get(`${note.code} ${note.path}`);
    all.set(
      `${note.code} ${note.path}`,
      known === undefined ? { ...note, count: 1 } : { ...known, count: known.count + 1 },
    );
  }
  return [...all.values()];
};

/** The kinds of warnings of which a number and an example are kept. */
const MOST_KINDS = 30;

/** The warnings of rows by column and kind, with those of further rows. */
export const withRowWarnings = (
  known: readonly RowWarnings[],
  rows: readonly Pick<StoredRow, "line" | "warnings">[],
): readonly RowWarnings[] => {
  if (rows.every(({ warnings }) => warnings.length === 0)) return known;
  const all = new Map(known.map((one) => [`${one.code} ${one.path}`, one]));
  for (const { line, warnings } of rows)
    for (const kind of new Map(warnings.map((warning) => [`${warning.code} ${warning.path}`, warning])))
      countKind(all, kind, line ?? 0);
  return [...all.values()];
};

const countKind = (
  all: Map<string, RowWarnings>,
  [kind, { path, code, message }]: readonly [kind: string, warning: ImportIssue],
  line: number,
): void => {
  const known = all.get(kind);
  if (known !== undefined) all.set(kind, { ...known, count: known.count + 1 });
  else if (all.size < MOST_KINDS) all.set(kind, { path, code, message, count: 1, line });
};

const notDetermined = ({ unread, unreadLines = [] }: Pick<ImportProgress, "unread" | "unreadLines">): ImportIssue => {
  const rows = unread === 1 ? "1 row" : `${unread} rows`;
  const lines =
    unreadLines.length === 0
      ? ""
      : ` (${unreadLines.length === 1 ? "line" : "lines"} ${unreadLines.join(", ")}${unread > unreadLines.length ? ", …" : ""})`;
  return {
    path: "",
    code: "missing_not_determined",
    message: `it is not known which vehicles are missing, because of ${rows} without a VIN or stock number that can be read, or within which the file may end${lines}; vehicles that have left stay as they are`,
  };
};

/** The warnings about a file as a whole, with what was found in its rows so far. */
export const fileWarnings = ({
  columns,
  options,
  progress,
}: Pick<StoredImport, "columns" | "options" | "progress">): readonly ImportIssue[] => [
  ...(options.mode === "snapshot" && progress.unread > 0 ? [notDetermined(progress)] : []),
  ...columns.warnings,
  ...(progress.notes ?? []).map(({ path, code, count, example }) => ({
    path,
    code,
    message: `is in another unit than the installation in ${count === 1 ? "1 row" : `${count} rows`}, and was converted: ${example}; units=keep keeps the numbers`,
  })),
];

/** Warnings that say what is not read, and not that something was assumed, changed or left as it is. */
const PLAIN: ReadonlySet<string> = new Set(["heading_unknown", "heading_unused", "columns_missing"]);

/** The warnings that say that something was assumed, changed or left undone. */
export const tellingWarnings = (warnings: readonly ImportIssue[]): readonly ImportIssue[] =>
  warnings.filter(({ code }) => !PLAIN.has(code));

/** True if a file was imported with assumptions or left something undone, so that it is no plain success. */
export const hasTellingWarnings = ({ warnings }: { readonly warnings: readonly ImportIssue[] }): boolean =>
  tellingWarnings(warnings).length > 0;
