import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SqlDatabase } from "../query/database.ts";

const numberAfter = ({ engine }: SqlDatabase, field: string): RawBuilder<number> =>
  sql.raw<number>(engine === "sqlite" ? `json_extract(after, '$.${field}')` : `(after::jsonb ->> '${field}')::bigint`);

const newDealerIn = (db: SqlDatabase) =>
  sql`(CASE resource WHEN 'keys' THEN ${numberAfter(db, "bound_dealer_id")} ELSE ${numberAfter(db, "dealer_id")} END)`;

/** True for an entry about a change that can move its record to another dealer, as its index says it. */
const MAY_MOVE = sql<SqlBool>`resource IN ('vehicles', 'users', 'keys') AND before IS NOT NULL AND after IS NOT NULL`;

/** True for an audit entry that belongs to a dealer, as `entriesOfDealer` finds them. */
export const isOfDealer = (db: SqlDatabase, dealerId: RawBuilder<number>): RawBuilder<SqlBool> =>
  sql`(dealer_id = ${dealerId} OR (${MAY_MOVE} AND ${newDealerIn(db)} = ${dealerId}))`;

/** The id of the vehicle whose image an entry is about, written exactly as in its index; `null` for other entries. */
const vehicleOfImage = ({ engine }: SqlDatabase): RawBuilder<number> =>
  sql.raw(
    engine === "sqlite"
      ? "COALESCE(json_extract(after, '$.vehicle_id'), json_extract(before, '$.vehicle_id'))"
      : "COALESCE((after::jsonb ->> 'vehicle_id')::bigint, (before::jsonb ->> 'vehicle_id')::bigint)",
  );

/** The audit entries of a vehicle, and of its images. */
export const entriesOfVehicle = (db: SqlDatabase, vehicleId: RawBuilder<number>): RawBuilder<object> =>
  sql`(SELECT * FROM audit_entries WHERE resource = 'vehicles' AND resource_id = ${vehicleId}
    UNION ALL SELECT * FROM audit_entries WHERE resource = 'images' AND ${vehicleOfImage(db)} = ${vehicleId})`;

/**
 * The audit entries of a dealer: those of its own records, and those of records that were transferred to it. Each part
 * uses an index in the order of the log. The condition of the second part is written exactly as in its index.
 */
export const entriesOfDealer = (db: SqlDatabase, dealerId: RawBuilder<number>): RawBuilder<object> => {
  const home = newDealerIn(db);
  return sql`(SELECT * FROM audit_entries WHERE dealer_id = ${dealerId}
    UNION ALL SELECT * FROM audit_entries
    WHERE ${MAY_MOVE} AND ${home} <> COALESCE(dealer_id, 0) AND ${home} = ${dealerId})`;
};

/**
 * The dealer that an entry's actor was bound to. If it was not recorded, it is the dealer that the key or user is bound
 * to now; if the key or user was deleted, it is NULL.
 */
export const ACTOR_DEALER: RawBuilder<number | null> = sql`COALESCE(audit_entries.actor_dealer_id,
  (SELECT users.dealer_id FROM users WHERE users.id = audit_entries.actor_user_id AND users.role <> 'super_admin'),
  (SELECT dealer_keys.dealer_id FROM dealer_keys WHERE dealer_keys.key_id = audit_entries.actor_key_id))`;
