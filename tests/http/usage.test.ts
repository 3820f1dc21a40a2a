import { describe, expect, test } from "bun:test";
import type { PresentedUsage } from "../../core/keys/usage.ts";
import type { UsageCounts } from "../../core/keys/usage-repository.ts";
import { testCases } from "../support/cases.ts";
import { type Api, freshAddress } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { type CreatedKey, create, keyBody, NORTH, NORTH_CAR, NOTHING, SOUTH_CAR } from "../support/sample-records.ts";
import { CAN_ADVANCE_CLOCK, pairs, startService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { counts } from "../support/usage.ts";

const AGENT = "showroom/1.0";

/** Sent with its own key, which is bound to NORTH and may only read vehicles. */
const OUTCOMES: readonly {
  readonly name: string;
  readonly send: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly counted: keyof UsageCounts;
  readonly denied?: { readonly code: string; readonly route: string };
}[] = [
  { name: "a read", send: `GET /api/vehicles/${NORTH_CAR}`, status: 200, counted: "served" },
  { name: "a read without the body", send: `HEAD /api/vehicles/${NORTH_CAR}`, status: 200, counted: "served" },
  {
    name: "a read of a version that the client has",
    send: `GET /api/vehicles/${NORTH_CAR}`,
    headers: { "if-none-match": "*" },
    status: 304,
    counted: "served",
  },
  { name: "a missing record", send: `GET /api/vehicles/${NOTHING}`, status: 404, counted: "served" },
  { name: "a bad parameter", send: "GET /api/vehicles?limit=x", status: 400, counted: "served" },
  {
    name: "a wrong app type",
    send: "GET /api/vehicles",
    headers: { "x-app-type": "mobile" },
    status: 400,
    counted: "served",
  },
  {
    name: "a missing permission",
    send: "POST /api/vehicles",
    body: {},
    status: 403,
    counted: "denied",
    denied: { code: "permission_missing", route: "/api/vehicles" },
  },
  {
    name: "another dealer's vehicle",
    send: `GET /api/vehicles/${SOUTH_CAR}?_secret=vis_web_x`,
    status: 403,
    counted: "denied",
    denied: { code: "not_your_dealer", route: "/api/vehicles/:id" },
  },
];

/** How a secret of a known key ends. */
const ENDINGS: readonly { readonly name: string; end: (api: Api, key: CreatedKey) => Promise<unknown> }[] = [
  { name: "revoked", end: (api, { id }) => api("POST", `/api/keys/${id}/revoke`) },
  { name: "rotated out", end: (api, { id }) => api("POST", `/api/keys/${id}/rotate`) },
  {
    name: "of an inactive user",
    end: async (api, { id }) => {
      const { body } = await api<{ user_id: number }>("GET", `/api/keys/${id}`);
      return api("DELETE", `/api/users/${body.user_id}`);
    },
  },
];

const sumOf = (usage: PresentedUsage): UsageCounts => {
  const sum: Record<string, number> = { ...counts() };
  for (const { hour: _, ...some } of usage.hours)
    for (const [name, count] of Object.entries(some)) sum[name] = (sum[name] ?? 0) + count;
  return sum as unknown as UsageCounts;
};

for (const engine of ANSWERING)
  describe(`usage of a key on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const newKey = (fields: object = {}) => create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields));
    const usageOf = async (id: number): Promise<PresentedUsage> =>
      (await fixture.api<PresentedUsage>("GET", `/api/keys/${id}/usage`)).body;

    for (const { name, send, body, headers, status, counted, denied } of OUTCOMES)
      test(`counts ${name} (${status}) as ${counted}, and shows it at once`, async () => {
        const key = await newKey({ dealer_id: NORTH, permissions: pairs("vehicles:read") });
        const [method = "", path = ""] = send.split(" ");
        const address = freshAddress();
        const sent = { "user-agent": AGENT, "x-forwarded-for": address, ...headers };
        const reply = await fixture.api(method, path, { key: key.api_key, headers: sent, ...(body && { body }) });
        expect(reply.status).toBe(status);
        const usage = await usageOf(key.id);
        expect(sumOf(usage)).toEqual(counts({ [counted]: 1 }));
        expect(usage.last_use).toEqual({ at: expect.any(String), address, user_agent: AGENT });
        expect(usage.recent_denials).toEqual(
          denied === undefined ? [] : [{ at: expect.any(String), status, method, address, ...denied }],
        );
      });

    test("counts requests over the limit (429) as limited, and the others by their answer", async () => {
      const key = await newKey({ rate_limit: 2 });
      for (let request = 0; request < 5; request++) await fixture.api("GET", "/api/vehicles", { key: key.api_key });
      const usage = await usageOf(key.id);
      expect(sumOf(usage)).toEqual(counts({ served: 2, limited: 3 }));
      expect(usage.recent_denials).toEqual([]);
      const day = { id: key.id, requests_24h: 5, refused_24h: 3, refused_mostly: "limited" };
      expect((await fixture.api("GET", `/api/keys/${key.id}?include=usage`)).body).toMatchObject(day);
      const { body: listed } = await fixture.api<object[]>(
        "GET",
        "/api/keys?include=usage,names&sort=-refused&limit=1",
      );
      expect(listed).toEqual([expect.objectContaining({ ...day, user_name: null })]);
    });

    for (const { name, end } of ENDINGS)
      test(`counts a secret that is ${name} (401) for its key, with the same answer as for an unknown one`, async () => {
        const user = name.includes("user")
          ? await create(fixture.api, "/api/users", {
              name: "Kim Example",
              email: `kim-${engine.name}@example.com`,
              role: "user",
            })
          : null;
        const key = await newKey(user === null ? {} : { user_id: user.id });
        await end(fixture.api, key);
        const address = freshAddress();
        const unknown = `${key.api_key.slice(0, 20)}no-such-key-but-one-of-its-form`;
        const answers = [];
        for (const sent of [key.api_key, unknown]) {
          const headers = { "x-forwarded-for": address, "x-request-id": "the-same" };
          const { status, text, headers: given } = await fixture.api("GET", "/api/vehicles", { key: sent, headers });
          const names = [...given].filter(([header]) => header !== "date");
          answers.push([status, text.replace(/"timestamp":"[^"]+"/, ""), names]);
        }
        expect(answers[0]?.[0]).toBe(401);
        expect(answers[0]).toEqual(answers[1]);
        const usage = await usageOf(key.id);
        expect(sumOf(usage)).toEqual(counts({ unauthorized: 1 }));
        expect(usage.last_use).toBeNull();
        expect(usage.recent_denials).toEqual([
          {
            at: expect.any(String),
            status: 401,
            code: "api_key_invalid",
            method: "GET",
            route: "/api/vehicles",
            address,
          },
        ]);
      });

    testMovingClock("counts an expired key's secret, even beyond the limit of its address", async () => {
      const key = await newKey({ expires_at: fixture.service.after(2) });
      await fixture.api("GET", "/api/vehicles", { key: key.api_key });
      await fixture.service.pass(3);
      const headers = { "x-forwarded-for": freshAddress() };
      const statuses = [];
      for (let request = 0; request < 35; request++)
        statuses.push((await fixture.api("GET", "/api/vehicles", { key: key.api_key, headers })).status);
      expect(new Set(statuses)).toEqual(new Set([401, 429]));
      const usage = await usageOf(key.id);
      expect(sumOf(usage)).toEqual(counts({ served: 1, unauthorized: 35 }));
      expect(usage.recent_denials).toHaveLength(20);
    });

    test("does not count an unknown secret", async () => {
      const before = (await fixture.api<{ id: number }[]>("GET", "/api/keys?limit=1000")).body;
      const all = async () => {
        const sums = [];
        for (const { id } of before)
          sums.push((await usageOf(id)).hours.reduce((sum, hour) => sum + hour.unauthorized, 0));
        return sums;
      };
      const counted = await all();
      for (const key of [null, "nonsense", "a-key-of-another-form-of-32-characters-or-more"])
        await fixture.api("GET", "/api/vehicles", { key });
      expect(await all()).toEqual(counted);
    });

    test("is exact for concurrent requests", async () => {
      const key = await newKey();
      await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          fixture.api("GET", index % 2 ? `/api/vehicles/${NOTHING}` : "/api/vehicles", { key: key.api_key }),
        ),
      );
      expect(sumOf(await usageOf(key.id))).toEqual(counts({ served: 200 }));
    });

    describe("read through the API", () => {
      testCases(fixture, [
        {
          name: "is refused for invalid times",
          send: "GET /api/keys/1/usage?from=yesterday&to=2026-01-01",
          status: 400,
          faults: ["from", "to"],
        },
        {
          name: "is refused for a period that ends before it begins",
          send: "GET /api/keys/1/usage?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z",
          status: 400,
          faults: ["from"],
        },
        {
          name: "may cover ninety days",
          send: "GET /api/keys/1/usage?from=2026-01-01T00:00:00Z&to=2026-04-01T00:00:00Z",
          status: 200,
        },
        {
          name: "may not cover more than ninety days",
          send: "GET /api/keys/1/usage?from=2026-01-01T00:00:00Z&to=2026-04-01T00:00:00.001Z",
          status: 400,
          faults: ["from"],
        },
        { name: "is a 404 for a missing key", send: `GET /api/keys/${NOTHING}/usage`, status: 404, code: "not_found" },
        {
          name: "needs keys:read",
          send: "GET /api/keys/1/usage",
          by: "powerless",
          status: 403,
          code: "permission_missing",
        },
      ]);

      test("is shown to callers who see the key, and does not exist for others", async () => {
        const status = async (caller: "north" | "south" | "north's user" | "north's admin" | "free user", id: number) =>
          (await fixture.as(caller, { method: "GET", path: `/api/keys/${id}/usage` })).status;
        const { keys } = fixture.records;
        expect(await status("north", keys.north.id)).toBe(200);
        expect(await status("north's admin", keys["north's user"].id)).toBe(200);
        expect(await status("north's user", keys["north's user"].id)).toBe(200);
        expect(await status("north", keys.south.id)).toBe(404);
        expect(await status("north's admin", keys.south.id)).toBe(404);
        expect(await status("north's user", keys.north.id)).toBe(404);
        expect(await status("free user", keys.north.id)).toBe(404);
      });
    });
  });

for (const engine of ANSWERING)
  describe(`the stored usage on ${engine.name}`, () => {
    const SECRET_TABLES = ["key_usage", "key_usage_hours", "key_denials", "usage_writers"];

    test("is complete after the service has stopped, and contains no secret", async () => {
      const DATABASE_URL = await engine.url();
      const BOOTSTRAP_API_KEY = "bootstrap-key-of-the-usage-tests-1234";
      const first = await startService(engine, { DATABASE_URL, BOOTSTRAP_API_KEY });
      const key = await create<CreatedKey>(first.api, "/api/keys", keyBody({ permissions: pairs("vehicles:read") }));
      // A client sends the key as its user agent by mistake.
      const mistaken = { key: key.api_key, headers: { "user-agent": `agent ${key.api_key}` } };
      for (let request = 0; request < 7; request++) await first.api("GET", "/api/vehicles", mistaken);
      await first.api("GET", `/api/dealers/1?key=${key.api_key}`, {
        key: key.api_key,
        headers: { "user-agent": AGENT },
      });
      // User agents are recorded at most once a second, and the bootstrap key was in use already.
      if (CAN_ADVANCE_CLOCK) await first.pass(2);
      await first.api("GET", "/api/vehicles", {
        key: BOOTSTRAP_API_KEY,
        headers: { "user-agent": `agent ${BOOTSTRAP_API_KEY}` },
      });
      await first.close();

      const second = await startService(engine, { DATABASE_URL, BOOTSTRAP_API_KEY });
      const { body } = await second.api<PresentedUsage>("GET", `/api/keys/${key.id}/usage`);
      expect(sumOf(body)).toEqual(counts({ served: 7, denied: 1 }));
      expect(body.recent_denials).toMatchObject([{ code: "permission_missing", route: "/api/dealers/:id" }]);
      await second.close();

      for (const table of SECRET_TABLES) {
        const rows = await queryDatabase(DATABASE_URL, `SELECT * FROM ${table}`);
        for (const secret of [key.api_key, BOOTSTRAP_API_KEY]) expect(JSON.stringify(rows)).not.toContain(secret);
        if (table !== "usage_writers") expect(rows.length).toBeGreaterThan(0);
      }
    });
  });
