import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openLegacySecret } from "../../adapters/sign-in/legacy-secrets.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { forgetSecretKey } from "../../adapters/sql/sign-in/forgotten-key.ts";
import { contextOfSecondFactor, sealedSecrets } from "../../adapters/sql/sign-in/sealed-secrets.ts";
import { serviceSecret } from "../../adapters/sql/sign-in/service-secret.ts";
import { contextOfCredentials, SEALED_CREDENTIALS } from "../../adapters/sql/sources/stored.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { sealingOf } from "../../adapters/system/sealing.ts";
import type { Sealing } from "../../core/sealing.ts";
import library from "../adapters/sign-in/made-by-better-auth.json";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { dealerFields, MOMENT, made, OPERATOR, userFields } from "../support/records.ts";

const keyOf = (n: number) => new Uint8Array(32).fill(n);
const OLD = sealingOf(keyOf(1), []);
const NEW = sealingOf(keyOf(2), []);
/** Seals with the new key, and opens what the old one sealed. */
const BOTH = sealingOf(keyOf(2), [keyOf(1)]);
/** A second factor as an earlier version sealed it, with a key that it kept in the database. */
const [earlier = { key: "", text: "", sealed: "" }] = library.sealed;

for (const engine of ENGINES)
  describe(`sealed secrets on ${engine.name}`, () => {
    let db: TestDatabase;
    beforeEach(async () => {
      db = await engine.open();
    });
    afterEach(() => db.close());

    const run = (text: string): Promise<void> => db.migrate(async (query) => void (await query(text)));

    const unlock = (sealing: Sealing, on: SqlDatabase = db, openLegacy = openLegacySecret): Promise<void> =>
      sealedSecrets(on, sealing, { openLegacy, columns: [SEALED_CREDENTIALS] }).unlock(false);

    const newUser = async (): Promise<number> =>
      made(await makeUserRepository(db, () => {}).insert(userFields(), MOMENT, OPERATOR)).id;

    const addFactor = (user: number, sealed: string): Promise<void> =>
      run(
        `INSERT INTO second_factors (user_id, secret, recovery_codes, verified) VALUES (${user}, '${sealed}', '[]', 1)`,
      );

    const factorOf = async (user: number): Promise<string | null> => {
      const text = `SELECT secret FROM second_factors WHERE user_id = ${user}`;
      return (await queryDatabase<{ secret: string }>(db.url, text))[0]?.secret ?? null;
    };

    /** Adds a source with each of these sealed credentials, numbered from 1 on. */
    const addSources = async (...sealed: readonly (string | null)[]): Promise<void> => {
      const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      for (const auth of sealed)
        await run(`INSERT INTO import_sources
          (name, dealer_id, url, schedule, timezone, auth, options, active, failures, runs, created_at, updated_at)
          VALUES ('Nightly', ${dealer}, 'https://lot.example.com/stock.csv', '0 4 * * *', 'UTC',
            ${auth === null ? "NULL" : `'${auth}'`}, '{}', 1, 0, '[]', '${MOMENT}', '${MOMENT}')`);
    };

    const credentials = async (): Promise<readonly (string | null)[]> => {
      const text = "SELECT auth FROM import_sources ORDER BY id";
      return (await queryDatabase<{ auth: string | null }>(db.url, text)).map(({ auth }) => auth);
    };

    const storedSecrets = async (): Promise<Record<string, string>> => {
      const text = "SELECT name, secret FROM service_secrets";
      const rows = await queryDatabase<{ name: string; secret: string }>(db.url, text);
      return Object.fromEntries(rows.map(({ name, secret }) => [name, secret]));
    };

    const addSecret = (name: string, secret: string): Promise<void> =>
      run(`INSERT INTO service_secrets (name, secret) VALUES ('${name}', '${secret}')`);

    test("open with the new key alone once they were sealed anew, each in its own place", async () => {
      const [one, two] = [await newUser(), await newUser()];
      await addFactor(one, OLD.seal("factor of one", contextOfSecondFactor(one)));
      await addFactor(two, OLD.seal("factor of two", contextOfSecondFactor(two)));
      await addSources(
        OLD.seal("login of source 1", contextOfCredentials(1)),
        null,
        OLD.seal("login of source 3", contextOfCredentials(3)),
      );
      await unlock(OLD);
      await unlock(BOTH);
      await unlock(NEW);
      const factors = [one, two].map(async (user) =>
        NEW.open((await factorOf(user)) ?? "", contextOfSecondFactor(user)),
      );
      expect(await Promise.all(factors)).toEqual(["factor of one", "factor of two"]);
      const opened = (await credentials()).map(
        (auth, index) => auth && NEW.open(auth, contextOfCredentials(index + 1)),
      );
      expect(opened).toEqual(["login of source 1", null, "login of source 3"]);
    });

    test("that were copied to another place do not open there, and stay as they are", async () => {
      const sealed = OLD.seal("login of source 1", contextOfCredentials(1));
      await addSources(sealed, sealed);
      await unlock(OLD);
      await unlock(BOTH);
      const [own, copied] = await credentials();
      expect(NEW.open(own ?? "", contextOfCredentials(1))).toBe("login of source 1");
      expect(copied).toBe(sealed);
    });

    test("of an earlier version are sealed for each user, and its key goes without touching another secret", async () => {
      const [one, two] = [await newUser(), await newUser()];
      for (const user of [one, two]) await addFactor(user, earlier.sealed);
      await addSecret("portal", earlier.key);
      await addSecret("of something else", earlier.key);
      await unlock(OLD);
      for (const user of [one, two])
        expect(OLD.open((await factorOf(user)) ?? "", contextOfSecondFactor(user))).toBe(earlier.text);
      expect(await storedSecrets()).toMatchObject({ "of something else": earlier.key });
      expect(Object.keys(await storedSecrets())).not.toContain("portal");
    });

    test("that others change while they are sealed anew stay as those left them", async () => {
      const user = await newUser();
      await addFactor(user, earlier.sealed);
      await addSecret("portal", earlier.key);
      await addSources(OLD.seal("old login", contextOfCredentials(1)));
      const factor = NEW.seal("another factor", contextOfSecondFactor(user));
      const login = NEW.seal("new login", contextOfCredentials(1));
      const late: SqlDatabase = {
        ...db,
        writeOne: async (statement, values) => {
          await run(`UPDATE import_sources SET auth = '${login}'`);
          return db.writeOne(statement, values);
        },
      };
      await unlock(BOTH, late, async (key, sealed) => {
        await run(`UPDATE second_factors SET secret = '${factor}'`);
        await run("UPDATE service_secrets SET secret = 'a key made meanwhile' WHERE name = 'portal'");
        return openLegacySecret(key, sealed);
      });
      expect(await factorOf(user)).toBe(factor);
      expect(await credentials()).toEqual([login]);
      expect(await storedSecrets()).toMatchObject({ portal: "a key made meanwhile" });
    });

    test("that only a lost key opens are forgotten, with an entry for each second factor, and no others", async () => {
      const [holder, other] = [await newUser(), await newUser()];
      await addFactor(holder, OLD.seal("a factor", contextOfSecondFactor(holder)));
      await addSecret("portal", earlier.key);
      await unlock(OLD);
      expect(Object.keys(await storedSecrets())).toHaveLength(2);
      const kept = { cursors: await serviceSecret(db, "cursors"), devices: await serviceSecret(db, "devices") };
      expect(kept.cursors).not.toBe(kept.devices);

      expect(await forgetSecretKey(db, MOMENT, OPERATOR)).toBe(1);
      expect([await factorOf(holder), await factorOf(other)]).toEqual([null, null]);
      expect(await storedSecrets()).toEqual(kept);
      const entries = "SELECT resource_id FROM audit_entries WHERE action = 'user.second-factor-reset'";
      expect(await queryDatabase(db.url, entries)).toEqual([{ resource_id: holder }]);
      await unlock(NEW);
    });
  });
