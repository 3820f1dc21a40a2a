import { SERVICE } from "../../../core/access/principal.ts";
import { RANK_OF_SERVICE } from "../../../core/access/rules/only-higher-rank-reactivates.ts";
import type { Clock } from "../../../core/clock.ts";
import { fileWarnings } from "../../../core/imports/file-warnings.ts";
import type { ImportIssue } from "../../../core/imports/import-issue.ts";
import { afterImport } from "../../../core/sources/outcome.ts";
import type { FailingSource } from "../../../core/sources/source-repository.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Row } from "../query/tables.ts";
import { SOURCE_COLUMNS, storedOf } from "./stored.ts";

/** The warnings about the file of an import. */
const warningsIn = ({
  options,
  columns,
  progress,
}: Pick<Row<"imports">, "options" | "columns" | "progress">): readonly ImportIssue[] =>
  columns === null
    ? []
    : fileWarnings({ options: JSON.parse(options), columns: JSON.parse(columns), progress: JSON.parse(progress) });

/**
 * Records the outcome of an import in the source of its file. It runs in the transaction that ends the import, and in
 * the one that stores the run of the source. The source is locked, so that the later of the two sees the other. Returns
 * the source if its failures must be reported.
 */
export const importOutcomes = (db: SqlDatabase, clock: Clock) => {
  const audit = auditTrail(db);
  return async (
    tx: Tx,
    {
      sourceId: source,
      importId: id,
      dealerId: dealer,
    }: { readonly sourceId: number; readonly importId: number; readonly dealerId: number },
  ): Promise<FailingSource | null> => {
    const row = await tx
      .selectFrom("import_sources")
      .select(SOURCE_COLUMNS)
      .where("id", "=", source)
      .where("dealer_id", "=", dealer)
      .modifyEnd(db.forUpdate)
      .executeTakeFirst();
    const made = await tx
      .selectFrom("imports")
      .select(["state", "error", "created_at", "options", "columns", "progress"])
      .where("id", "=", id)
      .where("dealer_id", "=", dealer)
      .executeTakeFirst();
    if (row === undefined || made === undefined) return null;
    const { state, error, created_at: createdAt } = made;
    const outcome = afterImport(
      storedOf(row),
      { id, state, createdAt, error: error === null ? null : JSON.parse(error), warnings: warningsIn(made) },
      clock,
    );
    if (outcome === null) return null;
    const { runs, etag, failures, failingSince, event } = outcome;
    const isOff = event === "source.switched-off";
    await tx
      .updateTable("import_sources")
      .set({
        runs: JSON.stringify(runs),
        etag,
        failures,
        failing_since: failingSince,
        active: isOff ? 0 : row.active,
        ended_by: isOff ? RANK_OF_SERVICE : row.ended_by,
        next_at: isOff ? null : row.next_at,
      })
      .where("id", "=", source)
      .where("dealer_id", "=", dealer)
      .execute();
    const run = runs.find(({ import_id }) => import_id === id);
    if (event === null || run === undefined) return null;
    const { status, problem } = run;
    await audit(tx, {
      at: clock.now(),
      by: SERVICE,
      action: event,
      resourceId: source,
      dealerId: dealer,
      before: null,
      after: { name: row.name, status, problem },
    });
    return { id: source, dealerId: dealer, problem: problem ?? "" };
  };
};
