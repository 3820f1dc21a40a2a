import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { importOutcomes } from "../../adapters/sql/sources/import-outcomes.ts";
import { basesInOrder, heldSources } from "../../adapters/sql/sources/locked-bases.ts";
import { makeSourceRepository } from "../../adapters/sql/sources/repository.ts";
import { makeSourceWork } from "../../adapters/sql/sources/work.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { sealingOf } from "../../adapters/system/sealing.ts";
import { firstProgress } from "../../core/imports/after-step.ts";
import { optionsOf } from "../../core/imports/import.ts";
import type { Claim } from "../../core/jobs/job.ts";
import type { SourceRun } from "../../core/sources/source.ts";
import { type OpenSource, type SourceChange, TOO_MANY_SOURCES } from "../../core/sources/source-repository.ts";
import { UNKNOWN_DEALER } from "../../core/vehicles/vehicle-repository.ts";
import { changedRows, type NamedRows } from "../support/changed-rows.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const AUTH = { type: "basic", user: "lot", password: "quite secret" } as const;
const CHANGE: SourceChange = {
  ...{ name: "Lot", url: "https://files.example.com/lot.csv", schedule: "0 3 * * *", timezone: "UTC" },
  ...{ options: {}, field_owners: {}, active: true, endedBy: null, nextAt: null },
  ...{ isReset: false, failures: 0, failingSince: null },
};

for (const engine of ENGINES)
  describe(`sources beside others on ${engine.name}`, () => {
    let db: SqlDatabase;
    let clock: FakeClock;
    let sources: ReturnType<typeof makeSourceRepository>;
    let work: ReturnType<typeof makeSourceWork>;
    let dealers: { readonly north: number; readonly south: number };
    let ids: { readonly first: number; readonly own: number; readonly south: number };

    const insert = (dealerId: number, fields: Partial<SourceChange> = {}, most = 9) =>
      sources.insert({ dealerId, most, source: { ...CHANGE, ...fields }, now: clock.now(), by: OPERATOR });
    const add = async (dealerId: number, fields: Partial<SourceChange> = {}): Promise<number> => {
      const added = await insert(dealerId, fields);
      if (typeof added === "symbol") throw new Error("the source was refused");
      return added.id;
    };

    beforeEach(async () => {
      db = await engine.open();
      clock = fakeClock();
      const parts = { clock, sealing: async () => sealingOf(new Uint8Array(32), []) };
      sources = makeSourceRepository(db, parts);
      work = makeSourceWork(db, parts);
      const newDealer = async () => (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      dealers = { north: await newDealer(), south: await newDealer() };
      ids = { first: await add(dealers.north), own: await add(dealers.north), south: await add(dealers.south) };
    });
    afterEach(() => db.close());

    const changing = (id: number, scope: number | null = null) => ({ id, scope, now: clock.now(), by: OPERATOR });
    const state = async (): Promise<NamedRows> => {
      const rows = await db.selectFrom("import_sources").selectAll().execute();
      const jobs = await db.selectFrom("jobs").select(["subject_id", "queue"]).execute();
      return new Map([
        ...rows.map((row) => [`source ${row.id}`, JSON.stringify(row)] as const),
        ...jobs.map((row) => [`job of ${row.subject_id}`, JSON.stringify(row)] as const),
      ]);
    };
    /** Which sources and jobs a step changed, added or deleted. */
    const changedBy = (step: () => Promise<unknown>): Promise<readonly string[]> => changedRows(state, step);
    const claimed = async (id: number): Promise<Claim> => {
      await sources.request(id, null, () => null);
      const claim = await makeJobs(db, clock).claim(`process of ${id}`, "source");
      if (claim?.subjectId !== id) throw new Error("it has no job");
      return claim;
    };
    const opened = async (claim: Claim): Promise<OpenSource> => {
      const source = await work.open(claim);
      if (source === null) throw new Error("the source is not there");
      return source;
    };
    const runOf = (import_id: number | null): SourceRun => ({
      ...{ at: clock.now(), status: 200, import_id, problem: null, warnings: [], bytes: 1 },
    });

    test("are limited for their own dealer, which is there, and found and listed for the dealer in scope", async () => {
      const { north, south } = dealers;
      expect(await insert(south + 99)).toBe(UNKNOWN_DEALER);
      expect(await insert(north, {}, 2)).toBe(TOO_MANY_SOURCES);
      expect(await insert(south, {}, 2)).toMatchObject({ dealer_id: south });
      const listed = async (scope: number | null, dealerId?: number) =>
        (await sources.list({ scope, limit: 9, after: null, ...(dealerId !== undefined && { dealerId }) })).items.map(
          ({ dealer_id }) => dealer_id,
        );
      expect([await listed(null), await listed(north), await listed(null, south), await listed(north, south)]).toEqual([
        [south, south, north, north],
        [north, north],
        [south, south],
        [north, north],
      ]);
      expect([await sources.find(ids.south, north), (await sources.find(ids.own, north))?.id]).toEqual([null, ids.own]);
    });

    test("change, are requested and go alone, and in scope", async () => {
      const { own } = ids;
      clock.advance(1000);
      const change = (scope: number | null) =>
        sources.change(changing(own, scope), () => ({ ...CHANGE, name: "Changed", auth: AUTH }));
      const request = (scope: number | null) => sources.request(own, scope, () => null);
      for (const beyond of [change, request, (scope: number | null) => sources.remove(changing(own, scope))])
        expect(await changedBy(async () => expect((await beyond(dealers.south)) || null).toBeNull())).toEqual([]);
      expect(await changedBy(() => change(dealers.north))).toEqual([`source ${own}`]);
      expect(await changedBy(() => request(dealers.north))).toEqual([`job of ${own}`]);
      await sources.request(ids.first, null, () => null);
      expect(await changedBy(() => sources.remove(changing(own)))).toEqual([`job of ${own}`, `source ${own}`]);
      const isHeld = (source: string) => db.write((tx) => heldSources(db)(tx, source));
      expect([await isHeld(`source:${own}`), await isHeld(`source:${ids.first}`)]).toEqual([false, true]);
    });

    test("are due from their tick on, which is theirs alone and counts once", async () => {
      const { north } = dealers;
      const [due, next] = [
        await add(north, { nextAt: clock.after(60) }),
        await add(north, { nextAt: clock.after(61) }),
      ];
      const dueAt = async (now: string) => (await sources.due(now)).map(({ id }) => id);
      expect([await dueAt(clock.after(59)), await dueAt(clock.after(60))]).toEqual([[], [due]]);
      expect(await dueAt(clock.after(99))).toEqual([due, next]);
      const tick = () => sources.tick(due, clock.after(60), clock.after(600));
      expect(await changedBy(tick)).toEqual([`job of ${due}`, `source ${due}`]);
      expect(await changedBy(tick)).toEqual([]);
    });

    test("are fetched and end as their job says, and nothing is said of others", async () => {
      const { own } = ids;
      const claim = await claimed(own);
      const seen = await opened(claim);
      expect([seen.id, seen.dealerId]).toEqual([own, dealers.north]);
      const result = { run: runOf(null), etag: "e", failures: 2, failingSince: clock.now(), retryAt: null } as const;
      const finish = () => work.finish(claim, seen, { ...result, event: "source.failing" });
      expect(await changedBy(finish)).toEqual([`job of ${own}`, `source ${own}`]);
      // Another one that was switched off meanwhile keeps nobody from working.
      const again = await claimed(own);
      const reopened = await opened(again);
      await db.write((tx) => tx.updateTable("import_sources").set({ active: 0 }).where("id", "<>", own).execute());
      let isEnded = false;
      await work.whileRenewingLease(again, reopened, async (over) => {
        void over.then(() => {
          isEnded = true;
        });
        await clock.runTimers(60_000);
        await nextTurn();
      });
      expect(isEnded).toBe(false);
      // What nobody is left to have asked for is the service's.
      await work.finish(again, { ...reopened, maker: null }, { ...result, event: "source.imported" });
      const entries = db.selectFrom("audit_entries").select(["actor_name", "resource_id"]);
      const [entry] = await entries.where("action", "=", "source.imported").execute();
      expect(entry).toEqual({ actor_name: OPERATOR.name, resource_id: own });
    });

    test("hear of the outcome of their own imports", async () => {
      const { own, first } = ids;
      const options = optionsOf({}, {});
      const begin = (dealerId: number) =>
        makeImportRepository(db, clock).begin({
          ...{ dealerId, sourceId: null, options, by: OPERATOR, now: clock.now(), progress: firstProgress(options) },
        });
      const [other, made] = [await begin(dealers.south), await begin(dealers.north)];
      await db.write(async (tx) => {
        const error = JSON.stringify({ code: "broken", message: "the file is broken" });
        await tx.updateTable("imports").set({ state: "failed", error }).where("id", "in", [made, other]).execute();
        const failing = { runs: JSON.stringify([runOf(other), runOf(made)]), failures: 2, failing_since: clock.now() };
        for (const id of [own, first])
          await tx.updateTable("import_sources").set(failing).where("id", "=", id).execute();
      });
      const outcome = importOutcomes(db, clock);
      const tell = (dealerId: number, importId = made) =>
        db.write((tx) => outcome(tx, { sourceId: own, importId, dealerId }));
      for (const [dealer, imported] of [
        [dealers.south, made],
        [dealers.south, other],
        [dealers.north, other],
      ] as const)
        expect(await changedBy(async () => expect(await tell(dealer, imported)).toBeNull())).toEqual([]);
      expect(await changedBy(() => tell(dealers.north))).toEqual([`source ${own}`]);
      expect(await sources.find(own, null)).toMatchObject({
        runs: [{ problem: null }, { problem: "the file is broken" }],
      });
    });
  });

const [, postgresql] = ENGINES;
test("on PostgreSQL a source that goes locks what its files said of its dealer's vehicles, and nothing else", async () => {
  const db = await postgresql.open();
  const second = await postgresql.open(db.url);
  const newDealer = async () => (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
  const [north, south] = [await newDealer(), await newDealer()];
  const clock = fakeClock();
  const sources = makeSourceRepository(db, { clock, sealing: async () => sealingOf(new Uint8Array(32), []) });
  const ids: number[] = [];
  for (const dealerId of [north, north, south]) {
    const added = await sources.insert({ dealerId, most: 9, source: CHANGE, now: clock.now(), by: OPERATOR });
    if (typeof added !== "symbol") ids.push(added.id);
  }
  const [one = 0, other = 0] = ids;
  const vehicles: number[] = [];
  for (const dealer of [north, south]) {
    const added = await makeVehicleRepository(db).insert(vehicleFields(dealer), OPERATOR);
    vehicles.push(made(added).id);
  }
  const [own = 0, foreign = 0] = vehicles;
  const row = { dealer_id: north, updated_at: MOMENT, base: "{}" };
  const rows = [
    { ...row, vehicle_id: own, source: `source:${one}` },
    { ...row, vehicle_id: own, source: `source:${other}` },
    { ...row, vehicle_id: foreign, source: `source:${one}` },
  ];
  await db.write((tx) => tx.insertInto("import_bases").values(rows).execute());
  const free = () =>
    second.write((tx) =>
      tx.selectFrom("import_bases").select(["vehicle_id", "source"]).forUpdate().skipLocked().execute(),
    );
  await db.write(async (tx) => {
    await basesInOrder(db, "source")(tx, one);
    expect((await free()).map(({ vehicle_id, source }) => `${vehicle_id} ${source}`).sort()).toEqual(
      [`${own} source:${other}`, `${foreign} source:${one}`].sort(),
    );
  });
  expect(await free()).toHaveLength(3);
  await second.close();
  await db.close();
});
