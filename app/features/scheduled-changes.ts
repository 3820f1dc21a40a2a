import { scheduledChangeRoutes } from "../../adapters/http/api/scheduled-changes.ts";
import { makeScheduleRepository } from "../../adapters/sql/scheduled-changes/repository.ts";
import { makeScheduleWork } from "../../adapters/sql/scheduled-changes/work.ts";
import { recurring } from "../../adapters/system/recurring.ts";
import { makeScheduleRun } from "../../core/scheduled-changes/run.ts";
import { makeScheduledChanges } from "../../core/scheduled-changes/scheduled-changes.ts";
import { type Feature, type Http, reportingFailures } from "./feature.ts";
import type { Shared } from "./shared.ts";

const BEGIN_MS = 1000;
const FORGET_MS = 60 * 60_000;

/** Changes of vehicles that are made at a later time. `nudge` has those that are due begin. */
export const wireScheduledChanges = ({ db, clock, words, settings, pause }: Shared, nudge: () => void) => {
  const scheduledChanges = makeScheduledChanges({
    schedules: makeScheduleRepository(db, clock),
    clock,
    nudge,
  });
  const { run } = makeScheduleRun({ work: makeScheduleWork(db, { clock, words }), settings, clock, pause });
  return {
    uses: { scheduledChanges },
    routes: ({ cursors }: Http) => scheduledChangeRoutes(scheduledChanges, cursors),
    works: [
      reportingFailures(recurring(clock, BEGIN_MS, scheduledChanges.beginDue)),
      reportingFailures(recurring(clock, FORGET_MS, scheduledChanges.forgetOld)),
    ],
    run,
  } satisfies Feature & Record<"run", unknown>;
};
