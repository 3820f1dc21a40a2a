import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import type { Core } from "../../app/compose-core.ts";
import type { Principal } from "../../core/access/principal.ts";
import type { Outcome } from "../../core/failure.ts";
import { dealerKey, superAdminKey } from "../core/callers.ts";
import { newDealerBody, newFeedBody, newSourceBody, newWebhookBody, succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { coreOn } from "../support/core.ts";
import { ENGINES } from "../support/engines.ts";
import { recording } from "../support/recording.ts";

interface Owned {
  readonly table: string;
  /** Creates one of the dealer's. */
  readonly create: (core: Core, dealer: number) => Promise<number>;
  /** Reads it, changes it in every way, and removes it. */
  readonly use: (core: Core, by: Principal, id: number) => Promise<readonly Outcome<unknown>[]>;
}

const ADMIN = superAdminKey();
const RENAMED = { name: "Renamed" };

/** What is found and locked first, and changed by its id afterwards. */
const OWNED: readonly Owned[] = [
  {
    table: "import_sources",
    create: async ({ sources }, dealer_id) => succeeded(await sources.create(ADMIN, newSourceBody({ dealer_id }))).id,
    use: async ({ sources }, by, id) => [
      await sources.get(by, id),
      await sources.update(by, id, RENAMED),
      await sources.run(by, id),
      await sources.remove(by, id),
    ],
  },
  {
    table: "import_mappings",
    create: async ({ mappings }, dealer_id) =>
      succeeded(await mappings.create(ADMIN, { name: "Ours", dealer_id, columns: { Ours: "vin" } })).id,
    use: async ({ mappings }, by, id) => [
      await mappings.get(by, id),
      await mappings.update(by, id, RENAMED),
      await mappings.remove(by, id),
    ],
  },
  {
    table: "webhooks",
    create: async ({ webhooks }, dealer) => succeeded(await webhooks.create(ADMIN, newWebhookBody(dealer))).webhook.id,
    use: async ({ webhooks }, by, id) => [
      await webhooks.get(by, id),
      await webhooks.update(by, id, { active: false }),
      await webhooks.enable(by, id),
      await webhooks.rotate(by, id, {}),
      await webhooks.remove(by, id),
    ],
  },
  {
    table: "feeds",
    create: async ({ feeds }, dealer) => succeeded(await feeds.create(ADMIN, newFeedBody(dealer))).feed.id,
    use: async ({ feeds }, by, id) => [
      await feeds.get(by, id),
      await feeds.update(by, { id, input: RENAMED }),
      await feeds.rotate(by, id, {}),
      await feeds.remove(by, id),
    ],
  },
];

for (const engine of ENGINES)
  describe(`the scope of changes on ${engine.name}`, () => {
    let db: SqlDatabase;
    let dealer: number;

    beforeAll(async () => {
      db = await engine.open();
      dealer = succeeded(await coreOn(db, fakeClock()).dealers.create(ADMIN, newDealerBody())).id;
    });
    afterAll(() => db.close());

    // A check before a statement would hide that the statement itself lacks the scope.
    for (const { table, create, use } of OWNED)
      test(`is asked for in each statement on ${table}, also on what was found already`, async () => {
        const isOn = new RegExp(`^(?:select (?:(?! from ).)* from|update|delete from) "${table}"`);
        const asked = async (by: Principal) => {
          const watched = recording(db);
          const core = coreOn(watched.db, fakeClock());
          const id = await create(core, dealer);
          watched.ran();
          for (const outcome of await use(core, by, id)) succeeded(outcome);
          const statements = watched.ran().filter(({ text }) => isOn.test(text));
          return statements.map(({ text }) => text.match(/\bdealer_id"? = /g)?.length ?? 0);
        };
        const inScope = await asked(dealerKey(dealer));
        const ofAll = await asked(ADMIN);
        expect(inScope.length).toBeGreaterThan(3);
        expect(inScope).toEqual(ofAll.map((times) => times + 1));
      });
  });
