import { sql } from "kysely";
import type { SqlDatabase } from "../query/database.ts";
import { param, type Statement, sqlStatement } from "../query/statement.ts";
import { ALL_SPELLING_FIELDS, type CurrentHour, hourNow, type Spelling, vehicleSpellings } from "./spellings.ts";

/**
 * The number of hours for which an unused spelling is kept. Each process forgets within an hour what it knows to be
 * stored, so no running change relies on a spelling that is as old.
 */
const KEPT_HOURS = 24;
/** The number of vehicles whose spellings one statement looks up. */
const VEHICLES_PER_STEP = 1000;
/** The number of spellings that one transaction changes. */
const SPELLINGS_PER_STEP = 200;

const statementsOf = (db: SqlDatabase) => {
  const within = sql`vehicles.id > ${param("after")} AND vehicles.id <= ${param("last")}`;
  const used = ALL_SPELLING_FIELDS.map(
    (field) => sql`SELECT stored.field, stored.value FROM vehicles CROSS JOIN vehicle_spellings AS stored
      WHERE ${within} AND stored.field = ${sql.lit(field)} AND stored.value = ${sql.ref(`vehicles.${field}`)}
        AND stored.seen < ${param("before")}`,
  );
  return {
    anyOld: sqlStatement(
      db,
      sql<object>`SELECT field FROM vehicle_spellings WHERE seen < ${param("before")} LIMIT ${sql.lit(1)}`,
    ),
    /** The last of the next vehicles; `null` if there are no more. */
    last: sqlStatement(
      db,
      sql<{ last: number | null }>`SELECT MAX(id) AS last FROM (SELECT id FROM vehicles WHERE id > ${param("after")}
        ORDER BY id LIMIT ${sql.lit(VEHICLES_PER_STEP)}) AS next_vehicles`,
    ),
    usedByVehicles: sqlStatement(
      db,
      sql<Spelling>`SELECT field, value FROM (${sql.join(used, sql` UNION `)}) AS used_ones LIMIT ${sql.lit(SPELLINGS_PER_STEP)}`,
    ) as Statement<Spelling>,
    // It waits for no other transaction, so it cannot deadlock with changes that store spellings.
    remove: sqlStatement(
      db,
      sql<{ field: string }>`DELETE FROM vehicle_spellings WHERE (field, value) IN (
          SELECT field, value FROM vehicle_spellings WHERE seen < ${param("before")}
          LIMIT ${sql.lit(SPELLINGS_PER_STEP)} ${db.engine === "sqlite" ? sql`` : sql`FOR UPDATE SKIP LOCKED`})
        RETURNING field`,
    ),
  };
};

/** Removes spellings that no vehicle has any more. */
export interface SpellingSweep {
  /**
   * Goes through all vehicles once, if any spelling was not seen in use for a day. Then it removes the spellings that
   * are still not. It works in small steps, between which others read and write. It may run in several processes at
   * once.
   */
  run(): Promise<void>;
  /** Ends a run after its present step; later runs do nothing. */
  end(): void;
}

/** The sweep of a database's spellings. Tests replace the hour. */
export const spellingSweep = (db: SqlDatabase, hour: CurrentHour = hourNow): SpellingSweep => {
  const statements = statementsOf(db);
  const spellings = vehicleSpellings(db, hour);
  let isEnding = false;

  /** Notes the hour for all spellings of these vehicles that were not seen since then. */
  const seeUsed = async (range: { readonly after: number; readonly last: number }, before: number): Promise<void> => {
    while (!isEnding) {
      const used = await db.longReads.all(statements.usedByVehicles, { ...range, before });
      if (used.length > 0) await db.write((tx) => spellings.add(tx, used));
      if (used.length < SPELLINGS_PER_STEP) return;
      await db.nextTurn();
    }
  };

  return {
    async run() {
      // Spellings that are stored or used from now on are not older than this.
      const before = hour() - KEPT_HOURS;
      if ((await db.all(statements.anyOld, { before })).length === 0) return;
      for (let after = 0; ; ) {
        // Spellings must not be removed before all vehicles were seen.
        if (isEnding) return;
        const [next] = await db.all(statements.last, { after });
        const last = next?.last ?? null;
        if (last === null) break;
        await seeUsed({ after, last }, before);
        after = last;
        await db.nextTurn();
      }
      while (!isEnding && (await db.writeOne(statements.remove, { before })).length > 0) await db.nextTurn();
    },
    end() {
      isEnding = true;
    },
  };
};
