import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import { type DeclaredOperation, declaredIn } from "../support/declared-errors.ts";
import { ANSWERING, connect } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import {
  create,
  createSampleRecords,
  dealerBody,
  NORTH,
  type SampleRecords,
  SOUTH,
  vehicleBody,
} from "../support/sample-records.ts";
import { startService, type TestService } from "../support/service.ts";
import { OPERATIONS, sentBy } from "./operations.ts";
import { freshTargets, targetsOf } from "./targets.ts";

setDefaultTimeout(300_000);

/** More than are computed in one step, so that the computation stops halfway. */
const BEFORE = 120;

/**
 * Every request whose `q` needs the search words of vehicles. `name` is the documented one; `field` is the parameter as an
 * error names it.
 */
const SEARCHES = [
  { name: "listVehicles", method: "GET", path: "/api/vehicles?q=quagga", field: "q" },
  { name: "listDealerVehicles", method: "GET", path: `/api/dealers/${NORTH}/vehicles?q=quagga`, field: "q" },
  { name: "countVehiclesByFacets", method: "GET", path: "/api/vehicles/facets?q=quagga", field: "q" },
  { name: "exportVehicles", method: "GET", path: "/api/vehicles/export?q=quagga", field: "q" },
  { name: "suggestVehicleWords", method: "GET", path: "/api/vehicles/suggestions?q=quagga", field: "q" },
  {
    name: "changeVehicles",
    method: "POST",
    path: "/api/vehicles/bulk",
    body: { filter: { q: "quagga" }, changes: { year: 2001 }, dry_run: true },
    field: "filter.q",
  },
] as const;

/** Searches that do not need the search words of vehicles. */
const OTHER_SEARCHES = [
  "/api/vehicles/removed?q=quagga",
  "/api/vehicles/suggestions",
  "/api/dealers?q=northern",
  "/api/users?q=robin",
  "/api/keys?q=showroom",
];

/** Stops the computation after its first step: each further step fails and is tried again. */
const HOLD = {
  SQLite: [
    `CREATE TRIGGER words_are_held BEFORE UPDATE OF reached ON search_state WHEN new.reached > ${BEFORE / 2}
      BEGIN SELECT RAISE(ABORT, 'held by the test'); END`,
  ],
  PostgreSQL: [
    `CREATE FUNCTION words_are_held() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'held by the test'; END $$`,
    `CREATE TRIGGER words_are_held BEFORE UPDATE OF reached ON search_state FOR EACH ROW
      WHEN (new.reached > ${BEFORE / 2}) EXECUTE FUNCTION words_are_held()`,
  ],
};
const RELEASE = {
  SQLite: ["DROP TRIGGER words_are_held"],
  PostgreSQL: ["DROP TRIGGER words_are_held ON search_state"],
};

const alter = async (url: string, texts: readonly string[]): Promise<void> => {
  const db = connect(url);
  await db.migrate(async (run) => {
    for (const text of texts) await run(text);
  });
  await db.close();
};

interface Ready {
  readonly status: string;
  readonly search?: { readonly state: string; readonly percent: number };
}

for (const engine of ANSWERING)
  describe(`a search on ${engine.name}`, () => {
    let service: TestService;
    let records: SampleRecords;
    const readiness = async (): Promise<Ready> => (await fetch(`${service.url}/health/ready`)).json() as Promise<Ready>;
    /** The marks of the vehicles that are found: their trims, and the makes of those that a file brought. */
    const found = async (q: string): Promise<string[]> => {
      const path = `/api/vehicles?q=${q}&limit=1000`;
      const { body } = await service.api<{ vehicles: { trim: string | null; make: string }[] }>("GET", path);
      return body.vehicles.map(({ trim, make }) => trim ?? make);
    };
    const restart = async (SEARCH: "on" | "off"): Promise<void> => {
      const { databaseUrl, bootstrapKey } = service;
      await service.close();
      service = await startService(engine, { SEARCH, DATABASE_URL: databaseUrl, BOOTSTRAP_API_KEY: bootstrapKey });
    };
    const ask = ({ method, path, ...more }: (typeof SEARCHES)[number], key?: string) =>
      service.api(method, path, { ...("body" in more && { body: more.body }), ...(key !== undefined && { key }) });
    const expectAllElse = async (mark: string): Promise<void> => {
      for (const operation of OPERATIONS) {
        const { id: dealer } = await create(service.api, "/api/dealers", dealerBody());
        const at = await freshTargets(service.api, { dealer, mark, named: targetsOf(operation) });
        const reply = await service.api(operation.method, operation.path(at), sentBy(operation, at));
        expect([operation.name, reply.status]).toEqual([operation.name, operation.success]);
      }
      for (const path of OTHER_SEARCHES) expect([path, (await service.api("GET", path)).status]).toEqual([path, 200]);
    };

    beforeAll(async () => {
      service = await startService(engine, { SEARCH: "off" });
      records = await createSampleRecords(service.api);
      for (let number = 0; number < BEFORE; number++)
        await create(service.api, "/api/vehicles", vehicleBody(SOUTH, { trim: `quagga${number}` }));
    });
    afterAll(() => service?.close());

    describe("while search is switched off", () => {
      for (const search of SEARCHES)
        test(`gives ${search.name} an error that names the field`, async () => {
          const reply = await ask(search);
          expectReply(reply, {
            status: 400,
            code: "invalid_input",
            has: {
              details: [{ path: search.field, message: "cannot be used, as search is switched off on this server" }],
            },
            gives: { "retry-after": null },
          });
        });

      test("is the only refused request, and readiness does not mention search", async () => {
        await expectAllElse("dark");
        expect(await readiness()).toEqual({ status: "ready", checks: expect.any(Object) } as unknown as Ready);
      });
    });

    describe("while the search words are computed", () => {
      beforeAll(async () => {
        await alter(service.databaseUrl, HOLD[engine.name]);
        await restart("on");
        await eventually(readiness, ({ search }) => (search?.percent ?? 0) > 0);
      });

      for (const search of SEARCHES)
        test(`gives ${search.name} a 503 that says when to try again`, async () => {
          expectReply(await ask(search), {
            status: 503,
            code: "search_not_ready",
            gives: { "retry-after": "10", "x-request-id": /./ },
          });
        });

      for (const search of SEARCHES)
        test(`gives ${search.name} a 403 for a caller who may not search`, async () => {
          expectReply(await ask(search, records.keys.powerless.api_key), { status: 403, code: "permission_missing" });
        });

      test("in the inventory of another dealer is a 403", async () => {
        expectReply(
          await service.api("GET", `/api/dealers/${SOUTH}/vehicles?q=quagga`, { key: records.keys.north.api_key }),
          {
            status: 403,
            code: "not_your_dealer",
          },
        );
      });

      test("with an invalid query is a 400", async () => {
        expectReply(await service.api("GET", "/api/vehicles?q=--"), { status: 400, faults: ["q"] });
      });

      test("is the only refused request, and readiness states the progress", async () => {
        await expectAllElse("dusk");
        const { status, search } = await readiness();
        expect([status, search?.state]).toEqual(["ready", "filling"]);
        expect(search?.percent).toBeGreaterThan(0);
        expect(search?.percent).toBeLessThan(100);
      });

      test("is declared as refusable by exactly the operations that refuse it", async () => {
        const { paths } = JSON.parse(await (await fetch(`${service.url}/openapi.json`)).text());
        const declares = ({ errors }: DeclaredOperation): boolean =>
          errors.some(({ code }) => code === "search_not_ready");
        const names = declaredIn(paths)
          .filter(declares)
          .map(({ name }) => name);
        expect(names.sort()).toEqual(SEARCHES.map(({ name }) => name as string).sort());
      });
    });

    describe("once all search words are computed", () => {
      beforeAll(async () => {
        await alter(service.databaseUrl, RELEASE[engine.name]);
        await eventually(readiness, ({ search }) => search === undefined);
      });

      for (const search of SEARCHES)
        test(`is answered by ${search.name}`, async () => {
          expect((await ask(search)).status).toBe(200);
        });

      test("finds the vehicles from each earlier state, and new ones", async () => {
        expect((await found("quagga")).length).toBe(BEFORE);
        for (const mark of ["dark", "dusk"]) expect(new Set(await found(mark))).toEqual(new Set([mark]));
        await service.api("POST", "/api/vehicles", { body: vehicleBody(NORTH, { trim: "dawn" }) });
        expect(await found("dawn")).toEqual(["dawn"]);
      });
    });
  });
