import { describe, expect, test } from "bun:test";
import { ENGINES } from "../support/engines.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const [engine] = ENGINES;
if (engine === undefined) throw new Error("there is no engine");

const JSON_BODY = { "content-type": "application/json" };
type Asked = readonly [
  what: string,
  method: string,
  path: string,
  headers?: Readonly<Record<string, string>>,
  body?: string,
];

/** One answer of every kind. */
const ANSWERS: readonly Asked[] = [
  ["a record", "GET", "/api/vehicles/1"],
  ["a record, asked by another site's page", "GET", "/api/vehicles/1", { origin: "https://shop.example.com" }],
  ["a list", "GET", "/api/vehicles"],
  ["a head", "HEAD", "/api/vehicles"],
  ["a change", "POST", "/api/dealers", JSON_BODY, "{}"],
  ["no key", "GET", "/api/vehicles", { "x-api-key": "" }],
  ["no such record", "GET", "/api/vehicles/999999"],
  ["no such path", "GET", "/api/nothing"],
  ["no such path elsewhere", "GET", "/nothing"],
  ["a wrong method", "PATCH", "/api/vehicles"],
  ["a preflight", "OPTIONS", "/api/vehicles", { origin: "https://shop.example.com" }],
  ["a body that is no JSON", "POST", "/api/vehicles", JSON_BODY, "{"],
  ["the documentation", "GET", "/openapi.json"],
  ["the reference", "GET", "/docs"],
  ["no file of the reference", "GET", "/docs/assets/nothing.js"],
  ["health", "GET", "/health/live"],
  ["readiness", "GET", "/health/ready"],
  ["the portal", "GET", "/portal"],
  ["the portal's page", "GET", "/portal/vehicles"],
  ["no file of the portal", "GET", "/portal/assets/nothing.js"],
  ["a session", "GET", "/portal/api/session"],
  ["the portal's records", "GET", "/portal/api/vehicles"],
  ["a sign-in", "POST", "/portal/api/sign-in", JSON_BODY, "{}"],
  [
    "a sign-in from another site",
    "POST",
    "/portal/api/sign-in",
    { ...JSON_BODY, origin: "https://evil.example.com" },
    "{}",
  ],
];

for (const [PUBLIC_URL, expected] of [
  ["https://inventory.example.com", "max-age=31536000"],
  ["http://inventory.example.com", null],
] as const)
  describe(`Strict-Transport-Security behind ${PUBLIC_URL}`, () => {
    const fixture = serviceFixture(engine, { PUBLIC_URL });

    const ask = ([, method, path, headers, body]: Asked): Promise<Response> => {
      const sent = { "x-api-key": fixture.service.superAdminKey, "x-forwarded-for": "198.51.100.7", ...headers };
      return fetch(fixture.service.url + path, { method, headers: sent, redirect: "manual", ...(body && { body }) });
    };

    for (const asked of ANSWERS)
      test(`is ${expected ?? "absent"} in the answer to ${asked[0]}`, async () => {
        const response = await ask(asked);
        expect(response.headers.get("strict-transport-security")).toBe(expected);
        await response.body?.cancel();
      });

    test("is the same in the answer that a record is unchanged", async () => {
      const first = await ask(ANSWERS[0] as Asked);
      const tag = first.headers.get("etag") ?? "";
      const again = await ask(["", "GET", "/api/vehicles/1", { "if-none-match": tag }]);
      expect([again.status, again.headers.get("strict-transport-security")]).toEqual([304, expected]);
    });
  });
