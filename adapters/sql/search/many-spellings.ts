import { sql } from "kysely";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { VehicleFilter } from "../../../core/vehicles/vehicle-filter.ts";
import { cachedForASecond } from "../query/cached-for-a-second.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";
import { ALL_SPELLING_FIELDS, foldedSpelling } from "./spellings.ts";

/** The maximum number of spellings of one value that a statement lists. Ordinary values have a few. */
const MAX_LISTED = 100;

const NONE: ReadonlySet<string> = new Set();

/** The values of a filter whose spellings are stored, in folded form. */
const spelledValues = (filter: VehicleFilter): (readonly [field: string, folded: string])[] =>
  ALL_SPELLING_FIELDS.flatMap((field) => {
    const wanted = filter[field];
    if (wanted === undefined) return [];
    const values: readonly string[] = typeof wanted === "string" ? [wanted] : wanted;
    return values.map((value) => [field, foldedSpelling(field, value)] as const);
  });

/**
 * Finds the filters of which a value has so many stored spellings that listing them would take longer than reading the
 * vehicles. All dealers share the stored spellings, so one dealer can add any number of them for a value that others
 * look for. On PostgreSQL the result is always empty, as its planner knows how many there are.
 */
export const manySpellings = (db: SqlDatabase): ((filter: VehicleFilter) => MaybePromise<ReadonlySet<string>>) => {
  const given = db.jsonRows(param<string>("values"), { field: "text", folded: "text" });
  const counted = sqlStatement(
    db,
    sql<{ field: string }>`SELECT given.field AS field FROM ${given} AS given WHERE ${sql.lit(MAX_LISTED)} < (
      SELECT count(*) FROM (SELECT 1 FROM vehicle_spellings
        WHERE vehicle_spellings.field = given.field AND vehicle_spellings.folded = given.folded
        LIMIT ${sql.lit(MAX_LISTED + 1)}) AS listed)`,
  );
  const manyOf = cachedForASecond((values: string) =>
    andThen(db.all(counted, { values }), (found) =>
      found.length === 0 ? NONE : new Set(found.map(({ field }) => field)),
    ),
  );
  return (filter) => {
    if (db.engine === "postgres") return NONE;
    const values = spelledValues(filter);
    return values.length === 0 ? NONE : manyOf(JSON.stringify(values));
  };
};
