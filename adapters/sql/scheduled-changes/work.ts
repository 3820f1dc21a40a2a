import { sql } from "kysely";
import { type Actor, SERVICE } from "../../../core/access/principal.ts";
import type { Clock } from "../../../core/clock.ts";
import { LeaseLost } from "../../../core/jobs/job.ts";
import type { ScheduledVehicle } from "../../../core/scheduled-changes/schedule.ts";
import type {
  ScheduleCounts,
  ScheduleStep,
  ScheduleWork,
} from "../../../core/scheduled-changes/schedule-repository.ts";
import { currentPrincipalOf } from "../access/current-principals.ts";
import { within } from "../audit/audited-change.ts";
import { auditTrail } from "../audit/trail.ts";
import { transactionalJobs } from "../jobs/jobs.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { VehicleWords } from "../search/vehicle-words.ts";
import { vehicleChanges } from "../vehicles/changes.ts";
import { vehicleDuplicates } from "../vehicles/duplicates.ts";
import { recordOf, vehicleById } from "../vehicles/records.ts";
import { SCHEDULE_COLUMNS } from "./stored.ts";

/** The number of vehicles in one transaction. On SQLite, other changes wait for its end. */
const VEHICLES_PER_STEP = 25;

/** Fields of the actor of background work that is done on somebody's behalf. */
const inBackground = { via: "service", address: null, requestId: null } as const satisfies Partial<Actor>;

/** The work of making scheduled changes, in SQL; see the port for what it guarantees. */
export const makeScheduleWork = (
  db: SqlDatabase,
  { clock, words }: { readonly clock: Clock; readonly words: VehicleWords },
): ScheduleWork => {
  const jobs = transactionalJobs(clock);
  const audit = auditTrail(db);
  const changes = vehicleChanges(db, words);
  const duplicates = vehicleDuplicates(db);
  const found = vehicleById(db);

  /** Reads and locks it. Cancelling locks it, too, before anything else. */
  const lockedRow = (tx: Tx, id: number) =>
    tx
      .selectFrom("scheduled_changes")
      .select([...SCHEDULE_COLUMNS, "actor_key_id", "actor_user_id", "started_at"])
      .where("id", "=", id)
      .where("state", "=", "running")
      .modifyEnd(db.forUpdate)
      .executeTakeFirst();

  const setOutcome = (tx: Tx, change: number, { id, outcome, reason, message }: ScheduledVehicle) =>
    tx
      .updateTable("scheduled_change_vehicles")
      .set({ outcome, reason, message })
      .where("change_id", "=", change)
      .where("vehicle_id", "=", id)
      .execute();

  const countsOf = async (tx: Tx, change: number): Promise<ScheduleCounts> => {
    const rows = await tx
      .selectFrom("scheduled_change_vehicles")
      .select(["outcome", sql<number>`count(*)`.as("count")])
      .where("change_id", "=", change)
      .groupBy("outcome")
      .execute();
    const of = (wanted: string): number => rows.find(({ outcome }) => outcome === wanted)?.count ?? 0;
    return { updated: of("updated"), unchanged: of("unchanged"), dropped: of("dropped") };
  };

  const stepIn = async (
    tx: Tx,
    row: NonNullable<Awaited<ReturnType<typeof lockedRow>>>,
    resetAttempts: () => Promise<void>,
  ): Promise<ScheduleStep> => {
    const { id, dealer_id: dealerId } = row;
    const caller = { keyId: row.actor_key_id, userId: row.actor_user_id };
    const maker = await currentPrincipalOf(tx, caller, clock.now());
    const next = await tx
      .selectFrom("scheduled_change_vehicles")
      .select(["vehicle_id as id", "version"])
      .where("change_id", "=", id)
      .where("outcome", "=", "waiting")
      .orderBy("vehicle_id")
      .limit(sql.lit(VEHICLES_PER_STEP + 1))
      .execute();
    return {
      current: {
        id,
        dealerId,
        changes: JSON.parse(row.changes),
        startedAt: row.started_at ?? row.at,
        maker,
        waiting: next.slice(0, VEHICLES_PER_STEP),
        isMore: next.length > VEHICLES_PER_STEP,
      },
      vehicles: {
        update: changes(within(tx)).update,
        find: async (vehicle, scope) => recordOf(vehicle, (await tx.all(found(scope), { id: vehicle, scope }))[0]),
      },
      refusedDuplicates: (vehicle, except) => duplicates.refused(tx, vehicle, except),
      async store(results) {
        for (const result of results) await setOutcome(tx, id, result);
        const counts = await countsOf(tx, id);
        await tx
          .updateTable("scheduled_changes")
          .set({ ...counts, updated_at: clock.now() })
          .where("id", "=", id)
          .where("dealer_id", "=", dealerId)
          .execute();
        await resetAttempts();
      },
      async dropRest(reason, message) {
        await tx
          .updateTable("scheduled_change_vehicles")
          .set({ outcome: "dropped", reason, message })
          .where("change_id", "=", id)
          .where("outcome", "=", "waiting")
          .execute();
      },
      async end(reason, stateOf) {
        const now = clock.now();
        const counts = await countsOf(tx, id);
        const state = stateOf(counts);
        await tx
          .updateTable("scheduled_changes")
          .set({ ...counts, state, reason, updated_at: now, finished_at: now })
          .where("id", "=", id)
          .where("dealer_id", "=", dealerId)
          .execute();
        await jobs.end(tx, "schedule", id);
        await audit(tx, {
          at: now,
          by: maker === null ? SERVICE : { ...maker, ...inBackground },
          action: "schedule.ended",
          resourceId: id,
          dealerId,
          before: null,
          after: { state, ...(reason !== null && { reason }), ...counts },
          recordName: row.name,
        });
      },
    };
  };

  return {
    step: (claim, work) =>
      db.write(async (tx) => {
        const row = await lockedRow(tx, claim.subjectId);
        if (!(await jobs.renewLease(tx, claim)))
          throw new LeaseLost(`scheduled change ${claim.subjectId} is another process's`);
        if (row === undefined) {
          await jobs.end(tx, "schedule", claim.subjectId);
          return null;
        }
        return work(await stepIn(tx, row, () => jobs.resetAttempts(tx, claim)));
      }),
  };
};
