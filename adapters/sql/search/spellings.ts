import { sql } from "kysely";
import { foldName } from "../../../core/search/names.ts";
import { foldLetters } from "../../../core/search/words.ts";
import { fold } from "../../../core/text.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import type { VehicleUpdate } from "../../../core/vehicles/vehicle-repository.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

/**
 * The fields that are searched by their whole value, without regard to case and accents, through the table of
 * spellings.
 */
export const SPELLING_FIELDS = [
  "trim",
  "exterior_color",
  "interior_color",
  "fuel_type",
  "transmission",
  "drivetrain",
  "body_style",
  "condition",
] as const satisfies readonly (keyof Vehicle)[];

/**
 * The same fields and stock numbers. Only stock numbers with letters that the databases fold differently are stored,
 * and only their case is ignored.
 */
export const ALL_SPELLING_FIELDS = [...SPELLING_FIELDS, "stock_number"] as const;
type SpelledField = (typeof ALL_SPELLING_FIELDS)[number];

const ASCII = /^\p{ASCII}*$/u;

/** The folded form of a field's value. Folded forms are compared. */
export const foldedSpelling = (field: SpelledField, value: string): string =>
  field === "stock_number" ? fold(value) : foldLetters(value);

/** A value of a field as it is written. */
export interface Spelling {
  readonly field: SpelledField;
  readonly value: string;
}

/** Returns the hours since 1970. */
export type CurrentHour = () => number;

const HOUR_MS = 3_600_000;
/** The present hour. */
export const hourNow: CurrentHour = () => Math.floor(Date.now() / HOUR_MS);

/** The maximum number of spellings that are remembered as stored. */
const MAX_KNOWN = 20_000;
/**
 * The number of vehicles whose spellings one transaction stores later on. It is so small that other writers wait only
 * briefly.
 */
const BATCH = 500;

const keyOf = ({ field, value }: Spelling): string => `${field} ${value}`;

/** Adds the spellings of a vehicle to those that were found so far. Known spellings are left out. */
const collect = (found: Map<string, Spelling>, vehicle: VehicleUpdate, known: ReadonlySet<string>): void => {
  for (const field of ALL_SPELLING_FIELDS) {
    const value = vehicle[field];
    if (value === null || value === undefined || (field === "stock_number" && ASCII.test(value))) continue;
    const spelling = { field, value };
    const key = keyOf(spelling);
    if (!known.has(key)) found.set(key, spelling);
  }
};

const NOTHING_KNOWN: ReadonlySet<string> = new Set();

/** Spellings as the rows of a parameter. They are always in the same order, so that writers do not deadlock. */
const rowsOf = (spellings: Iterable<Spelling>): string =>
  JSON.stringify(
    [...spellings]
      .map(({ field, value }) => [field, value, foldedSpelling(field, value)])
      .sort(([field = "", value = ""], [other = "", another = ""]) =>
        field < other || (field === other && value < another) ? -1 : 1,
      ),
  );

/** The spellings that a change adds to the stored ones. */
export interface NewSpellings {
  /** Stores them within the transaction of the change. */
  add(tx: Sql): Promise<void>;
  /** Must be called after the change that stored them was committed. */
  added(): void;
}

/** A vehicle's stored folded forms, with the values that they are made from. */
interface SpelledVehicle extends Pick<Vehicle, SpelledField | "id" | "make" | "model"> {
  readonly make_folded: string;
  readonly model_folded: string;
}

/**
 * The spellings in use. Through them, vehicles are found without regard to case and accents, in the same way on each
 * engine. Each change stores its spellings in its transaction; nearly always all of them are stored already. What is
 * known to be stored is forgotten every hour. So each spelling in use is stored again, with the hour, and the sweep can
 * tell which ones nobody uses.
 */
export const vehicleSpellings = (db: SqlDatabase, hour: CurrentHour = hourNow) => {
  const known = new Set<string>();
  let knownIn = hour();
  const given = db.jsonRows(param<string>("rows"), { field: "text", value: "text", folded: "text" });
  const insertion = sqlStatement(
    db,
    sql<object>`INSERT INTO vehicle_spellings (field, value, folded, seen)
      SELECT field, value, folded, CAST(${param("hour")} AS BIGINT) FROM ${given} AS given
      WHERE true ON CONFLICT (field, value) DO UPDATE SET folded = excluded.folded, seen = excluded.seen
      WHERE vehicle_spellings.folded IS DISTINCT FROM excluded.folded OR vehicle_spellings.seen < excluded.seen`,
  );
  const unspelled = sqlStatement(db, sql<{ unspelled: number }>`SELECT unspelled FROM search_state ${db.forUpdate}`);
  const anyUnspelled = sqlStatement(db, sql<object>`SELECT id FROM search_state WHERE unspelled > ${sql.lit(0)}`);
  const before = sqlStatement(
    db,
    sql<{ id: number }>`SELECT id FROM vehicles WHERE id <= ${param("last")} ORDER BY id DESC LIMIT ${sql.lit(BATCH)}`,
  );
  const allUnspelled = sqlStatement(
    db,
    sql<object>`UPDATE search_state SET unspelled = (SELECT COALESCE(MAX(id), 0) FROM vehicles)`,
  );
  const spelled = sqlStatement(db, sql<object>`UPDATE search_state SET unspelled = ${param("unspelled")}`);

  const written = sqlStatement(
    db,
    sql<SpelledVehicle>`SELECT ${sql.join(["id", "make", "model", "make_folded", "model_folded", ...ALL_SPELLING_FIELDS].map((name) => sql.ref(name)))}
      FROM vehicles WHERE id IN (SELECT id FROM ${db.jsonRows(param<string>("ids"), { id: "integer" })} AS given) ORDER BY id`,
  );
  const refold = sqlStatement(
    db,
    sql<object>`UPDATE vehicles SET make_folded = ${param("make_folded")}, model_folded = ${param("model_folded")}
      WHERE id = ${param("id")} AND make = ${param("make")} AND model = ${param("model")}`,
  );

  const add = async (tx: Sql, spellings: Iterable<Spelling>): Promise<void> => {
    await tx.all(insertion, { rows: rowsOf(spellings), hour: hour() });
  };

  /**
   * Stores the spellings of vehicles that an instance of the previous version may have written, and updates the folded
   * forms of their makes and models.
   */
  const repair = async (tx: Sql, ids: readonly number[]): Promise<void> => {
    const vehicles = await tx.all(written, { ids: JSON.stringify(ids.map((id) => [id])) });
    const spellings = new Map<string, Spelling>();
    for (const vehicle of vehicles) collect(spellings, vehicle, NOTHING_KNOWN);
    if (spellings.size > 0) await add(tx, spellings.values());
    for (const { id, make, model, ...before } of vehicles) {
      const folded = { make_folded: foldName(make), model_folded: foldName(model) };
      if (folded.make_folded !== before.make_folded || folded.model_folded !== before.model_folded)
        await tx.all(refold, { id, make, model, ...folded });
    }
  };

  const fillSome = async (tx: Sql): Promise<void> => {
    const last = (await tx.all(unspelled, {}))[0]?.unspelled ?? 0;
    const ids = (await tx.all(before, { last })).map(({ id }) => id);
    await repair(tx, ids);
    await tx.all(spelled, { unspelled: ids.length < BATCH ? 0 : (ids.at(-1) ?? 1) - 1 });
  };

  const fill = async (): Promise<void> => {
    while ((await db.all(anyUnspelled, {})).length > 0) await db.write(fillSome);
  };

  return {
    /** The spellings of these vehicles that may not be stored yet; `null` if all are. */
    newIn(...vehicles: readonly VehicleUpdate[]): NewSpellings | null {
      if (hour() !== knownIn) known.clear();
      knownIn = hour();
      const spellings = new Map<string, Spelling>();
      for (const vehicle of vehicles) collect(spellings, vehicle, known);
      if (spellings.size === 0) return null;
      return {
        add: (tx) => add(tx, spellings.values()),
        added() {
          if (known.size + spellings.size > MAX_KNOWN) known.clear();
          for (const key of spellings.keys()) known.add(key);
        },
      };
    },

    /** Stores spellings within a transaction, or notes that they are in use. */
    add,

    repair,

    /**
     * Repairs all vehicles from before the migration, newest first, some in each transaction. After an interruption, it
     * continues where it was.
     */
    fill,

    /** Repairs all vehicles in the same way, whether or not they were repaired before. */
    async remake(): Promise<void> {
      await db.write((tx) => Promise.resolve(tx.all(allUnspelled, {})));
      await fill();
    },
  };
};
