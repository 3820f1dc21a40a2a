import { scopeOf } from "../access/decide.ts";
import { scopedChanges } from "../access/scoped-change.ts";
import { useCase } from "../access/use-case.ts";
import type { Clock } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import type { CursorPage, ListPosition } from "../imports/import-repository.ts";
import { Issues } from "../issues.ts";
import {
  ENDED_SCHEDULE_DAYS,
  MAX_ENDED_SCHEDULES,
  MAX_OPEN_SCHEDULES,
  type Schedule,
  type ScheduleQuery,
  type ScheduleRequest,
  type ScheduleState,
  type ScheduleWithVehicles,
  scheduleRequestIn,
} from "./schedule.ts";
import { type ScheduleRepository, TOO_MANY_SCHEDULES, type UnfitVehicles } from "./schedule-repository.ts";

interface Parts {
  readonly schedules: ScheduleRepository;
  readonly clock: Clock;
  /** Tells the job runner that there is work. */
  readonly nudge: () => void;
}

const DAY_SECONDS = 24 * 60 * 60;

const TOO_MANY = new Failure({
  kind: "quota-exceeded",
  reason: `The dealer has ${MAX_OPEN_SCHEDULES} scheduled changes that are not made yet, as many as it may have; cancel one first`,
});

/** Why a scheduled change in this state is not cancelled; `null` if it is. */
export const cancelRefusal = (state: ScheduleState): Failure | null =>
  state === "scheduled"
    ? null
    : new Failure({
        kind: "schedule-state",
        reason:
          state === "running"
            ? "It is being made now, so that it cannot be cancelled; revert the change when it is done"
            : `It is ${state} already, so that it cannot be cancelled`,
      });

/** Names each vehicle that does not exist for the caller, or says that they are of several dealers. */
const unfitFailure = ({ missing, dealers }: UnfitVehicles, { sentList }: ScheduleRequest): Failure => {
  const [first] = missing;
  if (first !== undefined && sentList === null) return notFound("vehicle", first);
  if (missing.length === 0)
    return invalid({
      path: "vehicle_ids",
      message: `must be vehicles of one dealer, and are of ${dealers.length}; schedule the changes of each by themselves`,
    });
  const issues = new Issues();
  for (const id of missing)
    issues.add(`vehicle_ids.${sentList?.indexOf(id)}`, `is ${id}, and there is no such vehicle`);
  return new Failure({ kind: "invalid", issues: issues.list, omitted: issues.omitted });
};

/** Use cases of scheduled changes: prices and statuses that vehicles get at a later time (interface 6.1). */
export const makeScheduledChanges = ({ schedules, clock, nudge }: Parts) => {
  const changing = scopedChanges(clock);
  return {
    create: useCase("schedule.create", async (principal, input: unknown): Promise<Outcome<ScheduleWithVehicles>> => {
      const request = scheduleRequestIn(input, clock);
      if (request instanceof Failure) return request;
      const { vehicleIds, at, changes } = request;
      const made = await schedules.insert({
        vehicleIds,
        at,
        changes,
        scope: scopeOf(principal),
        most: MAX_OPEN_SCHEDULES,
        mostEnded: MAX_ENDED_SCHEDULES,
        now: clock.now(),
        by: principal,
      });
      if (made === TOO_MANY_SCHEDULES) return TOO_MANY;
      return "missing" in made ? unfitFailure(made, request) : made;
    }),

    list: useCase(
      "schedule.list",
      async (
        principal,
        { dealer_id, vehicle_id, state, limit = 100 }: ScheduleQuery,
        after: ListPosition | null = null,
      ): Promise<Outcome<CursorPage<Schedule, ListPosition>>> =>
        schedules.list({
          scope: scopeOf(principal),
          ...(dealer_id !== undefined && { dealerId: dealer_id }),
          ...(vehicle_id !== undefined && { vehicleId: vehicle_id }),
          ...(state !== undefined && { state }),
          limit,
          after,
        }),
    ),

    get: useCase(
      "schedule.read",
      async (principal, id: number): Promise<Outcome<ScheduleWithVehicles>> =>
        (await schedules.find(id, scopeOf(principal))) ?? notFound("schedule", id),
    ),

    /** Cancels one that has not begun. */
    cancel: useCase("schedule.cancel", async (principal, id: number): Promise<Outcome<true>> => {
      const cancelled = await schedules.cancel(changing(principal, id), cancelRefusal);
      return cancelled === false ? notFound("schedule", id) : cancelled;
    }),

    /** Has all that are due made. */
    async beginDue(): Promise<void> {
      for (let begun = 1; begun > 0; ) {
        begun = await schedules.begin(clock.now());
        if (begun > 0) nudge();
      }
    },

    /** Deletes what ended more than 30 days ago. */
    async forgetOld(): Promise<void> {
      const before = clock.after(-ENDED_SCHEDULE_DAYS * DAY_SECONDS);
      while (await schedules.forget(before));
    },
  };
};

export type ScheduledChanges = ReturnType<typeof makeScheduledChanges>;
