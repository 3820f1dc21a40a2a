import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  type Browser,
  browserOn,
  firstAdmin,
  inviteAndSignIn,
  makePerson,
  PASSWORD,
  signIn,
} from "../support/browser.ts";
import { ANSWERING } from "../support/engines.ts";
import { moveProofs } from "../support/proofs.ts";
import { type CreatedKey, create, keyBody, NORTH } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { totpOf } from "../support/totp.ts";

const AGAIN = "/portal/api/reauthenticate";
const NEEDED = [403, "reauthentication_required"] as const;
const USERS_WRITE = [{ resource: "users", action: "write" }];

for (const engine of ANSWERING)
  describe(`the password is required again on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    let user: { id: number; email: string };
    let boss: { id: number; email: string };
    let superKey: CreatedKey;
    let bossKey: CreatedKey;
    let dealerKey: CreatedKey;
    /** An admin of a dealer who may change users. This key and the admin's own may do so too. */
    let chief: { id: number; email: string };
    let writingKey: CreatedKey;
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
    });
    const key = (fields: object) => create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields));
    const prove = (one: Browser, body: object = { password: PASSWORD }) => one.send("POST", AGAIN, { body });
    /** The status of a proof, and what is wrong with it. */
    const faultOf = async (one: Browser, body: object) => {
      const reply = await one.send<{ error: string }>("POST", AGAIN, { body });
      return [reply.status, reply.body.error];
    };
    const age = () => moveProofs(fixture.service, -3600);
    /** Resets all proofs to now, because giving the password is rate limited too. */
    const freshen = () => moveProofs(fixture.service, 0);

    beforeEach(async () => {
      await freshen();
      user = await makePerson(admin, { dealer_id: NORTH });
      boss = await makePerson(admin, { role: "super_admin" });
      superKey = await key({});
      bossKey = await key({ user_id: boss.id });
      dealerKey = await key({ dealer_id: NORTH });
      chief = await makePerson(admin, { role: "dealer_admin", dealer_id: NORTH });
      writingKey = await key({ dealer_id: NORTH, permissions: USERS_WRITE });
      await key({ user_id: chief.id });
      await key({ user_id: user.id });
      await age();
    });

    type Ask = readonly [method: string, path: () => string, body?: () => object];
    const SENSITIVE: Readonly<Record<string, Ask>> = {
      "another's password, by an invitation": ["POST", () => `/users/${user.id}/invitation`],
      "another's second factor": ["DELETE", () => `/users/${user.id}/second-factor`],
      "another's sessions": ["DELETE", () => `/users/${user.id}/sessions`],
      "one of another's sessions": ["DELETE", () => `/users/${user.id}/sessions/1`],
      "another's address": ["PUT", () => `/users/${user.id}`, () => ({ email: `moved-${user.email}` })],
      "another's role": ["PUT", () => `/users/${user.id}`, () => ({ role: "dealer_admin" })],
      "another's dealer": ["PUT", () => `/users/${user.id}`, () => ({ dealer_id: 2 })],
      "another's permissions": ["PUT", () => `/users/${user.id}`, () => ({ permissions: [] })],
      "a super-admin's name": ["PUT", () => `/users/${boss.id}`, () => ({ name: "Renamed" })],
      "a super-admin's being there": ["DELETE", () => `/users/${boss.id}`],
      "a super-admin's leaving": ["POST", () => `/users/${boss.id}/leave`, () => ({ keys: "revoke" })],
      "a leaver's keys that become a super-admin's": [
        "POST",
        () => `/users/${user.id}/leave`,
        () => ({ keys: "transfer", to_user_id: boss.id }),
      ],
      "a new super-admin": [
        "POST",
        () => "/users",
        () => ({ name: "Kim", email: `kim-${boss.id}@example.com`, role: "super_admin" }),
      ],
      "a new super-admin key": ["POST", () => "/keys", () => keyBody({})],
      "a new key of a super-admin": ["POST", () => "/keys", () => keyBody({ user_id: boss.id })],
      "a super-admin key's name": ["PUT", () => `/keys/${superKey.id}`, () => ({ name: "Renamed" })],
      "a super-admin key's being active": ["PUT", () => `/keys/${superKey.id}`, () => ({ active: true })],
      "a super-admin key's secret": ["POST", () => `/keys/${superKey.id}/rotate`],
      "a super-admin key's permissions": ["PUT", () => `/keys/${superKey.id}/permissions/dealers/read`],
      "a super-admin key's permissions, taken away": ["DELETE", () => `/keys/${superKey.id}/permissions/vehicles/read`],
      "a super-admin key's being revoked": ["POST", () => `/keys/${superKey.id}/revoke`],
      "a super-admin key's being there": ["DELETE", () => `/keys/${superKey.id}`],
      "the secret of a super-admin's key": ["POST", () => `/keys/${bossKey.id}/rotate`],
      "a key that becomes a super-admin's": ["PUT", () => `/keys/${dealerKey.id}`, () => ({ user_id: boss.id })],
      "a key that becomes free of its dealer": ["PUT", () => `/keys/${dealerKey.id}`, () => ({ dealer_id: null })],
      "a new key that may change users": [
        "POST",
        () => "/keys",
        () => keyBody({ dealer_id: NORTH, permissions: USERS_WRITE }),
      ],
      "a key's permission to change users": ["PUT", () => `/keys/${dealerKey.id}/permissions/users/write`],
      "a key that becomes one of a user who may change users": [
        "PUT",
        () => `/keys/${dealerKey.id}`,
        () => ({ user_id: chief.id }),
      ],
      "the name of a key that may change users": ["PUT", () => `/keys/${writingKey.id}`, () => ({ name: "Renamed" })],
      "the secret of a key that may change users": ["POST", () => `/keys/${writingKey.id}/rotate`],
      "the secrets of a user's keys that may change users": [
        "PUT",
        () => `/users/${chief.id}`,
        () => ({ name: "Renamed", rotate_keys: true }),
      ],
      "a leaver's keys that come to change users": [
        "POST",
        () => `/users/${user.id}/leave`,
        () => ({ keys: "transfer", to_user_id: chief.id }),
      ],
    };

    for (const [what, [method, path, body]] of Object.entries(SENSITIVE))
      test(`for ${what}: refused without it, with nothing changed, and done after a proof`, async () => {
        const ask = () => admin.send(method, `/portal/api${path()}`, { body: body?.() });
        const state = async () =>
          (await Promise.all(["/api/users", "/api/keys"].map((list) => fixture.api("GET", `${list}?limit=1000`)))).map(
            ({ text }) => text.replaceAll(/"last_used_at":(?:null|"[^"]+")/g, ""),
          );
        const before = await state();
        const refused = await ask();
        expect([refused.status, refused.body.code]).toEqual([...NEEDED]);
        expect(refused.text).not.toMatch(/vis_|\/portal\/invitations\//);
        expect(await state()).toEqual(before);
        await freshen();
        const { status, text } = await ask();
        // A missing session is reported only now.
        const isDone = (path().endsWith("/sessions/1") ? [404] : [200, 201]).includes(status);
        expect([isDone, status, text]).toEqual([true, status, text]);
      });

    const ORDINARY: Readonly<Record<string, Ask>> = {
      "who one is": ["GET", () => "/session"],
      "how another signs in": ["GET", () => `/users/${user.id}/account`],
      "another's name": ["PUT", () => `/users/${user.id}`, () => ({ name: "Renamed" })],
      "a user who is none of the super-admins": ["DELETE", () => `/users/${user.id}`],
      "a new key of a dealer": ["POST", () => "/keys", () => keyBody({ dealer_id: NORTH })],
      "a new secret for a dealer's key": ["POST", () => `/keys/${dealerKey.id}/rotate`],
      "revoking a dealer's key": ["POST", () => `/keys/${dealerKey.id}/revoke`],
      "revoking a key that may change users": ["POST", () => `/keys/${writingKey.id}/revoke`],
      "the secrets of a user's keys that change no users": [
        "PUT",
        () => `/users/${user.id}`,
        () => ({ name: "Renamed", rotate_keys: true }),
      ],
      "a dealer": ["PUT", () => `/dealers/${NORTH}`, () => ({ phone: "503-555-0199" })],
      "one's other sessions": ["DELETE", () => "/sessions"],
    };
    for (const [what, [method, path, body]] of Object.entries(ORDINARY))
      test(`not for ${what}`, async () => {
        expect([200, 201]).toContain((await admin.send(method, `/portal/api${path()}`, { body: body?.() })).status);
      });

    test("never for a key, which has no password", async () => {
      for (const key of [undefined, bossKey.api_key]) {
        const sent = key === undefined ? {} : { key };
        const reply = await fixture.api("PUT", `/api/users/${user.id}`, { ...sent, body: { email: `x${user.email}` } });
        expect(reply.status).toBe(200);
        user = { ...user, email: `x${user.email}` };
      }
    });

    test("only after the permission is checked: a user without it is told so, and learns nothing of invisible records", async () => {
      const plain = await (async () => {
        await freshen();
        const chief = await makePerson(admin, { role: "dealer_admin", dealer_id: NORTH });
        return inviteAndSignIn(fixture.service.url, admin, chief.id);
      })();
      await age();
      expect((await plain.send("POST", `/portal/api/users/${boss.id}/invitation`)).status).toBe(404);
      expect(
        (await plain.send("POST", "/portal/api/keys", { body: { ...keyBody({}), association: "none" } })).body.code,
      ).toBe("exceeds_your_rights");
    });

    const invite = (one: Browser) => one.send("POST", `/portal/api/users/${user.id}/invitation`);
    /** The status of what succeeds, and the code of what is refused: a 403 says which. */
    const outcome = async (asked: ReturnType<typeof invite>): Promise<unknown> => {
      const { status, body } = await asked;
      return status < 400 ? status : body.code;
    };
    const [, REFUSED] = NEEDED;

    test("for a dealer's admin too, before a key of theirs can change the dealer's users", async () => {
      await freshen();
      const own = await inviteAndSignIn(fixture.service.url, admin, chief.id);
      await age();
      const make = () => own.send("POST", "/portal/api/keys", { body: keyBody({ user_id: chief.id, rate_limit: 10 }) });
      const refused = await make();
      expect([refused.status, refused.body.code]).toEqual([...NEEDED]);
      expect((await prove(own)).status).toBe(200);
      expect(await outcome(make())).toBe(201);
    });

    test("in each session separately", async () => {
      await freshen();
      const [one, other] = [await inviteAndSignIn(fixture.service.url, admin, boss.id), browserOn(fixture.service.url)];
      await signIn(other, boss.email);
      await age();
      expect((await prove(one)).status).toBe(200);
      expect([await outcome(invite(one)), await outcome(invite(other))]).toEqual([201, REFUSED]);
      // Signing in again is a proof.
      await signIn(other, boss.email);
      expect(await outcome(invite(other))).toBe(201);
    });

    test("and a wrong one proves nothing; guessing slows this session and affects nobody else", async () => {
      await freshen();
      const [thief, owner] = [
        await inviteAndSignIn(fixture.service.url, admin, boss.id),
        browserOn(fixture.service.url),
      ];
      await signIn(owner, boss.email);
      await age();
      for (const body of [{}, { password: PASSWORD, code: "123456" }])
        expect(await faultOf(thief, body)).toEqual([400, expect.stringContaining("or code in its place")]);
      for (const body of [{ password: "" }, { password: 7 }])
        expect([body, (await prove(thief, body)).status]).toEqual([body, 400]);
      expect(await faultOf(thief, { password: "a guess" })).toEqual([
        400,
        expect.stringContaining("is not your password"),
      ]);
      const statuses: number[] = [];
      for (let guess = 0; guess < 8; guess++)
        statuses.push((await prove(thief, { password: `guess ${guess}` })).status);
      expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
      // During the pause even the right one is not checked.
      const late = await prove(thief);
      expect([late.status, late.body.code]).toEqual([429, "locked_out"]);
      expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await outcome(invite(thief))).toBe(REFUSED);
      expect((await thief.send("GET", "/portal/api/session")).status).toBe(200);
      expect((await prove(owner)).status).toBe(200);
      expect(await outcome(invite(owner))).toBe(201);
      expect((await signIn(browserOn(fixture.service.url), boss.email)).status).toBe(200);
    });

    test("or a code of the second factor, each of which works once, wherever it is given", async () => {
      await freshen();
      const own = await inviteAndSignIn(fixture.service.url, admin, boss.id);
      const { body: offer } = await own.send<{ secret: string }>("POST", "/portal/api/second-factor", {
        body: {
          password: PASSWORD,
        },
      });
      // A second factor that was not confirmed does not count.
      await age();
      expect((await prove(own, { code: totpOf(fixture.service.clock, offer.secret, 1) })).status).toBe(400);
      const code = totpOf(fixture.service.clock, offer.secret);
      expect((await own.send("POST", "/portal/api/second-factor/confirm", { body: { code } })).status).toBe(200);
      await age();
      expect(await faultOf(own, { code: "000000" })).toEqual([400, expect.stringContaining("is not the code")]);
      expect(await outcome(invite(own))).toBe(REFUSED);
      const next = totpOf(fixture.service.clock, offer.secret, 1);
      expect((await prove(own, { code: `${next.slice(0, 3)} ${next.slice(3)}` })).status).toBe(200);
      expect(await outcome(invite(own))).toBe(201);
      await age();
      expect((await prove(own, { code: next })).status).toBe(400);
      const other = browserOn(fixture.service.url);
      await signIn(other, boss.email);
      expect((await other.send("POST", "/portal/api/sign-in/second-factor", { body: { code: next } })).status).toBe(
        401,
      );
      expect((await prove(own)).status).toBe(200);
    });

    test("and accepted only from signed-in users, on the portal's own pages", async () => {
      expect((await prove(browserOn(fixture.service.url))).status).toBe(401);
      const foreign = await admin.send("POST", AGAIN, {
        body: { password: PASSWORD },
        headers: { origin: "https://evil.example.com" },
      });
      expect([foreign.status, foreign.body.code]).toEqual([403, "cross_origin"]);
      expect(await outcome(invite(admin))).toBe(REFUSED);
    });
  });
