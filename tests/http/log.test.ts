import { describe, expect, test } from "bun:test";
import { freshAddress } from "../support/client.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { rawExchange, rawHead } from "../support/raw.ts";
import { type Scene, sceneOn } from "../support/scene.ts";
import { type CreatedKey, create, keyBody, NORTH, NORTH_CAR, vehicleBody } from "../support/world.ts";

interface Line {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly key_id: number | null;
  readonly request_id: string;
  readonly ms: number;
  readonly time: string;
}

let requests = 0;

/** The log, once everything that was asked for so far is in it. */
const wholeLog = async ({ api, service }: Scene): Promise<string> => {
  const last = `last-request-${++requests}`;
  await api("GET", "/health/live", { headers: { "x-request-id": last } });
  return eventually(service.log, (log) => log.includes(last), 5000);
};

const linesOf = (log: string): Line[] =>
  log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

for (const engine of ENGINES)
  describe(`log on ${engine.name}`, () => {
    const scene = sceneOn(engine);

    test("has a line of JSON for each request: what was asked, by which key, and what came of it", async () => {
      const { id, api_key: key } = scene.world.keys.north;
      for (const [method, path, request, sent] of [
        ["GET", `/api/vehicles/${NORTH_CAR}?x=1`, "id-1", { key }],
        ["GET", "/api/vehicles/abc", "id-2", { key }],
        ["GET", "/api/vehicles", "id-3", { key: null }],
        ["DELETE", "/api/nothing", "id-4", {}],
        ["PATCH", "/api/keys", "id-5", {}],
      ] as const)
        await scene.api(method, path, { ...sent, headers: { "x-request-id": request } });
      const lines = linesOf(await wholeLog(scene));
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

    test("never has a key, wherever it was sent, valid or not, nor what a mistyped one gives away", async () => {
      const fresh = (fields: object = {}) => create<CreatedKey>(scene.api, "/api/keys", keyBody(fields));
      const rotated = await fresh();
      const after = await scene.api<CreatedKey>("POST", `/api/keys/${rotated.id}/rotate`, {
        body: { grace_seconds: 60 },
      });
      const revoked = await fresh();
      await scene.api("POST", `/api/keys/${revoked.id}/revoke`);
      const valid = (await fresh({ dealer_id: NORTH })).api_key;
      const keys = [
        valid,
        rotated.api_key,
        after.body.api_key,
        revoked.api_key,
        `${valid.slice(0, -1)}!`,
        scene.service.bootstrapKey,
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
        for (const [method, path, more] of requests) await scene.api(method, path, more);
        const forwarded = `X-Forwarded-For: ${freshAddress()}`;
        await rawExchange(
          scene.service.url,
          rawHead("GET /api/vehicles", `X-API-Key: ${key}`, `X-API-Key: ${key}`, forwarded),
        );
        await rawExchange(scene.service.url, rawHead(`${key.replace(/\W/g, "")} /api/vehicles`));
      }
      const log = await wholeLog(scene);
      expect(linesOf(log).length).toBeGreaterThan(keys.length * 18);
      const { text: audit } = await scene.api("GET", "/api/audit?limit=1000");
      expect(audit).toContain('"vehicle.changed"');
      for (const key of keys) {
        // Descriptions and titles are the client's own text, and some of those that were sent here are keys.
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
      for (const id of ids) await scene.api("GET", "/health/live", { headers: { "x-request-id": id } });
      const sent = linesOf(await wholeLog(scene)).map(({ request_id }) => request_id);
      for (const id of ids) expect(sent).toContain(id);
    });
  });
