import { guardedEgress } from "../../adapters/egress/client.ts";
import { sourceRoutes } from "../../adapters/http/api/sources.ts";
import { makeSourceRepository } from "../../adapters/sql/sources/repository.ts";
import { makeSourceWork } from "../../adapters/sql/sources/work.ts";
import { recurring } from "../../adapters/system/recurring.ts";
import { timeZoneOf } from "../../adapters/system/time-zones.ts";
import type { Imports } from "../../core/imports/imports.ts";
import { makeSourceRun } from "../../core/sources/run.ts";
import { makeSources } from "../../core/sources/sources.ts";
import { uploadOfFile } from "../fetched-files.ts";
import { type Feature, type Http, reportingFailures } from "./feature.ts";
import type { Shared } from "./shared.ts";

const TICK_MS = 5000;

/** Files that are fetched on a schedule, and imported. `nudge` has the waiting runs begin. */
export const wireSources = (shared: Shared, imports: Imports, nudge: () => void) => {
  const { db, clock, sealing } = shared;
  const egress = guardedEgress({ allowed: shared.egressAllow, clock });
  const sources = makeSources({
    sources: makeSourceRepository(db, { clock, sealing }),
    clock,
    timeZone: timeZoneOf,
    egress,
    photosOff: shared.photosOff,
    nudge,
  });
  const { run } = makeSourceRun({
    work: makeSourceWork(db, { clock, sealing }),
    egress,
    uploadOf: uploadOfFile,
    imports,
    clock,
    warn: shared.warnOfSource,
    explain: shared.explainSource,
  });
  return {
    uses: { sources },
    routes: ({ cursors }: Http) => sourceRoutes(sources, cursors),
    works: [reportingFailures(recurring(clock, TICK_MS, sources.tickAll))],
    run,
  } satisfies Feature & Record<"run", unknown>;
};
