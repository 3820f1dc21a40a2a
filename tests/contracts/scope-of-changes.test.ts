import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeSessionRepository } from "../../adapters/sql/sign-in/sessions.ts";
import type { Core } from "../../app/compose-core.ts";
import type { Principal } from "../../core/access/principal.ts";
import type { Outcome } from "../../core/failure.ts";
import { dealerKey, superAdminKey } from "../core/callers.ts";
import {
  newDealerBody,
  newFeedBody,
  newKeyBody,
  newSourceBody,
  newUserBody,
  newWebhookBody,
  succeeded,
} from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { accountsOn, coreOn } from "../support/core.ts";
import { ENGINES } from "../support/engines.ts";
import { recording } from "../support/recording.ts";
import { MOMENT } from "../support/records.ts";

type Opened = Core & Pick<ReturnType<typeof accountsOn>, "leaving">;

interface Owned {
  readonly table: string;
  /** Creates one of the dealer's. */
  readonly create: (on: Opened, dealer: number) => Promise<number>;
  /** Changes it in every way, and ends it. */
  readonly use: (on: Opened, by: Principal, id: number) => Promise<readonly Outcome<unknown>[]>;
}

const ADMIN = superAdminKey();
const RENAMED = { name: "Renamed" };
let users = 0;

/** What is found and locked first, and changed by its id afterwards. */
const OWNED: readonly Owned[] = [
  {
    table: "import_sources",
    create: async ({ sources }, dealer_id) => succeeded(await sources.create(ADMIN, newSourceBody({ dealer_id }))).id,
    use: async ({ sources }, by, id) => [await sources.update(by, id, RENAMED), await sources.remove(by, id)],
  },
  {
    table: "import_mappings",
    create: async ({ mappings }, dealer_id) =>
      succeeded(await mappings.create(ADMIN, { name: "Ours", dealer_id, columns: { Ours: "vin" } })).id,
    use: async ({ mappings }, by, id) => [await mappings.update(by, id, RENAMED), await mappings.remove(by, id)],
  },
  {
    table: "webhooks",
    create: async ({ webhooks }, dealer) => succeeded(await webhooks.create(ADMIN, newWebhookBody(dealer))).webhook.id,
    use: async ({ webhooks }, by, id) => [
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
      await feeds.update(by, { id, input: RENAMED }),
      await feeds.rotate(by, id, {}),
      await feeds.remove(by, id),
    ],
  },
  {
    table: "api_keys",
    create: async ({ keys }, dealer_id) => succeeded(await keys.create(ADMIN, newKeyBody({ dealer_id }))).record.id,
    use: async ({ keys }, by, id) => [
      await keys.update(by, id, RENAMED),
      await keys.rotate(by, id, {}),
      await keys.remove(by, id),
    ],
  },
  {
    table: "users",
    create: async (on, dealer_id) =>
      succeeded(await on.users.create(ADMIN, newUserBody(`kim-${++users}@example.com`, { dealer_id }))).id,
    use: async (on, by, id) => [
      await on.users.update(by, id, RENAMED),
      await on.leaving.leave(by, id, { keys: "revoke" }),
      await on.leaving.undo(by, id),
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

    test("is asked for where a user's sessions are read, although the user was found in scope before", async () => {
      const { users } = coreOn(db, fakeClock());
      const { id } = succeeded(await users.create(ADMIN, newUserBody("robin@example.com", { dealer_id: dealer })));
      const watched = recording(db);
      expect(await makeSessionRepository(watched.db).listOf(id, { dealerId: dealer }, MOMENT)).toEqual([]);
      const read = watched.ran().filter(({ text }) => text.includes('from "sessions"'));
      expect(read.map(({ text }) => /\bdealer_id"? = /.test(text))).toEqual([true]);
    });

    // A check before a statement would hide that the statement itself lacks the scope.
    for (const { table, create, use } of OWNED)
      test(`is asked for in each change of ${table}, although it was found in scope before`, async () => {
        const isChange = new RegExp(`^(?:update|delete from) "${table}"`);
        const asked = async (by: Principal) => {
          const watched = recording(db);
          const clock = fakeClock();
          const core = coreOn(watched.db, clock);
          const on = { ...core, leaving: accountsOn(core, { db: watched.db, clock }).leaving };
          const id = await create(on, dealer);
          watched.ran();
          for (const outcome of await use(on, by, id)) succeeded(outcome);
          const changes = watched.ran().filter(({ text }) => isChange.test(text));
          return changes.map(({ text }) => text.match(/\bdealer_id"? = /g)?.length ?? 0);
        };
        const ofAll = await asked(ADMIN);
        const inScope = await asked(dealerKey(dealer));
        expect(inScope.length).toBeGreaterThan(1);
        expect(inScope).toHaveLength(ofAll.length);
        expect(inScope.filter((times, place) => times <= (ofAll[place] ?? 0))).toEqual([]);
      });
  });
