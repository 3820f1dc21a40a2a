import { describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { rawExchange, rawHead } from "../support/raw.ts";
import { NORTH, NORTH_CAR } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const READABLE = [
  "/api/vehicles?limit=1",
  `/api/vehicles/${NORTH_CAR}`,
  `/api/vehicles/${NORTH_CAR}/images`,
  "/api/dealers",
  `/api/dealers/${NORTH}`,
  `/api/dealers/${NORTH}/vehicles`,
  `/api/dealers/${NORTH}/stats`,
  "/api/keys",
  "/api/keys/1",
  "/api/users",
  "/api/users/1",
  "/api/audit",
  "/health/live",
  "/health/ready",
  "/openapi.json",
  "/docs",
];

/** Every header that pages of other origins may read (interface 8.5). */
const EXPOSED = [
  "Allow",
  "ETag",
  "Link",
  "Location",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-Request-Id",
  "X-Total-Count",
];
const SENT = [
  "Content-Encoding",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "Last-Event-ID",
  "X-API-Key",
  "X-App-Type",
  "X-Request-Id",
  "Traceparent",
  "Tracestate",
];
const ORIGIN = "https://portal.example.com";

const words = (list: string | null): string[] => (list ?? "").split(",").map((word) => word.trim().toLowerCase());

// Headers that differ with every answer.
const VARYING_HEADERS = new Set(["date", "x-request-id", "ratelimit"]);
const lasting = (headers: Headers): [string, string][] =>
  [...headers].filter(([name]) => !VARYING_HEADERS.has(name)).sort();

for (const engine of ANSWERING)
  describe(`the protocol on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    for (const path of READABLE)
      test(`answers HEAD ${path} like GET, without the body`, async () => {
        const get = await fixture.api("GET", path);
        const head = await fixture.api("HEAD", path);
        expect([get.status, head.status, head.text]).toEqual([200, 200, ""]);
        // A HEAD answer may omit the length along with the body.
        const comparable = (headers: Headers) => lasting(headers).filter(([name]) => name !== "content-length");
        expect(comparable(head.headers)).toEqual(comparable(get.headers));
      });

    test("answers HEAD of a missing or refused resource with the status of GET and no body", async () => {
      for (const [path, key, status] of [
        ["/api/vehicles/999999", undefined, 404],
        ["/api/nothing", undefined, 404],
        ["/api/vehicles", null, 401],
        ["/api/vehicles/abc", undefined, 400],
      ] as const) {
        const reply = await fixture.api("HEAD", path, key === undefined ? {} : { key });
        expect([path, reply.status, reply.text]).toEqual([path, status, ""]);
      }
    });

    describe("has a request id, which", () => {
      const echoed = ["a", "abc-123", "!#$%&'()*+-./:;<=>?@[]^_`{|}~", "x".repeat(128)];
      for (const id of echoed)
        test(`as ${id.slice(0, 30)} of ${id.length} characters is echoed, also in errors`, async () => {
          for (const path of ["/api/vehicles", "/api/vehicles/abc", "/api/nothing", "/health/live"]) {
            const reply = await fixture.api("GET", path, { headers: { "x-request-id": id } });
            expect(reply.headers.get("x-request-id")).toBe(id);
          }
        });

      for (const id of ["x".repeat(129), "two words", "", "tab\there", "caf\u00e9"])
        test(`as ${JSON.stringify(id.slice(0, 12))} of ${id.length} characters is replaced by the service's own`, async () => {
          const head = Buffer.from(rawHead("GET /health/live", `X-Request-Id: ${id}`), "latin1");
          const { headers } = await rawExchange(fixture.service.url, head);
          expect(headers.get("x-request-id")).toMatch(/^[\x21-\x7e]{1,128}$/);
          expect(headers.get("x-request-id")).not.toBe(id);
        });

      test("is new for every request without one", async () => {
        const ids = await Promise.all(
          Array.from({ length: 50 }, async () =>
            (await fixture.api("GET", "/health/live")).headers.get("x-request-id"),
          ),
        );
        expect(new Set(ids).size).toBe(50);
      });
    });

    describe("lets pages of other origins", () => {
      test("preflight any operation, and learn which methods and headers they may send", async () => {
        for (const [path, methods] of [
          ["/api/vehicles", ["GET", "POST"]],
          [`/api/vehicles/${NORTH_CAR}`, ["GET", "PUT", "DELETE"]],
          ["/api/keys/1/permissions/vehicles/read", ["PUT", "DELETE"]],
        ] as const) {
          const reply = await fixture.api("OPTIONS", path, {
            key: null,
            headers: { origin: ORIGIN, "access-control-request-method": methods[0] },
          });
          expectReply(reply, { status: 204, gives: { "access-control-allow-origin": "*", "content-type": null } });
          const allowed = words(reply.headers.get("access-control-allow-methods"));
          for (const method of methods) expect(allowed).toContain(method.toLowerCase());
          const sendable = words(reply.headers.get("access-control-allow-headers"));
          for (const header of SENT) expect(sendable).toContain(header.toLowerCase());
        }
      });

      test("learn that a path of the API is unknown, because they may send any request to it", async () => {
        for (const method of ["GET", "PUT"]) {
          const headers = { origin: ORIGIN, "access-control-request-method": method };
          const asked = await fixture.api("OPTIONS", "/api/nothing/1", { key: null, headers });
          expectReply(asked, { status: 204, gives: { "access-control-allow-origin": "*", allow: null } });
          expect(words(asked.headers.get("access-control-allow-methods"))).toContain(method.toLowerCase());
          expect(words(asked.headers.get("access-control-allow-headers"))).toContain("x-api-key");
          const sent = await fixture.api(method, "/api/nothing/1", { headers: { origin: ORIGIN } });
          expectReply(sent, { status: 404, gives: { "access-control-allow-origin": "*" } });
        }
        for (const [path, headers] of [
          ["/api/nothing", { origin: ORIGIN }],
          ["/nothing", { origin: ORIGIN, "access-control-request-method": "GET" }],
          ["/portal/api/nothing", { origin: ORIGIN, "access-control-request-method": "GET" }],
        ] as const)
          expectReply(await fixture.api("OPTIONS", path, { key: null, headers }), { status: 404 });
      });

      test("read every header of every answer, errors included", async () => {
        for (const [path, key, status] of [
          ["/api/vehicles", undefined, 200],
          ["/api/vehicles", null, 401],
          ["/api/nothing", null, 404],
          ["/api/vehicles/abc", undefined, 400],
        ] as const) {
          const sent = { headers: { origin: ORIGIN }, ...(key !== undefined && { key }) };
          const reply = await fixture.api("GET", path, sent);
          expectReply(reply, { status, gives: { "access-control-allow-origin": "*" } });
          const exposed = words(reply.headers.get("access-control-expose-headers"));
          expect(EXPOSED.filter((header) => !exposed.includes(header.toLowerCase()))).toEqual([]);
        }
      });

      test("reach only the API and its document, without cookies", async () => {
        const reply = await fixture.api("GET", "/api/vehicles", { headers: { origin: ORIGIN } });
        expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
        expectReply(await fixture.api("GET", "/openapi.json", { headers: { origin: ORIGIN } }), {
          status: 200,
          gives: { "access-control-allow-origin": "*" },
        });
        for (const path of ["/", "/health/live", "/docs", "/nothing"])
          expectReply(await fixture.api("GET", path, { headers: { origin: ORIGIN } }), {
            status: path === "/nothing" ? 404 : 200,
            gives: { "access-control-allow-origin": null },
          });
      });
    });

    describe("has a root that", () => {
      const root = (method: string, accept: string) =>
        fetch(`${fixture.service.url}/`, { method, headers: { accept }, redirect: "manual" });

      for (const accept of ["text/html,application/xhtml+xml,*/*;q=0.8", "TEXT/HTML", "*/*, text/html ;level=1"])
        test(`redirects a client that accepts ${accept} to the portal`, async () => {
          for (const method of ["GET", "HEAD"]) {
            const { status, headers } = await root(method, accept);
            expect([status, headers.get("location"), headers.get("vary")]).toEqual([303, "/portal", "Accept"]);
          }
        });

      for (const accept of ["*/*", "application/json", "text/html;q=0, */*", "text/html; level=1; q=0.0"])
        test(`gives an index to a client that accepts ${accept}`, async () => {
          const response = await root("GET", accept);
          expect([response.status, response.headers.get("vary")]).toEqual([200, "Accept"]);
          const { links } = (await response.json()) as { links: Record<string, string> };
          expect(Object.keys(links).sort()).toEqual(["documentation", "health", "openapi", "portal", "vehicles"]);
          for (const [name, path] of Object.entries(links))
            expect([name, (await fixture.api("HEAD", path)).status]).toEqual([name, 200]);
        });
    });

    test("lets no client sniff an answer's type, and no shared cache keep an answer", async () => {
      for (const path of READABLE) {
        const { headers } = await fixture.api("GET", path);
        expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
      }
      for (const path of ["/api/vehicles", "/api/nothing", "/api/vehicles/abc"]) {
        const { headers } = await fixture.api("GET", path);
        expect([path, headers.get("cache-control")]).toEqual([path, expect.stringMatching(/private|no-store/)]);
      }
    });
  });
