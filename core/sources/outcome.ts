import { type Clock, msOf, type Timestamp } from "../clock.ts";
import type { ImportError, StoredImportState } from "../imports/import.ts";
import type { SourceRun } from "./source.ts";
import type { SourceResult, StoredSource } from "./source-repository.ts";

/** So many failures in a row are told. */
const TOLD_FAILURES = 3;
const MOST_FAILING_MS = 7 * 24 * 60 * 60 * 1000;

/** What a source's failures come to; all but `event` is kept. */
type Failures = Pick<SourceResult, "failures" | "failingSince" | "event">;

/** What one more failure in a row comes to. */
export const afterFailure = (
  source: Pick<StoredSource, "active" | "failures" | "failingSince">,
  clock: Clock,
): Failures => {
  const failures = source.failures + 1;
  const failingSince = source.failingSince ?? clock.now();
  const isOver = source.active && clock.nowMs() - msOf(failingSince) >= MOST_FAILING_MS;
  return {
    failures,
    failingSince,
    event: isOver ? "source.switched-off" : failures === TOLD_FAILURES ? "source.failing" : null,
  };
};

/** An import of a source's file, as far as the source has to know. */
export interface SourceImport {
  readonly id: number;
  readonly state: StoredImportState;
  readonly error: ImportError | null;
  readonly createdAt: Timestamp;
}

/** What an import that ended says of the source of its file. */
export interface ImportOutcome extends Failures {
  readonly runs: readonly SourceRun[];
  readonly etag: string | null;
}

/** States in which a file did what a source is for, though somebody may have to confirm a part of it. */
const SUCCESSFUL: ReadonlySet<StoredImportState> = new Set(["completed", "previewed", "needs_confirmation"]);

/**
 * What the end of an import says of its source: one that failed is a failure of the run, and its file is fetched again
 * though it stays the same. `null` where it says nothing: it goes on, somebody cancelled it, or no run has it.
 */
export const afterImport = (source: StoredSource, made: SourceImport, clock: Clock): ImportOutcome | null => {
  const isFailed = made.state === "failed";
  const hasRun = source.runs.some(({ import_id }) => import_id === made.id);
  if (!hasRun || !(isFailed || SUCCESSFUL.has(made.state))) return null;
  const problem = isFailed ? (made.error?.message ?? "The import failed") : null;
  const { etag, failures, failingSince } = source;
  const runs = source.runs.map((run) => (run.import_id === made.id ? { ...run, problem } : run));
  const newest = source.runs.find(({ import_id }) => import_id !== null);
  // An older file, or one of the source as it was before somebody changed it, tells nothing about the next one.
  if (newest?.import_id !== made.id || made.createdAt < source.updatedAt)
    return { runs, etag, failures, failingSince, event: null };
  return isFailed
    ? { runs, etag: null, ...afterFailure(source, clock) }
    : { runs, etag, failures: 0, failingSince: null, event: null };
};
