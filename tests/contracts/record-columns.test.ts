import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { CONTEXT_COLUMN_NAMES, RECORD_COLUMN_NAMES } from "../../adapters/sql/audit/trail.ts";
import { INSERTED as DEALER_COLUMNS } from "../../adapters/sql/dealers/repository.ts";
import { INSERTED as FEED_COLUMNS } from "../../adapters/sql/feeds/stored.ts";
import { INSERTED as IMAGE_COLUMNS } from "../../adapters/sql/images/rows.ts";
import { INSERTED as MAPPING_COLUMNS } from "../../adapters/sql/imports/mappings.ts";
import { INSERTED as IMPORT_COLUMNS } from "../../adapters/sql/imports/stored.ts";
import { INSERTED as KEY_COLUMNS } from "../../adapters/sql/keys/columns.ts";
import type { Tables } from "../../adapters/sql/query/tables.ts";
import { SCHEDULE_COLUMNS } from "../../adapters/sql/scheduled-changes/stored.ts";
import { catalogueOf } from "../../adapters/sql/schema/catalogue.ts";
import { INSERTED as SETTINGS_COLUMNS } from "../../adapters/sql/settings/repository.ts";
import { INSERTED as SOURCE_COLUMNS } from "../../adapters/sql/sources/stored.ts";
import { INSERTED as USER_COLUMNS } from "../../adapters/sql/users/repository.ts";
import { INSERTED_COLUMNS as WEBHOOK_COLUMNS } from "../../adapters/sql/webhooks/stored.ts";
import { ENGINES } from "../support/engines.ts";

setDefaultTimeout(300_000);

/** The columns that are set in a new record, by table. */
const INSERTED = {
  dealers: DEALER_COLUMNS,
  import_sources: SOURCE_COLUMNS,
  vehicle_images: IMAGE_COLUMNS,
  api_keys: KEY_COLUMNS,
  users: USER_COLUMNS,
  settings: SETTINGS_COLUMNS,
  imports: IMPORT_COLUMNS,
  import_mappings: MAPPING_COLUMNS,
  feeds: FEED_COLUMNS,
  webhooks: WEBHOOK_COLUMNS,
  scheduled_changes: SCHEDULE_COLUMNS,
  audit_entries: [...CONTEXT_COLUMN_NAMES, ...RECORD_COLUMN_NAMES],
} as const satisfies { readonly [Table in keyof Tables]?: readonly (keyof Tables[Table])[] };

/** Columns that a record gets later, or from the database. */
const OTHERS: { readonly [Table in keyof typeof INSERTED]: readonly (keyof Tables[Table])[] } = {
  dealers: ["id"],
  import_sources: ["id"],
  vehicle_images: ["id"],
  api_keys: ["id", "bound_since", "notified_days", "notified_expiry", "idle_noticed_at"],
  users: ["id"],
  settings: [],
  imports: ["id"],
  import_mappings: ["id"],
  feeds: ["id"],
  webhooks: ["id"],
  scheduled_changes: ["actor_key_id", "actor_user_id", "started_at"],
  audit_entries: ["id"],
};

/** Tables that hold no record of a resource. One that is added must be here, or above with its columns. */
const OTHER_TABLES: Readonly<Record<Exclude<keyof Tables, keyof typeof INSERTED>, true>> = {
  // `vehicle-fields.test.ts` compares its columns.
  vehicles: true,
  vehicle_documents: true,
  // `photo-repository.test.ts` reads what is stored in them.
  photos: true,
  photo_accounts: true,
  released_photos: true,
  vehicle_history: true,
  history_begin: true,
  vehicle_sales: true,
  // `fetched-photos.test.ts` reads what is stored in them.
  fetched_photos: true,
  import_photos: true,
  import_bases: true,
  ended_sales: true,
  recent_changes: true,
  replaced_values: true,
  daily_figures: true,
  former_figures: true,
  vehicle_stays: true,
  figures_missing: true,
  // Rows and JSON of vehicles; `removed-vehicles.test.ts` restores them.
  removed_vehicles: true,
  vehicle_spellings: true,
  dealer_inventory: true,
  dealer_scores: true,
  dealer_codes: true,
  dealer_words: true,
  user_words: true,
  key_words: true,
  vehicle_words: true,
  search_state: true,
  dealer_keys: true,
  key_secrets: true,
  old_secret_uses: true,
  key_usage: true,
  key_usage_hours: true,
  usage_hours: true,
  key_denials: true,
  past_bindings: true,
  usage_writers: true,
  access_version: true,
  service_secrets: true,
  sign_in_accounts: true,
  sessions: true,
  second_factors: true,
  sign_in_challenges: true,
  sign_in_attempts: true,
  hourly_counts: true,
  kept_answers: true,
  invitations: true,
  jobs: true,
  import_chunks: true,
  import_rows: true,
  feed_tokens: true,
  feed_fetches: true,
  webhook_events: true,
  webhook_deliveries: true,
  scheduled_change_vehicles: true,
  offboardings: true,
};

test("every table that this test names exists", async () => {
  const db = await ENGINES[0].open();
  const described = Object.keys({ ...INSERTED, ...OTHER_TABLES });
  const stored = (await catalogueOf(db, db)).map(({ name }) => name);
  expect(described.filter((name) => !stored.includes(name))).toEqual([]);
  await db.close();
});

for (const engine of ENGINES)
  describe(`a new record on ${engine.name}`, () => {
    for (const table of Object.keys(INSERTED) as (keyof typeof INSERTED)[])
      test(`in ${table} gets a value for every column, and for no other`, async () => {
        const db = await engine.open();
        const stored = (await catalogueOf(db, db)).find(({ name }) => name === table);
        expect(stored?.columns).toEqual([...INSERTED[table], ...OTHERS[table]].sort());
        await db.close();
      });
  });
