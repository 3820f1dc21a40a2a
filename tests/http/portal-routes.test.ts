import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { portalRoutes } from "../../adapters/http/portal/routes.ts";
import { portalEntryPoint } from "../../adapters/http/server/entry-point.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import type { Principal } from "../../core/access/principal.ts";
import type { Overview } from "../../core/keys/overview.ts";
import type { Sparkline } from "../../core/keys/usage.ts";
import { permissionSet } from "../../core/permissions.ts";
import { superAdminKey, userKey } from "../core/callers.ts";
import { newDealerBody, newKeyBody, newUserBody, newVehicleBody, succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { coreOn } from "../support/core.ts";
import { ANSWERING } from "../support/engines.ts";
import { counts } from "../support/usage.ts";
import { routerOn } from "./router.ts";

setDefaultTimeout(300_000);

const NOW_MS = Date.parse("2026-11-20T09:11:00.000Z");
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The answers of the portal's own routes to any signed-in user. */
const portalOn = (db: SqlDatabase) => {
  const clock = fakeClock(NOW_MS);
  const core = coreOn(db, clock);
  let signedIn: Principal | null = null;
  const identify = async () => signedIn;
  const app = routerOn({
    ...{ core, clock, routes: [] },
    others: [{ entryPoint: portalEntryPoint({ identify, identifyAgain: identify }, null), routes: portalRoutes(core) }],
  });
  return {
    clock,
    core,
    async get<Body = unknown>(path: string, as: Principal | null): Promise<{ status: number; body: Body }> {
      signedIn = as === null ? null : { ...as, keyId: null, via: "portal" };
      const response = await app.handle(new Request(`http://localhost/portal${path}`));
      return { status: response.status, body: (await response.json()) as Body };
    },
  };
};

for (const engine of ANSWERING)
  describe(`the portal's own routes on ${engine.name}`, () => {
    const admin = superAdminKey();
    let db: SqlDatabase;
    let portal: ReturnType<typeof portalOn>;
    let north: Principal;
    let northUser: Principal;
    /** Ids of keys by name. */
    const ids = new Map<string, number>();
    const idOf = (name: string): number => ids.get(name) ?? 0;
    const sparklines = async (names: readonly string[], as: Principal) =>
      (await portal.get<Sparkline[]>(`/api/key-usage?ids=${names.map(idOf).join(",")}`, as)).body;
    const overview = async (as: Principal) => (await portal.get<Overview>("/api/overview", as)).body;

    beforeAll(async () => {
      db = await engine.open();
      portal = portalOn(db);
      const { core, clock } = portal;
      const dealer = async (name: string) => succeeded(await core.dealers.create(admin, newDealerBody(name))).id;
      const [northId, southId] = [await dealer("Northern Motors"), await dealer("Southern Motors")];
      for (const dealer_id of [northId, southId, southId])
        succeeded(await core.vehicles.create(admin, newVehicleBody({ dealer_id })));
      const user = succeeded(await core.users.create(admin, newUserBody("kim@example.com", { dealer_id: northId }))).id;
      north = userKey("dealer_admin", northId);
      northUser = userKey("user", northId, { userId: user });
      const key = async (name: string, fields: object = {}) =>
        ids.set(name, succeeded(await core.keys.create(admin, newKeyBody({ name, ...fields }))).record.id);
      const inDays = (days: number) => ({ expires_at: new Date(clock.nowMs() + days * DAY_MS).toISOString() });
      clock.set(NOW_MS - 100 * DAY_MS);
      await key("old and idle", { dealer_id: northId });
      await key("old and used", { dealer_id: northId });
      await key("old and revoked", { dealer_id: northId });
      succeeded(await core.keys.revoke(admin, idOf("old and revoked")));
      await key("old and expired", { dealer_id: northId, ...inDays(20) });
      await key("old of south", { dealer_id: southId });
      clock.set(NOW_MS);
      await key("ends later", { dealer_id: northId, ...inDays(31) });
      await key("ends soon", { dealer_id: northId, ...inDays(29) });
      await key("ends first", { dealer_id: southId, ...inDays(1) });
      await key("a user's", { user_id: user });
      const { meter } = core.usageWritten;
      clock.set(NOW_MS - 24 * HOUR_MS);
      meter.count(idOf("old and used"), "served");
      clock.set(NOW_MS - 23 * HOUR_MS);
      for (const outcome of ["served", "denied", "limited", "failed", "unauthorized"] as const)
        meter.count(idOf("old and used"), outcome);
      await core.usageWritten.write();
      clock.set(NOW_MS);
      meter.count(idOf("old and used"), "served");
      meter.count(idOf("old of south"), "unauthorized");
      meter.count(idOf("a user's"), "denied");
    });
    afterAll(() => db.close());

    test("do not exist without a session", async () => {
      for (const path of ["/api/overview", "/api/key-usage?ids=1"])
        expect(await portal.get(path, null)).toMatchObject({ status: 401, body: { code: "signed_out" } });
    });

    test("are refused without keys:read", async () => {
      const powerless = { ...admin, permissions: permissionSet(["vehicles:read", "dealers:read"]) };
      for (const path of ["/api/overview", "/api/key-usage?ids=1"])
        expect(await portal.get(path, powerless)).toMatchObject({ status: 403, body: { code: "permission_missing" } });
    });

    for (const ids of ["", "0", "x", "1,", "1,,2", "-1", Array.from({ length: 101 }, (_, index) => index + 1).join()])
      test(`accept 1 to 100 key ids, but not ${ids.slice(0, 10) || "none"}`, async () => {
        expect(await portal.get(`/api/key-usage?ids=${ids}`, admin)).toMatchObject({ status: 400 });
      });

    test("accept a hundred key ids", async () => {
      const hundred = Array.from({ length: 100 }, (_, index) => index + 1000).join();
      expect(await portal.get(`/api/key-usage?ids=${hundred}`, admin)).toEqual({ status: 200, body: [] });
    });

    test("show the requests of the last 24 hours for each key in the requested order, stored or not, oldest first", async () => {
      const none = Array.from({ length: 24 }, () => 0);
      expect(await sparklines(["old of south", "old and used", "old of south", "ends soon"], admin)).toEqual([
        { key_id: idOf("old of south"), hours: none.with(23, 1), refused: none.with(23, 1) },
        { key_id: idOf("old and used"), hours: none.with(0, 5).with(23, 1), refused: none.with(0, 3) },
        { key_id: idOf("ends soon"), hours: none, refused: none },
      ]);
    });

    test("leave out keys that the user may not see", async () => {
      const all = [...ids.keys()];
      const seen = async (as: Principal) => (await sparklines(all, as)).map(({ key_id }) => key_id);
      expect(await seen(north)).toEqual(all.filter((name) => !["old of south", "ends first"].includes(name)).map(idOf));
      expect(await seen(northUser)).toEqual([idOf("a user's")]);
    });

    test("summarize the activity, and name expiring and idle keys, for callers who see everything", async () => {
      const { expiring_keys, idle_keys, most_refused, ...rest } = await overview(admin);
      expect(rest).toEqual({
        requests: [
          {
            hour: "2026-11-19T10:00:00.000Z",
            ...counts({ served: 1, denied: 1, limited: 1, failed: 1, unauthorized: 1 }),
          },
          { hour: "2026-11-20T09:00:00.000Z", ...counts({ served: 1, denied: 1, unauthorized: 1 }) },
        ],
        expiring_total: 2,
        idle_total: 2,
        unused_keys: [],
        unused_total: 0,
        refused_total: 3,
        active_keys: 7,
        vehicles: 3,
        dealers: 2,
      });
      expect<unknown>(expiring_keys).toMatchObject([
        { name: "ends first", dealer_name: "Southern Motors" },
        { name: "ends soon", dealer_name: "Northern Motors" },
      ]);
      expect<unknown>(idle_keys).toMatchObject([
        { name: "old and idle", dealer_name: "Northern Motors" },
        { name: "old of south", dealer_name: "Southern Motors" },
      ]);
      expect<unknown>(most_refused).toMatchObject([
        { name: "old and used", dealer_name: "Northern Motors", requests_24h: 6, refused_24h: 3 },
        { name: "a user's", requests_24h: 1, refused_24h: 1, refused_mostly: "denied" },
        { name: "old of south", requests_24h: 1, refused_24h: 1, refused_mostly: "unauthorized" },
      ]);
    });

    test("summarize only the dealer's keys for its admin, and only the user's own for a user", async () => {
      const { requests, expiring_keys, idle_keys, most_refused, ...rest } = await overview(north);
      expect(most_refused.map(({ name }) => name)).toEqual(["old and used", "a user's"]);
      expect(requests.at(-1)).toEqual({ hour: "2026-11-20T09:00:00.000Z", ...counts({ served: 1, denied: 1 }) });
      expect(expiring_keys.map(({ name }) => name)).toEqual(["ends soon"]);
      expect(idle_keys.map(({ name }) => name)).toEqual(["old and idle"]);
      const unused = { unused_keys: [], unused_total: 0 };
      const totals = { expiring_total: 1, idle_total: 1, refused_total: 2 };
      expect(rest).toEqual({ ...totals, ...unused, active_keys: 5, vehicles: 1, dealers: 1 });
      expect(await overview(northUser)).toEqual({
        requests: [{ hour: "2026-11-20T09:00:00.000Z", ...counts({ denied: 1 }) }],
        expiring_keys: [],
        expiring_total: 0,
        idle_keys: [],
        idle_total: 0,
        ...unused,
        most_refused: [expect.objectContaining({ name: "a user's", refused_24h: 1 })],
        refused_total: 1,
        active_keys: 1,
        vehicles: 1,
        dealers: 1,
      });
    });

    test("do not count vehicles or dealers for users who may not read them", async () => {
      const reader = { ...admin, permissions: permissionSet(["keys:read"]) };
      expect(await overview(reader)).toMatchObject({ vehicles: null, dealers: null, active_keys: 7 });
    });

    test("count a signed-in user's requests for no key", async () => {
      const before = portal.core.usageWritten.unsaved();
      await overview(admin);
      expect(portal.core.usageWritten.unsaved()).toEqual(before);
    });
  });
