import type { Engine, Migration } from "./migration.ts";

/** The differences between the engines' SQL. Every index of SQLite ends with the row's number anyway. */
const WORDS = {
  sqlite: { integer: "INTEGER", text: "TEXT", end: "STRICT", order: "created_at" },
  postgres: { integer: "BIGINT", text: 'TEXT COLLATE "C"', end: "", order: "created_at, id" },
} as const satisfies Record<Engine, Record<string, string>>;

/**
 * Removed vehicles, for as long as they can be restored: who removed each of them and when, the vehicle as it was
 * answered, and the rows of the vehicle and its images. The rows are JSON with the names of the columns, so that a
 * later schema can still read them. The dealer may be deleted before them.
 */
export const removedVehicles: Migration = {
  name: "0021-removed-vehicles",
  statements: (engine) => {
    const { integer, text, end, order } = WORDS[engine];
    return [
      `CREATE TABLE removed_vehicles (
        id ${integer} PRIMARY KEY,
        dealer_id ${integer} NOT NULL,
        created_at ${text} NOT NULL,
        actor_key_id ${integer},
        actor_user_id ${integer},
        actor_name ${text} NOT NULL,
        actor_dealer_id ${integer},
        via ${text} NOT NULL,
        document ${text} NOT NULL,
        vehicle ${text} NOT NULL,
        images ${text} NOT NULL,
        words ${text} NOT NULL
      ) ${end}`,
      `CREATE INDEX removed_vehicles_by_age ON removed_vehicles (${order})`,
      `CREATE INDEX removed_vehicles_of_dealer ON removed_vehicles (dealer_id, ${order})`,
    ];
  },
};
