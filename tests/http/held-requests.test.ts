import { beforeAll, describe, expect, test } from "bun:test";
import { freshAddress } from "../support/client.ts";
import { DEEP } from "../support/depth.ts";
import { ANSWERING } from "../support/engines.ts";
import { type HeldRequest, holdRequest } from "../support/held-request.ts";
import type { RawReply } from "../support/raw.ts";
import { type CreatedKey, create, keyBody, NORTH, SOUTH, userBody } from "../support/sample-records.ts";
import { CAN_ADVANCE_CLOCK, EVERY_PAIR, NO_LIMIT } from "../support/service.ts";
import { type ServiceFixture, serviceFixture } from "../support/service-fixture.ts";
import { OPERATIONS } from "./operations.ts";
import { freshTargets, snapshotOf, type Targets } from "./targets.ts";

interface Counts {
  readonly served: number;
  readonly denied: number;
  readonly unauthorized: number;
}

interface Change {
  readonly name: string;
  readonly method: string;
  readonly path: (at: Targets) => string;
  readonly body: (at: Targets) => object;
}

/** Every change with a body that may arrive late. */
const CHANGES: readonly Change[] = [
  ...OPERATIONS.flatMap(({ name, method, path, body }) => (body === undefined ? [] : [{ name, method, path, body }])),
  { name: "rotate a key", method: "POST", path: ({ key }) => `/api/keys/${key}/rotate`, body: () => ({}) },
];

interface Caller {
  readonly key: CreatedKey;
  readonly user: number | null;
}

/** What happens to a caller while the body arrives, and the expected answer. */
interface Ending {
  readonly name: string;
  /** Whether the key is a user's. */
  readonly ofUser?: true;
  readonly end: (fixture: ServiceFixture, caller: Caller) => Promise<unknown>;
  readonly status: 401 | 403;
  readonly code: string;
}

/** The requests that are held, by the names of their changes. */
type Held = ReadonlyMap<string, HeldRequest>;

/**
 * Lets requests go on, one after the other, and returns their answers. It is done before the tests: the runtime closes
 * connections that are silent for long, and nobody knows how long a busy machine takes for the tests between.
 */
const finish = async (held: Held, names: readonly string[]): Promise<Map<string, RawReply>> => {
  const replies = new Map<string, RawReply>();
  for (const name of names) {
    const reply = await held.get(name)?.finish();
    if (reply === undefined) throw new Error(`the request to ${name} was not held`);
    replies.set(name, reply);
  }
  return replies;
};

/** Changes of the previous dealer's records, and how a key that was bound to another one is refused them. */
const REFUSED_CHANGES = [
  ["change a vehicle", 403],
  ["add an image", 403],
  ["change an image", 403],
  ["order images", 403],
  ["change a dealer", 403],
  ["change a key", 404],
  ["rotate a key", 404],
  ["change a user", 404],
] as const;
const CREATIONS = ["create a vehicle", "create a user", "create a key"];

const mustSucceed = async (fixture: ServiceFixture, method: string, path: string, body?: object): Promise<void> => {
  const reply = await fixture.api(method, path, { body });
  if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status} ${reply.text}`);
};
const REFUSED = { status: 401, code: "api_key_invalid" } as const;
const DENIED = { status: 403, code: "permission_missing" } as const;
const MINUTE = 60;

const ENDINGS: readonly Ending[] = [
  {
    name: "that was revoked",
    ...REFUSED,
    end: (fixture, { key }) => mustSucceed(fixture, "POST", `/api/keys/${key.id}/revoke`),
  },
  {
    name: "that was deleted",
    ...REFUSED,
    end: (fixture, { key }) => mustSucceed(fixture, "DELETE", `/api/keys/${key.id}`),
  },
  {
    name: "that got another secret",
    ...REFUSED,
    end: (fixture, { key }) => mustSucceed(fixture, "POST", `/api/keys/${key.id}/rotate`),
  },
  {
    name: "whose user was deactivated",
    ofUser: true,
    ...REFUSED,
    end: (fixture, { user }) => mustSucceed(fixture, "DELETE", `/api/users/${user}`),
  },
  {
    name: "that lost its permissions",
    ...DENIED,
    end: (fixture, { key }) => mustSucceed(fixture, "PUT", `/api/keys/${key.id}`, { permissions: [] }),
  },
  {
    name: "whose user lost role and permissions",
    ofUser: true,
    ...DENIED,
    end: (fixture, { user }) => mustSucceed(fixture, "PUT", `/api/users/${user}`, { role: "user", permissions: [] }),
  },
];
const EXPIRY: Ending = { name: "that expired", ...REFUSED, end: (fixture) => fixture.service.pass(2 * MINUTE) };

const WITH_EVERY_CHANGE = new Set(["that was revoked", "that lost its permissions"]);
const OF_EACH_KIND = new Set(["change a vehicle", "change a dealer", "create a key", "change a user"]);
/** The changes that are tried for an ending: in the gate all for two of them, and otherwise one of each kind of record. */
const changesFor = (ending: Ending): readonly Change[] =>
  DEEP || WITH_EVERY_CHANGE.has(ending.name) ? CHANGES : CHANGES.filter(({ name }) => OF_EACH_KIND.has(name));

/** The existing records and their number. */
const stateOf = async (fixture: ServiceFixture, targets: Targets): Promise<unknown> => [
  await snapshotOf(fixture.api, targets),
  await Promise.all(
    ["vehicles", "dealers", "keys", "users"].map(async (name) => {
      const { headers } = await fixture.api("GET", `/api/${name}?limit=1`);
      return headers.get("x-total-count");
    }),
  ),
];

const codeOf = ({ text }: RawReply): unknown => JSON.parse(text).code;

for (const engine of ANSWERING)
  describe(`a change whose body arrives late, on ${engine.name},`, () => {
    const fixture = serviceFixture(engine);
    let targets: Targets;
    beforeAll(async () => {
      targets = await freshTargets(fixture.api, { dealer: NORTH, mark: "Held" });
    });

    const newCaller = async (fields: object, ofUser: boolean): Promise<Caller> => {
      const user = ofUser ? (await create(fixture.api, "/api/users", userBody({ role: "super_admin" }))).id : null;
      const rights = user === null ? { permissions: EVERY_PAIR } : { user_id: user };
      return { user, key: await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ ...rights, ...fields })) };
    };

    const hold = ({ method, path, body }: Change, { key }: Caller): Promise<HeldRequest> =>
      holdRequest({
        url: fixture.service.url,
        method,
        path: path(targets),
        headers: { "x-api-key": key.api_key, "x-forwarded-for": freshAddress() },
        text: JSON.stringify(body(targets)),
        ask: async () => (await fixture.api("GET", "/api/vehicles?limit=1", { key: key.api_key })).headers,
      });

    for (const ending of CAN_ADVANCE_CLOCK ? [...ENDINGS, EXPIRY] : ENDINGS)
      describe(`by a key ${ending.name} before then`, () => {
        const held = new Map<string, HeldRequest>();
        let replies = new Map<string, RawReply>();
        let caller: Caller;
        let before: unknown;
        beforeAll(async () => {
          const expiry = ending === EXPIRY ? { expires_at: fixture.service.after(MINUTE) } : {};
          caller = await newCaller({ rate_limit: NO_LIMIT, ...expiry }, ending.ofUser ?? false);
          for (const change of changesFor(ending)) held.set(change.name, await hold(change, caller));
          await ending.end(fixture, caller);
          before = await stateOf(fixture, targets);
          replies = await finish(held, [...held.keys()]);
        });

        for (const { name } of changesFor(ending))
          test(`is refused when it tries to ${name}`, () => {
            const reply = replies.get(name);
            if (reply === undefined) throw new Error("there is no answer");
            expect([reply.status, codeOf(reply)]).toEqual([ending.status, ending.code]);
            for (const secret of [caller.key.api_key, 'api_key":', "vis_"]) expect(reply.text).not.toContain(secret);
          });

        test("changes nothing", async () => {
          expect(await stateOf(fixture, targets)).toEqual(before);
        });
      });

    describe("by a key that was bound to another dealer before then", () => {
      const held = new Map<string, HeldRequest>();
      let replies = new Map<string, RawReply>();
      let [before, after]: unknown[] = [];
      beforeAll(async () => {
        const caller = await newCaller({ dealer_id: NORTH }, false);
        for (const change of CHANGES)
          if (change.name !== "create a dealer") held.set(change.name, await hold(change, caller));
        await mustSucceed(fixture, "PUT", `/api/keys/${caller.key.id}`, { dealer_id: SOUTH });
        before = await stateOf(fixture, targets);
        replies = await finish(
          held,
          REFUSED_CHANGES.map(([name]) => name),
        );
        after = await stateOf(fixture, targets);
        for (const [name, reply] of await finish(held, CREATIONS)) replies.set(name, reply);
      });

      for (const [name, status] of REFUSED_CHANGES)
        test(`finds nothing of the previous dealer when it tries to ${name}`, () => {
          expect(replies.get(name)?.status).toBe(status);
        });

      test("changes nothing of the previous dealer", () => {
        expect(after).toEqual(before);
      });

      for (const name of CREATIONS)
        test(`does ${name} for its new dealer`, () => {
          const reply = replies.get(name);
          expect(reply?.status).toBe(201);
          expect(JSON.parse(reply?.text ?? "")).toMatchObject({ dealer_id: SOUTH });
        });
    });

    describe("by a key that was renamed before then", () => {
      const held = new Map<string, HeldRequest>();
      let replies = new Map<string, RawReply>();
      beforeAll(async () => {
        const caller = await newCaller({}, false);
        for (const change of CHANGES) held.set(change.name, await hold(change, caller));
        await mustSucceed(fixture, "PUT", `/api/keys/${caller.key.id}`, { name: "Renamed" });
        // In reverse order: images are reordered before another is added.
        replies = await finish(held, [...held.keys()].toReversed());
      });

      for (const { name } of CHANGES)
        test(`does ${name}`, () => {
          expect(replies.get(name)?.status).toBeOneOf([200, 201, 202]);
        });
    });

    test("counts as refused for a key that was revoked before then", async () => {
      const caller = await newCaller({}, false);
      const change = CHANGES.find(({ name }) => name === "create a key");
      if (change === undefined) throw new Error("no such change");
      const request = await hold(change, caller);
      const counted = async (): Promise<Counts> => {
        const { body } = await fixture.api<{ hours: Counts[] }>("GET", `/api/keys/${caller.key.id}/usage`);
        const sum = (outcome: keyof Counts) => body.hours.reduce((total, hour) => total + hour[outcome], 0);
        return { served: sum("served"), denied: sum("denied"), unauthorized: sum("unauthorized") };
      };
      const before = await counted();
      await mustSucceed(fixture, "POST", `/api/keys/${caller.key.id}/revoke`);
      await request.finish();
      expect(await counted()).toEqual({ ...before, unauthorized: before.unauthorized + 1 });
    });

    test("gets a 401 before any error in its body", async () => {
      const caller = await newCaller({}, false);
      const request = await holdRequest({
        url: fixture.service.url,
        method: "POST",
        path: "/api/keys",
        headers: { "x-api-key": caller.key.api_key, "x-forwarded-for": freshAddress() },
        text: '{"name": ]',
        ask: async () => (await fixture.api("GET", "/api/vehicles?limit=1", { key: caller.key.api_key })).headers,
      });
      await mustSucceed(fixture, "POST", `/api/keys/${caller.key.id}/revoke`);
      expect((await request.finish()).status).toBe(401);
    });
  });
