import { SERVICE } from "../../../core/access/principal.ts";
import { RANK_OF_SERVICE } from "../../../core/access/rules/only-higher-rank-reactivates.ts";
import type { Clock } from "../../../core/clock.ts";
import { fileWarnings } from "../../../core/imports/file-warnings.ts";
import type { ImportIssue } from "../../../core/imports/import-issue.ts";
import { afterImport } from "../../../core/sources/outcome.ts";
import type { FailingSource } from "../../../core/sources/source-repository.ts";
import { auditTrail } from "../audit/trail.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, params, statement } from "../query/statement.ts";
import type { Row } from "../query/tables.ts";
import { SOURCE_COLUMNS, storedOf } from "./stored.ts";

/** The columns of a source that the end of an import changes. */
const CHANGED = ["runs", "etag", "failures", "failing_since", "active", "ended_by", "next_at"] as const;

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
  const locked = statement(() =>
    db
      .selectFrom("import_sources")
      .select(SOURCE_COLUMNS)
      .where("id", "=", param("source"))
      .where("dealer_id", "=", param("dealer"))
      .modifyEnd(db.forUpdate),
  );
  const ended = statement(() =>
    db
      .selectFrom("imports")
      .select(["state", "error", "created_at", "options", "columns", "progress"])
      .where("id", "=", param("id"))
      .where("dealer_id", "=", param("dealer")),
  );
  const change = statement(() =>
    db
      .updateTable("import_sources")
      .set(params(CHANGED))
      .where("id", "=", param("source"))
      .where("dealer_id", "=", param("dealer")),
  );

  return async (
    tx: Sql,
    {
      sourceId: source,
      importId: id,
      dealerId: dealer,
    }: { readonly sourceId: number; readonly importId: number; readonly dealerId: number },
  ): Promise<FailingSource | null> => {
    const [row] = await tx.all(locked, { source, dealer });
    const [made] = await tx.all(ended, { id, dealer });
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
    await tx.all(change, {
      source,
      dealer,
      runs: JSON.stringify(runs),
      etag,
      failures,
      failing_since: failingSince,
      active: isOff ? 0 : row.active,
      ended_by: isOff ? RANK_OF_SERVICE : row.ended_by,
      next_at: isOff ? null : row.next_at,
    });
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
