import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Core } from "../../app/compose-core.ts";
import type { Principal } from "../../core/access/principal.ts";
import type { KeyQuery } from "../../core/keys/key.ts";
import type { UsageOutcome } from "../../core/keys/usage-repository.ts";
import { dealerKey, superAdminKey, userKey } from "../core/callers.ts";
import { newDealerBody, newKeyBody, newUserBody, succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { coreOn } from "../support/core.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";

setDefaultTimeout(300_000);

const HOUR_MS = 3_600_000;
const START_MS = Date.parse("2026-11-20T09:11:00.000Z");

for (const engine of ENGINES)
  describe(`keys by their refused requests, on ${engine.name}`, () => {
    const admin = superAdminKey();
    const clock = fakeClock(START_MS);
    let db: TestDatabase;
    let core: Core;
    let north: number;
    let south: number;
    let user: number;
    const ids = new Map<string, number>();

    const use = (name: string, outcomes: Partial<Record<UsageOutcome, number>>): void => {
      for (const [outcome, count] of Object.entries(outcomes))
        for (let request = 0; request < count; request++)
          core.usageWritten.meter.count(ids.get(name) ?? 0, outcome as UsageOutcome);
    };
    /** The names of the listed keys; the total always agrees with them. */
    const listed = async (to: Principal, query: KeyQuery): Promise<(string | undefined)[]> => {
      const { items, total } = succeeded(await core.keys.list(to, { limit: 100, ...query }));
      expect(total).toBe(items.length);
      return items.map(({ id }) => [...ids].find(([, known]) => known === id)?.[0]);
    };

    beforeAll(async () => {
      db = await engine.open();
      core = coreOn(db, clock);
      const dealer = async (name: string) => succeeded(await core.dealers.create(admin, newDealerBody(name))).id;
      [north, south] = [await dealer("North"), await dealer("South")];
      user = succeeded(await core.users.create(admin, newUserBody("kim@example.com", { dealer_id: north }))).id;
      for (const [name, fields] of Object.entries({
        busy: { dealer_id: north },
        silent: { dealer_id: north },
        failing: { dealer_id: south },
        "a user's": { user_id: user },
        moved: { dealer_id: south },
      }))
        ids.set(name, succeeded(await core.keys.create(admin, newKeyBody({ name, ...fields }))).record.id);
      use("busy", { denied: 50 });
      clock.advance(HOUR_MS);
      use("moved", { limited: 9 });
      succeeded(await core.keys.update(admin, ids.get("moved") ?? 0, { dealer_id: north }));
      await core.usageWritten.write();
      clock.advance(23 * HOUR_MS);
      // The hour of the 50 denials has passed by now. What follows is half stored, and half in memory.
      use("busy", { served: 80, limited: 1 });
      use("failing", { served: 1, limited: 2, unauthorized: 1, failed: 6 });
      await core.usageWritten.write();
      use("busy", { served: 15, limited: 3, denied: 1 });
      use("a user's", { denied: 2 });
    });
    afterAll(() => db.close());

    test("are sorted by the requests of the last 24 hours, the refused ones, and their share", async () => {
      const order = (sort: KeyQuery["sort"], to = admin) => listed(to, sort === undefined ? {} : { sort });
      expect(await order("-requests")).toEqual(["busy", "failing", "moved", "a user's", "silent"]);
      expect(await order("-refused")).toEqual(["moved", "busy", "failing", "a user's", "silent"]);
      expect(await order("-refused_share")).toEqual(["moved", "a user's", "failing", "busy", "silent"]);
      // Those without requests have no share.
      expect(await listed(admin, { sort: "refused_share", order: "asc" })).toEqual([
        "busy",
        "failing",
        "a user's",
        "moved",
        "silent",
      ]);
      // Nobody learns from an order how a key was used at another dealer.
      expect(await order("-requests", dealerKey(north))).toEqual(["busy", "a user's", "moved", "silent"]);
      expect(await order("-refused", dealerKey(north))).toEqual(["busy", "a user's", "moved", "silent"]);
      expect(await order("-refused_share", dealerKey(north))).toEqual(["a user's", "busy", "moved", "silent"]);
    });

    test("carry these figures for who may see them, and none of the time before a move", async () => {
      const day = async (to: Principal): Promise<Record<string, unknown>> => {
        const named = await core.usage.addLastDays(
          to,
          [...ids].map(([name, id]) => ({ name, id })),
        );
        return Object.fromEntries(
          named.map((key) => [key.name, [key.requests_24h, key.refused_24h, key.refused_mostly]]),
        );
      };
      const none = [0, 0, null];
      const ofNorth = { busy: [100, 5, "limited"], silent: none, moved: none, "a user's": [2, 2, "denied"] };
      expect(await day(admin)).toEqual({ ...ofNorth, failing: [10, 3, "limited"], moved: [9, 9, "limited"] });
      expect(await day(dealerKey(north))).toEqual({ ...ofNorth, failing: none });
      expect(await day(dealerKey(south))).toMatchObject({ busy: none, failing: [10, 3, "limited"], "a user's": none });
    });

    test("are found if they were refused since an hour, by who sees that they were", async () => {
      const [lately, before] = [clock.now(), clock.after((-24 * HOUR_MS) / 1000)];
      // None of these is refused.
      use("silent", { served: 1, failed: 1 });
      const found = (to: Principal, refused_since: string) =>
        listed(to, { refused_since, sort: "created", order: "asc" });
      expect(await found(admin, lately)).toEqual(["busy", "failing", "a user's"]);
      expect(await found(admin, clock.after((-22 * HOUR_MS) / 1000))).toEqual(["busy", "failing", "a user's"]);
      expect(await found(admin, before)).toEqual(["busy", "failing", "a user's", "moved"]);
      // The key that moved was refused at its dealer before, and that one no longer sees it.
      expect(await found(dealerKey(north), before)).toEqual(["busy", "a user's"]);
      expect(await found(dealerKey(south), before)).toEqual(["failing"]);
      expect(await found(userKey("user", north, { userId: user }), before)).toEqual(["a user's"]);
    });

    test("show their refused requests by kind, with the first and the last hour, as far as the reader sees them", async () => {
      const refusals = async (to: Principal, name: string) =>
        succeeded(await core.usage.read(to, ids.get(name) ?? 0, { from: clock.after((-25 * HOUR_MS) / 1000) }))
          .refusals;
      const [first_hour, last_hour] = ["2026-11-20T09:00:00.000Z", "2026-11-21T09:00:00.000Z"];
      const moved = "2026-11-20T10:00:00.000Z";
      expect(await refusals(admin, "busy")).toEqual([
        { outcome: "denied", requests: 51, first_hour, last_hour },
        { outcome: "limited", requests: 4, first_hour: last_hour, last_hour },
      ]);
      expect(await refusals(admin, "moved")).toEqual([
        { outcome: "limited", requests: 9, first_hour: moved, last_hour: moved },
      ]);
      expect(await refusals(dealerKey(north), "moved")).toEqual([]);
    });
  });
