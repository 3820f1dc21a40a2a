import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { FOUND_COLUMNS, KNOWN_COLUMNS } from "../../adapters/sql/audit/trail.ts";
import { INSERTED as DEALER_COLUMNS } from "../../adapters/sql/dealers/repository.ts";
import { INSERTED as IMAGE_COLUMNS } from "../../adapters/sql/images/repository.ts";
import { INSERTED as KEY_COLUMNS } from "../../adapters/sql/keys/statements.ts";
import type { Tables } from "../../adapters/sql/query/tables.ts";
import { catalogueOf } from "../../adapters/sql/schema/catalogue.ts";
import { INSERTED as SETTINGS_COLUMNS } from "../../adapters/sql/settings/repository.ts";
import { INSERTED as USER_COLUMNS } from "../../adapters/sql/users/repository.ts";
import { ENGINES } from "../support/engines.ts";

setDefaultTimeout(300_000);

/** The columns that a new record is given, by table. */
const INSERTED = {
  dealers: DEALER_COLUMNS,
  vehicle_images: IMAGE_COLUMNS,
  api_keys: KEY_COLUMNS,
  users: USER_COLUMNS,
  settings: SETTINGS_COLUMNS,
  audit_entries: [...KNOWN_COLUMNS, ...FOUND_COLUMNS],
} as const satisfies { readonly [Table in keyof Tables]?: readonly (keyof Tables[Table])[] };

/** Columns that a record gets later, or from the database. */
const OTHERS: { readonly [Table in keyof typeof INSERTED]: readonly (keyof Tables[Table])[] } = {
  dealers: ["id"],
  vehicle_images: ["id"],
  api_keys: ["id", "bound_since"],
  users: ["id"],
  settings: [],
  audit_entries: ["id"],
};

for (const engine of ENGINES)
  describe(`a new record on ${engine.name}`, () => {
    for (const table of Object.keys(INSERTED) as (keyof typeof INSERTED)[])
      test(`of ${table} is given a value for every column, and for no other`, async () => {
        const db = await engine.open();
        const stored = (await catalogueOf(db, db)).find(({ name }) => name === table);
        expect(stored?.columns).toEqual([...INSERTED[table], ...OTHERS[table]].sort());
        await db.close();
      });
  });
