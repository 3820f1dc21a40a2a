import type { Engine, Migration } from "./migration.ts";

/** A number in the JSON of `after`. */
const number = (engine: Engine, field: string): string =>
  engine === "sqlite" ? `json_extract(after, '$.${field}')` : `(after::jsonb ->> '${field}')::bigint`;

/**
 * The new owner of a record that a change moved to another dealer. There are few such entries. This index also finds
 * them for the new dealer's log, whichever version of the service wrote them.
 */
const arrivals = (engine: Engine): string => {
  const home = `(CASE resource WHEN 'keys' THEN ${number(engine, "bound_dealer_id")} ELSE ${number(engine, "dealer_id")} END)`;
  // Every index of SQLite ends with the row's number anyway.
  return `CREATE INDEX audit_arrivals ON audit_entries (${home}, created_at${engine === "sqlite" ? "" : ", id"})
    WHERE resource IN ('vehicles', 'users', 'keys') AND before IS NOT NULL AND after IS NOT NULL
      AND ${home} <> COALESCE(dealer_id, 0)`;
};

/**
 * The data that limits what a dealer sees in the audit log: which records came from another dealer, and which actors
 * are its own.
 */
export const auditSight: Migration = {
  name: "0011-audit-sight",
  statements: (engine) => [
    // The dealer that the actor was bound to. 0 if there was none; empty for older entries, for which it is unknown.
    `ALTER TABLE audit_entries ADD COLUMN actor_dealer_id ${engine === "sqlite" ? "INTEGER" : "BIGINT"}`,
    arrivals(engine),
  ],
};
