import { sql } from "kysely";
import { foldLetters } from "../../../core/search/words.ts";
import { fold } from "../../../core/text.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import type { VehicleUpdate } from "../../../core/vehicles/vehicle-repository.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

/** The fields that are found by their whole value without regard to case and accents, by their spellings. */
export const SPELLED = [
  "trim",
  "exterior_color",
  "interior_color",
  "fuel_type",
  "transmission",
  "drivetrain",
  "body_style",
  "condition",
] as const satisfies readonly (keyof Vehicle)[];

/** The same, and stock numbers with letters that databases do not fold alike, without regard to case alone. */
export const SPELLED_FIELDS = [...SPELLED, "stock_number"] as const;
type SpelledField = (typeof SPELLED_FIELDS)[number];

const ASCII = /^\p{ASCII}*$/u;

/** A value of a field in the form in which it is compared. */
export const foldedSpelling = (field: SpelledField, value: string): string =>
  field === "stock_number" ? fold(value) : foldLetters(value);

interface Spelling {
  readonly field: SpelledField;
  readonly value: string;
}

/** Spellings that are known to be stored; more are asked for again. */
const MOST_KNOWN = 20_000;
/** Vehicles from before whose spellings are stored in one transaction: so few that other writers wait only briefly. */
const BATCH = 500;

const keyOf = ({ field, value }: Spelling): string => `${field} ${value}`;

/** Adds the spellings of a vehicle to those found so far, except known ones. */
const collect = (found: Map<string, Spelling>, vehicle: VehicleUpdate, known: ReadonlySet<string>): void => {
  for (const field of SPELLED_FIELDS) {
    const value = vehicle[field];
    if (value === null || value === undefined || (field === "stock_number" && ASCII.test(value))) continue;
    const spelling = { field, value };
    const key = keyOf(spelling);
    if (!known.has(key)) found.set(key, spelling);
  }
};

const NOTHING_KNOWN: ReadonlySet<string> = new Set();

/** Spellings as rows of a parameter, in one order for all, so that writers do not wait for each other in a circle. */
const rowsOf = (spellings: Iterable<Spelling>): string =>
  JSON.stringify(
    [...spellings]
      .map(({ field, value }) => [field, value, foldedSpelling(field, value)])
      .sort(([field = "", value = ""], [other = "", another = ""]) =>
        field < other || (field === other && value < another) ? -1 : 1,
      ),
  );

/** What a change has to add to the stored spellings. */
export interface NewSpellings {
  /** Adds them within the transaction of the change. */
  add(tx: Sql): Promise<void>;
  /** Call this when the change is on disk, if it added them. */
  added(): void;
}

/** What is stored of a vehicle in the forms in which it is compared, and what these are made of. */
interface Mended extends Pick<Vehicle, SpelledField | "id" | "make" | "model"> {
  readonly make_folded: string;
  readonly model_folded: string;
}

/**
 * The spellings in use, by which vehicles are found without regard to case and accents on every database alike. Writers
 * store those of each change in its transaction; nearly always they are all known to be there, and nothing is written.
 */
export const vehicleSpellings = (db: SqlDatabase) => {
  const known = new Set<string>();
  const given = db.jsonRows(param<string>("rows"), { field: "text", value: "text", folded: "text" });
  const insertion = sqlStatement(
    db,
    sql<object>`INSERT INTO vehicle_spellings (field, value, folded) SELECT field, value, folded FROM ${given} AS given
      WHERE true ON CONFLICT (field, value) DO UPDATE SET folded = excluded.folded
      WHERE vehicle_spellings.folded IS DISTINCT FROM excluded.folded`,
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
    sql<Mended>`SELECT ${sql.join(["id", "make", "model", "make_folded", "model_folded", ...SPELLED_FIELDS].map((name) => sql.ref(name)))}
      FROM vehicles WHERE id IN (SELECT id FROM ${db.jsonRows(param<string>("ids"), { id: "integer" })} AS given) ORDER BY id`,
  );
  const refold = sqlStatement(
    db,
    sql<object>`UPDATE vehicles SET make_folded = ${param("make_folded")}, model_folded = ${param("model_folded")}
      WHERE id = ${param("id")} AND make = ${param("make")} AND model = ${param("model")}`,
  );

  const add = async (tx: Sql, spellings: Iterable<Spelling>): Promise<void> => {
    await tx.all(insertion, { rows: rowsOf(spellings) });
  };

  /**
   * Stores the spellings of vehicles that an instance of the version before may have written, and puts their makes and
   * models into the form in which they are compared now.
   */
  const mend = async (tx: Sql, ids: readonly number[]): Promise<void> => {
    const vehicles = await tx.all(written, { ids: JSON.stringify(ids.map((id) => [id])) });
    const spellings = new Map<string, Spelling>();
    for (const vehicle of vehicles) collect(spellings, vehicle, NOTHING_KNOWN);
    if (spellings.size > 0) await add(tx, spellings.values());
    for (const { id, make, model, ...before } of vehicles) {
      const folded = { make_folded: foldLetters(make), model_folded: foldLetters(model) };
      if (folded.make_folded !== before.make_folded || folded.model_folded !== before.model_folded)
        await tx.all(refold, { id, make, model, ...folded });
    }
  };

  const fillSome = async (tx: Sql): Promise<void> => {
    const last = (await tx.all(unspelled, {}))[0]?.unspelled ?? 0;
    const ids = (await tx.all(before, { last })).map(({ id }) => id);
    await mend(tx, ids);
    await tx.all(spelled, { unspelled: ids.length < BATCH ? 0 : (ids.at(-1) ?? 1) - 1 });
  };

  const fill = async (): Promise<void> => {
    while ((await db.all(anyUnspelled, {})).length > 0) await db.write(fillSome);
  };

  return {
    /** The spellings of these vehicles that may not be stored yet; `null` if all are. */
    newIn(...vehicles: readonly VehicleUpdate[]): NewSpellings | null {
      const spellings = new Map<string, Spelling>();
      for (const vehicle of vehicles) collect(spellings, vehicle, known);
      if (spellings.size === 0) return null;
      return {
        add: (tx) => add(tx, spellings.values()),
        added() {
          if (known.size + spellings.size > MOST_KNOWN) known.clear();
          for (const key of spellings.keys()) known.add(key);
        },
      };
    },

    mend,

    /**
     * Mends all vehicles from before the migration, the newest first, some in each transaction; it goes on where it was
     * interrupted.
     */
    fill,

    /** Mends all vehicles in the same way. */
    async remake(): Promise<void> {
      await db.write((tx) => Promise.resolve(tx.all(allUnspelled, {})));
      await fill();
    },
  };
};
