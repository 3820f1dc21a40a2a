import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { accountRoutes } from "../../adapters/http/portal/accounts.ts";
import { portalRoutes } from "../../adapters/http/portal/routes.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { systemClock as clock } from "../../adapters/system/clock.ts";
import { POLICY } from "../../core/access/policy.ts";
import { INVALID_ATTEMPTS } from "../core/access/operations.ts";
import { expectReply } from "../support/cases.ts";
import { accountsOn, coreOn, routesOf } from "../support/core.ts";
import { ANSWERING } from "../support/engines.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { OF_NO_DEALER, ON_WAITING_IMPORTS, OPERATIONS, WITHOUT_END } from "./operations.ts";
import { routerOn } from "./router.ts";

/** Everything that answers without a key; nothing else may. */
const OPEN = [
  "/",
  "/*",
  "/docs",
  "/docs/assets/*",
  "/health/live",
  "/health/ready",
  "/openapi.json",
  "/portal",
  "/portal/*",
  "/portal/api/*",
  "/portal/assets/*",
  "/portal/walk",
  "/portal/walk/*",
  "/portal/walk/worker.js",
];

/** The router itself, and the routes that it was made from. */
const routerOf = (db: SqlDatabase) => {
  const core = coreOn(db, clock);
  const routes = routesOf(core);
  const app = routerOn({ core, clock, routes });
  const { accounts, leaving } = accountsOn(core, { db, clock });
  return {
    routes,
    portal: [...portalRoutes(core), ...accountRoutes(accounts, leaving, null)],
    fetch: app.fetch,
    list: app.routes.map(({ method, path }) => ({ method: String(method), path })),
  };
};

for (const engine of ANSWERING)
  describe(`routes on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let db: SqlDatabase;
    let router: ReturnType<typeof routerOf>;

    beforeAll(async () => {
      db = await engine.open();
      router = routerOf(db);
    });
    afterAll(() => db.close());

    const inApi = (method: string) => router.list.filter((one) => one.path.startsWith("/api") && one.method === method);
    const filled = (path: string): string =>
      path.replace(":resource", "vehicles").replace(":action", "read").replaceAll(/:\w+/g, "1");

    test("of the API all answer 401 without a key", async () => {
      const routes = ["GET", "HEAD", "POST", "PUT", "DELETE"].flatMap(inApi);
      expect(routes.length).toBeGreaterThanOrEqual(OPERATIONS.length);
      for (const { method, path } of routes)
        for (const key of [null, "not-a-key"]) {
          const reply = await fixture.api(method, filled(path), { key });
          expect([method, path, reply.status]).toEqual([method, path, 401]);
        }
    });

    test("of the API answer synchronously unless they have to wait", () => {
      for (const { method, path } of inApi("GET")) {
        const answer = router.fetch(new Request(`http://localhost${filled(path)}`, { method }));
        expect([path, answer instanceof Response]).toEqual([path, true]);
      }
    });

    test("of the API handle the preflight and the refusal of other methods for each path", () => {
      const paths = [...new Set(["GET", "POST", "PUT", "DELETE"].flatMap(inApi).map(({ path }) => path))].sort();
      for (const method of ["OPTIONS", "ALL"])
        expect(
          inApi(method)
            .map(({ path }) => path)
            .sort(),
        ).toEqual(paths);
      const known = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "ALL"]);
      expect(router.list.filter(({ method }) => !known.has(method))).toEqual([]);
    });

    test("outside the API are exactly the public ones", async () => {
      const outside = [...new Set(router.list.map(({ path }) => path).filter((path) => !path.startsWith("/api")))];
      expect(outside.sort()).toEqual(OPEN);
      for (const path of OPEN.filter((one) => !one.endsWith("/") && !one.endsWith("*")))
        expectReply(await fixture.api("GET", path, { key: null }), { status: 200 });
    });

    test("cover each operation of the policy exactly once, except for those of the portal alone", () => {
      const ofApi = router.routes.map(({ operation }) => operation);
      const ofPortal = new Set(router.portal.map(({ operation }) => operation));
      expect(ofPortal).toEqual(
        new Set([
          ...(["key.usage", "overview.read", "user.invite", "user.account", "user.sessions"] as const),
          ...(["user.end-sessions", "user.reset-second-factor", "user.leave", "user.left", "user.return"] as const),
        ]),
      );
      const alone = [...ofPortal].filter((operation) => operation !== "key.usage");
      expect([...ofApi, ...alone].sort()).toEqual((Object.keys(POLICY) as (keyof typeof POLICY)[]).sort());
      expect([...OPERATIONS, ...WITHOUT_END, ...OF_NO_DEALER, ...ON_WAITING_IMPORTS]).toHaveLength(
        router.routes.length,
      );
    });

    test("with a body have a use case whose refusal of an invalid body is tested", () => {
      const taking = router.routes.filter(({ body }) => body !== undefined).map(({ operation }) => operation);
      expect(taking.filter((operation) => INVALID_ATTEMPTS[operation] === undefined)).toEqual([]);
    });

    test("of the API are exactly the documented ones", async () => {
      const { body } = await fixture.api<{ paths: Record<string, Record<string, unknown>> }>("GET", "/openapi.json");
      const documented = Object.entries(body.paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
      );
      const there = ["GET", "POST", "PUT", "DELETE"].flatMap(inApi).map(({ method, path }) => `${method} ${path}`);
      // Monitoring sees these two, which are no operations.
      expect(documented.sort()).toEqual([...there, "GET /health/live", "GET /health/ready"].sort());
    });
  });
