import Type from "typebox";
import { changesIn, issuesUnder, mergedFailure, type WantedChanges } from "../bulk/bulk-change.ts";
import { PriceChange } from "../bulk/price-change.ts";
import { type Clock, msOf, type Timestamp } from "../clock.ts";
import { Failure, invalid, type Outcome } from "../failure.ts";
import { ImportListQuery } from "../imports/import.ts";
import type { Issue } from "../issues.ts";
import { type Input, id, moment, oneOf } from "../schema.ts";
import { validator } from "../validation.ts";
import type { Status } from "../vehicles/fields.ts";
import { VehicleChanges } from "../vehicles/vehicle.ts";

/** The maximum number of vehicles of a scheduled change. */
export const MAX_SCHEDULED = 1000;
/** The maximum number of a dealer's scheduled changes that have not ended. */
export const MAX_OPEN_SCHEDULES = 100;
/** So many of a dealer's scheduled changes that have ended are kept, and none longer than 30 days. */
export const MAX_ENDED_SCHEDULES = 200;
export const ENDED_SCHEDULE_DAYS = 30;
/** How far ahead a change may be scheduled. */
const MAX_DAYS_AHEAD = 366;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What becomes of a scheduled change. `dropped` if no vehicle was left to change, or its maker may not make it. */
export const SCHEDULE_STATES = ["scheduled", "running", "done", "dropped", "cancelled"] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

/** Why the whole of the rest was dropped. */
export const SCHEDULE_REASONS = ["rights_lost", "interrupted"] as const;
export type ScheduleReason = (typeof SCHEDULE_REASONS)[number];

/** What becomes of a scheduled change for one vehicle. */
export const SCHEDULED_OUTCOMES = ["waiting", "updated", "unchanged", "dropped", "cancelled"] as const;
export type ScheduledOutcome = (typeof SCHEDULED_OUTCOMES)[number];

/**
 * Why it was dropped for a vehicle: that changed meanwhile, is not the dealer's any more, or cannot have these values;
 * or the whole of the rest was dropped.
 */
export const DROP_REASONS = ["changed", "gone", "refused", ...SCHEDULE_REASONS] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** The fields that a scheduled change sets. The price may be a difference from what it is then. */
export interface ScheduledFields {
  readonly price?: number | PriceChange;
  readonly status?: Status;
}

/** A scheduled change as it is answered in lists. */
export interface Schedule {
  readonly id: number;
  readonly dealer_id: number;
  /** When it is made. */
  readonly at: Timestamp;
  readonly changes: ScheduledFields;
  readonly state: ScheduleState;
  /** Why the whole of the rest was dropped; `null` if it was not. */
  readonly reason: ScheduleReason | null;
  /** The number of its vehicles, and of those with each outcome. */
  readonly total: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly dropped: number;
  /** The vehicle, if it is only one. */
  readonly vehicle_id: number | null;
  /** What its vehicles are called: the one, or how many there are. */
  readonly name: string;
  /** The change, so that it can be reverted; `null` if nothing was changed. */
  readonly change_id: string | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly finished_at: Timestamp | null;
}

/** A vehicle of a scheduled change, with what becomes of it. */
export interface ScheduledVehicle {
  readonly id: number;
  readonly outcome: ScheduledOutcome;
  /** Why it was dropped; `null` if it was not. */
  readonly reason: DropReason | null;
  /** The reason in words. */
  readonly message: string | null;
}

/** A scheduled change with its vehicles, in the order of their ids. */
export interface ScheduleWithVehicles extends Schedule {
  readonly vehicles: readonly ScheduledVehicle[];
}

const fields = {
  vehicle_id: Type.Optional(id({ description: "The vehicle. Send it, or `vehicle_ids`." })),
  vehicle_ids: Type.Optional(
    Type.Array(id(), {
      minItems: 1,
      maxItems: MAX_SCHEDULED,
      fault: `must be a list of 1 to ${MAX_SCHEDULED} ids of vehicles`,
      description: "The vehicles, all of one dealer. Duplicates are ignored.",
    }),
  ),
  at: moment({
    description: `When the changes are made: in the future, at most ${MAX_DAYS_AHEAD} days ahead.`,
    examples: ["2027-01-08T14:00:00Z"],
  }),
};

/** Body of POST /api/scheduled-changes, as documented. */
export const NewSchedule = Type.Object({
  ...fields,
  changes: Type.Object(
    {
      price: Type.Optional(Type.Union([VehicleChanges.properties.price, ...PriceChange.anyOf])),
      status: VehicleChanges.properties.status,
    },
    {
      title: "ScheduledFields",
      additionalProperties: false,
      description: "The price, the status, or both. The price may also be given as a difference from what it is then.",
    },
  ),
});

/** Fields of an answer that a new one may have; they are ignored. */
export const SCHEDULE_READ_ONLY = [
  "id",
  "dealer_id",
  "state",
  "reason",
  "total",
  "updated",
  "unchanged",
  "dropped",
  "name",
  "change_id",
  "vehicles",
  "created_at",
  "updated_at",
  "finished_at",
] as const;

/** The same with the changes validated separately. */
const newSchedule = validator(
  Type.Object({ ...fields, changes: Type.Object({}, { fault: "must be an object with price, status or both" }) }),
  SCHEDULE_READ_ONLY,
);

/** Query of GET /api/scheduled-changes. */
export const ScheduleQuery = Type.Object({
  dealer_id: Type.Optional(
    id({ description: "Only those of this dealer's vehicles. For a bound key, it is replaced by the key's dealer." }),
  ),
  vehicle_id: Type.Optional(id({ description: "Only those of this vehicle." })),
  state: Type.Optional(oneOf(SCHEDULE_STATES, { description: "Only those in this state." })),
  limit: ImportListQuery.properties.limit,
  cursor: ImportListQuery.properties.cursor,
});
export type ScheduleQuery = Input<typeof ScheduleQuery>;

/** A valid request. */
export interface ScheduleRequest {
  readonly vehicleIds: readonly number[];
  /** The list that was sent; `null` if one vehicle was named by itself. */
  readonly sentList: readonly number[] | null;
  readonly at: Timestamp;
  readonly changes: ScheduledFields;
}

const SCHEDULABLE: readonly string[] = ["price", "status"];

type Times = Pick<Clock, "now" | "nowMs" | "parse">;

const issuesOf = (sent: Readonly<Record<string, unknown>>, clock: Times): readonly Issue[] => {
  const issues: Issue[] = [];
  if ((sent.vehicle_id === undefined) === (sent.vehicle_ids === undefined))
    issues.push({ path: "vehicle_id", message: "or vehicle_ids must be there, and not both" });
  const at = typeof sent.at === "string" ? clock.parse(sent.at) : null;
  if (at !== null && at <= clock.now()) issues.push({ path: "at", message: "must be in the future" });
  if (at !== null && msOf(at) > clock.nowMs() + MAX_DAYS_AHEAD * DAY_MS)
    issues.push({ path: "at", message: `must be at most ${MAX_DAYS_AHEAD} days ahead` });
  return issues;
};

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldsIn = (sent: object, clock: Times): Outcome<ScheduledFields> => {
  const others = Object.keys(sent).filter((name) => !SCHEDULABLE.includes(name));
  const known = Object.fromEntries(Object.entries(sent).filter(([name]) => SCHEDULABLE.includes(name)));
  const unknown = others.map((path) => ({ path, message: "cannot be scheduled: only price and status can" }));
  // Without any field that can be scheduled, the others are what is wrong.
  const wanted: Outcome<WantedChanges> | null =
    Object.keys(known).length === 0 && others.length > 0 ? null : changesIn(known, clock);
  const failures = [
    ...(others.length > 0 ? [invalid(...unknown)] : []),
    ...(wanted instanceof Failure ? [wanted] : []),
  ];
  if (failures.length > 0 || wanted === null || wanted instanceof Failure) return mergedFailure(failures);
  const { price, status } = wanted.fields;
  const amount = wanted.price ?? price;
  return { ...(amount !== undefined && { price: amount }), ...(status !== undefined && { status }) };
};

/** A valid request, or every issue with it. */
export const scheduleRequestIn = (input: unknown, clock: Times): Outcome<ScheduleRequest> => {
  const sent: Readonly<Record<string, unknown>> = isObject(input) ? { ...input } : {};
  const body = newSchedule.parse(input, () => issuesOf(sent, clock));
  const changes = isObject(sent.changes) ? issuesUnder("changes", fieldsIn(sent.changes, clock)) : null;
  const failures = [body, changes].filter((outcome) => outcome instanceof Failure);
  if (body instanceof Failure || changes instanceof Failure || changes === null) return mergedFailure(failures);
  const { vehicle_id, vehicle_ids = [], at } = body;
  return {
    vehicleIds: vehicle_id === undefined ? [...new Set(vehicle_ids)] : [vehicle_id],
    sentList: vehicle_id === undefined ? vehicle_ids : null,
    at: clock.parse(at) ?? at,
    changes,
  };
};
