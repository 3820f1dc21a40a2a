import { sql } from "kysely";
import { changeIdOfSchedule } from "../../../core/changes/named-change.ts";
import type { Schedule } from "../../../core/scheduled-changes/schedule.ts";
import type { Row } from "../query/tables.ts";

/** The columns of a scheduled change that are read. */
export const SCHEDULE_COLUMNS = [
  "id",
  "dealer_id",
  "at",
  "changes",
  "state",
  "reason",
  "vehicles",
  "updated",
  "unchanged",
  "dropped",
  "name",
  "created_at",
  "updated_at",
  "finished_at",
] as const;
/** A row as it is read; `vehicle_id` is its vehicle if it is only one. */
export type ScheduleRow = Pick<Row<"scheduled_changes">, (typeof SCHEDULE_COLUMNS)[number]> & {
  readonly vehicle_id: number | null;
};

/** The vehicle of a scheduled change, if it is only one. */
export const ONLY_VEHICLE = sql<number | null>`CASE WHEN scheduled_changes.vehicles = 1 THEN
  (SELECT vehicle_id FROM scheduled_change_vehicles WHERE change_id = scheduled_changes.id) END`.as("vehicle_id");

/** A scheduled change as it is answered. */
export const scheduleOf = (row: ScheduleRow): Schedule => ({
  id: row.id,
  dealer_id: row.dealer_id,
  at: row.at,
  changes: JSON.parse(row.changes),
  state: row.state,
  reason: row.reason,
  total: row.vehicles,
  updated: row.updated,
  unchanged: row.unchanged,
  dropped: row.dropped,
  vehicle_id: row.vehicle_id,
  name: row.name,
  change_id: row.updated > 0 ? changeIdOfSchedule(row.id) : null,
  created_at: row.created_at,
  updated_at: row.updated_at,
  finished_at: row.finished_at,
});

/** A scheduled change in the form that the audit log shows. */
export const auditedOf = ({ at, changes, vehicles }: Pick<ScheduleRow, "at" | "changes" | "vehicles">): object => ({
  at,
  ...Object.fromEntries(
    Object.entries(JSON.parse(changes) as object).map(([name, value]) => [
      name,
      typeof value === "object" ? JSON.stringify(value) : value,
    ]),
  ),
  vehicles,
});
