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
import { freshAddress } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { NORTH, SOUTH } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const WRONG = "wrong horse battery staple";
const AGENT = "Browser of the tests";

interface Entry {
  readonly action: string;
  readonly actor: { readonly type: string; readonly id: number | null };
  readonly address: string | null;
  readonly resource_id: number | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

for (const engine of ANSWERING)
  describe(`the audit log of signing in and out on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
    });
    const entriesOf = async (reader: Browser, query: string) => {
      const log = await reader.send<Entry[]>("GET", `/portal/api/audit?resource=users&${query}`);
      return log.body.filter(({ action }) => /^session|^user\.sign-in/.test(action)).reverse();
    };
    const person = async (fields: Readonly<Record<string, unknown>> = {}) => {
      const made = await makePerson(admin, fields);
      return { ...made, own: await inviteAndSignIn(fixture.service.url, admin, made.id) };
    };

    test("records who signed in, who failed, and who signed out, with address and user agent", async () => {
      const { id, email } = await person();
      const address = freshAddress();
      const one = browserOn(fixture.service.url, address);
      await signIn(one, email, WRONG);
      // Failures are recorded in the background.
      await eventually(
        () => entriesOf(admin, `id=${id}`),
        (found) => found.length === 1,
      );
      await signIn(one, email);
      await one.send("POST", "/portal/api/sign-out");
      const entries = await entriesOf(admin, `id=${id}`);
      expect(entries.map(({ action }) => action)).toEqual(["user.sign-in-failed", "session.started", "session.ended"]);
      for (const entry of entries)
        expect(entry).toMatchObject({ address, resource_id: id, actor: { type: "user", id }, via: "portal" });
      expect(entries.map(({ after }) => after)).toEqual([
        { user_agent: AGENT, wrong: "password" },
        { user_agent: AGENT },
        { user_agent: AGENT },
      ]);
      const log = await admin.send("GET", "/portal/api/audit");
      for (const secret of [WRONG, PASSWORD]) expect(log.text).not.toContain(secret);
    });

    test("has few entries of failures at unknown addresses, and nothing of the input", async () => {
      const address = freshAddress();
      const one = browserOn(fixture.service.url, address);
      const failures = () => admin.send<Entry[]>("GET", "/portal/api/audit?action=user.sign-in-failed&limit=2");
      const strangers = ({ body }: { readonly body: readonly Entry[] }) =>
        body.filter(({ actor }) => actor.id === null);
      for (let count = 0; count < 4; count++) await signIn(one, `${PASSWORD} ${count}`, WRONG);
      await eventually(failures, (log) => strangers(log).length === 1);
      const elsewhere = browserOn(fixture.service.url, freshAddress());
      await signIn(elsewhere, "nobody@example.com", WRONG);
      const log = await eventually(failures, (found) => strangers(found).length === 2);
      expect(log.body.map(({ after, actor, resource_id }) => [after, actor.id, resource_id])).toEqual([
        [{ user_agent: AGENT, wrong: "address", left_out: 3 }, null, null],
        [{ user_agent: AGENT, wrong: "address" }, null, null],
      ]);
      expect(log.text).not.toContain("nobody@example.com");
      expect(log.text).not.toContain(PASSWORD);
    });

    test("keeps 200 characters of a user agent, and nothing of one that looks like a key", async () => {
      const { id, email } = await person();
      for (const agent of ["x".repeat(5000), `curl vis_web_site_${"a".repeat(28)}`])
        await browserOn(fixture.service.url).send("POST", "/portal/api/sign-in", {
          body: { email, password: WRONG },
          headers: { "user-agent": agent },
        });
      const agents = (await entriesOf(admin, `id=${id}&action=user.sign-in-failed`)).map(
        ({ after }) => after?.user_agent,
      );
      // Both may have the same time, so their order is open.
      expect(agents.sort()).toEqual(["withheld", "x".repeat(200)]);
    });

    test("is visible to callers who see the user's dealer, and to no other dealer", async () => {
      const { id, email } = await person({ dealer_id: NORTH });
      await signIn(browserOn(fixture.service.url), email, WRONG);
      const north = await person({ role: "dealer_admin", dealer_id: NORTH });
      const south = await person({ role: "dealer_admin", dealer_id: SOUTH });
      const seen = await entriesOf(north.own, `id=${id}`);
      expect(seen.map(({ action }) => action)).toEqual(["user.sign-in-failed"]);
      expect(await entriesOf(south.own, `id=${id}`)).toEqual([]);
    });
  });
