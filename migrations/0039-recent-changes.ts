import type { Engine, Migration } from "./migration.ts";

/** The differences between the engines' SQL, as in the first schema. */
const WORDS = {
  sqlite: { integer: "INTEGER", text: "TEXT", byKey: "STRICT, WITHOUT ROWID" },
  postgres: { integer: "BIGINT", text: 'TEXT COLLATE "C"', byKey: "" },
} as const satisfies Record<Engine, Record<string, string>>;

/** A change may have long texts of many vehicles, which one row for each would make wide. */
const STORED_TEXTS: Readonly<Record<Engine, string>> = { sqlite: "STRICT", postgres: "" };

const tables = (engine: Engine): string[] => {
  const { integer, text, byKey } = WORDS[engine];
  return [
    `ALTER TABLE audit_entries ADD COLUMN change_id ${text}`,
    `ALTER TABLE audit_entries ADD COLUMN reverts ${text}`,
    // A reverted change and its reversal have no `dealer_id`, but this one: so neither figures nor the first price count
    // them, whichever version of the service asks.
    `ALTER TABLE vehicle_history ADD COLUMN pair_dealer_id ${integer}`,
    `ALTER TABLE vehicle_history ADD COLUMN reverted_by ${text}`,
    `CREATE TABLE recent_changes (
      id ${text} NOT NULL,
      dealer_id ${integer} NOT NULL,
      kind ${text} NOT NULL,
      at ${text} NOT NULL,
      actor ${text} NOT NULL,
      reverts ${text},
      fields ${text} NOT NULL,
      vehicles ${integer} NOT NULL,
      revertible ${integer} NOT NULL,
      vehicle_id ${integer} NOT NULL,
      reverted_at ${text},
      reverted_by ${text},
      PRIMARY KEY (id, dealer_id)
    ) ${byKey}`,
    "CREATE INDEX recent_changes_by_age ON recent_changes (at, id)",
    "CREATE INDEX recent_changes_of_dealer ON recent_changes (dealer_id, at, id)",
    `CREATE TABLE replaced_values (
      change_id ${text} NOT NULL,
      vehicle_id ${integer} NOT NULL,
      before ${text} NOT NULL,
      PRIMARY KEY (change_id, vehicle_id)
    ) ${STORED_TEXTS[engine]}`,
    `CREATE TABLE ended_sales (
      vehicle_id ${integer} NOT NULL,
      at ${text} NOT NULL,
      dealer_id ${integer} NOT NULL,
      sold_at ${text},
      sold_cents ${integer},
      first_cents ${integer},
      note ${text},
      PRIMARY KEY (vehicle_id, at)
    ) ${byKey}`,
    "CREATE INDEX ended_sales_by_age ON ended_sales (at)",
  ];
};

/** A sale that ends with the vehicle's status is kept. One that is deleted with its vehicle is not. */
const KEPT = `INSERT INTO ended_sales (vehicle_id, at, dealer_id, sold_at, sold_cents, first_cents, note)
  SELECT old.vehicle_id, updated_at, old.dealer_id, old.sold_at, old.sold_cents, old.first_cents, old.note
  FROM vehicles WHERE id = old.vehicle_id AND status <> 'sold' ON CONFLICT DO NOTHING;`;

const TRIGGER: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [`CREATE TRIGGER sale_ended AFTER DELETE ON vehicle_sales WHEN old.present = 1 BEGIN ${KEPT} END`],
  postgres: [
    `CREATE FUNCTION sale_ended() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${KEPT} RETURN NULL; END $$`,
    `CREATE TRIGGER sale_ended AFTER DELETE ON vehicle_sales FOR EACH ROW WHEN (old.present = 1)
      EXECUTE FUNCTION sale_ended()`,
  ],
};

/**
 * The changes of the last 30 days, so that they can be reverted as a whole: bulk changes, imports, batches and changes in
 * the portal. Changes that instances of an earlier version make meanwhile are not listed.
 */
export const recentChanges: Migration = {
  name: "0039-recent-changes",
  statements: (engine) => [...tables(engine), ...TRIGGER[engine]],
  // Changes that belong to no such change have no entry in it.
  indexes: () => [
    { name: "audit_of_change", on: "audit_entries (change_id, resource_id) WHERE change_id IS NOT NULL" },
  ],
};
