import { mappingRoutes } from "../../adapters/http/api/import-mappings.ts";
import { mendingRoutes } from "../../adapters/http/api/import-mending.ts";
import { importRoutes } from "../../adapters/http/api/imports.ts";
import { makeMappingRepository } from "../../adapters/sql/imports/mappings.ts";
import { makeRowMending } from "../../adapters/sql/imports/mending.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import { makeImportWork } from "../../adapters/sql/imports/work.ts";
import { makeAlarm } from "../../adapters/system/alarms.ts";
import { recurring } from "../../adapters/system/recurring.ts";
import { threadedWorkbooks } from "../../adapters/workbooks/reader.ts";
import { makeImports } from "../../core/imports/imports.ts";
import { makeMappings } from "../../core/imports/mappings.ts";
import { makeMending } from "../../core/imports/mending.ts";
import { makeImportRun } from "../../core/imports/run.ts";
import { Tally } from "../../core/tally.ts";
import { type Feature, type Http, reportingFailures } from "./feature.ts";
import type { Shared } from "./shared.ts";

const TIDY_MS = 10 * 60_000;

/** Files of vehicles, and how their columns are read. `nudge` has the waiting imports run. */
export const wireImports = (shared: Shared, nudge: () => void) => {
  const { db, clock, settings, pause, background } = shared;
  const work = makeImportWork(db, { clock, ...shared.rowParts, warnOfSource: shared.warnOfSource });
  const stored = makeMappingRepository(db);
  const imports = makeImports({
    mappings: stored,
    imports: makeImportRepository(db, clock, shared.shown),
    work,
    clock,
    nudge,
    tidySoon: () => shared.transactions.atEnd(() => background(tidying.soon)),
    storage: shared.storage,
    photosOff: shared.photosOff,
    alarm: makeAlarm(clock),
    workbooks: threadedWorkbooks(),
    settings,
    pause,
  });
  const tidying = recurring(clock, TIDY_MS, imports.removeExpired);
  const mappings = makeMappings({ mappings: stored, clock });
  const rows = new Tally(["created", "updated", "unchanged", "failed", "skipped"]);
  const { run } = makeImportRun({
    ...{ work, clock, pause, images: shared.imageRules, settings },
    count: (outcome) => rows.add(outcome),
  });
  const mending = makeMending({
    work: makeRowMending(db, { clock, ...shared.rowParts }),
    ...{ clock, pause, settings, images: shared.imageRules, storage: shared.storage },
  });
  return {
    uses: { imports, mappings, mending },
    routes: ({ cursors }: Http) => [
      ...importRoutes(imports, cursors),
      ...mendingRoutes(mending),
      ...mappingRoutes(mappings, cursors),
    ],
    works: [reportingFailures(tidying)],
    counted: [
      {
        name: "inventory_import_rows_total",
        help: "Rows of files that were imported, by outcome.",
        label: "outcome",
        tally: rows,
      },
    ],
    run,
  } satisfies Feature & Record<"run", unknown>;
};
