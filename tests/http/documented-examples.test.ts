import { beforeAll, describe, expect, test } from "bun:test";
import type { Sent } from "../support/client.ts";
import { deepTest } from "../support/deep-test.ts";
import { DIFFERING, ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { create, dealerBody, feedBody, NORTH, NORTH_CAR, userBody, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { scheduleBody, webhookBody } from "./targets.ts";

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: { readonly examples?: readonly unknown[]; readonly enum?: readonly unknown[] };
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly "x-codeSamples": readonly { readonly lang: string; readonly source: string }[];
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

interface Documented extends Operation {
  readonly method: string;
  readonly path: string;
}

/** Records are created before they are changed; parts are deleted before the whole. */
const ORDER = ["post", "get", "put", "delete"];
/** Operations that end a record come last. */
const LAST = /delete|deactivate|revoke|remove/i;

/** Parameters that only work together. */
const requiredWith = (parameters: readonly Parameter[]): Readonly<Record<string, string>> =>
  parameters.some(({ name }) => name === "near") ? { near: "97201", radius: "50" } : {};

/** The path with its own examples as parameters. */
const examplePath = ({ path, parameters }: Documented): string =>
  parameters
    .filter((parameter) => parameter.in === "path")
    .reduce((filled, { name, schema }) => filled.replace(`{${name}}`, String(schema.examples?.[0])), path);

/** The body of an operation's example, and its media type. */
const exampleOf = ({ requestBody }: Documented): readonly [type: string, example: unknown] | undefined =>
  Object.entries(requestBody?.content ?? {}).flatMap(([type, { example }]) =>
    example === undefined ? [] : [[type, example] as const],
  )[0];

/** A request that sends the example of an operation. */
const sentAsExample = (operation: Documented): Sent => {
  const [type, example] = exampleOf(operation) ?? [];
  if (typeof example === "string" && type !== undefined) return { raw: example, headers: { "content-type": type } };
  if (operation.operationId === "createScheduledChange")
    // Its moment has to be ahead, whatever the time is.
    return { body: { ...(example as object), at: scheduleBody(NORTH_CAR).at } };
  return example === undefined ? {} : { body: example };
};

for (const engine of DIFFERING)
  describe(`documented examples on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let operations: Documented[];
    // The examples change the second key, which other tests use.
    const key = () => fixture.service.bootstrapKey;

    beforeAll(async () => {
      const { paths } = (await fixture.api<{ paths: Paths }>("GET", "/openapi.json", { key: null })).body;
      // There are more examples than a key may send in a minute.
      expect((await fixture.api("PUT", "/api/keys/1", { body: { rate_limit: 10_000 } })).status).toBe(200);
      // Without another super-admin the first user could not be deactivated.
      await create(fixture.api, "/api/users", userBody({ role: "super_admin" }));
      // The examples read and change its sale.
      await fixture.api("PUT", `/api/vehicles/${NORTH_CAR}`, { body: { status: "sold" } });
      // The examples restore and purge these.
      for (const id of [3, 4]) {
        expect((await create(fixture.api, "/api/vehicles", vehicleBody(NORTH))).id).toBe(id);
        await fixture.api("DELETE", `/api/vehicles/${id}`);
      }
      // The examples read and delete these.
      for (const schedule of ["30 2 * * *", "30 3 * * *"])
        await create(fixture.api, "/api/import-sources", {
          name: "Nightly file",
          dealer_id: NORTH,
          url: "https://ip6-localhost/lot.csv",
          schedule,
        });
      await create(fixture.api, "/api/scheduled-changes", scheduleBody(NORTH_CAR));
      await create(fixture.api, "/api/feeds", feedBody(NORTH));
      const { id: webhook } = await create(fixture.api, "/api/webhooks", webhookBody(NORTH));
      await fixture.api("POST", `/api/webhooks/${webhook}/test`);
      // A completed import, a dry run, a snapshot that waits for a confirmation, and a change to revert.
      const { id: dealer } = await create(fixture.api, "/api/dealers", dealerBody());
      const lot = Array.from({ length: 5 }, (_, n) => `V${n},Kia,Rio,2020,${n + 1}`);
      for (const [options, lines] of [
        ["", lot],
        ["&dry_run=true", lot],
        ["&mode=snapshot", lot.slice(0, 1)],
        ["", ["V0,Kia,Rio,2020,9", "V9,Kia,Rio,1500,9"]],
      ] as const) {
        const raw = ["VIN,Make,Model,Year,Price", ...lines].join("\n");
        const path = `/api/imports?dealer_id=${dealer}${options}`;
        const { body } = await fixture.api<{ id: number }>("POST", path, {
          raw,
          headers: { "content-type": "text/csv" },
        });
        await eventually(
          () => fixture.api<{ state: string }>("GET", `/api/imports/${body.id}`),
          (reply) => ["completed", "previewed", "needs_confirmation"].includes(reply.body.state),
        );
      }
      operations = Object.entries(paths)
        .flatMap(([path, methods]) =>
          Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
        )
        .sort((one, other) => other.path.length - one.path.length)
        .sort((one, other) => ORDER.indexOf(one.method) - ORDER.indexOf(other.method))
        .sort((one, other) => Number(LAST.test(one.operationId)) - Number(LAST.test(other.operationId)));
    });

    test("exist for every parameter and body", () => {
      for (const operation of operations) {
        expect(examplePath(operation)).not.toContain("undefined");
        const [type, example] = exampleOf(operation) ?? [];
        if (operation.requestBody !== undefined && type === "application/json") expect(example).toBeObject();
        else if (operation.requestBody !== undefined) expect(example).toBeString();
      }
    });

    test("work when they are sent unchanged", async () => {
      const answered: [string, number][] = [];
      for (const operation of operations) {
        const path = `${examplePath(operation)}${operation.operationId === "createImport" ? `?dealer_id=${NORTH}` : ""}`;
        // Whoever follows changes waits for ever.
        const method = operation.operationId === "streamChanges" ? "HEAD" : operation.method.toUpperCase();
        const reply = await fixture.api(method, path, {
          key: key(),
          ...sentAsExample(operation),
        });
        answered.push([`${operation.operationId} ${reply.status >= 400 ? reply.text : ""}`, reply.status]);
      }
      expect(answered.filter(([, status]) => ![200, 201, 202].includes(status))).toEqual([]);
      expect(answered.length).toBeGreaterThan(30);
    });

    // Each filter is tried on both engines by tests/contracts.
    const once = engine === ENGINES[0] ? test : deepTest;
    once("of query parameters work one at a time", async () => {
      for (const operation of operations.filter(({ method }) => method === "get"))
        for (const { name, schema } of operation.parameters.filter((one) => one.in === "query"))
          for (const example of schema.examples ?? schema.enum ?? []) {
            const query = new URLSearchParams({ ...requiredWith(operation.parameters), [name]: String(example) });
            const path = `${operation.path.replaceAll(/\{\w+\}/g, "2")}?${query}`;
            const { status } = await fixture.api("GET", path, { key: key() });
            expect([path, status === 200 || status === 404]).toEqual([path, true]);
          }
    });

    test("are part of each curl, JavaScript and Python sample", () => {
      for (const operation of operations) {
        const samples = operation["x-codeSamples"];
        expect(samples.map(({ lang }) => lang)).toEqual(["Shell", "JavaScript", "Python"]);
        for (const { source } of samples) expect(source).toContain(`http://localhost:3000${examplePath(operation)}"`);
      }
    });

    test("of curl work when they are run unchanged", async () => {
      const source = operations.find(({ operationId }) => operationId === "createDealer")?.["x-codeSamples"][0]?.source;
      const { stdout } = Bun.spawn(
        ["sh", "-c", `${source?.replaceAll("http://localhost:3000", fixture.service.url)} -s -w '%{http_code}'`],
        { env: { ...process.env, API_KEY: key() } },
      );
      expect(await new Response(stdout).text()).toEndWith("201");
    });

    test("have a description of every parameter", () => {
      const bare = operations.flatMap(({ operationId, parameters }) =>
        parameters.filter((one) => one.$ref === undefined && !one.description).map(({ name }) => [operationId, name]),
      );
      expect(bare).toEqual([]);
    });
  });
