import { sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { Clock } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type {
  ScheduledVehicle,
  ScheduleState,
  ScheduleWithVehicles,
} from "../../../core/scheduled-changes/schedule.ts";
import { type ScheduleRepository, TOO_MANY_SCHEDULES } from "../../../core/scheduled-changes/schedule-repository.ts";
import { auditTrail } from "../audit/trail.ts";
import { transactionalJobs } from "../jobs/jobs.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { type Filtering, newestFirstPages } from "../query/newest-first.ts";
import { idsValue } from "../query/slices.ts";
import { param as given, scopedStatement, sqlStatement } from "../query/statement.ts";
import { auditedOf, ONLY_VEHICLE, SCHEDULE_COLUMNS, type ScheduleRow, scheduleOf } from "./stored.ts";

/** So many are given to the jobs, or forgotten, in one transaction. */
const AT_ONCE = 50;
const FORGOTTEN_AT_ONCE = 20;

interface Scheduled {
  readonly id: number;
  readonly dealer_id: number;
  readonly updated_at: string;
  readonly year: number;
  readonly make: string;
  readonly model: string;
}

const nameOf = (vehicles: readonly Scheduled[]): string => {
  const [first] = vehicles;
  return vehicles.length === 1 && first !== undefined
    ? `${first.year} ${first.make} ${first.model}`
    : `${vehicles.length} vehicles`;
};

/** Scheduled changes in SQL; see the port for what it guarantees. */
export const makeScheduleRepository = (db: SqlDatabase, clock: Clock): ScheduleRepository => {
  const audit = auditTrail(db);
  const jobs = transactionalJobs(clock);
  const pages = newestFirstPages(
    db,
    { table: "scheduled_changes", texts: ["changes", "name"] },
    ({ has, param }: Filtering<{ dealer: number; vehicle: number; state: ScheduleState }>) =>
      db
        .selectFrom("scheduled_changes")
        .select([...SCHEDULE_COLUMNS, ONLY_VEHICLE])
        .$if(has("dealer"), (query) => query.where("dealer_id", "=", param("dealer")))
        .$if(has("state"), (query) => query.where("state", "=", param("state")))
        .$if(has("vehicle"), (query) =>
          query.where(
            sql<boolean>`id IN (SELECT change_id FROM scheduled_change_vehicles WHERE vehicle_id = ${param("vehicle")})`,
          ),
        ),
  );

  const rowOf = (on: Queries, id: number, scope: DealerScope) =>
    on
      .selectFrom("scheduled_changes")
      .select([...SCHEDULE_COLUMNS, ONLY_VEHICLE])
      .where("id", "=", id)
      .$if(scope !== null, (query) => query.where("dealer_id", "=", scope));

  const withVehicles = async (on: Queries, row: ScheduleRow): Promise<ScheduleWithVehicles> => {
    const vehicles: readonly ScheduledVehicle[] = await on
      .selectFrom("scheduled_change_vehicles")
      .select(["vehicle_id as id", "outcome", "reason", "message"])
      .where("change_id", "=", row.id)
      .orderBy("vehicle_id")
      .execute();
    return { ...scheduleOf(row), vehicles };
  };

  // A thousand parameters would cost more to build than the statement costs to run, and nobody else would run meanwhile.
  const idsGiven = sql`${db.jsonRows(given<string>("ids"), { given_id: "integer" })} AS given`;
  const found = scopedStatement<Scheduled>((narrowed) => ({
    compile: () =>
      // They are found by their ids: an index of dealers would find all of a dealer's vehicles.
      sql<Scheduled>`SELECT vehicles.id, dealer_id, updated_at, year, make, model
        FROM ${idsGiven} CROSS JOIN vehicles WHERE vehicles.id = given_id
          ${narrowed ? sql`AND +dealer_id = ${given("scope")}` : sql``} ORDER BY vehicles.id`.compile(db),
  }));
  const waiting = sqlStatement<never>(
    db,
    sql<never>`INSERT INTO scheduled_change_vehicles (change_id, vehicle_id, version, outcome)
      SELECT ${given("change")}, vehicle_id, version, 'waiting'
      FROM ${db.jsonRows(given<string>("vehicles"), { vehicle_id: "integer", version: "text" })} AS given`,
  );

  /** The vehicles in scope, in the order of their ids. */
  const vehiclesIn = (tx: Tx, ids: readonly number[], scope: DealerScope): MaybePromise<readonly Scheduled[]> =>
    tx.all(found(scope), { ids: idsValue(ids), scope });

  /** Counts what has not ended. The dealer stays locked, so that nobody else counts meanwhile. */
  const openOf = async (tx: Tx, dealer: number): Promise<number> => {
    await tx.selectFrom("dealers").select("id").where("id", "=", dealer).modifyEnd(db.forNoKeyUpdate).execute();
    const count = await tx
      .selectFrom("scheduled_changes")
      .select(sql<number>`count(*)`.as("count"))
      .where("dealer_id", "=", dealer)
      .where("finished_at", "is", null)
      .executeTakeFirst();
    return count?.count ?? 0;
  };

  /** Deletes what ended before the last `kept` of a dealer. */
  const forgetBeyond = async (tx: Tx, dealer: number, kept: number): Promise<void> => {
    const old = await tx
      .selectFrom("scheduled_changes")
      .select("id")
      .where("dealer_id", "=", dealer)
      .where("finished_at", "is not", null)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(sql.lit(FORGOTTEN_AT_ONCE))
      .offset(kept)
      .execute();
    const ids = old.map(({ id }) => id);
    if (ids.length > 0) await tx.deleteFrom("scheduled_changes").where("id", "in", ids).execute();
  };

  return {
    insert: ({ vehicleIds, at, changes, scope, most, mostEnded, now, by }) =>
      db.write(async (tx) => {
        const vehicles = await vehiclesIn(tx, vehicleIds, scope);
        const known = new Set(vehicles.map(({ id }) => id));
        const missing = vehicleIds.filter((id) => !known.has(id));
        const dealers = [...new Set(vehicles.map(({ dealer_id }) => dealer_id))];
        const [dealer] = dealers;
        if (missing.length > 0 || dealers.length !== 1 || dealer === undefined) return { missing, dealers };
        if ((await openOf(tx, dealer)) >= most) return TOO_MANY_SCHEDULES;
        await forgetBeyond(tx, dealer, mostEnded);
        const inserted = await tx
          .insertInto("scheduled_changes")
          .values({
            dealer_id: dealer,
            at,
            changes: JSON.stringify(changes),
            state: "scheduled",
            reason: null,
            vehicles: vehicles.length,
            updated: 0,
            unchanged: 0,
            dropped: 0,
            name: nameOf(vehicles),
            actor_key_id: by.keyId,
            actor_user_id: by.userId,
            created_at: now,
            updated_at: now,
            started_at: null,
            finished_at: null,
          })
          .returning(SCHEDULE_COLUMNS)
          .executeTakeFirstOrThrow();
        const row = { ...inserted, vehicle_id: vehicles.length === 1 ? (vehicles[0]?.id ?? null) : null };
        const rows = vehicles.map(({ id, updated_at: version }) => [id, version]);
        await tx.all(waiting, { change: row.id, vehicles: JSON.stringify(rows) });
        await audit(tx, {
          at: now,
          by,
          action: "schedule.created",
          resourceId: row.id,
          dealerId: dealer,
          before: null,
          after: auditedOf(row),
          recordName: row.name,
        });
        return withVehicles(tx, row);
      }),

    async find(id, scope) {
      const row = await rowOf(db, id, scope).executeTakeFirst();
      return row === undefined ? null : withVehicles(db, row);
    },

    async list({ scope, dealerId, vehicleId, state, limit, after }) {
      const dealer = scope ?? dealerId ?? null;
      const filters = {
        ...(dealer !== null && { dealer }),
        ...(vehicleId !== undefined && { vehicle: vehicleId }),
        ...(state !== undefined && { state }),
      };
      const { rows, ...page } = await pages({ dealer, filters, limit, after });
      return { items: rows.map(scheduleOf), ...page };
    },

    cancel: ({ id, scope, now, by }, refusal) =>
      db.write(async (tx) => {
        const row = await rowOf(tx, id, scope).modifyEnd(db.forUpdate).executeTakeFirst();
        if (row === undefined) return false;
        const refused = refusal(row.state);
        if (refused instanceof Failure) return refused;
        await tx
          .updateTable("scheduled_changes")
          .set({ state: "cancelled", updated_at: now, finished_at: now })
          .where("id", "=", id)
          .where("dealer_id", "=", row.dealer_id)
          .execute();
        await tx
          .updateTable("scheduled_change_vehicles")
          .set({ outcome: "cancelled" })
          .where("change_id", "=", id)
          .execute();
        await audit(tx, {
          at: now,
          by,
          action: "schedule.cancelled",
          resourceId: id,
          dealerId: row.dealer_id,
          before: auditedOf(row),
          after: { at: row.at, state: "cancelled" },
          recordName: row.name,
        });
        return true;
      }),

    begin: (now) =>
      db.write(async (tx) => {
        const due = tx
          .selectFrom("scheduled_changes")
          .select("id")
          .where("state", "=", sql.lit("scheduled"))
          .where("at", "<=", now)
          .orderBy("at")
          .limit(sql.lit(AT_ONCE));
        const begun = await tx
          .updateTable("scheduled_changes")
          .set({ state: "running", started_at: now, updated_at: now })
          .where("id", "in", db.engine === "postgres" ? due.forUpdate().skipLocked() : due)
          .where("state", "=", "scheduled")
          .returning(["id", "dealer_id"])
          .execute();
        // A dealer's changes are made one after another, so that no dealer keeps others waiting.
        for (const { id, dealer_id: queue } of begun.toSorted((one, other) => one.id - other.id))
          await jobs.add(tx, { kind: "schedule", queue, subject: id });
        return begun.length;
      }),

    forget: (before) =>
      db.write(async (tx) => {
        const old = await tx
          .selectFrom("scheduled_changes")
          .select("id")
          .where("finished_at", "<", before)
          .orderBy("finished_at")
          .limit(sql.lit(FORGOTTEN_AT_ONCE))
          .execute();
        const ids = old.map(({ id }) => id);
        if (ids.length > 0) await tx.deleteFrom("scheduled_changes").where("id", "in", ids).execute();
        return ids.length > 0;
      }),
  };
};
