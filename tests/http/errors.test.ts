import { describe, expect, test } from "bun:test";
import { type Case, expectReply, testCases } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { rawExchange, rawHead } from "../support/raw.ts";
import { NORTH, NORTH_CAR, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const MEBIBYTE = 1024 * 1024;

const UNKNOWN_PATHS = [
  "/api",
  "/nothing",
  "/api/nothing",
  "/api/vehicles/1/nothing",
  "/api/keys/1/permissions",
  "/health",
];

const ALLOWED: Record<string, string> = {
  "/api/vehicles": "GET, HEAD, OPTIONS, POST",
  "/api/vehicles/1": "DELETE, GET, HEAD, OPTIONS, PUT",
  "/api/vehicles/1/images": "GET, HEAD, OPTIONS, POST, PUT",
  "/api/vehicles/1/images/1": "DELETE, OPTIONS, PUT",
  "/api/dealers": "GET, HEAD, OPTIONS, POST",
  "/api/dealers/1": "DELETE, GET, HEAD, OPTIONS, PUT",
  "/api/dealers/1/vehicles": "GET, HEAD, OPTIONS",
  "/api/dealers/1/stats": "GET, HEAD, OPTIONS",
  "/api/keys": "GET, HEAD, OPTIONS, POST",
  "/api/keys/1": "DELETE, GET, HEAD, OPTIONS, PUT",
  "/api/keys/1/revoke": "OPTIONS, POST",
  "/api/keys/1/rotate": "OPTIONS, POST",
  "/api/keys/1/permissions/vehicles/read": "DELETE, OPTIONS, PUT",
  "/api/users": "GET, HEAD, OPTIONS, POST",
  "/api/users/1": "DELETE, GET, HEAD, OPTIONS, PUT",
  "/api/audit": "GET, HEAD, OPTIONS",
};

/** A valid vehicle of exactly this many bytes. */
const vehicleOfBytes = (bytes: number): string => {
  const json = JSON.stringify(vehicleBody(NORTH));
  return `${json.slice(0, -1)}${" ".repeat(bytes - json.length)}}`;
};

/** A body whose brackets nest this deep. */
const nested = (depth: number): string => `{"hours": ${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

const VALID = JSON.stringify(vehicleBody(NORTH));
const post = (name: string, sent: Partial<Case>, status: number, code?: string): Case => ({
  name,
  send: "POST /api/vehicles",
  ...sent,
  status,
  ...(code !== undefined && { code }),
});
const typed = (type: string) => ({ raw: VALID, headers: { "content-type": type } });

const CASES: Case[] = [
  post("a body of exactly 1 MiB is accepted", { raw: vehicleOfBytes(MEBIBYTE) }, 201),
  post("a body of one byte more is refused", { raw: vehicleOfBytes(MEBIBYTE + 1) }, 413, "body_too_large"),
  ...[
    "application/json; charset=utf-8",
    "Application/JSON",
    'application/json;charset="UTF-8"',
    "application/json;",
    "application/json ; charset = utf-8 ;",
  ].map((type) => post(`a body of type ${type} is accepted`, typed(type), 201)),
  ...[
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/jsonx",
    "application/json; charset=utf-16",
    "application/json; charset=utf-8; charset=utf-8",
    `application/json${" ".repeat(15_000)}x`,
    ";",
  ].map((type) => post(`a body of type ${type.slice(0, 60)} is refused`, typed(type), 415, "unsupported_media_type")),
  ...["", " ", "{", '{"make": }', "{'make': 'x'}", "undefined", "NaN", `${VALID}x`, `${VALID}${VALID}`, "[1,]"].map(
    (raw) => post(`a body of ${JSON.stringify(raw).slice(0, 30)} is not JSON`, { raw }, 400, "invalid_json"),
  ),
  post("a body that is not UTF-8 is not JSON", { raw: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) }, 400, "invalid_json"),
  post("an empty body is not JSON", {}, 400, "invalid_json"),
  {
    name: "a body nested 32 deep is read, and the error names its field",
    send: "PUT /api/dealers/1",
    raw: nested(32),
    status: 400,
    code: "invalid_input",
    faults: ["hours"],
  },
  {
    name: "a body nested 33 deep is refused as JSON",
    send: "PUT /api/dealers/1",
    raw: nested(33),
    status: 400,
    code: "invalid_json",
  },
  post("a body nested a hundred thousand deep is refused at once", { raw: nested(100_000) }, 400, "invalid_json"),
  {
    name: "brackets in text do not count as nesting",
    send: `PUT /api/vehicles/${NORTH_CAR}`,
    body: { description: `\\"${"[{".repeat(500)}` },
    status: 200,
  },
  {
    name: "of a field that occurs twice in a body one value is used",
    send: `PUT /api/vehicles/${NORTH_CAR}`,
    raw: '{"year": 2001, "year": 2002}',
    status: 200,
    has: { year: 2002 },
  },
  {
    name: "a body of null is refused where a body may be omitted",
    send: "POST /api/keys/1/rotate",
    raw: "null",
    status: 400,
    code: "invalid_input",
  },
  ...["?make=%ff", "?make=%", "?make=A%E4&make=B", "?model=Civic&make=%zz+x"].map(
    (query): Case => ({
      name: `${query} names the parameter whose percent-encoding is broken`,
      send: `GET /api/vehicles${query}`,
      status: 400,
      code: "invalid_input",
      faults: ["make"],
    }),
  ),
  ...["?_other=%ff", "?make=%EF%BF%BD", "?make=%C3%A9+%20&_other=100%", "?_%ff=1"].map(
    (query): Case => ({
      name: `${query} is accepted`,
      send: `GET /api/vehicles${query}`,
      status: 200,
    }),
  ),
  {
    name: "an operation that needs no body accepts none",
    send: "POST /api/keys/1/rotate",
    status: 200,
  },
];

for (const engine of ANSWERING)
  describe(`errors on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    testCases(fixture, CASES);

    for (const path of UNKNOWN_PATHS)
      test(`answer ${path} with 404 for every method, with or without a key`, async () => {
        for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"])
          for (const key of [null, fixture.service.superAdminKey])
            expectReply(await fixture.api(method, path, { key }), { status: 404, code: "not_found" });
      });

    for (const [path, allow] of Object.entries(ALLOWED))
      test(`answer methods other than ${allow} of ${path} with 405 and the allowed ones`, async () => {
        for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"].filter(
          (one) => !allow.split(", ").includes(one),
        )) {
          const reply = await fixture.api(method, path);
          expectReply(reply, { status: 405, code: "method_not_allowed", gives: { allow } });
        }
      });

    test("include a body without an announced length that grows too large", async () => {
      const head = rawHead(
        "POST /api/vehicles",
        `X-API-Key: ${fixture.service.superAdminKey}`,
        "Content-Type: application/json",
        "Transfer-Encoding: chunked",
      );
      const chunk = (bytes: string): string => `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
      const small = await rawExchange(fixture.service.url, head, chunk(VALID), chunk("").trimEnd(), "\r\n\r\n");
      expect(small.status).toBe(201);
      const pieces = Array.from({ length: 18 }, () => chunk("x".repeat(65_536)));
      const large = await rawExchange(fixture.service.url, head, ...pieces, "0\r\n\r\n");
      expect([large.status, JSON.parse(large.text).code]).toEqual([413, "body_too_large"]);
    });

    test("name at most 50 fields, by 100 characters each, in at most 64 kB, and count the rest", async () => {
      const names = Array.from({ length: 20_000 }, (_, number) => `${number}${"\u0001".repeat(2)}`);
      const long = Array.from({ length: 60 }, (_, number) => `${number}-${"\u0001".repeat(2000)}💥`);
      for (const [method, path] of [
        ["POST", "/api/vehicles"],
        ["PUT", `/api/vehicles/${NORTH_CAR}`],
        ["POST", "/api/keys"],
        ["POST", "/api/users"],
        ["PUT", "/api/dealers/1"],
      ] as const)
        for (const sent of [names, long, long.map((name) => `${"x".repeat(99 - name.indexOf("-"))}${name}💥`)]) {
          const reply = await fixture.api<{ details: { path: string; message: string }[]; details_omitted: number }>(
            method,
            path,
            { body: Object.fromEntries(sent.map((name) => [name, 1])) },
          );
          expect(reply.status).toBe(400);
          expect(Buffer.byteLength(reply.text)).toBeLessThan(64_000);
          expect(reply.body.details).toHaveLength(50);
          expect(reply.body.details.length + reply.body.details_omitted).toBeGreaterThanOrEqual(sent.length);
          for (const { path: name } of reply.body.details) {
            expect(name.length).toBeLessThanOrEqual(101);
            expect(name.isWellFormed()).toBe(true);
          }
        }
    });

    test("name every one of a few fields, and report none as omitted", async () => {
      const reply = await fixture.api("POST", "/api/vehicles", { body: { pirce: 1 } });
      expect(reply.status).toBe(400);
      expect(reply.text).toContain('"pirce"');
      expect(reply.text).not.toContain("details_omitted");
    });

    test("include headers of more than 16 kB in total, before all of them have arrived", async () => {
      for (const [count, bytes, status] of [
        [1, 15_000, 200],
        [90, 150, 200],
        [1, 17_000, 431],
        [40, 450, 431],
        [1, 4_000_000, 431],
      ] as const) {
        const headers = Array.from({ length: count }, (_, number) => `X-Filling-${number}: ${"a".repeat(bytes)}`);
        // A client that is still sending when the answer arrives may find the connection closed.
        const sent = await rawExchange(fixture.service.url, rawHead("GET /health/live", ...headers)).catch(() => null);
        const outcomes = status === 200 ? [200] : [431, undefined];
        expect([count, bytes, outcomes]).toEqual([count, bytes, expect.arrayContaining([sent?.status])]);
      }
    });

    test("do not let an odd spelling of a path avoid the key", async () => {
      const spellings = [
        "//api/vehicles",
        "/api//vehicles",
        "/api/./vehicles",
        "/api/x/../vehicles",
        "/api/%76ehicles",
        "/API/vehicles",
        "/api/vehicles/",
        "/docs/../api/vehicles",
        "/api/vehicles%2f1",
        "/docs/%2e%2e/api/keys",
      ];
      for (const path of spellings) {
        const reply = await rawExchange(fixture.service.url, rawHead(`GET ${path}`));
        expect([path, [400, 401, 404].includes(reply.status)]).toEqual([path, true]);
      }
    });

    test("do not depend on an odd or missing Host header", async () => {
      const key = `X-API-Key: ${fixture.service.superAdminKey}`;
      const hosts = ["Host: a", "Host:", "Host: a b", "Host: a/b?c", "Host: a@b", null];
      for (const host of hosts)
        for (const [path, status] of [
          ["/health/live", 200],
          ["/api/vehicles", 200],
          ["/xx/api/vehicles", 404],
          ["/aaaaaa/api/vehicles", 404],
          ["/aaaaaa/health/live", 404],
        ] as const) {
          const named = rawHead(`GET ${path}`, key);
          const head =
            host === null
              ? named.replace("HTTP/1.1\r\nHost: localhost", "HTTP/1.0")
              : named.replace("Host: localhost", host);
          expect([host, path, (await rawExchange(fixture.service.url, head)).status]).toEqual([host, path, status]);
        }
      const body = JSON.stringify({ grace_seconds: "x" });
      const change = rawHead(
        "POST /api/keys/1/rotate",
        key,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
      );
      const reply = await rawExchange(fixture.service.url, change.replace("Host: localhost", "Host: a b"), body);
      expect([reply.status, JSON.parse(reply.text).details[0].path]).toEqual([400, "grace_seconds"]);
    });

    test("never repeat a key that was sent by mistake in path, query or body", async () => {
      const secret = fixture.service.bootstrapKey;
      for (const [method, path, body] of [
        ["GET", `/api/vehicles/${secret}`],
        ["GET", `/api/${secret}`],
        ["GET", `/api/vehicles?status=${secret}&limit=${secret}`],
        ["PUT", `/api/vehicles/${NORTH_CAR}`, { vin: secret, status: secret, price: secret }],
        ["POST", "/api/keys", { name: "x", app_type: secret, app_id: `${secret}/` }],
      ] as const) {
        const reply = await fixture.api(method, path, { body });
        expect(reply.status).toBeGreaterThanOrEqual(400);
        expect(reply.text).not.toContain(secret);
      }
    });
  });
