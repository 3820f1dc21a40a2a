import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerFiguresRepository } from "../../adapters/sql/dealer-figures/repository.ts";
import { makeDealerScores } from "../../adapters/sql/dealer-figures/scores.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import type { Core } from "../../app/compose-core.ts";
import type { Principal } from "../../core/access/principal.ts";
import type { DealerQuery } from "../../core/dealers/dealer.ts";
import { Failure } from "../../core/failure.ts";
import { firstProgress } from "../../core/imports/after-step.ts";
import { optionsOf } from "../../core/imports/import.ts";
import { allBut, dealerKey, superAdminKey } from "../core/callers.ts";
import { newDealerBody, newFeedBody, newKeyBody, newUserBody, newVehicleBody, succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { coreOn } from "../support/core.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { OPERATOR } from "../support/records.ts";

setDefaultTimeout(300_000);

const START_MS = Date.parse("2026-11-20T09:11:00.000Z");
const DAY_SECONDS = 86_400;
const NAMES = ["busy", "empty", "troubled"] as const;

for (const engine of ENGINES)
  describe(`the figures of dealers on ${engine.name}`, () => {
    const admin = superAdminKey();
    const clock = fakeClock(START_MS);
    let db: TestDatabase;
    let core: Core;
    let troubledCar = 0;
    const ids = new Map<string, number>();
    const idOf = (name: string): number => ids.get(name) ?? 0;
    const figuresFor = async (to: Principal) =>
      Object.fromEntries(
        (
          await core.dealerFigures.addTo(
            to,
            [...ids].map(([name, id]) => ({ name, id })),
          )
        ).map((dealer) => [dealer.name, dealer.figures]),
      );
    const listed = async (query: DealerQuery, to = admin) =>
      succeeded(await core.dealers.list(to, query)).items.map(({ name }) => name);
    /** Adds a feed of the dealer that left out so many vehicles. */
    const leaveOut = async (dealer: string, vehicles: number, end = "active = 1") => {
      const { feed } = succeeded(await core.feeds.create(admin, newFeedBody(idOf(dealer))));
      await db.migrate((run) =>
        run(`UPDATE feeds SET counted_rows = 1, counted_left_out = ${vehicles}, ${end} WHERE id = ${feed.id}`).then(
          () => {},
        ),
      );
    };
    /** Adds a file of the dealer of which so many rows failed. */
    const readFile = async (dealer: string, failed: number, state = "completed") => {
      const options = optionsOf({}, {});
      const progress = firstProgress(options);
      const file = await makeImportRepository(db, clock).begin({
        ...{ dealerId: idOf(dealer), sourceId: null, options, by: OPERATOR, now: clock.now() },
        progress: { ...progress, counts: { ...progress.counts, failed } },
      });
      await db.migrate((run) => run(`UPDATE imports SET state = '${state}' WHERE id = ${file}`).then(() => {}));
    };

    beforeAll(async () => {
      db = await engine.open();
      core = coreOn(db, clock);
      for (const name of NAMES) ids.set(name, succeeded(await core.dealers.create(admin, newDealerBody(name))).id);
      clock.advance(1000);
      const add = async (dealer: string, days: number, fields: object = {}) =>
        succeeded(
          await core.vehicles.create(
            admin,
            newVehicleBody({ dealer_id: idOf(dealer), listed_at: clock.after(-days * DAY_SECONDS), ...fields }),
          ),
        );
      for (const days of [2, 31, 40, 61, 200]) await add("busy", days);
      for (const days of [5, 300]) await add("busy", days, { status: "sold" });
      troubledCar = (await add("troubled", 10, { price: 0, vin: null })).id;
      const key = succeeded(await core.keys.create(admin, newKeyBody({ dealer_id: idOf("troubled") }))).record.id;
      const well = succeeded(await core.keys.create(admin, newKeyBody({ dealer_id: idOf("busy") }))).record.id;
      // The user of one dealer has a key that is refused; that of another has none.
      const [user] = [
        await core.users.create(admin, newUserBody("kim@example.com", { dealer_id: idOf("troubled") })),
        await core.users.create(admin, newUserBody("lee@example.com", { dealer_id: idOf("empty") })),
      ].map(succeeded);
      const ofUser = succeeded(await core.keys.create(admin, newKeyBody({ user_id: user?.id }))).record.id;
      const { meter } = core.usageWritten;
      for (let request = 0; request < 20; request++) for (const one of [key, ofUser]) meter.count(one, "limited");
      // Fewer than a tenth of its requests, and fewer than twenty.
      for (let request = 0; request < 300; request++) meter.count(well, request < 25 ? "denied" : "served");
      await core.usageWritten.write();
      await leaveOut("troubled", 4);
      for (const end of ["active = 0", `deleted_at = '${clock.now()}'`]) await leaveOut("troubled", 100, end);
      await readFile("troubled", 3);
      clock.advance(1);
      await readFile("troubled", 100, "failed");
      await db.migrate(async (run) => {
        // What is older than a day does not count: neither requests that were answered, nor refused ones.
        for (const [of, served, denied] of [
          [key, 5000, 0],
          [well, 0, 5000],
        ] as const)
          await run(`INSERT INTO key_usage_hours (key_id, hour, served, denied, failed, limited, unauthorized)
            VALUES (${of}, '2026-11-18T09:00:00.000Z', ${served}, ${denied}, 0, 0, 0)`);
      });
      clock.advance(60_000);
      await core.keepScores();
    });
    afterAll(() => db.close());

    test("are what is on the lot by age, its quality, and what needs somebody", async () => {
      const { busy, empty, troubled } = await figuresFor(admin);
      expect(busy).toMatchObject({ vehicles: 5, ages: [1, 2, 1, 1], average_age: 66, left_out: null, refused_keys: 0 });
      expect(busy).toMatchObject({ last_file: null, quality: expect.any(Number) });
      expect(empty).toMatchObject({
        vehicles: 0,
        ages: [0, 0, 0, 0],
        average_age: null,
        quality: null,
        refused_keys: 0,
        needs_help: [],
      });
      expect(troubled).toMatchObject({
        ...{ vehicles: 1, ages: [1, 0, 0, 0], left_out: 4, refused_keys: 2 },
        last_file: { at: "2026-11-20T09:11:01.000Z", failed: 3 },
        needs_help: ["quality", "left_out", "refused_keys", "failed_rows"],
      });
      expect(troubled?.quality).toBeLessThan(70);
    });

    test("sort and narrow the list of dealers", async () => {
      expect(await listed({ sort: "-vehicles" })).toEqual(["busy", "troubled", "empty"]);
      // Without the value they come last.
      expect(await listed({ sort: "-age" })).toEqual(["busy", "troubled", "empty"]);
      expect(await listed({ sort: "quality", order: "asc" })).toEqual(["troubled", "busy", "empty"]);
      expect(await listed({ sort: "-left_out" })).toEqual(["troubled", "empty", "busy"]);
      expect(await listed({ sort: "-refused_keys" })).toEqual(["troubled", "empty", "busy"]);
      expect(await listed({ sort: "-last_file" })).toEqual(["troubled", "empty", "busy"]);
      expect((await listed({ sort: "last_change", order: "asc" }))[0]).toBe("empty");
      expect(await listed({ needs_help: true, sort: "name", order: "asc" })).toContain("troubled");
      expect(await listed({ needs_help: false, sort: "name", order: "asc" })).toContain("empty");
    });

    test("are as much as the reader may see, also for orders and filters, and nothing of other dealers", async () => {
      const reader = superAdminKey({
        permissions: allBut("keys:read") & allBut("feeds:read") & allBut("vehicles:write"),
      });
      const { troubled } = await figuresFor(reader);
      expect(troubled).toMatchObject({ left_out: null, refused_keys: null, last_file: null, needs_help: ["quality"] });
      for (const sort of ["-left_out", "-refused_keys", "-last_file"] as const)
        expect(await listed({ sort }, reader)).toEqual(["troubled", "empty", "busy"]);
      const sight = { keys: null, usageFrom: clock.now(), feeds: false, files: false };
      const asked = { ids: [idOf("busy")], scope: null, sight, borders: [] };
      expect((await makeDealerFiguresRepository(db).of(asked)).map(({ id }) => id)).toEqual([idOf("busy")]);
      const bound = await figuresFor(dealerKey(idOf("busy")));
      expect([bound.empty, bound.troubled, bound.busy?.vehicles]).toEqual([undefined, undefined, 5]);
      expect(await listed({ sort: "-refused_keys" }, dealerKey(idOf("busy")))).toEqual(["busy"]);
      const blind = superAdminKey({ permissions: allBut("vehicles:read") });
      expect(await figuresFor(blind)).toEqual({ busy: undefined, empty: undefined, troubled: undefined });
      for (const query of [{ sort: "-age" }, { needs_help: true }, { include: ["figures"] }] as const)
        expect(await core.dealers.list(blind, query)).toBeInstanceOf(Failure);
    });

    test("say which dealers need help for any one reason, of those that the reader may see", async () => {
      for (const name of ["leaving out", "failing", "refused"])
        ids.set(name, succeeded(await core.dealers.create(admin, newDealerBody(name))).id);
      await leaveOut("leaving out", 1);
      await readFile("failing", 1);
      const key = succeeded(await core.keys.create(admin, newKeyBody({ dealer_id: idOf("refused") }))).record.id;
      for (let request = 0; request < 20; request++) core.usageWritten.meter.count(key, "denied");
      await core.usageWritten.write();
      const asked = async (needs_help: boolean, to?: Principal) =>
        listed({ needs_help, sort: "name", order: "asc" }, to);
      expect(await asked(true)).toEqual(["busy", "failing", "leaving out", "refused", "troubled"]);
      expect(await asked(false)).toEqual(["empty"]);
      const { permissions: own } = superAdminKey();
      for (const [hidden, name] of [
        ["feeds:read", "leaving out"],
        ["vehicles:write", "failing"],
        ["keys:read", "refused"],
      ] as const) {
        const reader = superAdminKey({ permissions: own & allBut(hidden) });
        expect(await asked(false, reader)).toEqual(["empty", name]);
      }
    });

    test("have the quality that was judged last, anew after a change and once a day", async () => {
      const quality = async () => (await figuresFor(admin)).troubled?.quality ?? null;
      const before = await quality();
      succeeded(
        await core.vehicles.update(admin, { id: troubledCar, input: { price: 20_000, vin: "1HGCM82633A004352" } }),
      );
      await core.keepScores();
      expect(await quality()).toBe(before);
      clock.advance(301_000);
      await core.keepScores();
      const after = await quality();
      expect(after).toBeGreaterThan(before ?? 0);
      await db.migrate((run) => run("UPDATE dealer_scores SET score = 1").then(() => {}));
      await core.keepScores();
      expect(await quality()).toBe(1);
      clock.advance((DAY_SECONDS + 1) * 1000);
      await core.keepScores();
      expect(await quality()).toBe(after);
      // Nothing has changed since, and nobody is judged anew for what another dealer has.
      const limits = { changed: clock.after(1), before: clock.after(-1), most: 100 };
      expect(await makeDealerScores(db).due(limits)).toEqual([]);
    });
  });
