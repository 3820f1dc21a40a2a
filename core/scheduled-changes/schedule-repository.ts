import type { DealerScope } from "../access/decide.ts";
import type { Actor, Principal } from "../access/principal.ts";
import type { ScopedChange } from "../access/scoped-change.ts";
import type { Timestamp } from "../clock.ts";
import type { Failure } from "../failure.ts";
import type { CursorPage, ListPosition } from "../imports/import-repository.ts";
import type { Claim } from "../jobs/job.ts";
import type { ComparedVehicle, Duplicates } from "../vehicles/duplicates.ts";
import type { VehicleRepository } from "../vehicles/vehicle-repository.ts";
import type {
  Schedule,
  ScheduledFields,
  ScheduledVehicle,
  ScheduleReason,
  ScheduleState,
  ScheduleWithVehicles,
} from "./schedule.ts";

/** Vehicles whose changes cannot be scheduled together. */
export interface UnfitVehicles {
  /** Those that are not in scope. */
  readonly missing: readonly number[];
  /** The dealers of the others, if there are several. */
  readonly dealers: readonly number[];
}

/** The result if a dealer has the maximum number of scheduled changes that have not ended. */
export const TOO_MANY_SCHEDULES = Symbol("too many scheduled changes");

/** Stored scheduled changes. Methods with a scope put it into the WHERE of their statements. */
export interface ScheduleRepository {
  /**
   * Schedules changes of these vehicles as they are now, unless their dealer has `most` that have not ended. Of those
   * that have ended it keeps the last `mostEnded`.
   */
  insert(made: {
    readonly vehicleIds: readonly number[];
    readonly at: Timestamp;
    readonly changes: ScheduledFields;
    readonly scope: DealerScope;
    readonly most: number;
    readonly mostEnded: number;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<ScheduleWithVehicles | UnfitVehicles | typeof TOO_MANY_SCHEDULES>;
  find(id: number, scope: DealerScope): Promise<ScheduleWithVehicles | null>;
  list(query: {
    readonly scope: DealerScope;
    readonly dealerId?: number;
    readonly vehicleId?: number;
    readonly state?: ScheduleState;
    readonly limit: number;
    readonly after: ListPosition | null;
  }): Promise<CursorPage<Schedule, ListPosition>>;
  /** Cancels one that has not begun, unless `refusal` says why not; false if there is none in scope. */
  cancel(cancelled: ScopedChange, refusal: (state: ScheduleState) => Failure | null): Promise<boolean | Failure>;
  /** Gives some of those that are due to the jobs, each once; how many that were. */
  begin(now: Timestamp): Promise<number>;
  /** Deletes some that ended before this time; false if none is left. */
  forget(before: Timestamp): Promise<boolean>;
}

/** A vehicle that waits for its change, with its version when that was scheduled. */
export interface WaitingVehicle {
  readonly id: number;
  readonly version: Timestamp;
}

/** A scheduled change that is being made. */
export interface RunningSchedule {
  readonly id: number;
  readonly dealerId: number;
  readonly changes: ScheduledFields;
  readonly startedAt: Timestamp;
  /** Who made it; `null` if they have no rights any more. */
  readonly maker: Principal | null;
  /** The next of its vehicles, in the order of their ids, and whether others follow. */
  readonly waiting: readonly WaitingVehicle[];
  readonly isMore: boolean;
}

/** A transaction that changes some vehicles. Nothing but these methods may be awaited in it. */
export interface ScheduleStep {
  readonly current: RunningSchedule;
  readonly vehicles: Pick<VehicleRepository, "find" | "update">;
  /** The duplicates that the dealer refuses. None of them can come or go before the end of the transaction. */
  refusedDuplicates(vehicle: ComparedVehicle, except: number): Promise<Duplicates>;
  /** Stores what became of vehicles. */
  store(results: readonly ScheduledVehicle[]): Promise<void>;
  /** Drops all that wait, for this reason. */
  dropRest(reason: ScheduleReason, message: string): Promise<void>;
  /** Ends it and its job. `stateOf` decides by the numbers of its vehicles how it ended. */
  end(reason: ScheduleReason | null, stateOf: (counts: ScheduleCounts) => ScheduleState): Promise<void>;
}

/** The numbers of vehicles with each outcome. */
export type ScheduleCounts = Pick<Schedule, "updated" | "unchanged" | "dropped">;

/** What making scheduled changes needs from the database. */
export interface ScheduleWork {
  /**
   * Runs a step in a transaction of its own; `null` if the scheduled change is gone or has ended. Throws LeaseLost if
   * another process has the job by now.
   */
  step<Result>(claim: Claim, work: (step: ScheduleStep) => Promise<Result>): Promise<Result | null>;
}
