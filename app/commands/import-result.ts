import { hasTellingWarnings } from "../../core/imports/file-warnings.ts";
import type { Import, ImportRow } from "../../core/imports/import.ts";
import type { ImportIssue } from "../../core/imports/import-issue.ts";
import { CommandError, EXIT } from "./exit.ts";
import { plural } from "./table.ts";

/** An issue of a file or a row in words. */
export const issueText = ({ path, message }: ImportIssue): string => `${path} ${message}`.trimStart();

/** The results of the rows in words, such as `created 3, unchanged 1, failed 1`. */
export const countsText = ({ counts }: Pick<Import, "counts">): string =>
  Object.entries(counts)
    .filter(([, count]) => Boolean(count))
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(", ") || "nothing";

type Warned = Pick<Import, "warnings" | "row_warnings">;

/** The warnings that were not there yet when the import began: what was found in its rows. */
export const laterWarnings = (
  began: Pick<Import, "warnings">,
  { warnings, row_warnings: ofRows }: Warned,
): string[] => {
  const said = new Set(began.warnings.map(({ code, path }) => `${code} ${path}`));
  return [
    ...warnings.filter(({ code, path }) => !said.has(`${code} ${path}`)).map(issueText),
    ...ofRows.map(({ path, count, line, message }) =>
      `${path} in ${count === 1 ? "" : `${count} rows, such as `}line ${line}: ${message}`.trimStart(),
    ),
  ];
};

/** Why these rows failed, a line each. The last line counts the failed rows that are not among them. */
export const failedRowLines = (rows: readonly Pick<ImportRow, "line" | "errors">[], failed: number): string[] => [
  ...rows.map(({ line, errors }) => `line ${line}: ${errors.map(issueText).join("; ")}`),
  ...(failed > rows.length ? [`… and ${failed - rows.length} more rows`] : []),
];

/** Throws unless the whole import succeeded. */
export const requireSuccess = (done: Pick<Import, "id" | "state" | "counts" | "error" | "warnings">): void => {
  const { state, counts, error, id } = done;
  const failed = `${plural(counts.failed, "row")} failed`;
  if (error?.code === "rows_failed") throw new CommandError(`${failed}, so that nothing was written`, EXIT.partly);
  if (error !== null) throw new CommandError(error.message);
  if (state === "cancelled") throw new CommandError("somebody stopped the import; what was done stays");
  if (state === "needs_confirmation")
    throw new CommandError(
      `${counts.missing} vehicles are missing, which somebody must confirm (POST /api/imports/${id}/confirm); the rows are done`,
    );
  if (counts.failed > 0) throw new CommandError(failed, EXIT.partly);
  if (hasTellingWarnings(done)) throw new CommandError("done, with the warnings above", EXIT.warned);
};
