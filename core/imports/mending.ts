import Type from "typebox";
import { scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { useCase } from "../access/use-case.ts";
import { changeIdOfImport } from "../changes/named-change.ts";
import type { Clock } from "../clock.ts";
import { Failure, notFound, type Outcome } from "../failure.ts";
import type { ImageRules } from "../images/image-list.ts";
import { Issues } from "../issues.ts";
import { flag, type Input, integer } from "../schema.ts";
import type { SettingsRepository } from "../settings/settings-repository.ts";
import type { Storage } from "../storage.ts";
import { shortened } from "../text.ts";
import { validator } from "../validation.ts";
import { cellNamesOf } from "./cell-names.ts";
import { withDealersOfCodes } from "./dealer-codes.ts";
import { charactersOf, withKeptCells } from "./failed-cells.ts";
import type { Cell } from "./file/file.ts";
import { headingOf } from "./headings/columns.ts";
import { type ImportCounts, ROW_OUTCOMES } from "./import.ts";
import type { ImportIssue } from "./import-issue.ts";
import type { FailedRow, MendingStep, RowMending, StoredImport, StoredRow } from "./import-repository.ts";
import { failureOfCells, MAX_CELL, MAX_SHOWN } from "./mended-cells.ts";
import type { ReadRow, RowResult } from "./row-decision.ts";
import { makeRows } from "./rows.ts";
import { SeenRows } from "./seen-rows.ts";
import { isSameValue } from "./values/cell-readers.ts";
import { valuesReader } from "./values/values.ts";
import { type PlacedResult, photosUnfetched, waitingPhotosOf, withPhotosLeft } from "./waiting-photos.ts";

/** The rows that one request mends at most. They are one transaction. */
export const MAX_MENDED = 100;
const MAX_HEADING = 1000;
const MAX_CELLS = 300;

const MendedRow = Type.Object(
  {
    row: integer(1, Number.MAX_SAFE_INTEGER, { description: "The `row` of the failed row." }),
    cells: Type.Record(
      Type.String({ maxLength: MAX_HEADING }),
      Type.Union([Type.String({ maxLength: MAX_CELL }), Type.Number(), Type.Null()]),
      {
        maxProperties: MAX_CELLS,
        fault: `must be an object of up to ${MAX_CELLS} headings of the file, each with a text of up to ${MAX_CELL} characters, a number or null`,
        description:
          "What the cells of some columns should be, by their headings; where a heading is there again, it is called as in `cells` of the rows. The other cells stay as they came.",
      },
    ),
  },
  { title: "MendedRow", additionalProperties: false },
);

/** Body of POST /api/imports/:id/mend. */
export const Mending = Type.Object({
  rows: Type.Array(MendedRow, {
    minItems: 1,
    maxItems: MAX_MENDED,
    fault: `must be a list of 1 to ${MAX_MENDED} rows`,
  }),
  dry_run: Type.Optional(
    flag({ default: false, description: "If true, nothing is changed, and the answer tells what would happen." }),
  ),
});
const mending = validator(Mending);

/** What becomes of a mended row. `not_found` stands for a row that is not there, or has not failed. */
export const MENDED_OUTCOMES = [...ROW_OUTCOMES.filter((outcome) => outcome !== "missing"), "not_found"] as const;

/** The result of a mended row. */
export interface MendedResult {
  readonly row: number;
  readonly outcome: RowResult["outcome"] | "not_found";
  readonly vehicle_id: number | null;
  readonly errors: readonly ImportIssue[];
  readonly warnings: readonly ImportIssue[];
}

/** The results of all rows. */
export interface MendingAnswer {
  readonly dry_run: boolean;
  readonly results: readonly MendedResult[];
}

interface Parts {
  readonly work: RowMending;
  readonly clock: Clock;
  /** Lets other work run in between. */
  readonly pause: () => Promise<void>;
  readonly images: ImageRules;
  readonly settings: Pick<SettingsRepository, "read">;
  readonly storage: Pick<Storage, "recentRefusal">;
}

/** A row after others that change many images: they were one transaction that was long enough. */
const NOT_REACHED = { path: "", code: "not_reached", message: "was not reached; send it again" };

type Sent = Input<typeof Mending>["rows"];

const ENDED: ReadonlySet<StoredImport["state"]> = new Set([
  ...(["completed", "failed", "cancelled", "needs_confirmation"] as const),
]);

/** Why the rows of an import cannot be mended in its present state. */
const stateFailure = ({ id, state, options }: StoredImport): Failure | null => {
  if (ENDED.has(state) && !options.dry_run) return null;
  const reason = `Import ${id} has not ended, or only checked its file; its failed rows can be mended when it has ended`;
  return new Failure({ kind: "import-state", reason });
};

/** What names headings that the file does not have, and rows a second time; `null` if nothing does. */
const failureOf = (rows: Sent, { columns }: StoredImport["columns"]): Failure | null => {
  const names = new Set(cellNamesOf(columns));
  const seen = new Set<number>();
  const issues = new Issues();
  for (const [place, { row, cells }] of rows.entries()) {
    if (seen.has(row)) issues.add(`rows[${place}].row`, "is named a second time");
    seen.add(row);
    for (const name of Object.keys(cells))
      if (!names.has(name))
        issues.add(`rows[${place}].cells`, `has "${shortened(name, MAX_SHOWN)}", which is no column of the file`);
  }
  const { list, omitted } = issues;
  return list.length === 0 ? null : new Failure({ kind: "invalid", issues: list, omitted });
};

/** The cells of a row with those that were sent in place of what came. */
const mendedCells = (
  came: FailedRow["cells"],
  sent: Sent[number]["cells"],
  { columns }: StoredImport["columns"],
): readonly Cell[] =>
  cellNamesOf(columns).map((name, place) => (Object.hasOwn(sent, name) ? (sent[name] ?? "") : (came[place] ?? null)));

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** The counts after rows that had failed became something else. */
const countsAfter = (counts: ImportCounts, rows: readonly StoredRow[]): ImportCounts => {
  const of = (wanted: StoredRow["outcome"]): number => rows.filter(({ outcome }) => outcome === wanted).length;
  return {
    ...counts,
    created: counts.created + of("created"),
    updated: counts.updated + of("updated"),
    unchanged: counts.unchanged + of("unchanged"),
    skipped: (counts.skipped ?? 0) + of("skipped"),
    failed: counts.failed - (rows.length - of("failed")),
  };
};

/**
 * Use case of mending failed rows where they stand: some of their cells are typed anew, and the rows are read again as
 * the file was. They become a part of the same import and of its change, as if the file had had these cells; rows that
 * still fail keep what was typed.
 */
export const makeMending = ({ work, clock, pause, images, settings, storage }: Parts) => {
  const apply = makeRows({ clock, images, pause });

  const mendIn = async (
    step: MendingStep,
    rows: Sent,
    {
      principal,
      isCheck,
      resaleDays,
    }: { readonly principal: Principal; readonly isCheck: boolean; readonly resaleDays: number },
  ): Promise<Outcome<readonly MendedResult[]>> => {
    const { current } = step;
    const { id, columns, options, progress } = current;
    const wrong = stateFailure(current);
    if (wrong !== null) return wrong;
    const refused = failureOf(rows, columns);
    if (refused !== null) return refused;
    const failed = await step.failedRows(rows.map(({ row }) => row));
    const read = valuesReader(columns, options);
    const placed = rows.flatMap(({ row, cells: sent }) => {
      const came = failed.get(row);
      if (came === undefined) return [];
      const cells = mendedCells(came.cells, sent, columns);
      const values = read(cells);
      return [{ row, line: came.line, cells, read: { values, dealerId: current.dealerId ?? values.dealerId } }];
    });
    const change = { id: changeIdOfImport(id), kind: "import", at: current.begunAt } as const;
    const readRows: readonly ReadRow[] = placed.map((one) => one.read);
    const became = await apply(step, await withDealersOfCodes(step.reads, readRows), {
      by: { ...principal, importId: id, change },
      seen: new SeenRows(),
      options: { ...options, mode: options.mode === "snapshot" ? "upsert" : options.mode },
      ...{ isCheck, isSame: isSameValue, resaleDays, merging: null, isLenient: true, knowsPhotos: true },
      nameOf: (field) => headingOf(columns, field),
    });
    const unfetched = await photosUnfetched(step, headingOf(columns, "images"));
    const results = new Map(
      placed.flatMap(({ row }, index) => {
        const result = became[index];
        return result === undefined ? [] : [[row, unfetched === null ? result : withPhotosLeft(result, unfetched)]];
      }),
    );
    if (!isCheck) {
      const stored = placed.flatMap(({ row, line, cells }): PlacedResult[] => {
        const result = results.get(row);
        if (result === undefined) return [];
        return [{ ...result, place: row, line, row, ...(result.outcome === "failed" && { cells }) }];
      });
      // What the rows took before counts no more, or rows that fail often would leave no room for themselves.
      const replaced = stored.flatMap(({ row }) => (row === null ? [] : (failed.get(row) ?? [])));
      const before = (progress.keptCells ?? 0) - sumOf(replaced.map(({ cells }) => charactersOf(cells)));
      const kept = withKeptCells(stored, Math.max(0, before));
      const bytes = await step.storeRows(kept.rows);
      if (options.fetch_images === true && unfetched === null) await step.fetchLater(stored.flatMap(waitingPhotosOf));
      await step.progressed({
        ...progress,
        counts: countsAfter(progress.counts, stored),
        kept: Math.max(0, (progress.kept ?? 0) + bytes - sumOf(replaced.map((one) => one.bytes))),
        keptCells: kept.keptCells,
      });
    }
    return rows.map(({ row }): MendedResult => {
      const result = results.get(row);
      const none = { row, vehicle_id: null, warnings: [] };
      if (!failed.has(row)) return { ...none, outcome: "not_found", errors: [] };
      if (result === undefined) return { ...none, outcome: "failed", errors: [NOT_REACHED] };
      const { outcome, vehicle_id, errors, warnings } = result;
      return { row, outcome, vehicle_id, errors, warnings };
    });
  };

  return {
    mend: useCase("import.mend", async (principal, id: number, input: unknown): Promise<Outcome<MendingAnswer>> => {
      const wrong = failureOfCells(input);
      if (wrong !== null) return wrong;
      const body = mending.parse(input);
      if (body instanceof Failure) return body;
      const { rows, dry_run: isCheck = false } = body;
      const scope = scopeOf(principal);
      const noRoom = isCheck ? null : await storage.recentRefusal(scope);
      if (noRoom !== null) return noRoom;
      const { resale_days: resaleDays } = await settings.read();
      const results = await work.within({ id, scope }, (step) =>
        mendIn(step, rows, { principal, isCheck, resaleDays }),
      );
      if (results === null) return notFound("import", id);
      return results instanceof Failure ? results : { dry_run: isCheck, results };
    }),
  };
};

export type Mend = ReturnType<typeof makeMending>;
