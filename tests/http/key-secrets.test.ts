import { describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import { freshAddress } from "../support/client.ts";
import { ANSWERING, connect } from "../support/engines.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { rawExchange, rawHead } from "../support/raw.ts";
import { type CreatedKey, create, keyBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const numberOf = (base62: string): number => [...base62].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);

/** The CRC-32 of a key (interface 2.4), bit by bit. */
const crc32 = (text: string): number => {
  let rest = 0xffff_ffff;
  for (const byte of Buffer.from(text)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb8_8320 : rest >>> 1;
  }
  return (rest ^ 0xffff_ffff) >>> 0;
};

for (const engine of ANSWERING)
  describe(`secrets of keys on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const fresh = (fields: object = {}) => create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields));
    const statusOf = async (key: string): Promise<number> =>
      (await fixture.api("GET", "/api/vehicles", { key })).status;
    const rotate = async (id: number, body?: object): Promise<string> => {
      const reply = await fixture.api<CreatedKey>("POST", `/api/keys/${id}/rotate`, { body });
      expectReply(reply, { status: 200, gives: { "cache-control": "no-store" } });
      return reply.body.api_key;
    };

    for (const app_type of ["web", "desktop", "mobile"])
      test(`of a ${app_type} key consist of prefix, app type, app id, 22 random characters and a checksum of 6`, async () => {
        for (const app_id of ["x", "a.b-c_d", "_", "x".repeat(64)]) {
          const { api_key } = await fresh({ app_type, app_id });
          const stem = `vis_${app_type}_${app_id}_`;
          expect(api_key.startsWith(stem)).toBe(true);
          expect(api_key.slice(stem.length)).toMatch(/^[0-9A-Za-z]{28}$/);
          expect(numberOf(api_key.slice(-6))).toBe(crc32(api_key.slice(0, -6)));
          expect(await statusOf(api_key)).toBe(200);
        }
      });

    test("are all different, and use every character", async () => {
      const keys = await Promise.all(Array.from({ length: 100 }, async () => (await fresh()).api_key));
      const random = keys.map((key) => key.slice(-28, -6));
      expect(new Set(random).size).toBe(100);
      expect(new Set(random.join("")).size).toBe(62);
    });

    test("are shown in the answer to their creation and in no other", async () => {
      const { id, api_key } = await fresh({ name: "secretive" });
      const at = `/api/keys/${id}`;
      for (const [method, path, body] of [
        ["GET", at],
        ["GET", "/api/keys?q=secretive"],
        ["PUT", at, { description: "x" }],
        ["PUT", `${at}/permissions/audit/read`],
        ["POST", `${at}/revoke`],
        ["GET", `/api/audit?resource=keys&id=${id}`],
        ["DELETE", at],
      ] as const) {
        const reply = await fixture.api(method, path, { body });
        expectReply(reply, { status: 200, hides: [api_key, api_key.slice(-28), "api_key"] });
      }
    });

    test("are recognized by their start, which does not reveal them", async () => {
      const { id, api_key } = await fresh();
      const { key_start } = (await fixture.api<{ key_start: string }>("GET", `/api/keys/${id}`)).body;
      expect(api_key.startsWith(key_start)).toBe(true);
      expect(api_key.length - key_start.length).toBeGreaterThanOrEqual(22);
    });

    test("that do not work all get the same answer", async () => {
      const [revoked, deleted, rotated, expired] = [
        await fresh(),
        await fresh(),
        await fresh(),
        await fresh({ expires_at: fixture.service.after(3600) }),
      ];
      await fixture.api("POST", `/api/keys/${revoked.id}/revoke`);
      await fixture.api("DELETE", `/api/keys/${deleted.id}`);
      await rotate(rotated.id);
      const past = fixture.service.after(-3600);
      // Nobody has used it yet, so that no instance remembers it.
      const db = connect(fixture.service.databaseUrl);
      await db.migrate(async (run) => {
        await run(`UPDATE api_keys SET expires_at = '${past}' WHERE id = ${expired.id}`);
        await run(`UPDATE key_secrets SET ends_at = '${past}' WHERE key_id = ${expired.id}`);
      });
      await db.close();
      const { api_key: good } = await fresh();
      const mistyped = good.slice(0, -1) + (good.endsWith("0") ? "1" : "0");
      const answers = new Set<string>();
      for (const key of [
        revoked.api_key,
        deleted.api_key,
        rotated.api_key,
        expired.api_key,
        mistyped,
        good.toUpperCase(),
        good.slice(1),
        `${good}x`,
        `${good}, ${good}`,
        "vis_web_x",
        "unknown-key-of-forty-characters-or-so-00",
        "x",
      ]) {
        const reply = await fixture.api<{ error: string; code: string }>("GET", "/api/vehicles", { key });
        expectReply(reply, { status: 401, code: "api_key_invalid" });
        answers.add(reply.body.error);
      }
      expect(answers.size).toBe(1);
    });

    test("that are missing may be reported as missing", async () => {
      const missing = await fixture.api("GET", "/api/vehicles", { key: null });
      expectReply(missing, { status: 401, code: "api_key_missing", gives: { "www-authenticate": "ApiKey" } });
    });

    test("are not accepted twice or outside their header", async () => {
      const key = fixture.service.superAdminKey;
      const forwarded = () => `X-Forwarded-For: ${freshAddress()}`;
      const twice = rawHead("GET /api/vehicles", `X-API-Key: ${key}`, `X-API-Key: ${key}`, forwarded());
      expect((await rawExchange(fixture.service.url, twice)).status).toBe(401);
      for (const [path, ...headers] of [
        [`/api/vehicles?api_key=${key}`],
        [`/api/vehicles?X-API-Key=${key}`],
        ["/api/vehicles", `Authorization: Bearer ${key}`],
        ["/api/vehicles", `Authorization: ApiKey ${key}`],
        ["/api/vehicles", `Cookie: X-API-Key=${key}`],
      ]) {
        const head = rawHead(`GET ${path}`, ...headers, forwarded());
        expect([path, (await rawExchange(fixture.service.url, head)).status]).toEqual([path, 401]);
      }
    });

    describe("of a revoked key", () => {
      test("are refused at once, and accepted again when the key is activated", async () => {
        const { id, api_key } = await fresh();
        for (let time = 0; time < 2; time++) {
          expectReply(await fixture.api("POST", `/api/keys/${id}/revoke`), { status: 200, has: { id, active: false } });
          expect(await statusOf(api_key)).toBe(401);
        }
        await fixture.api("PUT", `/api/keys/${id}`, { body: { active: true } });
        expect(await statusOf(api_key)).toBe(200);
      });

      test("are refused even in their grace", async () => {
        const { id, api_key: before } = await fresh();
        const after = await rotate(id, { grace_seconds: 600 });
        await fixture.api("POST", `/api/keys/${id}/revoke`);
        expect([await statusOf(before), await statusOf(after)]).toEqual([401, 401]);
      });

      test("let no request pass that is sent after the revocation", async () => {
        const { id, api_key } = await fresh();
        await Promise.all(Array.from({ length: 20 }, () => statusOf(api_key)));
        await fixture.api("POST", `/api/keys/${id}/revoke`);
        const statuses = await Promise.all(Array.from({ length: 50 }, () => statusOf(api_key)));
        expect(new Set(statuses)).toEqual(new Set([401]));
      });
    });

    testMovingClock("end at the exact time of the key's expiry, and work again when it is moved", async () => {
      const { id, api_key } = await fresh({ expires_at: fixture.service.after(2) });
      expect(await statusOf(api_key)).toBe(200);
      await fixture.service.pass(2);
      expect(await statusOf(api_key)).toBe(401);
      await fixture.api("PUT", `/api/keys/${id}`, { body: { expires_at: null } });
      expect(await statusOf(api_key)).toBe(200);
    });
  });
