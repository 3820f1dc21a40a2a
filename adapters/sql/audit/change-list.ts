import { type RawBuilder, sql } from "kysely";
import type { SqlDatabase } from "../query/database.ts";
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

/**
 * The values for the list of recent changes, or `null` if the change of a vehicle is not a part of one. Without
 * `fields`, nothing of it can be reverted.
 */
export const listedValues = ({
  by,
  resource,
  fields,
}: Pick<AuditContext, "by" | "resource" | "fields">): Record<string, SqlValue> | null => {
  const { change } = by;
  if (change === undefined || resource !== "vehicles") return null;
  return {
    [parameterName("id")]: change.id,
    [parameterName("kind")]: change.kind,
    [parameterName("at")]: change.at,
    [parameterName("actor")]: changeActorOf(by),
    [parameterName("reverts")]: change.reverts ?? null,
    [parameterName("fields")]: JSON.stringify(Object.fromEntries((fields ?? []).map((name) => [name, 1]))),
    [parameterName("revertible")]: fields?.some((name) => name !== MOVE) === true ? 1 : 0,
  };
};

/** Where a change finds its vehicle and its dealer. */
interface ListedVehicle {
  readonly vehicle: RawBuilder<unknown>;
  readonly dealer: RawBuilder<unknown>;
}

/**
 * Counts a vehicle for the change that it belongs to, in the transaction of the vehicle's change. `from` is the rest of
 * the SELECT that finds the vehicle.
 */
export const listedVehicle = (
  db: SqlDatabase,
  { vehicle, dealer }: ListedVehicle,
  from: RawBuilder<unknown> = sql`WHERE TRUE`,
): RawBuilder<object> => {
  const values = NAMES.map((name) => sql`CAST(${param(parameterName(name))} AS ${sql.raw(LISTED_COLUMNS[name])})`);
  const merged =
    db.engine === "sqlite"
      ? sql`json_patch(recent_changes.fields, excluded.fields)`
      : sql`CAST(CAST(recent_changes.fields AS jsonb) || CAST(excluded.fields AS jsonb) AS TEXT)`;
  return sql`INSERT INTO recent_changes (${sql.join([...NAMES, "vehicle_id", "dealer_id", "vehicles"].map((name) => sql.ref(name)))})
    SELECT ${sql.join([...values, vehicle, dealer, sql`1`])} ${from}
    ON CONFLICT (id, dealer_id) DO UPDATE SET vehicles = recent_changes.vehicles + 1,
      revertible = recent_changes.revertible + excluded.revertible,
      fields = CASE WHEN recent_changes.fields = excluded.fields THEN recent_changes.fields ELSE ${merged} END`;
};

const ofParameters: ListedVehicle = {
  vehicle: sql`CAST(${param("resource_id")} AS BIGINT)`,
  dealer: sql`CAST(${param("dealer_id")} AS BIGINT)`,
};

/** The statement of `listedVehicle`, with the parameters `resource_id` and `dealer_id`. */
export const listing = (db: SqlDatabase) => sqlStatement(db, listedVehicle(db, ofParameters));

/** The same as a part of combined changes. */
export const listingQuery = (db: SqlDatabase) => {
  const query = listedVehicle(db, ofParameters);
  return { compile: () => query.compile(db.build), toOperationNode: () => query.toOperationNode() };
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
