import { beforeAll, describe, expect, test } from "bun:test";
import { type Browser, FIRST, firstAdmin, inviteAndSignIn, makePerson, PASSWORD } from "../support/browser.ts";
import { ANSWERING } from "../support/engines.ts";
import { NORTH } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const FOREIGN = { origin: "https://evil.example.com", "sec-fetch-site": "cross-site" };

/** Every change of one's own sign-in: the request, and its name in the audit log. */
const CHANGES: readonly (readonly [send: string, operation?: string])[] = [
  ["POST /portal/api/sign-out"],
  ["POST /portal/api/reauthenticate"],
  ["PUT /portal/api/password"],
  ["PUT /portal/api/email"],
  ["POST /portal/api/second-factor"],
  ["POST /portal/api/second-factor/confirm"],
  ["DELETE /portal/api/second-factor"],
  ["POST /portal/api/second-factor/recovery-codes"],
  ["DELETE /portal/api/sessions"],
  ["DELETE /portal/api/sessions/1", "DELETE /portal/api/sessions/:id"],
];

for (const engine of ANSWERING)
  describe(`a refused change of one's own sign-in on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    let person: { readonly id: number; readonly email: string; readonly session: Browser };
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
      const made = await makePerson(admin, { role: "dealer_admin", dealer_id: NORTH });
      person = { ...made, session: await inviteAndSignIn(fixture.service.url, admin, made.id) };
    });

    const denials = async (): Promise<object[]> =>
      (await admin.send<object[]>("GET", `/portal/api/audit?actor=user:${person.id}&action=access.denied&limit=1000`))
        .body;

    /** Expects exactly one new denial, on the user's own record. */
    const oneMore = async (before: readonly object[], operation: string, code: string): Promise<void> => {
      const [newest, ...others] = await denials();
      expect(others).toEqual([...before]);
      expect(newest).toMatchObject({
        actor: { type: "user", id: person.id },
        via: "portal",
        resource: "users",
        resource_id: person.id,
        dealer_id: NORTH,
        after: { operation, code },
      });
    };

    for (const [send, operation = send] of CHANGES)
      test(`is a denial in the audit log if it came from another site: ${send}`, async () => {
        const before = await denials();
        const [method = "", path = ""] = send.split(" ");
        const body = method === "DELETE" ? undefined : { password: PASSWORD };
        const reply = await person.session.send(method, path, { body, headers: FOREIGN });
        expect([reply.status, reply.body.code]).toEqual([403, "cross_origin"]);
        await oneMore(before, operation, "cross_origin");
        expect((await person.session.send("GET", "/portal/api/session")).status).toBe(200);
      });

    test("is a denial in the audit log if the address belongs to somebody else; the entry has no address", async () => {
      const before = await denials();
      const body = { email: FIRST.email, password: PASSWORD };
      const reply = await person.session.send("PUT", "/portal/api/email", { body });
      expect([reply.status, reply.body.code]).toEqual([409, "email_taken"]);
      await oneMore(before, "PUT /portal/api/email", "email_taken");
      expect(JSON.stringify((await denials())[0])).not.toContain(FIRST.email);
    });

    test("is no denial if the input was wrong or nobody is signed in", async () => {
      const before = await denials();
      const wrong = await person.session.send("PUT", "/portal/api/email", {
        body: { email: "nobody", password: PASSWORD },
      });
      expect(wrong.status).toBe(400);
      const ended = await inviteAndSignIn(fixture.service.url, admin, person.id);
      expect((await ended.send("POST", "/portal/api/sign-out")).status).toBe(200);
      expect((await ended.send("DELETE", "/portal/api/sessions", { headers: FOREIGN })).status).toBe(401);
      expect(await denials()).toEqual(before);
    });
  });
