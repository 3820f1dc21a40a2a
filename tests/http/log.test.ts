import { describe, expect, test } from "bun:test";
import { freshAddress } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { rawExchange, rawHead } from "../support/raw.ts";
import {
  type CreatedKey,
  create,
  keyBody,
  NORTH,
  NORTH_CAR,
  userBody,
  vehicleBody,
} from "../support/sample-records.ts";
import { type ServiceFixture, serviceFixture } from "../support/service-fixture.ts";

interface Line {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly key_id: number | null;
  readonly request_id: string;
  readonly ms: number;
  readonly time: string;
  readonly level: string;
  readonly bytes: number | null;
  readonly error_code: string | null;
  readonly client_address: string;
  readonly user_agent: string | null;
  readonly user_id: number | null;
  readonly dealer_id: number | null;
  readonly trace_id?: string;
}

let requests = 0;

/** The log, once it contains every request so far. */
const wholeLog = async ({ api, service }: ServiceFixture): Promise<string> => {
  const last = `last-request-${++requests}`;
  await api("GET", "/health/live", { headers: { "x-request-id": last } });
  return eventually(service.log, (log) => log.includes(last));
};

const linesOf = (log: string): Line[] =>
  log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter((line) => "status" in line);

for (const engine of ANSWERING)
  describe(`the log on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    test("has a line of JSON for each request, with its route, key and outcome", async () => {
      const { id, api_key: key } = fixture.records.keys.north;
      for (const [method, path, request, sent] of [
        ["GET", `/api/vehicles/${NORTH_CAR}?_=1`, "id-1", { key }],
        ["GET", "/api/vehicles/abc", "id-2", { key }],
        ["GET", "/api/vehicles", "id-3", { key: null }],
        ["DELETE", "/api/nothing", "id-4", {}],
        ["PATCH", "/api/keys", "id-5", {}],
      ] as const)
        await fixture.api(method, path, { ...sent, headers: { "x-request-id": request } });
      const lines = linesOf(await wholeLog(fixture));
      const seen = ["id-1", "id-2", "id-3", "id-4", "id-5"].map((request) => {
        const line = lines.find(({ request_id }) => request_id === request);
        expect(line?.ms).toBeGreaterThanOrEqual(0);
        return [line?.method, line?.route, line?.status, line?.key_id];
      });
      expect(seen).toEqual([
        ["GET", "/api/vehicles/:id", 200, id],
        ["GET", "/api/vehicles/:id", 400, id],
        ["GET", "/api/vehicles", 401, null],
        ["DELETE", "unknown", 404, null],
        ["PATCH", "/api/keys", 405, null],
      ]);
    });

    test("never contains a key, valid, invalid or mistyped, wherever it was sent", async () => {
      const fresh = (fields: object = {}) => create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields));
      const rotated = await fresh();
      const after = await fixture.api<CreatedKey>("POST", `/api/keys/${rotated.id}/rotate`, {
        body: { grace_seconds: 60 },
      });
      const revoked = await fresh();
      await fixture.api("POST", `/api/keys/${revoked.id}/revoke`);
      const valid = (await fresh({ dealer_id: NORTH })).api_key;
      const keys = [
        valid,
        rotated.api_key,
        after.body.api_key,
        revoked.api_key,
        `${valid.slice(0, -1)}!`,
        fixture.service.bootstrapKey,
        "vis_0123456789ABCDEFGHIJ",
      ];
      for (const key of keys) {
        const sent = (headers: Record<string, string>) => ({ headers });
        const requests: [method: string, path: string, sent?: object][] = [
          ["GET", "/api/vehicles", { key }],
          ["GET", `/api/vehicles?api_key=${key}`],
          ["GET", `/api/vehicles?status=${key}&limit=${key}`],
          ["GET", `/api/vehicles?${key}=1`],
          ["GET", `/api/vehicles/${key}`],
          ["GET", `/api/keys/${encodeURIComponent(key)}/revoke`],
          ["GET", `/${key}`],
          ["POST", `/docs/${key}`],
          ["GET", "/api/vehicles", sent({ "x-request-id": key })],
          ["PUT", `/api/vehicles/${NORTH_CAR}`, { body: { year: 2020 }, headers: { "x-request-id": key } }],
          ["POST", "/api/dealers", { key: valid, body: {}, headers: { "x-request-id": key } }],
          ["GET", "/api/nothing", sent({ "x-request-id": key })],
          ["GET", "/api/vehicles", sent({ "x-app-type": key })],
          [
            "GET",
            "/api/vehicles",
            sent({ authorization: `Bearer ${key}`, cookie: key, "user-agent": key, referer: key }),
          ],
          ["PUT", `/api/vehicles/${NORTH_CAR}`, { body: { year: 2020 }, headers: { "if-match": key } }],
          ["POST", "/api/vehicles", { body: vehicleBody(NORTH, { description: key, title: key }) }],
          ["POST", "/api/vehicles", { body: { [key]: key, status: key } }],
          ["POST", "/api/vehicles", { raw: `{"${key}` }],
          ["POST", "/api/vehicles", { raw: key, headers: { "content-type": key.replace("!", "") } }],
          ["POST", "/api/keys", { body: keyBody({ api_key: key, name: key.slice(0, 100) }) }],
        ];
        for (const [method, path, more] of requests) await fixture.api(method, path, more);
        const forwarded = `X-Forwarded-For: ${freshAddress()}`;
        await rawExchange(
          fixture.service.url,
          rawHead("GET /api/vehicles", `X-API-Key: ${key}`, `X-API-Key: ${key}`, forwarded),
        );
        await rawExchange(fixture.service.url, rawHead(`${key.replace(/\W/g, "")} /api/vehicles`));
      }
      const log = await wholeLog(fixture);
      expect(linesOf(log).length).toBeGreaterThan(keys.length * 18);
      const { text: audit } = await fixture.api("GET", "/api/audit?limit=1000");
      expect(audit).toContain('"vehicle.changed"');
      for (const key of keys) {
        // Descriptions and titles are the client's own text; here some contain keys on purpose.
        expect(audit).not.toContain(`"request_id":"${key}"`);
        expect(log).not.toContain(key);
        expect(log).not.toContain(key.slice(-28));
        expect(log).not.toContain(encodeURIComponent(key));
      }
    });

    test("has the request ids that clients send, unless they may be keys", async () => {
      const uuid = crypto.randomUUID();
      const ids = [
        "short-id",
        uuid,
        uuid.replaceAll("-", ""),
        "Root=1-67891233-abcdef012345678912345678",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "nightly-inventory-export-of-harbor-motors-000001",
        "vis_a_vis-request-7",
      ];
      for (const id of ids) await fixture.api("GET", "/health/live", { headers: { "x-request-id": id } });
      const sent = linesOf(await wholeLog(fixture)).map(({ request_id }) => request_id);
      for (const id of ids) expect(sent).toContain(id);
    });

    test("has the caller, address, user agent and answer of each request", async () => {
      const { north } = fixture.records.keys;
      const address = freshAddress();
      const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
      const headers = {
        "user-agent": "showroom/1.0 (é)",
        "x-forwarded-for": `203.0.113.9, ${address}`,
        traceparent: `00-${trace}-00f067aa0ba902b7-01`,
      };
      const found = await fixture.api("GET", `/api/vehicles/${NORTH_CAR}`, {
        key: north.api_key,
        headers: { ...headers, "x-request-id": "told-1" },
      });
      const missing = await fixture.api("GET", "/api/vehicles/999", {
        key: fixture.records.keys["north's admin"].api_key,
        headers: { ...headers, "x-request-id": "told-2" },
      });
      await fixture.api("HEAD", "/api/vehicles", { headers: { "x-request-id": "told-3" } });
      await fixture.api("GET", "/health/live", { headers: { ...headers, "x-request-id": "told-4" } });
      const lines = linesOf(await wholeLog(fixture));
      const [one, two, head, open] = ["told-1", "told-2", "told-3", "told-4"].map((id) =>
        lines.find(({ request_id }) => request_id === id),
      );
      const from = { client_address: address, user_agent: "showroom/1.0 (é)", trace_id: trace, level: "info" };
      expect(one).toMatchObject({
        ...from,
        bytes: Buffer.byteLength(found.text),
        error_code: null,
        key_id: north.id,
        user_id: null,
        dealer_id: NORTH,
      });
      expect(two).toMatchObject({
        ...from,
        bytes: Buffer.byteLength(missing.text),
        error_code: "not_found",
        key_id: fixture.records.keys["north's admin"].id,
        user_id: fixture.records.users["north's admin"],
        dealer_id: NORTH,
      });
      expect(head).toMatchObject({ bytes: 0, status: 200 });
      // A probe that succeeds is of interest to nobody.
      expect(open).toMatchObject({ ...from, level: "debug", key_id: null, user_id: null, dealer_id: null, bytes: 15 });
      for (const line of lines) expect(new Date(line.time).toISOString()).toBe(line.time);
    });

    test("has the length of a long answer, on every engine", async () => {
      const reply = await fixture.api("GET", "/api/vehicles?limit=1000", { headers: { "x-request-id": "long-1" } });
      const line = linesOf(await wholeLog(fixture)).find(({ request_id }) => request_id === "long-1");
      expect(line?.bytes).toBe(Buffer.byteLength(reply.text));
    });

    test("warns of refused authentication and exhausted limits, and of no other refusal", async () => {
      const address = freshAddress();
      const key = (await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ rate_limit: 1 }))).api_key;
      for (const [id, sent] of [
        ["w-1", { key: null }],
        ["w-2", { key: "no-such-key-of-32-characters-or-more" }],
        ["w-3", { key }],
        ["w-4", { key }],
        ["w-5", { key: fixture.records.keys.powerless.api_key }],
      ] as const)
        await fixture.api("GET", "/api/vehicles", {
          ...sent,
          headers: { "x-request-id": id, "x-forwarded-for": address },
        });
      const lines = linesOf(await wholeLog(fixture)).filter(({ client_address }) => client_address === address);
      expect(lines.map(({ request_id, level, status, error_code }) => [request_id, level, status, error_code])).toEqual(
        [
          ["w-1", "warn", 401, "api_key_missing"],
          ["w-2", "warn", 401, "api_key_invalid"],
          ["w-3", "info", 200, null],
          ["w-4", "warn", 429, "rate_limit_exceeded"],
          ["w-5", "info", 403, "permission_missing"],
        ],
      );
    });

    test("names a revoked key that is still used, and none for an unknown key", async () => {
      const revoked = await create<CreatedKey>(fixture.api, "/api/keys", keyBody());
      await fixture.api("POST", `/api/keys/${revoked.id}/revoke`);
      await fixture.api("GET", "/api/vehicles", { key: revoked.api_key, headers: { "x-request-id": "gone-1" } });
      const lines = linesOf(await wholeLog(fixture)).filter(({ status, key_id }) => status === 401 && key_id !== null);
      expect(lines.map(({ request_id, key_id }) => [request_id, key_id])).toContainEqual(["gone-1", revoked.id]);
      expect(lines.every(({ key_id }) => key_id === revoked.id || key_id !== null)).toBe(true);
    });

    test("cannot be broken or forged by anything a client sends", async () => {
      const forged = '","level":"error","forged":"yes';
      await fixture.api("GET", "/health/live", {
        headers: {
          "x-request-id": 'q"}\\{"forged":"yes"}',
          "user-agent": `agent${forged}`,
          "x-forwarded-for": `a${forged}`,
          traceparent: `00-${forged}`,
        },
      });
      const log = await wholeLog(fixture);
      for (const line of log.trim().split("\n")) expect(JSON.parse(line)).not.toHaveProperty("forged");
      expect(log).toMatch(/^[\x20-\x7e\n]+$/);
    });

    testMovingClock(
      "states at level debug why a key was refused, by the key's id and never by the key itself",
      async () => {
        const fresh = (fields: object = {}) => create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields));
        const revoked = await fresh();
        await fixture.api("POST", `/api/keys/${revoked.id}/revoke`);
        const expired = await fresh({ expires_at: fixture.service.after(60) });
        await fixture.service.pass(61);
        const user = await create(fixture.api, "/api/users", userBody());
        const left = await fresh({ user_id: user.id });
        await fixture.api("PUT", `/api/users/${user.id}`, { body: { active: false } });
        const unknown = "no-such-key-of-32-characters-or-more";
        const mistyped = revoked.api_key.slice(0, -1) + (revoked.api_key.endsWith("A") ? "B" : "A");
        const refused: [key: string | null, reason: string, id: number | null][] = [
          [null, "missing", null],
          ["short", "malformed", null],
          [mistyped, "malformed", null],
          [unknown, "unknown", null],
          [revoked.api_key, "revoked", revoked.id],
          [expired.api_key, "expired", expired.id],
          [left.api_key, "user_inactive", left.id],
        ];
        for (const [place, [key]] of refused.entries())
          await fixture.api("GET", "/api/vehicles", { key, headers: { "x-request-id": `why-${place}` } });
        const log = await wholeLog(fixture);
        const events = log
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
          .filter(({ level }) => level === "debug");
        for (const [place, [key, reason, id]] of refused.entries()) {
          expect(events.find(({ request_id }) => request_id === `why-${place}`)).toMatchObject({
            msg: "a key was refused",
            reason,
            key_id: id,
            route: "/api/vehicles",
          });
          if (key !== null && key !== "short") expect(log).not.toContain(key);
        }
      },
    );
  });
