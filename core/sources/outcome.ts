import { type Clock, msOf, type Timestamp } from "../clock.ts";
import { tellingWarnings } from "../imports/file-warnings.ts";
import type { ImportError, StoredImportState } from "../imports/import.ts";
import type { ImportIssue } from "../imports/import-issue.ts";
import type { SourceRun } from "./source.ts";
import type { SourceResult, StoredSource } from "./source-repository.ts";

/** The number of consecutive failures after which the operator is warned. */
const REPORTED_FAILURES = 3;
const MAX_FAILING_MS = 7 * 24 * 60 * 60 * 1000;

/** The failures of a source. All of these fields except `event` are stored. */
type Failures = Pick<SourceResult, "failures" | "failingSince" | "event">;

/** The failures of a source after one more failure. */
export const afterFailure = (
  source: Pick<StoredSource, "active" | "failures" | "failingSince">,
  clock: Clock,
): Failures => {
  const failures = source.failures + 1;
  const failingSince = source.failingSince ?? clock.now();
  const isToBeSwitchedOff = source.active && clock.nowMs() - msOf(failingSince) >= MAX_FAILING_MS;
  return {
    failures,
    failingSince,
    event: isToBeSwitchedOff ? "source.switched-off" : failures === REPORTED_FAILURES ? "source.failing" : null,
  };
};

/** An import of a source's file, with the fields that matter for the source. */
export interface SourceImport {
  readonly id: number;
  readonly state: StoredImportState;
  readonly error: ImportError | null;
  readonly createdAt: Timestamp;
  /** The warnings about its file as a whole. */
  readonly warnings: readonly ImportIssue[];
}

/** What an ended import changes in its source. */
export interface ImportOutcome extends Failures {
  readonly runs: readonly SourceRun[];
  readonly etag: string | null;
}

/** The states in which a fetch was a success, even if somebody must still confirm a part of the import. */
const SUCCESSFUL: ReadonlySet<StoredImportState> = new Set(["completed", "previewed", "needs_confirmation"]);

/**
 * What an import changes in its source. Its run tells what the import assumed or left undone. A failed import is a
 * failure of its run, and the file is fetched again even if it is unchanged. `null` if nothing changes: the import has not ended, was cancelled, or belongs to no stored run.
 */
export const afterImport = (source: StoredSource, made: SourceImport, clock: Clock): ImportOutcome | null => {
  const isFailed = made.state === "failed";
  const hasRun = source.runs.some(({ import_id }) => import_id === made.id);
  if (!hasRun || !(isFailed || SUCCESSFUL.has(made.state))) return null;
  const problem = isFailed ? (made.error?.message ?? "The import failed") : null;
  const { etag, failures, failingSince } = source;
  const warnings = tellingWarnings(made.warnings);
  const runs = source.runs.map((run) => (run.import_id === made.id ? { ...run, problem, warnings } : run));
  const newest = source.runs.find(({ import_id }) => import_id !== null);
  // A file that is not the newest one, or that is older than the last change of the source, says nothing about the next
  // file.
  if (newest?.import_id !== made.id || made.createdAt < source.updatedAt)
    return { runs, etag, failures, failingSince, event: null };
  return isFailed
    ? { runs, etag: null, ...afterFailure(source, clock) }
    : { runs, etag, failures: 0, failingSince: null, event: null };
};
