import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { importOutcomes } from "../../adapters/sql/sources/import-outcomes.ts";
import { heldSources } from "../../adapters/sql/sources/locked-bases.ts";
import { makeSourceRepository } from "../../adapters/sql/sources/repository.ts";
import { makeSourceWork } from "../../adapters/sql/sources/work.ts";
import { sealingOf } from "../../adapters/system/sealing.ts";
import { firstProgress } from "../../core/imports/after-step.ts";
import { optionsOf } from "../../core/imports/import.ts";
import type { Claim } from "../../core/jobs/job.ts";
import type { SourceRun } from "../../core/sources/source.ts";
import { type OpenSource, type SourceChange, TOO_MANY_SOURCES } from "../../core/sources/source-repository.ts";
import { UNKNOWN_DEALER } from "../../core/vehicles/vehicle-repository.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, OPERATOR } from "../support/records.ts";

setDefaultTimeout(300_000);

const AUTH = { type: "basic", user: "lot", password: "quite secret" } as const;
const CHANGE: SourceChange = {
  ...{ name: "Lot", url: "https://files.example.com/lot.csv", schedule: "0 3 * * *", timezone: "UTC" },
  ...{ options: {} as never, field_owners: {} as never, active: true, endedBy: null, nextAt: null },
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
    const state = async (): Promise<ReadonlyMap<string, string>> => {
      const rows = await db.selectFrom("import_sources").selectAll().execute();
      const jobs = await db.selectFrom("jobs").select(["subject_id", "queue"]).execute();
      return new Map([
        ...rows.map((row) => [`source ${row.id}`, JSON.stringify(row)] as const),
        ...jobs.map((row) => [`job of ${row.subject_id}`, JSON.stringify(row)] as const),
      ]);
    };
    /** Which sources and jobs a step changed, added or deleted. */
    const changedBy = async (step: () => Promise<unknown>): Promise<readonly string[]> => {
      const before = await state();
      await step();
      const after = await state();
      return [...new Set([...before.keys(), ...after.keys()])]
        .filter((name) => before.get(name) !== after.get(name))
        .sort();
    };
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
    const runOf = (import_id: number | null): SourceRun =>
      ({
        ...{ at: clock.now(), status: "imported", import_id, problem: null, warnings: [] },
        bytes: 1,
        ms: 1,
      }) as never;

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
      const { own, south } = ids;
      const claim = await claimed(own);
      const seen = await opened(claim);
      expect([seen.id, seen.dealerId]).toEqual([own, dealers.north]);
      const result = { run: runOf(null), etag: "e", failures: 2, failingSince: clock.now(), retryAt: null } as const;
      const finish = () => work.finish(claim, seen, { ...result, event: "source.failing" });
      expect(await changedBy(finish)).toEqual([`job of ${own}`, `source ${own}`]);
      // Another one that was switched off meanwhile keeps nobody from working.
      const again = await claimed(south);
      const theirs = await opened(again);
      await db.write((tx) => tx.updateTable("import_sources").set({ active: 0 }).where("id", "<>", south).execute());
      let isEnded = false;
      await work.whileRenewingLease(again, theirs, async (over) => {
        void over.then(() => {
          isEnded = true;
        });
        await clock.runTimers(60_000);
        await nextTurn();
      });
      expect(isEnded).toBe(false);
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
        await tx.updateTable("imports").set({ state: "completed" }).where("id", "=", other).execute();
        const error = JSON.stringify({ code: "broken", message: "the file is broken" });
        await tx.updateTable("imports").set({ state: "failed", error }).where("id", "=", made).execute();
        const runs = JSON.stringify([runOf(made), runOf(other)]);
        for (const id of [own, first])
          await tx.updateTable("import_sources").set({ runs }).where("id", "=", id).execute();
      });
      const outcome = importOutcomes(db, clock);
      const tell = (dealerId: number, importId = made) =>
        db.write((tx) => outcome(tx, { sourceId: own, importId, dealerId }));
      for (const [dealer, imported] of [
        [dealers.south, made],
        [dealers.south, other],
        [dealers.north, other],
      ] as const)
        expect(await changedBy(() => tell(dealer, imported))).toEqual([]);
      expect(await changedBy(() => tell(dealers.north))).toEqual([`source ${own}`]);
      expect(await sources.find(own, null)).toMatchObject({
        runs: [{ problem: "the file is broken" }, { problem: null }],
      });
    });
  });
