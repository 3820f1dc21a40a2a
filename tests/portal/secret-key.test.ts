import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import { base32Of } from "../../adapters/sign-in/totp.ts";
import { sqlStatement } from "../../adapters/sql/query/statement.ts";
import library from "../adapters/sign-in/made-by-better-auth.json";
import {
  type Browser,
  browserOn,
  firstAdmin,
  inviteAndSignIn,
  makePerson,
  PASSWORD,
  signIn,
} from "../support/browser.ts";
import { ANSWERING, connect } from "../support/engines.ts";
import { startService, TESTS_SECRET_KEY } from "../support/service.ts";
import { dumpOf } from "../support/table-dump.ts";
import { totpOf } from "../support/totp.ts";

setDefaultTimeout(300_000);

const SECOND_FACTOR_PATH = "/portal/api/second-factor";
/** A second factor as the library sealed it, with a key that was kept in the database. */
const [sealedOnce = { key: "", text: "", sealed: "" }] = library.sealed;
const OTHER_KEY = Bun.SHA256.hash("another key", "base64");

for (const engine of ANSWERING)
  describe(`the secret key on ${engine.name}`, () => {
    const enrolled = async (environment: Record<string, string> = {}) => {
      const service = await startService(engine, environment);
      const admin = await firstAdmin(service);
      const { id, email } = await makePerson(admin);
      const own = await inviteAndSignIn(service.url, admin, id);
      const { secret } = (
        await own.send<{ secret: string }>("POST", SECOND_FACTOR_PATH, { body: { password: PASSWORD } })
      ).body;
      expect(
        (await own.send("POST", `${SECOND_FACTOR_PATH}/confirm`, { body: { code: totpOf(service.clock, secret, -1) } }))
          .status,
      ).toBe(200);
      await service.close();
      const { databaseUrl, bootstrapKey } = service;
      return {
        id,
        email,
        own,
        secret,
        databaseUrl,
        again: { DATABASE_URL: databaseUrl, BOOTSTRAP_API_KEY: bootstrapKey },
      };
    };

    /** Signs in with both factors, and expects the earlier session to continue. */
    const expectSignIn = async (
      environment: Record<string, string>,
      { email, secret, own }: { email: string; secret: string; own: Browser },
      steps = 0,
    ) => {
      const service = await startService(engine, environment);
      try {
        const there = browserOn(service.url);
        expect((await signIn(there, email)).body).toEqual({ second_factor: true });
        const proof = { code: totpOf(service.clock, secret, steps) };
        expect((await there.send("POST", "/portal/api/sign-in/second-factor", { body: proof })).status).toBe(200);
        const before = browserOn(service.url);
        for (const [name, value] of own.cookies) before.cookies.set(name, value);
        expect((await before.send("GET", "/portal/api/session")).status).toBe(200);
      } finally {
        await service.close();
      }
    };

    const run = async (databaseUrl: string, text: ReturnType<typeof sql>): Promise<readonly object[]> => {
      const db = connect(databaseUrl);
      try {
        return await db.write(async (tx) => tx.all(sqlStatement(db, text as ReturnType<typeof sql<object>>), {}));
      } finally {
        await db.close();
      }
    };

    test("is not in the database, nor is anything that reveals a second factor", async () => {
      const { databaseUrl, secret } = await enrolled();
      const dump = await dumpOf(databaseUrl);
      expect(dump).not.toInclude(secret);
      expect(dump).not.toInclude(TESTS_SECRET_KEY);
      const kept = await run(databaseUrl, sql`SELECT name FROM service_secrets`);
      expect(kept).not.toContainEqual({ name: "portal" });
      expect(JSON.stringify(await run(databaseUrl, sql`SELECT secret FROM second_factors`))).toMatch(
        /^\[\{"secret":"s1\./,
      );
    });

    test("that does not match stops the start; with the previous key given too, everything is resealed", async () => {
      const made = await enrolled();
      expect(startService(engine, { ...made.again, SECRET_KEY: OTHER_KEY })).rejects.toThrow(
        /sealed with another key than SECRET_KEY: /,
      );
      const rotated = { ...made.again, SECRET_KEY: OTHER_KEY };
      await expectSignIn({ ...rotated, SECRET_KEY_PREVIOUS: TESTS_SECRET_KEY }, made);
      await expectSignIn(rotated, made, 1);
      expect(startService(engine, made.again)).rejects.toThrow("sealed with another key");
    });

    test("reseals what an earlier version sealed with a key in the database, and removes that key", async () => {
      const made = await enrolled();
      const { key: legacy, sealed: withOldSpellings } = sealedOnce;
      made.secret = base32Of(sealedOnce.text);
      await run(made.databaseUrl, sql`DELETE FROM service_secrets WHERE name = 'key-check'`);
      await run(
        made.databaseUrl,
        sql`INSERT INTO service_secrets (name, secret) VALUES ('portal', ${sql.lit(legacy)})`,
      );
      await run(made.databaseUrl, sql`UPDATE second_factors SET secret = ${sql.lit(withOldSpellings)}`);
      await expectSignIn(made.again, made);
      const dump = await dumpOf(made.databaseUrl);
      for (const text of [legacy, withOldSpellings]) expect(dump).not.toInclude(text);

      // An instance of the earlier version, still running, seals another second factor with its key.
      const service = await startService(engine, made.again);
      try {
        await run(made.databaseUrl, sql`UPDATE second_factors SET secret = ${sql.lit(withOldSpellings)}`);
        const there = browserOn(service.url);
        await signIn(there, made.email);
        const proof = { code: totpOf(service.clock, made.secret, 1) };
        expect((await there.send("POST", "/portal/api/sign-in/second-factor", { body: proof })).status).toBe(200);
      } finally {
        await service.close();
      }
      expect(await dumpOf(made.databaseUrl)).not.toInclude(withOldSpellings);
    });
  });
