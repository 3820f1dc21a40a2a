import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Updateable } from "kysely";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import type { Tables } from "../../adapters/sql/query/tables.ts";
import { makeScheduleRepository } from "../../adapters/sql/scheduled-changes/repository.ts";
import { makeScheduleWork } from "../../adapters/sql/scheduled-changes/work.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { Claim } from "../../core/jobs/job.ts";
import { type ScheduleStep, TOO_MANY_SCHEDULES } from "../../core/scheduled-changes/schedule-repository.ts";
import { changedRows, type NamedRows } from "../support/changed-rows.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, made, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

for (const engine of ENGINES)
  describe(`scheduled changes beside others on ${engine.name}`, () => {
    let db: SqlDatabase;
    let clock: FakeClock;
    let schedules: ReturnType<typeof makeScheduleRepository>;
    /** Two vehicles of a dealer and one of another. */
    let vehicles: { readonly first: number; readonly second: number; readonly theirs: number };

    beforeEach(async () => {
      db = await engine.open();
      clock = fakeClock();
      schedules = makeScheduleRepository(db, clock);
      const newDealer = async () => (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const add = async (dealer: number) =>
        made(await makeVehicleRepository(db).insert(vehicleFields(dealer), OPERATOR)).id;
      const [north, south] = [await newDealer(), await newDealer()];
      vehicles = { first: await add(north), second: await add(north), theirs: await add(south) };
    });
    afterEach(() => db.close());

    const insert = (vehicleIds: readonly number[], limits: { most?: number; mostEnded?: number } = {}) =>
      schedules.insert({
        ...{ vehicleIds, at: clock.after(60), changes: { price: 1 }, scope: null, most: 99, mostEnded: 99, ...limits },
        ...{ now: clock.now(), by: OPERATOR },
      });
    const add = async (...vehicleIds: readonly number[]): Promise<number> => {
      const added = await insert(vehicleIds);
      if (typeof added === "symbol" || !("id" in added)) throw new Error("the change was refused");
      return added.id;
    };
    const set = (id: number, values: Updateable<Tables["scheduled_changes"]>) =>
      db.write((tx) => tx.updateTable("scheduled_changes").set(values).where("id", "=", id).execute());

    const state = async (): Promise<NamedRows> => {
      const changes = await db.selectFrom("scheduled_changes").selectAll().execute();
      const waiting = await db.selectFrom("scheduled_change_vehicles").selectAll().execute();
      return new Map([
        ...changes.map((row) => [`${row.id}`, JSON.stringify(row)] as const),
        ...waiting.map((row) => [`${row.change_id} of ${row.vehicle_id}`, JSON.stringify(row)] as const),
      ]);
    };
    /** Which changes, and which of their vehicles, a step changed, added or deleted. */
    const changedBy = (step: () => Promise<unknown>): Promise<readonly string[]> => changedRows(state, step);
    const withVehicles = (id: number, ...of: readonly number[]): readonly string[] =>
      [`${id}`, ...of.map((vehicle) => `${id} of ${vehicle}`)].sort();

    test("are limited for their own dealer, and so are those that have ended", async () => {
      const { first, second, theirs } = vehicles;
      const [oldest, older, open] = [await add(first), await add(first), await add(first)];
      for (const id of [oldest, older, await add(theirs), await add(theirs)])
        await set(id, { state: "done", finished_at: clock.now() });
      await add(theirs);
      expect(await insert([second], { most: 1 })).toBe(TOO_MANY_SCHEDULES);
      const added = { id: 0 };
      const changed = await changedBy(async () => {
        const inserted = await insert([second], { most: 2, mostEnded: 1 });
        if (typeof inserted !== "symbol" && "id" in inserted) added.id = inserted.id;
      });
      expect(changed).toEqual([...withVehicles(oldest, first), ...withVehicles(added.id, second)].sort());
      expect(open).toBeLessThan(added.id);
      clock.advance(1000);
      expect(await changedBy(() => schedules.forget(clock.now()))).not.toContain(`${open}`);
      expect(await changedBy(() => schedules.forget(clock.now()))).toEqual([]);
    });

    test("are cancelled and listed alone, each with its own vehicle", async () => {
      const { first, second } = vehicles;
      const [one, other, both] = [await add(second), await add(first), await add(first, second)];
      expect(
        await changedBy(() =>
          schedules.cancel({ id: one, scope: null, now: clock.after(1), by: OPERATOR }, () => null),
        ),
      ).toEqual(withVehicles(one, second));
      const listed = async (query: object) =>
        (await schedules.list({ scope: null, limit: 9, after: null, ...query })).items.map(({ id, vehicle_id }) => [
          id,
          vehicle_id,
        ]);
      expect(await listed({})).toEqual([
        [both, null],
        [other, first],
        [one, second],
      ]);
      expect(await listed({ vehicleId: second })).toEqual([
        [both, null],
        [one, second],
      ]);
      expect(await schedules.find(other, null)).toMatchObject({ vehicle_id: first, vehicles: [{ id: first }] });
    });

    test("are begun when they are due, and made by the step that has their job", async () => {
      const { first, second, theirs } = vehicles;
      const [cancelled, one, other] = [await add(first), await add(first, second), await add(theirs)];
      await set(cancelled, { state: "cancelled" });
      clock.advance(60_000);
      const later = await add(first);
      expect(await changedBy(() => schedules.begin(clock.now()))).toEqual([`${one}`, `${other}`].sort());
      expect(later).toBeGreaterThan(other);
      const jobs = makeJobs(db, clock);
      const claims = [await jobs.claim("one", "schedule"), await jobs.claim("other", "schedule")];
      const claimOf = (id: number): Claim => {
        const claim = claims.find((of) => of?.subjectId === id);
        if (claim == null) throw new Error("there is no such job");
        return claim;
      };
      const work = makeScheduleWork(db, { clock, words: vehicleWordsIn(db) });
      const step = (id: number, inner: (step: ScheduleStep) => Promise<unknown>) => work.step(claimOf(id), inner);
      for (const id of [one, other])
        await step(id, async ({ current }) => expect([current.id, current.dealerId > 0]).toEqual([id, true]));
      expect(await step(other, async ({ current }) => current.waiting.map((vehicle) => vehicle.id))).toEqual([theirs]);
      clock.advance(1000);
      const results = [{ id: first, outcome: "updated", reason: null, message: null }] as const;
      expect(await changedBy(() => step(one, ({ store }) => store(results)))).toEqual(withVehicles(one, first));
      expect(await step(one, async ({ current }) => current.waiting.map((vehicle) => vehicle.id))).toEqual([second]);
      const drop = () => step(one, ({ dropRest }) => dropRest("rights_lost", "no"));
      expect(await changedBy(drop)).toEqual([`${one} of ${second}`]);
      expect(await changedBy(() => step(one, ({ end }) => end(null, () => "done")))).toEqual([`${one}`]);
      expect(await schedules.find(one, null)).toMatchObject({ updated: 1, dropped: 1, unchanged: 0 });
      // What was cancelled meanwhile is not made.
      await set(other, { state: "cancelled" });
      expect(await changedBy(async () => expect(await step(other, async () => "made")).toBeNull())).toEqual([]);
    });
  });
