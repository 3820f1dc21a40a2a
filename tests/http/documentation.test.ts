import { beforeAll, describe, expect, test } from "bun:test";
import { checkDigitOf } from "../../app/seed/vins.ts";
import { expectReply } from "../support/cases.ts";
import { compileOf } from "../support/documentation.ts";
import { ANSWERING } from "../support/engines.ts";
import { NORTH, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { sourcesTest } from "../support/sources-test.ts";

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly JsonObject[];
  readonly tags: readonly string[];
  readonly parameters: readonly {
    readonly $ref?: string;
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly style?: string;
    readonly explode?: boolean;
    readonly schema: JsonObject;
  }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: JsonObject } } };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: JsonObject }>>;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly security: readonly JsonObject[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: JsonObject; readonly securitySchemes: JsonObject };
}

const SOURCE = { name: "Nightly", url: "https://files.example.com/lot.csv", schedule: "0 2 * * *", dealer_id: NORTH };

const METHODS = new Set(["get", "put", "post", "delete"]);

/** Every object in a document that has this field. */
const havingField = (json: Json, field: string): JsonObject[] => {
  if (typeof json !== "object" || json === null) return [];
  if (Array.isArray(json)) return json.flatMap((one: Json) => havingField(one, field));
  const within = Object.values(json).flatMap((one) => havingField(one, field));
  return field in json ? [json as JsonObject, ...within] : within;
};

const resolve = (document: Json, reference: string): Json | undefined =>
  reference
    .slice(2)
    .split("/")
    .reduce<Json | undefined>((at, part) => (at as JsonObject | undefined)?.[part], document);

const OPEN_TO_EVERY_KEY: readonly string[] = ["getMe", "getSettings", "decodeVin"];

for (const engine of ANSWERING)
  describe(`the OpenAPI document on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let document: Document;
    let operations: { path: string; method: string; operation: Operation }[];

    beforeAll(async () => {
      document = (await fixture.api<Document>("GET", "/openapi.json", { key: null })).body;
      operations = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
      );
    });

    test("is an OpenAPI 3.1 document with a title and a version", () => {
      expect(document.openapi).toMatch(/^3\.1\.\d+$/);
      expect(document.info.title).not.toBe("");
      expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
      expect(operations.length).toBeGreaterThan(30);
    });

    sourcesTest("gives every list the same limits: 1 to 1000, and 100 by default", () => {
      // Suggestions and a feed's preview are no lists: they show a few of many.
      const others = new Set(["suggestVehicleWords", "previewFeed"]);
      const limits = operations.flatMap(({ operation }) => {
        const { schema } = operation.parameters?.find(({ name }) => name === "limit") ?? {};
        return schema === undefined || others.has(operation.operationId) ? [] : [{ [operation.operationId]: schema }];
      });
      expect(limits.length).toBeGreaterThan(15);
      const same = { type: "integer", minimum: 1, maximum: 1000, default: 100 };
      expect(limits).toEqual(limits.map((limit) => ({ [Object.keys(limit)[0] ?? ""]: same })));
    });

    sourcesTest("says where the key goes and that every operation needs it", () => {
      const schemes = Object.entries(document.components.securitySchemes);
      expect(schemes).toHaveLength(1);
      const [name, scheme] = schemes[0] as [string, JsonObject];
      expect(scheme).toMatchObject({ type: "apiKey", in: "header", name: "X-API-Key" });
      expect(document.security).toEqual([{ [name]: [] }]);
    });

    sourcesTest("gives every operation a unique name, a known tag, a summary and one success", () => {
      const tags = new Set(document.tags.map(({ name }) => name));
      expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
      for (const { path, method, operation } of operations.filter(({ path }) => !path.startsWith("/health/"))) {
        expect([path, METHODS.has(method)]).toEqual([path, true]);
        expect(operation.summary).not.toBe("");
        expect(operation.tags.filter((tag) => !tags.has(tag))).toEqual([]);
        const statuses = Object.keys(operation.responses);
        // An image may be there already.
        const successes = operation.operationId === "addImage" ? 2 : 1;
        expect(statuses.filter((status) => /^20[012]$/.test(status))).toHaveLength(successes);
        const refusals = OPEN_TO_EVERY_KEY.includes(operation.operationId) ? [] : ["403"];
        for (const status of ["400", "401", ...refusals, "429", "500", "503"])
          expect([path, method, statuses]).toEqual([path, method, expect.arrayContaining([status])]);
        for (const [status, { description }] of Object.entries(operation.responses)) {
          expect(status).toMatch(/^[2-5]\d\d$/);
          expect(description).not.toBe("");
        }
      }
    });

    test("has the operations of monitoring, which need no key", () => {
      const open = operations.filter(({ operation }) => operation.security?.length === 0);
      expect(open.map(({ path, method }) => `${method} ${path}`)).toEqual(["get /health/live", "get /health/ready"]);
      for (const { operation } of open) {
        expect(operation.parameters).toEqual([]);
        expect(JSON.stringify(operation)).not.toMatch(/RateLimit"(?!:.{0,60}-if-known)|X-API-Key|401/);
      }
    });

    sourcesTest("has an example of each answer, which fits the answer's schema", () => {
      for (const { operation } of operations) {
        const [, answer] = Object.entries(operation.responses).find(([status]) => /^20[012]$/.test(status)) ?? [];
        const [first] = Object.values(answer?.content ?? {}) as { schema: JsonObject; example: Json }[];
        const checker = compileOf(document.components, first?.schema ?? {});
        expect([operation.operationId, first?.example]).not.toEqual([operation.operationId, undefined]);
        expect([first?.example, checker.Check(first?.example)]).toEqual([first?.example, true]);
      }
    });

    sourcesTest("declares every parameter of a path exactly once, and no others", () => {
      for (const { path, operation } of operations) {
        const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        const declared = operation.parameters.filter((parameter) => parameter.in === "path");
        expect(declared.map(({ name }) => name)).toEqual(named as string[]);
        expect(declared.every(({ required }) => required)).toBe(true);
        const places = operation.parameters.map(({ $ref, name, in: place }) => $ref ?? `${place} ${name}`);
        expect(new Set(places).size).toBe(places.length);
      }
    });

    sourcesTest("has one form for all lists in a query, as generated clients send those of an operation alike", () => {
      const forms = operations
        .flatMap(({ operation }) => operation.parameters ?? [])
        .filter(({ schema }) => schema?.type === "array")
        .map(({ style = "form", explode = true }) => `${style} ${explode}`);
      expect(forms.length).toBeGreaterThan(20);
      expect(new Set(forms)).toEqual(new Set(["form true"]));
    });

    test("has only references that resolve within the document", () => {
      const references = havingField(document as unknown as Json, "$ref").map(({ $ref }) => String($ref));
      expect(references.length).toBeGreaterThan(0);
      for (const reference of references) {
        expect(reference).toStartWith("#/");
        expect([reference, resolve(document as unknown as Json, reference)]).not.toEqual([reference, undefined]);
      }
    });

    sourcesTest("has only valid schemas, and examples that match them", () => {
      const schemas = havingField(document as unknown as Json, "schema").map(({ schema }) => JSON.stringify(schema));
      expect(schemas.length).toBeGreaterThan(100);
      for (const schema of [...new Set(schemas)].map((text): JsonObject => JSON.parse(text)))
        expect(() => compileOf(document.components, schema)).not.toThrow();
      for (const { examples, ...schema } of havingField(document as unknown as Json, "examples")) {
        const checker = compileOf(document.components, schema);
        for (const example of examples as Json[]) expect([example, checker.Check(example)]).toEqual([example, true]);
      }
    });

    sourcesTest("has body schemas that accept what the service accepts, and refuse unknown fields", () => {
      const schemaOf = (path: string, method: string) =>
        compileOf(
          document.components,
          document.paths[path]?.[method]?.requestBody?.content["application/json"].schema ?? {},
        );
      const newVehicle = schemaOf("/api/vehicles", "post");
      expect(newVehicle.Check(vehicleBody(NORTH, { id: 5, trim: null }))).toBe(true);
      expect(newVehicle.Check(vehicleBody(NORTH, { pirce: 5 }))).toBe(false);
      expect(newVehicle.Check({ ...vehicleBody(NORTH), make: undefined })).toBe(false);
      expect(schemaOf("/api/vehicles/{id}", "put").Check({ year: 2020 })).toBe(true);
    });

    sourcesTest("closes every object of a body whose fields it names, as the service refuses the others", () => {
      const open = (schema: Json | undefined, place: string): string[] => {
        if (schema === undefined) return [];
        const { $ref, type, properties, additionalProperties, items, anyOf } = schema as JsonObject;
        if (typeof $ref === "string") return open(resolve(document as unknown as Json, $ref), place);
        const isOpen = type === "object" && additionalProperties === undefined;
        return [
          ...(isOpen ? [place] : []),
          ...Object.entries((properties ?? {}) as JsonObject).flatMap(([name, one]) => open(one, `${place}.${name}`)),
          ...open(items, `${place}[]`),
          ...((anyOf ?? []) as readonly Json[]).flatMap((one) => open(one, place)),
        ];
      };
      const bodies = operations.flatMap(({ operation: { operationId, requestBody } }) => {
        const body = requestBody?.content["application/json"];
        return body === undefined ? [] : [{ operationId, schema: body.schema }];
      });
      expect(bodies.length).toBeGreaterThan(20);
      expect(bodies.flatMap(({ operationId, schema }) => open(schema, operationId))).toEqual([]);
      const sent = [
        ["/api/vehicles/bulk", "post", { ids: [1], changes: { pirce: 5 } }],
        ["/api/vehicles/bulk", "post", { filter: { mark: "Toyota" }, dry_run: true, changes: { price: 5 } }],
        ["/api/import-sources", "post", { ...SOURCE, options: { modes: "snapshot" } }],
        ["/api/feeds", "post", { name: "Google", channel: "google", filters: { mark: "Toyota" } }],
      ] as const;
      for (const [path, method, body] of sent) {
        const schema = document.paths[path]?.[method]?.requestBody?.content["application/json"].schema ?? {};
        expect([path, body, compileOf(document.components, schema).Check(body)]).toEqual([path, body, false]);
      }
    });

    sourcesTest("documents every parameter and body field that clients send", () => {
      const names = (path: string, method: string): string[] => {
        const operation = document.paths[path]?.[method];
        const body = String(operation?.requestBody?.content["application/json"].schema.$ref);
        const fields = (resolve(document as unknown as Json, body) as JsonObject | undefined)?.properties ?? {};
        return [...(operation?.parameters.map(({ name }) => name) ?? []), ...Object.keys(fields as object)];
      };
      for (const [path, method, wanted] of [
        ["/api/vehicles", "get", "dealer_id status featured make model year min_price max_price limit offset"],
        [
          "/api/vehicles",
          "post",
          "make model year price dealer_id title trim mileage exterior_color interior_color vin stock_number description features status featured fuel_type transmission engine drivetrain body_style condition seats",
        ],
        ["/api/vehicles/{id}/images", "post", "image_url is_primary display_order"],
        ["/api/dealers", "get", "state city active limit offset"],
        [
          "/api/dealers",
          "post",
          "name address city state zip phone email website logo_url description hours social_media active",
        ],
        [
          "/api/keys",
          "post",
          "name description app_type app_id dealer_id user_id expires_at permissions rate_limit association",
        ],
      ] as const)
        expect(names(path, method)).toEqual(expect.arrayContaining(wanted.split(" ")));
    });

    sourcesTest("has only sample VINs whose check digit is right", () => {
      const text = JSON.stringify(document);
      const vins = new Set(
        text.match(/(?<![A-Za-z0-9])(?=[A-Z0-9]*[A-Z])(?=[A-Z]*[0-9])[A-HJ-NPR-Z0-9]{17}(?![A-Za-z0-9])/g),
      );
      expect(vins.size).toBeGreaterThan(1);
      for (const vin of vins) expect([vin, vin[8]]).toEqual([vin, checkDigitOf(vin)]);
    });

    sourcesTest("says whose currency prices have, and what desktop applications should send", () => {
      const text = JSON.stringify(document);
      expect(text).toContain("In the installation's currency");
      expect(text).not.toMatch(/dealer's currency|[Dd]esktop applications (?:must|also)/);
    });

    sourcesTest("reveals nothing internal", () => {
      expect(JSON.stringify(document)).not.toMatch(/"fault"|sqlite|kysely|elysia|typebox/i);
    });

    describe("has a page that", () => {
      // Names of XML namespaces load nothing.
      const OUTSIDE = /(?:src|href|url|import)\s*[=(:]\s*["']?\s*(?:https?:)?\/\/(?!www\.w3\.org)[^"')\s]+/gi;
      const MOST_BYTES = 600_000;
      const get = (path: string, headers = {}) => fixture.api("GET", path, { key: null, headers });
      const loadedBy = ({ text }: { readonly text: string }): string[] =>
        [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, target = ""]) => target);

      test("uses only scripts and styles that the service itself serves", async () => {
        const page = await get("/docs");
        for (const path of ["/docs", ...loadedBy(page).filter((one) => !/swagger-ui-\w+\.js/.test(one))]) {
          const reply = await get(path);
          expectReply(reply, { status: 200 });
          expect([path, reply.text.match(OUTSIDE) ?? []]).toEqual([path, []]);
        }
      });

      test("loads only existing files, whose names change with their content", async () => {
        const page = await get("/docs");
        expectReply(page, { status: 200, gives: { "content-type": /^text\/html/ } });
        const loaded = loadedBy(page);
        expect(loaded.length).toBeGreaterThan(2);
        for (const target of loaded) {
          expect(target).toMatch(/^\/docs\/assets\/[a-z-]+-[0-9a-f]{16}\.(?:js|css)$/);
          expectReply(await get(target), { status: 200, gives: { "cache-control": /immutable/ } });
          expectReply(await get(target.replace(/[0-9a-f]{16}/, "0".repeat(16))), { status: 404, code: "not_found" });
        }
      });

      test("takes at most 600 kB on the wire, document included", async () => {
        const page = await get("/docs");
        let bytes = page.text.length;
        for (const target of ["/openapi.json", ...loadedBy(page)]) {
          const response = await fetch(fixture.service.url + target, {
            headers: { "accept-encoding": "gzip" },
            decompress: false,
          });
          expect(response.headers.get("content-encoding")).toBe("gzip");
          bytes += (await response.arrayBuffer()).byteLength;
        }
        expect(bytes).toBeGreaterThan(100_000);
        expect(bytes).toBeLessThan(MOST_BYTES);
      });

      test("is not sent again to a client that has it", async () => {
        const { headers } = await get("/docs");
        const tag = headers.get("etag") ?? "";
        expectReply(await get("/docs", { "if-none-match": tag }), { status: 304, gives: { etag: tag } });
        expectReply(await get("/docs", { "if-none-match": '"another"' }), { status: 200 });
      });

      test("comes with the document, which is not sent again to a client that has it in its encoding", async () => {
        const tags = await Promise.all(
          ["gzip", "identity"].map(async (coding) => {
            const accepted = { "accept-encoding": coding };
            const whole = await get("/openapi.json", accepted);
            expectReply(whole, { status: 200, gives: { vary: /accept-encoding/i } });
            expect(JSON.parse(whole.text)).toEqual(document);
            const tag = whole.headers.get("etag") ?? "";
            const again = await get("/openapi.json", { ...accepted, "if-none-match": tag });
            expectReply(again, { status: 304, gives: { etag: tag, vary: /accept-encoding/i } });
            expectReply(await get("/openapi.json", { ...accepted, "if-none-match": '"another"' }), { status: 200 });
            return tag;
          }),
        );
        // Caches must not confuse the two encodings.
        expect(new Set(tags).size).toBe(2);
      });

      test("cannot load or contact anything else, by its own policy", async () => {
        const { headers } = await fixture.api("GET", "/docs", { key: null });
        const policy = headers.get("content-security-policy") ?? "";
        expect(policy).toContain("default-src 'none'");
        expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
      });
    });
  });

for (const engine of ANSWERING)
  describe(`health on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    test("is public at both of its paths", async () => {
      for (const path of ["/health/live", "/health/ready"]) {
        const reply = await fixture.api("GET", path, { key: null });
        expectReply(reply, { status: 200, gives: { "content-type": "application/json", ratelimit: null } });
        expect(reply.body).toMatchObject({ status: expect.any(String) });
      }
    });

    test("accepts only GET and HEAD", async () => {
      for (const path of ["/health/live", "/health/ready", "/openapi.json", "/docs"])
        for (const method of ["POST", "PUT", "DELETE"])
          expectReply(await fixture.api(method, path, { key: null }), { status: 405, gives: { allow: "GET, HEAD" } });
    });
  });
