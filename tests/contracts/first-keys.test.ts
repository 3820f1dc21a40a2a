import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { storedCredentials } from "../../adapters/sql/access/credentials.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { sqlStatement } from "../../adapters/sql/query/statement.ts";
import { EVERY_PERMISSION, permissionSet } from "../../core/permissions.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
import { keyFields, MOMENT, made, momentAfter, newSecret, OPERATOR } from "../support/records.ts";

const PAGE = { limit: 100, offset: 0 };
const EVERYTHING = "everything" as const;

for (const engine of ENGINES)
  describe(`the first key on ${engine.name}`, () => {
    const FIRST = keyFields({ name: "First", ownPermissions: EVERY_PERMISSION });

    test("is stored by exactly one process, however many start at once", async () => {
      const dbs = await openTwice(engine);
      const starts = [0, 1, 0, 1, 0, 1].map((index) =>
        makeKeyRepository(dbs[index] as SqlDatabase, () => {}).insertIfNone({
          key: FIRST,
          secret: newSecret(),
          now: MOMENT,
          show: () => {},
        }),
      );
      const stored = await Promise.all(starts);
      expect(stored.filter(Boolean)).toHaveLength(1);
      expect(
        (
          await makeKeyRepository(dbs[0] as SqlDatabase, () => {}).list({
            visibility: EVERYTHING,
            filter: {},
            page: PAGE,
          })
        ).total,
      ).toBe(1);
      for (const db of dbs) await db.close();
    });

    test("is shown before it is stored, and is not stored if it could not be shown", async () => {
      const [db, other] = await openTwice(engine);
      const seen = async (): Promise<number> =>
        (await makeKeyRepository(other, () => {}).list({ visibility: EVERYTHING, filter: {}, page: PAGE })).total;
      const stored = sqlStatement(other, sql<{ keys: number }>`SELECT count(*) AS keys FROM api_keys`);
      const repository = makeKeyRepository(db, () => {});
      const ended = repository.insertIfNone({
        key: FIRST,
        secret: newSecret(),
        now: MOMENT,
        show: () => {
          throw new Error("ended while it was shown");
        },
      });
      await expect(ended).rejects.toThrow("ended while it was shown");
      expect(await seen()).toBe(0);
      let shown = 0;
      let whileShown: unknown;
      const show = (): void => {
        shown++;
        // SQLite answers at once.
        whileShown = other.all(stored, {});
      };
      expect(await repository.insertIfNone({ key: FIRST, secret: newSecret(), now: MOMENT, show })).toBe(true);
      expect(await repository.insertIfNone({ key: FIRST, secret: newSecret(), now: MOMENT, show })).toBe(false);
      expect(shown).toBe(1);
      if (engine.name === "SQLite") expect(whileShown).toEqual([{ keys: 0 }]);
      expect(await seen()).toBe(1);
      for (const opened of [db, other]) await opened.close();
    });

    test("keeps its identity as the bootstrap key, and works with the secret that was set last", async () => {
      const db = await engine.open();
      const repository = makeKeyRepository(db, () => {});
      const credentials = storedCredentials(db);
      const [one, two] = [newSecret(), newSecret()];
      const bystander = newSecret();
      await repository.insert({ key: keyFields(), secret: bystander, now: MOMENT, by: OPERATOR });
      await repository.setBootstrap(FIRST, one, MOMENT);
      const version = await credentials.version();
      await repository.setBootstrap(FIRST, one, MOMENT);
      expect(await credentials.version()).toBe(version);
      const { principal } = made(await credentials.find(one.hash));
      expect(principal).toMatchObject({ association: "none", permissions: EVERY_PERMISSION });

      await repository.setBootstrap(FIRST, two, momentAfter(1));
      expect(await credentials.find(one.hash)).toBeNull();
      expect((await credentials.find(two.hash))?.principal.keyId).toBe(principal.keyId);
      expect((await repository.list({ visibility: EVERYTHING, filter: {}, page: PAGE })).total).toBe(2);
      expect((await credentials.find(bystander.hash))?.principal.permissions).toBe(permissionSet(["vehicles:read"]));
      await db.close();
    });
  });
