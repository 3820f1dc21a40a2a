import { beforeAll, describe, expect, test } from "bun:test";
import { freshTargets, type Targets } from "../http/targets.ts";
import {
  type Browser,
  browserOn,
  FIRST,
  firstAdmin,
  inviteAndSignIn,
  makePerson,
  PASSWORD,
  signIn,
} from "../support/browser.ts";
import { freshAddress } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { type HeldRequest, holdRequest } from "../support/held-request.ts";
import { keyBody, NORTH, userBody, vehicleBody } from "../support/sample-records.ts";
import { CAN_ADVANCE_CLOCK } from "../support/service.ts";
import { type ServiceFixture, serviceFixture } from "../support/service-fixture.ts";
import { dumpOf } from "../support/table-dump.ts";

interface Change {
  readonly name: string;
  readonly method: string;
  readonly path: (at: Targets) => string;
  readonly body: () => object;
}

/** Changes of records, which need a permission. */
const OF_RECORDS: readonly Change[] = [
  { name: "makes a key", method: "POST", path: () => "/keys", body: () => keyBody() },
  { name: "changes a key", method: "PUT", path: ({ key }) => `/keys/${key}`, body: () => ({ name: "Mine" }) },
  { name: "rotates a key", method: "POST", path: ({ key }) => `/keys/${key}/rotate`, body: () => ({}) },
  { name: "makes a user", method: "POST", path: () => "/users", body: () => userBody() },
  { name: "changes a user", method: "PUT", path: ({ user }) => `/users/${user}`, body: () => ({ name: "Mine" }) },
  {
    name: "lets a user go",
    method: "POST",
    path: ({ user }) => `/users/${user}/leave`,
    body: () => ({ keys: "revoke" }),
  },
  { name: "makes a vehicle", method: "POST", path: () => "/vehicles", body: () => vehicleBody(NORTH) },
];

/** Changes of one's own account, which need a session. */
const OF_ONESELF: readonly Change[] = [
  {
    name: "changes its own password",
    method: "PUT",
    path: () => "/password",
    body: () => ({ current_password: PASSWORD, new_password: `${PASSWORD}, another` }),
  },
  {
    name: "asks for a second factor",
    method: "POST",
    path: () => "/second-factor",
    body: () => ({ password: PASSWORD }),
  },
  {
    name: "removes its second factor",
    method: "DELETE",
    path: () => "/second-factor",
    body: () => ({ password: PASSWORD }),
  },
];

interface Person {
  readonly id: number;
  readonly email: string;
  readonly own: Browser;
}

/** What happens to a session while the body arrives. */
interface Ending {
  readonly name: string;
  readonly end: (on: { fixture: ServiceFixture; admin: Browser; person: Person }) => Promise<unknown>;
}

const HALF_A_DAY = 12 * 60 * 60;

const mustSucceed = async (browser: Browser, method: string, path: string, body?: object): Promise<void> => {
  const reply = await browser.send(method, `/portal/api${path}`, { body });
  if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status} ${reply.text}`);
};

/** Another browser of the same person. */
const elsewhere = async (fixture: ServiceFixture, { email }: Person): Promise<Browser> => {
  const other = browserOn(fixture.service.url);
  expect((await signIn(other, email)).status).toBe(200);
  return other;
};

const ENDINGS: readonly Ending[] = [
  {
    name: "was ended by somebody else",
    end: ({ admin, person }) => mustSucceed(admin, "DELETE", `/users/${person.id}/sessions`),
  },
  {
    name: "was ended by its user, elsewhere,",
    end: async ({ fixture, person }) => mustSucceed(await elsewhere(fixture, person), "DELETE", "/sessions"),
  },
  {
    name: "ended with the password before",
    end: async ({ fixture, person }) =>
      mustSucceed(await elsewhere(fixture, person), "PUT", "/password", {
        current_password: PASSWORD,
        new_password: `${PASSWORD}, a newer one`,
      }),
  },
  {
    name: "lost its user, who was deactivated,",
    end: ({ admin, person }) => mustSucceed(admin, "DELETE", `/users/${person.id}`),
  },
];
const EXPIRY: Ending = { name: "ran out", end: ({ fixture }) => fixture.service.pass(HALF_A_DAY + 1) };

const WATCHED = new Set([
  "api_keys",
  "key_secrets",
  "users",
  "vehicles",
  "sign_in_accounts",
  "second_factors",
  "invitations",
]);

for (const engine of ANSWERING)
  describe(`a change in the portal whose body arrives late, on ${engine.name},`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    let targets: Targets;
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
      targets = await freshTargets(fixture.api, { dealer: NORTH, mark: "Held" });
    });

    const newPerson = async (): Promise<Person> => {
      const made = await makePerson(admin, { role: "super_admin" });
      return { ...made, own: await inviteAndSignIn(fixture.service.url, admin, made.id) };
    };

    const hold = ({ method, path, body }: Change, { own }: Person): Promise<HeldRequest> =>
      holdRequest({
        url: fixture.service.url,
        method,
        path: `/portal/api${path(targets)}`,
        headers: {
          cookie: [...own.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
          origin: new URL(fixture.service.url).origin,
          "sec-fetch-site": "same-origin",
          "x-forwarded-for": freshAddress(),
        },
        text: JSON.stringify(body()),
        ask: async () => (await own.send("GET", "/portal/api/vehicles?limit=1")).headers,
      });

    const state = async (): Promise<unknown> => {
      const tables = JSON.parse(await dumpOf(fixture.service.databaseUrl)) as [string, unknown][];
      return tables.filter(([name]) => WATCHED.has(name));
    };

    for (const ending of CAN_ADVANCE_CLOCK ? [...ENDINGS, EXPIRY] : ENDINGS)
      describe(`in a session that ${ending.name} before then`, () => {
        const held = new Map<string, HeldRequest>();
        let before: unknown;
        beforeAll(async () => {
          const person = await newPerson();
          for (const change of [...OF_RECORDS, ...OF_ONESELF]) held.set(change.name, await hold(change, person));
          await ending.end({ fixture, admin, person });
          before = await state();
        });

        for (const { name } of [...OF_RECORDS, ...OF_ONESELF])
          test(`is refused: ${name}`, async () => {
            const reply = await held.get(name)?.finish();
            expect([reply?.status, JSON.parse(reply?.text ?? "").code]).toEqual([401, "signed_out"]);
            expect(reply?.headers.get("set-cookie")).toBeNull();
            for (const secret of ['api_key":', "vis_", "otpauth"]) expect(reply?.text).not.toContain(secret);
          });

        test("is not made", async () => {
          expect(await state()).toEqual(before);
        });
      });

    describe("by a user who lost role and permissions before then", () => {
      const held = new Map<string, HeldRequest>();
      let before: unknown;
      beforeAll(async () => {
        // The previous session may have expired.
        expect((await signIn(admin, FIRST.email)).status).toBe(200);
        const person = await newPerson();
        for (const change of [...OF_RECORDS, ...OF_ONESELF]) held.set(change.name, await hold(change, person));
        await mustSucceed(admin, "PUT", `/users/${person.id}`, { role: "user", permissions: [] });
        before = await state();
      });

      for (const { name } of OF_RECORDS)
        test(`is refused: ${name}`, async () => {
          const reply = await held.get(name)?.finish();
          expect([reply?.status, JSON.parse(reply?.text ?? "").code]).toEqual([403, "permission_missing"]);
          expect(reply?.text).not.toContain("vis_");
        });

      test("is not made if it needs a permission", async () => {
        expect(await state()).toEqual(before);
      });

      for (const { name } of OF_ONESELF)
        test(`is made if it concerns the user's own account: ${name}`, async () => {
          const reply = await held.get(name)?.finish();
          // The second of the changes sets a new password.
          expect(reply?.status).toBe(name === "changes its own password" ? 200 : 400);
        });
    });
  });
