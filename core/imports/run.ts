import type { Principal } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import type { ImageRules } from "../images/image-list.ts";
import { type Claim, MAX_ATTEMPTS } from "../jobs/job.ts";
import { type FieldOwners, ownerAmong } from "../settings/field-owners.ts";
import type { Settings } from "../settings/installation.ts";
import type { SettingsRepository } from "../settings/settings-repository.ts";
import { afterListing, afterPass, endedBeforeStep, presentCount } from "./after-step.ts";
import { type Merging, sourceOf } from "./bases.ts";
import { withDealersOfCodes } from "./dealer-codes.ts";
import { isUnidentified, withoutDoubt } from "./doubtful-rows.ts";
import { plainRows } from "./errors-file.ts";
import { withKeptCells } from "./failed-cells.ts";
import type { FileRow } from "./file/file.ts";
import { readerOf } from "./file/reader.ts";
import { withLines, withNotes, withRowWarnings } from "./file-warnings.ts";
import { formerlyCalledIn } from "./former-keys.ts";
import { headingOf } from "./headings/columns.ts";
import type { ImportCounts, ImportError, RowOutcome } from "./import.ts";
import type { ImportStep, ImportWork, StoredImport, StoredRow } from "./import-repository.ts";
import { importerOf } from "./importer.ts";
import { handleMissing } from "./missing.ts";
import type { ReadRow, RowResult } from "./row-decision.ts";
import { makeRows, TURN_MS } from "./rows.ts";
import { SeenRows } from "./seen-rows.ts";
import { isSameValue } from "./values/cell-readers.ts";
import { type UnknownValue, withUnknownValues } from "./values/unknown-values.ts";
import { valuesReader } from "./values/values.ts";
import { type PlacedResult, waitingPhotosOf } from "./waiting-photos.ts";

/** The number of rows in one transaction. On SQLite, other changes wait for its end. */
const BATCH_ROWS = 100;
/** The maximum number of characters in the cells of a batch. A batch of long rows has fewer rows. */
const BATCH_CHARACTERS = 128 * 1024;
/** The number of missing vehicles that are stored in one transaction. */
const MISSING_AT_ONCE = 500;

const SOURCE_GONE: ImportError = {
  code: "source_gone",
  message:
    "The import source or mapping was deleted, and with it what its last file said, so that corrections cannot be told apart; what is done stays. Send the file again",
};
const DEFECT: ImportError = {
  code: "defect",
  message: `The import was interrupted ${MAX_ATTEMPTS} times at the same place; the log says why`,
};
interface Parts {
  readonly work: ImportWork;
  readonly clock: Clock;
  /** Lets other work run between transactions. */
  readonly pause: () => Promise<void>;
  readonly images: ImageRules;
  readonly settings: Pick<SettingsRepository, "read">;
  /** Counts a row that was imported, not only checked. */
  readonly count?: (outcome: RowOutcome) => void;
}

const characterCount = ({ cells }: FileRow): number =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === "string" ? cell.length : 0), 0);

/** The rows of the file after a position, in batches of one transaction each. The last batch may have no rows. */
async function* readBatches(
  { work, pause }: Pick<Parts, "work" | "pause">,
  { id, found, progress }: StoredImport,
): AsyncGenerator<readonly FileRow[]> {
  const reader = readerOf(found, progress.position ?? undefined);
  const plain = plainRows(found);
  let batch: FileRow[] = [];
  let characters = 0;
  const fullBatches = function* (rows: readonly FileRow[]): Generator<readonly FileRow[]> {
    for (const read of rows) {
      const row = plain(read);
      batch.push(row);
      characters += characterCount(row);
      if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
  };
  for await (const bytes of work.bytesFrom(id, progress.position?.offset ?? 0)) {
    yield* fullBatches(reader.push(bytes));
    // Even a chunk with few rows may take long to read.
    await pause();
  }
  yield* fullBatches(reader.end());
  yield batch;
}

const withCounts = (counts: ImportCounts, rows: readonly StoredRow[]): ImportCounts => {
  const of = (outcome: RowOutcome): number => rows.filter((row) => row.outcome === outcome).length;
  return {
    ...counts,
    created: counts.created + of("created"),
    updated: counts.updated + of("updated"),
    unchanged: counts.unchanged + of("unchanged"),
    failed: counts.failed + of("failed"),
    kept: (counts.kept ?? 0) + rows.filter(({ kept = [] }) => kept.length > 0).length,
    skipped: (counts.skipped ?? 0) + of("skipped"),
    warnings: counts.warnings + rows.reduce((sum, { warnings }) => sum + warnings.length, 0),
  };
};

/** A row at its place in a file. */
interface PlacedRow extends ReadRow {
  readonly row: FileRow;
}

/** The result of a row, as it is stored of a file. */
const storedRowOf = (result: RowResult, { row, line, cells }: FileRow): PlacedResult & { readonly line: number } => ({
  ...{ ...result, place: row, line, row },
  ...(result.outcome === "failed" && { cells }),
});

/** The values of rows that the service does not know. Cells of a row that cannot be read may be under wrong headings. */
const unknownIn = (rows: readonly PlacedRow[]): readonly UnknownValue[] =>
  rows.flatMap(({ row, values }) => (row.problem === null ? (values.unknown ?? []) : []));

/** What the batches of a pass share. */
interface Pass {
  readonly seen: SeenRows;
  readonly rules: Pick<Settings, "resale_days">;
  readonly merging: Merging | null;
}

/** Runs imports, one batch of rows per transaction. */
export const makeImportRun = ({ work, clock, pause, images, settings, count = () => {} }: Parts) => {
  const apply = makeRows({ clock, images, pause });

  /**
   * The person who makes the changes of a step; `null` if the import ended because it was stopped or may not continue.
   */
  const currentImporter = async (step: ImportStep): Promise<Principal | null> => {
    const { current } = step;
    const importer = await step.importer();
    const ended = endedBeforeStep(current, importer);
    if (ended !== null) await step.become(ended);
    return ended !== null || importer === null ? null : importerOf(current, importer);
  };

  /**
   * Processes the rows of a batch in one transaction. Returns the outcomes of the rows that were processed, from the
   * first one on; none if the import has ended.
   */
  const batch = async (
    step: ImportStep,
    rows: readonly PlacedRow[],
    { seen, rules, merging }: Pass,
  ): Promise<readonly RowOutcome[]> => {
    const by = await currentImporter(step);
    if (by === null) return [];
    if (merging?.isOn === true && !(await step.holdsSource(merging.source))) {
      await step.become({ state: "failed", error: SOURCE_GONE });
      return [];
    }
    const { progress, options, columns } = step.current;
    const became = await apply(step, await withDealersOfCodes(step.reads, rows), {
      ...{ by, seen, options, isSame: isSameValue, resaleDays: rules.resale_days, merging },
      ...{ isCheck: progress.pass === "check", isLenient: true, knowsPhotos: true },
      nameOf: (field) => headingOf(columns, field),
    });
    const results = rows.flatMap(({ row }, index) => {
      const result = became[index];
      return result === undefined ? [] : [storedRowOf(result, row)];
    });
    const { rows: storable, keptCells } = withKeptCells(results, progress.keptCells ?? 0);
    const kept = await step.storeRows(storable);
    if (options.fetch_images === true) await step.fetchLater(results.flatMap(waitingPhotosOf));
    const last = rows[results.length - 1]?.row;
    const unread = results.filter((row) => isUnidentified(step.current, row));
    const notes = rows.slice(0, results.length).flatMap(({ values }) => values.notes ?? []);
    await step.become({
      state: "running",
      progress: {
        ...progress,
        position: last?.next ?? progress.position,
        done: progress.done + results.length,
        counts: withCounts(progress.counts, results),
        unread: progress.unread + unread.length,
        unreadLines: withLines(
          progress.unreadLines ?? [],
          unread.map(({ line }) => line),
        ),
        notes: withNotes(progress.notes ?? [], notes),
        rowWarnings: withRowWarnings(progress.rowWarnings ?? [], results),
        unknownValues: withUnknownValues(progress.unknownValues ?? [], unknownIn(rows.slice(0, results.length))),
        kept: (progress.kept ?? 0) + kept,
        keptCells,
        there: presentCount(progress) + results.filter(({ wasThere }) => wasThere).length,
      },
    });
    return results.map(({ outcome }) => outcome);
  };

  /** Reads the cells of rows. Other work runs in between if that takes long. */
  const readRows = async (
    rows: readonly FileRow[],
    stored: StoredImport,
    read: ReturnType<typeof valuesReader>,
  ): Promise<readonly PlacedRow[]> => {
    const all: PlacedRow[] = [];
    let since = clock.steadyMs();
    for (const row of rows) {
      if (clock.steadyMs() - since >= TURN_MS) {
        await pause();
        since = clock.steadyMs();
      }
      const values = withoutDoubt(read(row.cells), row, stored);
      all.push({ row, values, dealerId: stored.dealerId ?? values.dealerId, problem: row.problem });
    }
    return all;
  };

  /** How the rows of a file are compared with the last file. A file that this service wrote is what people wrote. */
  const mergingOf = async (stored: StoredImport, installation: FieldOwners): Promise<Merging | null> => {
    if (stored.columns.isOwnExport) return null;
    const source = sourceOf(stored);
    return {
      source,
      isOn: stored.options.merge !== "off",
      ownerOf: ownerAmong(installation, await work.fieldOwners(stored)),
      formerlyCalled: formerlyCalledIn(await work.formerKeys(stored, source)),
    };
  };

  /** Processes the remaining rows of a pass. Returns false if the import has ended, or if `isStopping` is true. */
  const runPass = async (claim: Claim, stored: StoredImport, isStopping: () => boolean): Promise<boolean> => {
    const seen = new SeenRows();
    const rules = await settings.read();
    const merging = await mergingOf(stored, rules.field_owners);
    for await (const rows of work.processedRows(stored.id, stored.progress.done)) {
      for (const row of rows) seen.add(row);
      await pause();
    }
    const read = valuesReader(stored.columns, stored.options);
    for await (const rows of readBatches({ work, pause }, stored)) {
      let left = await readRows(rows, stored, read);
      while (left.length > 0) {
        if (isStopping()) return false;
        const some = left;
        const outcomes = await work.step(claim, (step) => batch(step, some, { seen, rules, merging }));
        if (outcomes.length === 0) return false;
        if (stored.progress.pass !== "check") for (const outcome of outcomes) count(outcome);
        left = left.slice(outcomes.length);
        await pause();
      }
    }
    return !isStopping();
  };

  /** Ends a pass after its last row. */
  const finishPass = (claim: Claim): Promise<void> => work.step(claim, (step) => step.become(afterPass(step.current)));

  /**
   * Adds some of the missing vehicles to the stored ones, of which there are `kept` already. Returns false if somebody
   * stopped the import.
   */
  const keepMissing = (claim: Claim, ids: readonly number[], kept: number): Promise<boolean> =>
    work.step(claim, async (step) => {
      const isGoingOn = !step.current.stops;
      await (isGoingOn
        ? step.storeMissing(ids.slice(kept, kept + MISSING_AT_ONCE), kept)
        : step.become({ state: "cancelled" }));
      return isGoingOn;
    });

  /** Determines the missing vehicles and stores them. If there are too many, the import waits for a confirmation. */
  const listMissing = async (claim: Claim, stored: StoredImport, isStopping: () => boolean): Promise<void> => {
    const isKnown = stored.progress.unread === 0;
    const absent = isKnown ? await work.missing(stored) : [];
    if (isKnown && !stored.options.dry_run)
      while (await work.step(claim, (step) => step.forgetStatusOfAbsent(sourceOf(step.current)))) await pause();
    const ids = await work.step(claim, async (step) => {
      const { options, sourceId } = step.current;
      return sourceId !== null && isKnown && !options.dry_run ? step.missingInBothFiles(absent) : absent;
    });
    // Other work can run between these steps. After an interruption, they begin again.
    while (await work.step(claim, (step) => step.deleteMissing())) await pause();
    for (let kept = 0; kept < ids.length; kept += MISSING_AT_ONCE) {
      if (isStopping() || !(await keepMissing(claim, ids, kept))) return;
      await pause();
    }
    await work.step(claim, (step) => step.become(afterListing(step.current, isKnown ? ids.length : null)));
  };

  /** Handles a few of the missing vehicles. Returns false if the import has ended. */
  const handleMissingBatch = (claim: Claim): Promise<boolean> =>
    work.step(claim, async (step) => {
      const by = await currentImporter(step);
      if (by === null) return false;
      const { progress, options } = step.current;
      const results = await handleMissing(step, { by, clock, done: progress.done });
      if (results === null) {
        await step.become({ state: "completed" });
        return false;
      }
      const kept = (progress.kept ?? 0) + (await step.storeRows(results));
      const { counts } = progress;
      const removed = counts.removed + (options.missing === "remove" ? results.length : 0);
      await step.become({
        state: "running",
        progress: {
          ...progress,
          kept,
          done: results.at(-1)?.place ?? progress.done,
          counts: { ...counts, removed },
        },
      });
      return true;
    });

  return {
    /**
     * Continues the import of a job until it ends, or until `isStopping` returns true. It throws if the database is
     * unavailable; the import then continues later, after the last batch.
     */
    async run(claim: Claim, isStopping: () => boolean): Promise<void> {
      for (let stored = await work.open(claim); stored !== null && !isStopping(); stored = await work.open(claim)) {
        if (claim.attempts > MAX_ATTEMPTS)
          await work.step(claim, (step) => step.become({ state: "failed", error: DEFECT }));
        else if (stored.progress.pass !== "missing") {
          if (!(await runPass(claim, stored, isStopping))) return;
          await finishPass(claim);
        } else if (!stored.progress.isListed) await listMissing(claim, stored, isStopping);
        else if (!(await handleMissingBatch(claim))) return;
        await pause();
      }
    },
  };
};
