import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { sqlStatement } from "../../adapters/sql/query/statement.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import {
  type Browser,
  browserOn,
  FIRST,
  firstAdmin,
  invitationPath,
  inviteAndSignIn,
  makePerson,
  PASSWORD,
  signIn,
} from "../support/browser.ts";
import { ANSWERING, connect } from "../support/engines.ts";
import { startService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { dumpOf } from "../support/table-dump.ts";
import { totpOf } from "../support/totp.ts";

const SECOND_FACTOR_PATH = "/portal/api/second-factor";
const PROOF_PATH = "/portal/api/sign-in/second-factor";
/** The same word with composed and decomposed characters. */
const [COMPOSED, DECOMPOSED] = ["\u00e9tudiants ravis de partir", "e\u0301tudiants ravis de partir"];

interface Refusal {
  readonly code: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

for (const engine of ANSWERING)
  describe(`passwords on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
    });
    const browser = () => browserOn(fixture.service.url);
    const invite = async (id: number) =>
      invitationPath((await admin.send<{ url: string }>("POST", `/portal/api/users/${id}/invitation`)).body.url);
    const inDatabase = async (text: ReturnType<typeof sql>): Promise<void> => {
      const db = connect(fixture.service.databaseUrl);
      await db.writeOne(sqlStatement(db, text), {});
      await db.close();
    };

    test("that are easy to guess are refused with a reason wherever one is chosen, and the link stays usable", async () => {
      const email = `robin.example.${engine.name}@example.com`;
      const { id } = await makePerson(admin, { email });
      const path = await invite(id);
      const weak = ["passwordpassword", "123456789012", "qwertyuiop[]", "abcabcabcabc", "Vehicle Inventory"];
      for (const password of [...weak, email, email.slice(0, email.indexOf("@"))]) {
        const reply = await browser().send<Refusal>("POST", path, { body: { password } });
        expect([reply.status, reply.body.code, reply.body.details]).toEqual([
          400,
          "invalid_input",
          [{ path: "password", message: expect.stringMatching(/^(?:is one of|must )/) }],
        ]);
        expect(reply.text).not.toContain(`"${password}"`);
      }
      const own = browser();
      expect((await own.send("POST", path, { body: { password: PASSWORD } })).status).toBe(200);
      const body = { current_password: PASSWORD, new_password: "dragondragon" };
      const reply = await own.send<Refusal>("PUT", "/portal/api/password", { body });
      expect([reply.status, reply.body.details.map((detail) => detail.path)]).toEqual([400, ["new_password"]]);
    });

    test("are equal if composed or decomposed, and all of a long one counts", async () => {
      const long = `${"correct horse battery staple ".repeat(4)}`.slice(0, 127);
      for (const [chosen, right, wrong] of [
        [DECOMPOSED, COMPOSED, "etudiants ravis de partir"],
        [COMPOSED, DECOMPOSED, COMPOSED.toUpperCase()],
        [`${long}A`, `${long}A`, `${long}B`],
      ] as const) {
        const { id, email } = await makePerson(admin);
        expect((await browser().send("POST", await invite(id), { body: { password: chosen } })).status).toBe(200);
        expect((await signIn(browser(), email, right)).status).toBe(200);
        expect((await signIn(browser(), email, wrong)).status).toBe(401);
      }
    });

    test("that an earlier version hashed as typed still work", async () => {
      const { id, email } = await makePerson(admin);
      await inviteAndSignIn(fixture.service.url, admin, id);
      const hash = await Bun.password.hash(DECOMPOSED, { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 });
      await inDatabase(
        sql`UPDATE sign_in_accounts SET password_hash = ${sql.lit(hash)} WHERE user_id = ${sql.lit(id)}`,
      );
      expect((await signIn(browser(), email, DECOMPOSED)).status).toBe(200);
      expect((await signIn(browser(), email, "not it at all")).status).toBe(401);
    });

    test("work with any spelling of the user's address, even if an older version stored it", async () => {
      const [composed, decomposed] = [`jos\u00e9.${engine.name}@example.com`, `JOSE\u0301.${engine.name}@example.com`];
      const { id } = await makePerson(admin, { email: decomposed });
      const again = await admin.send("POST", "/portal/api/users", {
        body: { name: "Twin", email: composed, role: "user" },
      });
      expect([again.status, again.body.code]).toEqual([409, "email_taken"]);
      await inviteAndSignIn(fixture.service.url, admin, id);
      for (const email of [composed, decomposed]) expect((await signIn(browser(), email)).status).toBe(200);
      const old = decomposed.toLowerCase();
      await inDatabase(sql`UPDATE users SET email_folded = ${sql.lit(old)} WHERE id = ${sql.lit(id)}`);
      const db = connect(fixture.service.databaseUrl);
      await migrateToLatest(db);
      await db.close();
      expect((await signIn(browser(), composed)).status).toBe(200);
    });

    test("come with recovery codes of at least 80 bits, stored as password hashes; earlier ones still work", async () => {
      const { id, email } = await makePerson(admin);
      const own = await inviteAndSignIn(fixture.service.url, admin, id);
      const { secret } = (
        await own.send<{ secret: string }>("POST", SECOND_FACTOR_PATH, { body: { password: PASSWORD } })
      ).body;
      const confirmed = await own.send<{ recovery_codes: string[] }>("POST", `${SECOND_FACTOR_PATH}/confirm`, {
        body: {
          code: totpOf(fixture.service.clock, secret),
        },
      });
      const [first = "", second = ""] = confirmed.body.recovery_codes;
      for (const code of confirmed.body.recovery_codes)
        expect(code).toMatch(/^[2-9a-hjkmnp-z]{5}(?:-[2-9a-hjkmnp-z]{5}){3}$/);
      const stored = await dumpOf(fixture.service.databaseUrl);
      expect(stored).not.toContain(Bun.SHA256.hash(first.replaceAll("-", ""), "hex"));
      const proved = async (code: string): Promise<number> => {
        const one = browser();
        await signIn(one, email);
        return (await one.send("POST", PROOF_PATH, { body: { recovery_code: code } })).status;
      };
      // The label that distinguishes a user's codes proves nothing.
      expect(await proved(`${first.slice(0, 5)}${second.slice(5)}`)).toBe(401);
      expect([await proved(first), await proved(first), await proved(second)]).toEqual([200, 401, 200]);
      const old = ["abcdef-ghjkmn", "bcdefg-hjkmnp"].map((code) => Bun.SHA256.hash(code.replace("-", ""), "hex"));
      await inDatabase(
        sql`UPDATE second_factors SET recovery_codes = ${sql.lit(JSON.stringify(old))} WHERE user_id = ${sql.lit(id)}`,
      );
      expect([await proved("ABCDEF ghjkmn"), await proved("abcdef-ghjkmn")]).toEqual([200, 401]);
      expect((await own.send("GET", "/portal/api/session")).body.recovery_codes_left).toBe(1);
    });
  });

for (const engine of ANSWERING)
  describe(`a compulsory second factor on ${engine.name}`, () => {
    const statusOf = async (one: Browser, method: string, path: string, body?: unknown) => {
      const reply = await one.send(method, `/portal/api/${path}`, { body });
      return [reply.status, reply.body.code];
    };

    test("admits the users it applies to nowhere until it is set up, and then everywhere", async () => {
      const service = await startService(engine, { REQUIRE_SECOND_FACTOR: "super_admin" });
      try {
        const admin = await firstAdmin(service);
        const refused = [403, "second_factor_required"];
        for (const [method, path, body] of [
          ["GET", "users"],
          ["GET", "vehicles"],
          ["POST", "users", { name: "Eve", email: "eve@example.com", role: "super_admin" }],
          ["GET", "sessions"],
          ["DELETE", "sessions"],
          ["PUT", "password", { current_password: PASSWORD, new_password: "another horse battery staple" }],
          ["DELETE", "second-factor", { password: PASSWORD }],
          ["POST", "second-factor/recovery-codes", { password: PASSWORD }],
        ] as const)
          expect([path, await statusOf(admin, method, path, body)]).toEqual([path, refused]);
        expect((await admin.send("GET", "/portal/api/session")).body).toMatchObject({
          second_factor: false,
          second_factor_required: true,
        });
        const { secret } = (
          await admin.send<{ secret: string }>("POST", SECOND_FACTOR_PATH, { body: { password: PASSWORD } })
        ).body;
        expect(
          (await admin.send("POST", `${SECOND_FACTOR_PATH}/confirm`, { body: { code: totpOf(service.clock, secret) } }))
            .status,
        ).toBe(200);
        expect((await admin.send("GET", "/portal/api/session")).body).toMatchObject({ second_factor_required: false });
        expect((await admin.send("GET", "/portal/api/users")).status).toBe(200);
        const { id, email } = await makePerson(admin);
        const user = await inviteAndSignIn(service.url, admin, id);
        expect((await user.send("GET", "/portal/api/sessions")).status).toBe(200);
        // Users who newly match the rule must have a second factor from then on.
        expect((await service.api("PUT", `/api/users/${id}`, { body: { role: "super_admin" } })).status).toBe(200);
        expect(await statusOf(user, "GET", "users")).toEqual(refused);
        expect((await signIn(browserOn(service.url), email)).body).toEqual({ second_factor: false });
        expect((await user.send("POST", "/portal/api/sign-out")).status).toBe(200);
      } finally {
        await service.close();
      }
    });

    test("applies to everybody if it is for all, and does not affect keys", async () => {
      const service = await startService(engine, { REQUIRE_SECOND_FACTOR: "all" });
      try {
        const admin = await firstAdmin(service);
        expect(await statusOf(admin, "GET", "users")).toEqual([403, "second_factor_required"]);
        expect((await service.api("GET", "/api/users")).status).toBe(200);
        expect((await service.api("GET", "/api/users")).text).toContain(FIRST.email);
      } finally {
        await service.close();
      }
    });
  });
