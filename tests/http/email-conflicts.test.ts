import { beforeAll, describe, expect, test } from "bun:test";
import { firstAdmin, inviteAndSignIn, makePerson } from "../support/browser.ts";
import { ANSWERING } from "../support/engines.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { NORTH, SOUTH } from "../support/sample-records.ts";
import { EVERY_PAIR } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

interface Entry {
  readonly action: string;
  readonly after: { readonly operation: string; readonly code: string };
}

for (const engine of ANSWERING)
  describe(`conflicts with other users' email addresses on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const taken = `elsewhere@example.com`;
    const person = (email: string) => ({ name: "Robin Example", email, role: "user" });
    beforeAll(async () => {
      const made = await fixture.api("POST", "/api/users", { body: { ...person(taken), dealer_id: SOUTH } });
      expect(made.status).toBe(201);
    });
    const dealersKey = async (): Promise<string> => {
      const body = { name: "North", app_type: "web", app_id: "north", dealer_id: NORTH, permissions: EVERY_PAIR };
      return (await fixture.api<{ api_key: string }>("POST", "/api/keys", { body })).body.api_key;
    };

    test("are confirmed to a caller 20 times an hour, even for concurrent requests, and then no longer", async () => {
      const key = await dealersKey();
      const ask = (email: string) => fixture.api("POST", "/api/users", { key, body: person(email) });
      const replies = await Promise.all(Array.from({ length: 25 }, () => ask(taken)));
      expect(replies.map(({ status }) => status).sort()).toEqual([...Array(20).fill(409), ...Array(5).fill(429)]);
      const free = await ask(`nobody.${engine.name}@example.com`);
      const held = await ask(taken);
      for (const { status, headers } of [free, held]) {
        expect(status).toBe(429);
        expect(Number(headers.get("retry-after"))).toBeWithin(3500, 3601);
      }
      // Other callers are not affected, nor are requests without an address.
      expect((await fixture.api("GET", "/api/users", { key })).status).toBe(200);
      // Who sees all users anyway may send a list of staff again.
      for (let count = 0; count < 22; count++)
        expect((await fixture.api("POST", "/api/users", { body: person(taken) })).status).toBe(409);
    });

    test("are denials in the caller's audit log, without the address", async () => {
      const key = await dealersKey();
      expect((await fixture.api("POST", "/api/users", { key, body: person(taken) })).status).toBe(409);
      const log = await fixture.api<Entry[]>("GET", "/api/audit?action=access.denied&limit=1", { key });
      expect(log.body[0]?.after).toEqual({ operation: "user.create", code: "email_taken" });
      expect(log.text).not.toContain(taken);
    });

    test("are counted for a user and the user's keys together, changes of addresses included", async () => {
      const admin = await firstAdmin(fixture.service);
      const { id } = await makePerson(admin, { role: "dealer_admin", dealer_id: NORTH });
      const own = await inviteAndSignIn(fixture.service.url, admin, id);
      const other = await makePerson(admin, { dealer_id: NORTH });
      for (let count = 0; count < 19; count++)
        expect((await own.send("POST", "/portal/api/users", { body: person(taken) })).status).toBe(409);
      const change = () => own.send("PUT", `/portal/api/users/${other.id}`, { body: { email: taken } });
      expect([(await change()).status, (await change()).status]).toEqual([409, 429]);
      expect((await own.send("PUT", `/portal/api/users/${other.id}`, { body: { name: "Renamed" } })).status).toBe(200);
      const body = { name: "Own", app_type: "web", app_id: "own", user_id: id };
      const { api_key: key } = (await fixture.api<{ api_key: string }>("POST", "/api/keys", { body })).body;
      expect((await fixture.api("POST", "/api/users", { key, body: person(taken) })).status).toBe(429);
    });

    testMovingClock("are confirmed again after an hour", async () => {
      const key = await dealersKey();
      const ask = () => fixture.api("POST", "/api/users", { key, body: person(taken) });
      await Promise.all(Array.from({ length: 20 }, ask));
      expect((await ask()).status).toBe(429);
      await fixture.service.pass(3601);
      expect((await ask()).status).toBe(409);
    });
  });
