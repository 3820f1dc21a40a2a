import { beforeAll, describe, expect, test } from "bun:test";
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
import { type CreatedKey, create, keyBody, NORTH } from "../support/sample-records.ts";
import { EVERY_PAIR } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

interface Person {
  readonly id: number;
  readonly email: string;
  readonly session: Browser;
  /** A key of the user. */
  readonly key: string;
}

const EMAIL = "/portal/api/email";

for (const engine of ANSWERING)
  describe(`a user's own sign-in on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
    });

    const person = async (fields: object): Promise<Person> => {
      const made = await makePerson(admin, { permissions: EVERY_PAIR, ...fields });
      const key = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ user_id: made.id }));
      return { ...made, key: key.api_key, session: await inviteAndSignIn(fixture.service.url, admin, made.id) };
    };
    const PEOPLE = [
      ["a super-admin", { role: "super_admin" }],
      ["a dealer's admin", { role: "dealer_admin", dealer_id: NORTH }],
      ["a user without a dealer", {}],
    ] as const;
    const signsIn = async (email: string, password = PASSWORD): Promise<boolean> =>
      (await signIn(browserOn(fixture.service.url), email, password)).status === 200;
    const REFUSED = [403, "own_account", expect.stringContaining("your present password")];

    for (const [who, fields] of PEOPLE) {
      test(`cannot be changed without the password: ${who} cannot invite themselves, nor remove their factor or sessions as another user's`, async () => {
        const { id, session, email } = await person(fields);
        for (const [method, path] of [
          ["POST", "invitation"],
          ["DELETE", "second-factor"],
          ["DELETE", "sessions"],
          ["DELETE", "sessions/1"],
        ] as const) {
          const reply = await session.send(method, `/portal/api/users/${id}/${path}`);
          expect([path, reply.status, reply.body.code, reply.body.error]).toEqual([path, ...REFUSED]);
          expect(reply.text).not.toContain("/portal/invitations/");
        }
        const state = await session.send("GET", `/portal/api/users/${id}/account`);
        expect(state.body).toMatchObject({ invited_until: null, has_password: true });
        expect(await signsIn(email)).toBe(true);
      });

      test(`cannot be redirected: ${who} cannot change their own address, in the portal or by a key`, async () => {
        const { id, session, email, key } = await person(fields);
        const body = { email: "elsewhere@example.com", name: "Renamed" };
        for (const reply of [
          await session.send("PUT", `/portal/api/users/${id}`, { body }),
          await fixture.api<Record<string, unknown>>("PUT", `/api/users/${id}`, { body, key }),
        ])
          expect([reply.status, reply.body.code, reply.body.error]).toEqual(REFUSED);
        expect((await fixture.api("GET", `/api/users/${id}`)).body).toMatchObject({ email });
        // A user can send back their own record as read, and change their own name.
        const mine = (await fixture.api<object>("GET", `/api/users/${id}`, { key })).body;
        expect((await fixture.api("PUT", `/api/users/${id}`, { body: mine, key })).status).toBe(200);
        expect((await session.send("PUT", `/portal/api/users/${id}`, { body: { name: "Renamed" } })).status).toBe(200);
      });

      test(`${who} gets another address with the current password, and signs in with it`, async () => {
        const { id, session, email } = await person(fields);
        const next = `new-${email}`;
        const wrong = await session.send("PUT", EMAIL, { body: { email: next, password: "not my password" } });
        expect([wrong.status, wrong.body.code]).toEqual([400, "invalid_input"]);
        expect((await session.send("PUT", EMAIL, { body: { email: next } })).status).toBe(400);
        expect((await session.send("PUT", EMAIL, { body: { email: "nobody", password: PASSWORD } })).status).toBe(400);
        expect(await signsIn(email)).toBe(true);
        const done = await session.send("PUT", EMAIL, { body: { email: next, password: PASSWORD } });
        expect([done.status, done.body]).toEqual([200, expect.objectContaining({ success: true })]);
        expect([await signsIn(next), await signsIn(email)]).toEqual([true, false]);
        const log = await admin.send<{ action: string; via: string }[]>(
          "GET",
          `/portal/api/audit?resource=users&id=${id}`,
        );
        expect(log.body).toContainEqual(expect.objectContaining({ action: "user.email_changed", via: "portal" }));
      });
    }

    test("is changed by the right password alone: what is missing is told and does not count, what is wrong does", async () => {
      const { session, email } = await person({});
      const NEXT = "another horse battery staple";
      const FACTOR = "/portal/api/second-factor";
      const CHANGES = [
        ["PUT", "/portal/api/password", { new_password: NEXT }, "current_password"],
        ["PUT", EMAIL, { email: "elsewhere@example.com" }, "password"],
        ["POST", FACTOR, {}, "password"],
        ["DELETE", FACTOR, {}, "password"],
        ["POST", `${FACTOR}/recovery-codes`, {}, "password"],
      ] as const;
      const answerTo = async (method: string, path: string, body: object): Promise<unknown> => {
        const { status, body: answer } = await session.send<{ details?: unknown }>(method, path, { body });
        return [path, status, answer.details];
      };
      expect(await answerTo("POST", `${FACTOR}/confirm`, {})).toEqual([
        `${FACTOR}/confirm`,
        400,
        [{ path: "code", message: "is required" }],
      ]);
      for (const [method, path, body, field] of CHANGES) {
        const missing = [{ path: field, message: "is required" }];
        expect(await answerTo(method, path, body)).toEqual([path, 400, missing]);
      }
      for (const [method, path, body, field] of CHANGES) {
        const wrong = [{ path: field, message: "is not your password" }];
        expect(await answerTo(method, path, { ...body, [field]: "not my password" })).toEqual([path, 400, wrong]);
      }
      for (const [method, path, body, field] of CHANGES)
        expect(await answerTo(method, path, { ...body, [field]: PASSWORD })).toEqual([path, 429, undefined]);
      expect(await answerTo("POST", `${FACTOR}/confirm`, { code: "000000" })).toEqual([
        `${FACTOR}/confirm`,
        429,
        undefined,
      ]);
      expect(await signsIn(email)).toBe(true);
    });

    test("can be managed by others: a manager of the user invites, resets and renames them", async () => {
      const { id } = await person({ dealer_id: NORTH, permissions: undefined });
      const chief = await person({ role: "dealer_admin", dealer_id: NORTH });
      const at = `/portal/api/users/${id}`;
      expect((await chief.session.send("PUT", at, { body: { email: `moved-${id}@example.com` } })).status).toBe(200);
      expect((await chief.session.send("DELETE", `${at}/second-factor`)).status).toBe(200);
      expect((await chief.session.send("DELETE", `${at}/sessions`)).status).toBe(200);
      expect((await chief.session.send("POST", `${at}/invitation`)).status).toBe(201);
    });

    test("one's own password cannot change another's address, nor one's own without the right to do so", async () => {
      const chief = await person({ role: "super_admin" });
      const other = await person({ dealer_id: NORTH });
      const taken = await chief.session.send("PUT", EMAIL, { body: { email: other.email, password: PASSWORD } });
      expect([taken.status, taken.body.code]).toEqual([409, "email_taken"]);
      const plain = await makePerson(admin, {});
      const session = await inviteAndSignIn(fixture.service.url, admin, plain.id);
      const refused = await session.send("PUT", EMAIL, { body: { email: "mine@example.com", password: PASSWORD } });
      expect([refused.status, refused.body.code]).toEqual([403, "permission_missing"]);
    });

    test("nobody raises their own role", async () => {
      const { id, session, key } = await person({
        dealer_id: NORTH,
        permissions: [{ resource: "users", action: "write" }],
      });
      const body = { role: "dealer_admin" };
      expect((await session.send("PUT", `/portal/api/users/${id}`, { body })).status).toBe(403);
      expect((await fixture.api("PUT", `/api/users/${id}`, { body, key })).status).toBe(403);
      expect((await fixture.api("GET", `/api/users/${id}`)).body).toMatchObject({ role: "user" });
    });
  });
