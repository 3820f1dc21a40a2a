import type { Principal } from "../access/principal.ts";
import { scheduleNeedsItsMakersRights } from "../access/rules/work-needs-its-makers-rights.ts";
import { changeIdOfSchedule } from "../changes/named-change.ts";
import type { Clock } from "../clock.ts";
import { type Claim, MAX_ATTEMPTS } from "../jobs/job.ts";
import type { SettingsRepository } from "../settings/settings-repository.ts";
import { JsonRecord } from "../stored-json.ts";
import { duplicateIds, duplicateIssues } from "../vehicles/duplicates.ts";
import { decisionFor, droppedAsChanged, droppedAsRefused, endStateOf } from "./decision.ts";
import type { ScheduledVehicle, ScheduleReason } from "./schedule.ts";
import type { RunningSchedule, ScheduleStep, ScheduleWork, WaitingVehicle } from "./schedule-repository.ts";

interface Parts {
  readonly work: ScheduleWork;
  readonly settings: Pick<SettingsRepository, "read">;
  readonly clock: Clock;
  /** Lets other work run between transactions. */
  readonly pause: () => Promise<void>;
}

const WORDS: Readonly<Record<ScheduleReason, string>> = {
  rights_lost: "Whoever scheduled it may not change the dealer's vehicles any more",
  interrupted: `It was interrupted ${MAX_ATTEMPTS} times at the same place; the log says why`,
};

/** The maker of a scheduled change, as whom its vehicles are changed. */
const actorOf = (maker: Principal, { id, startedAt }: RunningSchedule): Principal => ({
  ...maker,
  via: "service",
  address: null,
  requestId: null,
  change: { id: changeIdOfSchedule(id), kind: "scheduled", at: startedAt },
});

/** Makes scheduled changes whose time has come. */
export const makeScheduleRun = ({ work, settings, clock, pause }: Parts) => {
  const changeOne = async (
    { current, vehicles, refusedDuplicates }: ScheduleStep,
    waiting: WaitingVehicle,
    { by, resaleDays }: { readonly by: Principal; readonly resaleDays: number },
  ): Promise<ScheduledVehicle> => {
    const { id, version } = waiting;
    const { dealerId, changes } = current;
    const now = clock.now();
    const decided = decisionFor(await vehicles.find(id, dealerId), waiting, { changes, now, resaleDays });
    if ("outcome" in decided) return decided;
    const { update, unique, compared } = decided;
    if (unique.length > 0) {
      const found = await refusedDuplicates(compared, id);
      if (duplicateIds(found).length > 0) return droppedAsRefused(id, duplicateIssues(found));
    }
    const changed = await vehicles.update({ id, scope: dealerId, changes: update, now, versions: [version], by });
    return changed instanceof JsonRecord
      ? { id, outcome: "updated", reason: null, message: null }
      : droppedAsChanged(id);
  };

  const dropRest = async (step: ScheduleStep, reason: ScheduleReason): Promise<boolean> => {
    await step.dropRest(reason, WORDS[reason]);
    await step.end(reason, endStateOf);
    return true;
  };

  return {
    /** Makes the scheduled change of a job. Each step stores what it did with it, so that a next process continues. */
    async run(claim: Claim, isStopping: () => boolean): Promise<void> {
      const { resale_days: resaleDays } = await settings.read();
      for (;;) {
        const isEnded = await work.step(claim, async (step): Promise<boolean> => {
          const { current } = step;
          if (claim.attempts > MAX_ATTEMPTS) return dropRest(step, "interrupted");
          const { maker, dealerId, waiting, isMore } = current;
          if (!scheduleNeedsItsMakersRights(maker, dealerId)) return dropRest(step, "rights_lost");
          const by = actorOf(maker, current);
          const results: ScheduledVehicle[] = [];
          for (const vehicle of waiting) results.push(await changeOne(step, vehicle, { by, resaleDays }));
          await step.store(results);
          if (isMore) return false;
          await step.end(null, endStateOf);
          return true;
        });
        if (isEnded !== false || isStopping()) return;
        await pause();
      }
    },
  };
};
