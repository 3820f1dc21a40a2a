import { beforeAll, describe, expect, test } from "bun:test";
import {
  type Browser,
  browserOn,
  firstAdmin,
  invitationPath,
  inviteAndSignIn,
  makePerson,
  PASSWORD,
  signIn,
} from "../support/browser.ts";
import { ANSWERING } from "../support/engines.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { totpOf } from "../support/totp.ts";

const SECOND_FACTOR_PATH = "/portal/api/second-factor";
const PROOF_PATH = "/portal/api/sign-in/second-factor";
const CHALLENGE_COOKIE = "vehicle_inventory_challenge";

for (const engine of ANSWERING)
  describe(`the second factor on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
    });
    const browser = () => browserOn(fixture.service.url);
    const person = async () => {
      const made = await makePerson(admin);
      return { ...made, own: await inviteAndSignIn(fixture.service.url, admin, made.id) };
    };
    /** A user with a second factor: its secret, the code that confirmed it, and recovery codes. */
    const guarded = async () => {
      const made = await person();
      const offer = await made.own.send<{ uri: string; secret: string }>("POST", SECOND_FACTOR_PATH, {
        body: { password: PASSWORD },
      });
      const code = totpOf(fixture.service.clock, offer.body.secret);
      const confirmed = await made.own.send<{ recovery_codes: string[] }>("POST", `${SECOND_FACTOR_PATH}/confirm`, {
        body: { code },
      });
      expect(confirmed.status).toBe(200);
      return { ...made, secret: offer.body.secret, usedCode: code, codes: confirmed.body.recovery_codes };
    };
    const owing = async (email: string): Promise<Browser> => {
      const one = browser();
      expect((await signIn(one, email)).body).toEqual({ second_factor: true });
      return one;
    };

    test("is offered as a URI for authenticator apps, and required once a code was confirmed", async () => {
      const { email, own } = await person();
      const unasked = await own.send<{ details: { path: string }[] }>("POST", `${SECOND_FACTOR_PATH}/confirm`, {
        body: { code: "000000" },
      });
      expect([unasked.status, unasked.body.details[0]?.path]).toEqual([400, "code"]);
      const offer = await own.send<{ uri: string; secret: string }>("POST", SECOND_FACTOR_PATH, {
        body: { password: PASSWORD },
      });
      const uri = new URL(offer.body.uri);
      expect([uri.protocol, uri.host, uri.searchParams.get("secret")]).toEqual(["otpauth:", "totp", offer.body.secret]);
      expect(decodeURIComponent(uri.pathname)).toEndWith(`:${email}`);
      // It is not confirmed, so it does not count yet.
      expect((await signIn(browser(), email)).body).toEqual({ second_factor: false });
      expect((await own.send("GET", "/portal/api/session")).body.second_factor).toBe(false);
      const wrong = await own.send<{ details: { path: string }[] }>("POST", `${SECOND_FACTOR_PATH}/confirm`, {
        body: { code: "000000" },
      });
      expect([wrong.status, wrong.body.details[0]?.path]).toEqual([400, "code"]);
      expect((await own.send("POST", `${SECOND_FACTOR_PATH}/confirm`, { body: {} })).status).toBe(400);
      const confirmed = await own.send<{ recovery_codes: string[] }>("POST", `${SECOND_FACTOR_PATH}/confirm`, {
        body: {
          code: totpOf(fixture.service.clock, offer.body.secret),
        },
      });
      expect(new Set(confirmed.body.recovery_codes).size).toBe(10);
      expect((await own.send("GET", "/portal/api/session")).body).toMatchObject({
        second_factor: true,
        recovery_codes_left: 10,
      });
      expect((await signIn(browser(), email)).body).toEqual({ second_factor: true });
      const again = await own.send<{ details: unknown }>("POST", `${SECOND_FACTOR_PATH}/confirm`, {
        body: { code: totpOf(fixture.service.clock, offer.body.secret, 1) },
      });
      expect([again.status, again.body.details]).toEqual([
        400,
        [{ path: "", message: "there is a second factor already" }],
      ]);
    });

    test("accepts the codes of this half minute and its neighbours, and is required", async () => {
      const { email, secret } = await guarded();
      for (const steps of [1]) {
        const one = await owing(email);
        expect((await one.send("GET", "/portal/api/session")).status).toBe(401);
        expect(
          (await one.send("POST", PROOF_PATH, { body: { code: totpOf(fixture.service.clock, secret, 5) } })).status,
        ).toBe(401);
        const reply = await one.send("POST", PROOF_PATH, {
          body: { code: totpOf(fixture.service.clock, secret, steps) },
        });
        expect([reply.status, reply.body]).toEqual([200, { second_factor: false }]);
        expect((await one.send("GET", "/portal/api/session")).status).toBe(200);
        expect(one.cookies.has(CHALLENGE_COOKIE)).toBe(false);
      }
    });

    test("starts over if the password was changed meanwhile", async () => {
      const { id, email, own, secret } = await guarded();
      const challenged = await owing(email);
      const change = { current_password: PASSWORD, new_password: "an altogether different one" };
      expect((await own.send("PUT", "/portal/api/password", { body: change })).status).toBe(200);
      expect(
        (await challenged.send("POST", PROOF_PATH, { body: { code: totpOf(fixture.service.clock, secret, 1) } }))
          .status,
      ).toBe(401);
      expect((await challenged.send("GET", "/portal/api/session")).status).toBe(401);
      const again = browser();
      expect((await signIn(again, email, change.new_password)).body).toEqual({ second_factor: true });
      const invited = await admin.send<{ url: string }>("POST", `/portal/api/users/${id}/invitation`);
      const anew = await browser().send("POST", invitationPath(invited.body.url), { body: { password: PASSWORD } });
      expect(anew.body).toEqual({ second_factor: true });
      expect(
        (await again.send("POST", PROOF_PATH, { body: { code: totpOf(fixture.service.clock, secret, 1) } })).status,
      ).toBe(401);
    });

    test("cannot be skipped: the cookie of a right password alone grants no access, and works once", async () => {
      const { email, secret } = await guarded();
      const one = await owing(email);
      const challenge = one.cookies.get(CHALLENGE_COOKIE) ?? "";
      for (const path of ["session", "sessions", "users", "vehicles"])
        expect((await one.send("GET", `/portal/api/${path}`)).status).toBe(401);
      expect(
        (await one.send("POST", PROOF_PATH, { body: { code: totpOf(fixture.service.clock, secret, 1) } })).status,
      ).toBe(200);
      const replay = browser();
      replay.cookies.set(CHALLENGE_COOKIE, challenge);
      expect(
        (await replay.send("POST", PROOF_PATH, { body: { code: totpOf(fixture.service.clock, secret) } })).status,
      ).toBe(401);
      expect(
        (await browser().send("POST", PROOF_PATH, { body: { code: totpOf(fixture.service.clock, secret) } })).status,
      ).toBe(401);
    });

    test("is asked for five times after a password, from whatever addresses", async () => {
      const { email, secret } = await guarded();
      const challenge = (await owing(email)).cookies.get(CHALLENGE_COOKIE) ?? "";
      const proveElsewhere = async (code: string): Promise<number> => {
        const one = browser();
        one.cookies.set(CHALLENGE_COOKIE, challenge);
        return (await one.send("POST", PROOF_PATH, { body: { code } })).status;
      };
      for (const wrong of ["000000", "000001", "000002", "000003", "000004"])
        expect(await proveElsewhere(wrong)).toBe(401);
      expect(await proveElsewhere(totpOf(fixture.service.clock, secret, 1))).toBe(401);
    });

    test("has codes that work once each, so that one read over the user's shoulder is useless", async () => {
      const { email, secret } = await guarded();
      const [one, other] = [await owing(email), await owing(email)];
      const code = totpOf(fixture.service.clock, secret, 1);
      const replies = await Promise.all(
        [one, other].map((browser) => browser.send("POST", PROOF_PATH, { body: { code } })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
      expect((await (await owing(email)).send("POST", PROOF_PATH, { body: { code: `${code} ` } })).status).toBe(401);
    });

    test("of one user does not work for another, even when signed in", async () => {
      const one = await guarded();
      const other = await guarded();
      const challenged = await owing(one.email);
      for (const [name, value] of other.own.cookies) challenged.cookies.set(name, value);
      const reply = await challenged.send("POST", PROOF_PATH, {
        body: { code: totpOf(fixture.service.clock, other.secret) },
      });
      expect([reply.status, reply.body.code]).toEqual([401, "sign_in_failed"]);
    });

    test("is switched on by a code that cannot sign in afterwards", async () => {
      const { email, secret, usedCode, own } = await guarded();
      expect((await (await owing(email)).send("POST", PROOF_PATH, { body: { code: usedCode } })).status).toBe(401);
      expect((await own.send("GET", "/portal/api/session")).status).toBe(200);
      expect(
        (
          await (
            await owing(email)
          ).send("POST", PROOF_PATH, { body: { code: totpOf(fixture.service.clock, secret, 1) } })
        ).status,
      ).toBe(200);
    });

    test("is switched on by a code as apps show it, in two groups", async () => {
      const { own } = await person();
      const { secret } = (
        await own.send<{ secret: string }>("POST", SECOND_FACTOR_PATH, { body: { password: PASSWORD } })
      ).body;
      const code = totpOf(fixture.service.clock, secret).replace(/^.../, "$& ");
      expect((await own.send("POST", `${SECOND_FACTOR_PATH}/confirm`, { body: { code } })).status).toBe(200);
    });

    test("can be replaced by each recovery code once, however it is typed", async () => {
      const { email, own, codes } = await guarded();
      const [first = "", second = ""] = codes;
      for (const [code, status] of [
        [first, 200],
        [first, 401],
        [second.replace("-", " ").toUpperCase(), 200],
        ["no such code", 401],
      ] as const)
        expect((await (await owing(email)).send("POST", PROOF_PATH, { body: { recovery_code: code } })).status).toBe(
          status,
        );
      expect((await own.send("GET", "/portal/api/session")).body.recovery_codes_left).toBe(8);
    });

    test("gets new recovery codes for the password, which void the previous ones", async () => {
      const { email, own, codes } = await guarded();
      expect(
        (await own.send("POST", `${SECOND_FACTOR_PATH}/recovery-codes`, { body: { password: "wrong" } })).status,
      ).toBe(400);
      const renewed = await own.send<{ recovery_codes: string[] }>("POST", `${SECOND_FACTOR_PATH}/recovery-codes`, {
        body: {
          password: PASSWORD,
        },
      });
      expect(renewed.body.recovery_codes.filter((code) => codes.includes(code))).toEqual([]);
      expect((await (await owing(email)).send("POST", PROOF_PATH, { body: { recovery_code: codes[0] } })).status).toBe(
        401,
      );
      const [code] = renewed.body.recovery_codes;
      expect((await (await owing(email)).send("POST", PROOF_PATH, { body: { recovery_code: code } })).status).toBe(200);
      const without = await (await person()).own.send("POST", `${SECOND_FACTOR_PATH}/recovery-codes`, {
        body: { password: PASSWORD },
      });
      expect(without.status).toBe(400);
    });

    test("is removed by its user with the password alone, and cannot be replaced while it is in use", async () => {
      const { email, own, secret } = await guarded();
      expect((await own.send("POST", SECOND_FACTOR_PATH, { body: { password: PASSWORD } })).status).toBe(400);
      expect(
        (
          await own.send("POST", `${SECOND_FACTOR_PATH}/confirm`, {
            body: { code: totpOf(fixture.service.clock, secret) },
          })
        ).status,
      ).toBe(400);
      expect((await own.send("DELETE", SECOND_FACTOR_PATH, { body: { password: "wrong" } })).status).toBe(400);
      expect((await signIn(browser(), email)).body).toEqual({ second_factor: true });
      expect((await own.send("DELETE", SECOND_FACTOR_PATH, { body: { password: PASSWORD } })).status).toBe(200);
      expect((await signIn(browser(), email)).body).toEqual({ second_factor: false });
    });

    test("is still required after an invitation set a new password", async () => {
      const { id } = await guarded();
      const invited = await admin.send<{ url: string }>("POST", `/portal/api/users/${id}/invitation`);
      const path = `/portal/api/invitations/${invited.body.url.split("/").at(-1)}`;
      const one = browser();
      const reply = await one.send("POST", path, { body: { password: "another horse battery staple" } });
      expect([reply.status, reply.body]).toEqual([200, { second_factor: true }]);
      // The browser is remembered once the code was right, and not before.
      expect([...one.cookies.keys()]).not.toContain("vehicle_inventory_device");
      expect((await one.send("GET", "/portal/api/session")).status).toBe(401);
    });

    test("can be reset by whoever manages the user, which is recorded", async () => {
      const { id, email, secret } = await guarded();
      const begun = await owing(email);
      expect((await admin.send("GET", `/portal/api/users/${id}/account`)).body.second_factor).toBe(true);
      // The second time there is nothing to reset, and nothing to record.
      for (let time = 0; time < 2; time++)
        expect((await admin.send("DELETE", `/portal/api/users/${id}/second-factor`)).status).toBe(200);
      // Who had given the password only signs in anew.
      const body = { code: totpOf(fixture.service.clock, secret, 1) };
      expect((await begun.send("POST", PROOF_PATH, { body })).status).toBe(401);
      expect((await signIn(browser(), email)).body).toEqual({ second_factor: false });
      const log = await admin.send<{ action: string }[]>("GET", `/portal/api/audit?resource=users&id=${id}`);
      const actions = log.body.map(({ action }) => action);
      expect(actions).toContain("user.second-factor-on");
      expect(actions.filter((action) => action === "user.second-factor-reset")).toHaveLength(1);
    });

    test("needs either code or recovery_code", async () => {
      for (const body of [{}, { code: "123456", recovery_code: "abc" }])
        expect((await browser().send("POST", PROOF_PATH, { body })).status).toBe(400);
    });

    testMovingClock("must be given within ten minutes of the password", async () => {
      const { email, secret } = await guarded();
      const one = await owing(email);
      await fixture.service.pass(10 * 60 + 1);
      expect(
        (await one.send("POST", PROOF_PATH, { body: { code: totpOf(fixture.service.clock, secret) } })).status,
      ).toBe(401);
    });
  });
