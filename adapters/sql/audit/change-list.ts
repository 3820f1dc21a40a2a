import { type RawBuilder, sql } from "kysely";
import type { Actor } from "../../../core/access/principal.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type SqlValue, sqlStatement } from "../query/statement.ts";
import { WHOLE_TEXT } from "./entry-fields.ts";
import { type AuditContext, changeActorOf } from "./trail.ts";

/** The values of a recent change that are known before it is made, with their PostgreSQL types. */
const LISTED_COLUMNS = {
  id: "TEXT",
  kind: "TEXT",
  at: "TEXT",
  actor: "TEXT",
  reverts: "TEXT",
  fields: "TEXT",
  revertible: "BIGINT",
} as const;
type ListedColumn = keyof typeof LISTED_COLUMNS;
const NAMES = Object.keys(LISTED_COLUMNS) as ListedColumn[];

const parameterName = (column: ListedColumn): string => `change.${column}`;

/** The one field that is not given back: a vehicle moves to another dealer with all that belongs to it there. */
const MOVE = "dealer_id";

type ListedValues = Readonly<Record<string, SqlValue>>;

/** The values of the last change of each actor: those of all vehicles of a bulk change are the same. */
const lastValues = new WeakMap<Actor, { readonly names: string; readonly values: ListedValues }>();

/**
 * The values for the list of recent changes, or `null` if the change of a vehicle is not a part of one. Without
 * `fields`, nothing of it can be reverted.
 */
export const listedValues = ({
  by,
  resource,
  fields,
}: Pick<AuditContext, "by" | "resource" | "fields">): ListedValues | null => {
  const { change } = by;
  if (change === undefined || resource !== "vehicles") return null;
  const names = fields?.join() ?? "";
  const last = lastValues.get(by);
  if (last?.names === names) return last.values;
  const values = {
    [parameterName("id")]: change.id,
    [parameterName("kind")]: change.kind,
    [parameterName("at")]: change.at,
    [parameterName("actor")]: changeActorOf(by),
    [parameterName("reverts")]: change.reverts ?? null,
    [parameterName("fields")]: JSON.stringify(Object.fromEntries((fields ?? []).map((name) => [name, 1]))),
    [parameterName("revertible")]: fields?.some((name) => name !== MOVE) === true ? 1 : 0,
    count: 1,
  };
  lastValues.set(by, { names, values });
  return values;
};

/** The number of vehicles with the same values. */
const COUNT = sql`CAST(${param("count")} AS BIGINT)`;

/** Where a change finds its vehicle and its dealer. */
interface ListedVehicle {
  readonly vehicle: RawBuilder<unknown>;
  readonly dealer: RawBuilder<unknown>;
}

/**
 * Counts vehicles for the change that it belongs to, in the transaction of the vehicle's change. `from` is the rest of
 * the SELECT that finds the vehicle.
 */
export const listedVehicle = (
  db: SqlDatabase,
  { vehicle, dealer }: ListedVehicle,
  from: RawBuilder<unknown> = sql`WHERE TRUE`,
): RawBuilder<object> => {
  const given = (name: ListedColumn) => sql`CAST(${param(parameterName(name))} AS ${sql.raw(LISTED_COLUMNS[name])})`;
  const values = NAMES.map((name) => (name === "revertible" ? sql`${given(name)} * ${COUNT}` : given(name)));
  const merged =
    db.engine === "sqlite"
      ? sql`json_patch(recent_changes.fields, excluded.fields)`
      : sql`CAST(CAST(recent_changes.fields AS jsonb) || CAST(excluded.fields AS jsonb) AS TEXT)`;
  const columns = [...NAMES, "vehicle_id", "dealer_id", "vehicles"].map((name) => sql.ref(name));
  return sql`INSERT INTO recent_changes (${sql.join(columns)})
    SELECT ${sql.join([...values, vehicle, dealer, COUNT])} ${from}
    ON CONFLICT (id, dealer_id) DO UPDATE SET vehicles = recent_changes.vehicles + excluded.vehicles,
      revertible = recent_changes.revertible + excluded.revertible,
      fields = CASE WHEN recent_changes.fields = excluded.fields THEN recent_changes.fields ELSE ${merged} END`;
};

const ofParameters: ListedVehicle = {
  vehicle: sql`CAST(${param("resource_id")} AS BIGINT)`,
  dealer: sql`CAST(${param("dealer_id")} AS BIGINT)`,
};

/** Lists a vehicle for the change that it belongs to. On SQLite, the vehicles of a group of writes are counted together. */
export const listing = (db: SqlDatabase) => {
  const statement = sqlStatement(db, listedVehicle(db, ofParameters));
  return async (tx: Sql, ofChange: ListedValues, vehicle: { resource_id: number; dealer_id: number | null }) => {
    const values = { ...ofChange, ...vehicle };
    if (tx.once === undefined) await tx.all(statement, values);
    else
      tx.once(
        `${ofChange[parameterName("id")]} ${ofChange[parameterName("fields")]} ${vehicle.dealer_id}`,
        statement,
        values,
      );
  };
};

/** The same as a part of combined changes. */
export const listingQuery = (db: SqlDatabase) => {
  const query = listedVehicle(db, ofParameters);
  return { compile: () => query.compile(db), toOperationNode: () => query.toOperationNode() };
};

/** Keeps the old values of a vehicle as a whole, if entries cut them. */
export const replacedValues = (
  vehicle: RawBuilder<unknown>,
  before: RawBuilder<unknown>,
  from: RawBuilder<unknown> = sql`WHERE TRUE`,
): RawBuilder<object> =>
  sql`INSERT INTO replaced_values (change_id, vehicle_id, before)
    SELECT CAST(${param(parameterName("id"))} AS TEXT), ${vehicle}, ${before} ${from} AND length(${before}) > ${sql.lit(WHOLE_TEXT)}
    ON CONFLICT DO NOTHING`;
