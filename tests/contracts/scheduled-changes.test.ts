import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { makeScheduleRepository } from "../../adapters/sql/scheduled-changes/repository.ts";
import { makeScheduleWork } from "../../adapters/sql/scheduled-changes/work.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import type { Principal } from "../../core/access/principal.ts";
import { type Claim, LEASE_SECONDS, LeaseLost, MAX_ATTEMPTS } from "../../core/jobs/job.ts";
import { makeScheduleRun } from "../../core/scheduled-changes/run.ts";
import {
  ENDED_SCHEDULE_DAYS,
  MAX_OPEN_SCHEDULES,
  type ScheduleWithVehicles,
} from "../../core/scheduled-changes/schedule.ts";
import type { ScheduleWork } from "../../core/scheduled-changes/schedule-repository.ts";
import { DEFAULT_SETTINGS } from "../../core/settings/installation.ts";
import { dealerKey, superAdminKey, userKey } from "../core/callers.ts";
import { causeOf, newDealerBody, newKeyBody, newUserBody, newVehicleBody, read, succeeded } from "../core/use-cases.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { coreOn } from "../support/core.ts";
import { ENGINES, openTwice } from "../support/engines.ts";

setDefaultTimeout(300_000);

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_SECONDS = 60 * 60;
/** More vehicles than are changed in one step, and as few as that. */
const TWO_STEPS = 27;

let owners = 0;
const ADMIN = superAdminKey({ keyId: 1 });

/** Makes what is scheduled on a database, as a process does. */
const processOn = (
  db: SqlDatabase,
  clock: FakeClock,
  wrapped: (work: ScheduleWork) => ScheduleWork = (work) => work,
) => {
  const jobs = makeJobs(db, clock);
  const { run } = makeScheduleRun({
    work: wrapped(makeScheduleWork(db, { clock, words: vehicleWordsIn(db) })),
    settings: { read: async () => DEFAULT_SETTINGS },
    clock,
    pause: nextTurn,
  });

  const claim = (): Promise<Claim | null> => jobs.claim(`process ${++owners}`, "schedule");
  return {
    claim,
    run: (claimed: Claim, isStopping = () => false) => run(claimed, isStopping),
    /** Runs all jobs one after another, and tells how many there were. */
    async runAll(): Promise<number> {
      for (let count = 0; ; count++) {
        const claimed = await claim();
        if (claimed === null) return count;
        await run(claimed, () => false);
        await jobs.release(claimed);
      }
    },
  };
};

for (const engine of ENGINES)
  describe(`scheduled changes on ${engine.name}`, () => {
    const open = async () => {
      const [db, second] = await openTwice(engine);
      const clock = fakeClock(Date.parse("2026-11-20T09:11:00.000Z"));
      const core = coreOn(db, clock);
      await core.vehicleWords.fill(() => {});
      const newDealer = async () => succeeded(await core.dealers.create(ADMIN, newDealerBody())).id;
      const dealer = await newDealer();
      const newVehicle = async (fields: object = {}, dealer_id = dealer) =>
        succeeded(await core.vehicles.create(ADMIN, newVehicleBody({ dealer_id, price: 20_000, ...fields }))).id;
      const newKey = async (fields: object = {}): Promise<Principal> => {
        const { record } = succeeded(await core.keys.create(ADMIN, newKeyBody({ dealer_id: dealer, ...fields })));
        return dealerKey(dealer, { keyId: record.id, name: record.name });
      };
      const maker = await newKey({ permissions: [{ resource: "vehicles", action: "write" }] });
      const at = () => clock.after(HOUR_SECONDS);
      const schedule = async (vehicle_ids: readonly number[], changes: object, by = maker) =>
        succeeded(await core.scheduledChanges.create(by, { vehicle_ids, at: at(), changes }));
      return {
        db,
        second,
        clock,
        core,
        dealer,
        maker,
        newDealer,
        newVehicle,
        newKey,
        schedule,
        process: processOn(db, clock),
        /** Has the time come. */
        async due() {
          clock.advance(HOUR_SECONDS * 1000);
          await core.scheduledChanges.beginDue();
        },
        scheduled: async ({ id }: { readonly id: number }): Promise<ScheduleWithVehicles> =>
          succeeded(await core.scheduledChanges.get(ADMIN, id)),
        priceOf: async (id: number) => read(await core.vehicles.get(ADMIN, id)).price,
        async close() {
          await db.close();
          await second.close();
        },
      };
    };
    type Opened = Awaited<ReturnType<typeof open>>;
    const on = (work: (opened: Opened) => Promise<void>) => async () => {
      const opened = await open();
      try {
        await work(opened);
      } finally {
        await opened.close();
      }
    };

    test(
      "are made when their time has come, not before, as changes of their maker, and can be reverted as a whole",
      on(async ({ core, clock, maker, newVehicle, schedule, process, due, scheduled, priceOf }) => {
        const [first, other] = [await newVehicle(), await newVehicle()];
        const made = await schedule([first, other], { price: { percent: -10 }, status: "pending" });
        expect(made).toMatchObject({
          state: "scheduled",
          total: 2,
          name: "2 vehicles",
          vehicle_id: null,
          change_id: null,
        });
        clock.advance(HOUR_SECONDS * 1000 - 1);
        await core.scheduledChanges.beginDue();
        expect([await process.runAll(), await priceOf(first)]).toEqual([0, 20_000]);
        await due();
        expect([await process.runAll(), await process.runAll()]).toEqual([1, 0]);
        const change_id = `scheduled-${made.id}`;
        expect(await scheduled(made)).toMatchObject({
          state: "done",
          reason: null,
          updated: 2,
          unchanged: 0,
          dropped: 0,
          change_id,
          vehicles: [first, other].map((id) => ({ id, outcome: "updated", reason: null, message: null })),
        });
        expect([await priceOf(first), await priceOf(other)]).toEqual([18_000, 18_000]);
        const history = succeeded(await core.histories.read(ADMIN, { id: first, query: {} }));
        expect(history.changes.map(({ field, by, via }) => [field, by?.type, by?.id, via]).sort()).toEqual([
          ["price", "key", maker.keyId, "service"],
          ["status", "key", maker.keyId, "service"],
        ]);
        const entries = succeeded(await core.audit.list(ADMIN, {})).items.slice(0, 3);
        expect(entries.map(({ action, actor }) => [action, actor.id])).toEqual([
          ["schedule.ended", maker.keyId],
          ["vehicle.status_changed", maker.keyId],
          ["vehicle.status_changed", maker.keyId],
        ]);
        succeeded(await core.recentChanges.revert(ADMIN, { id: change_id, mayGoOn: () => true }));
        expect([await priceOf(first), await priceOf(other)]).toEqual([20_000, 20_000]);
      }),
    );

    test(
      "are dropped for each vehicle that changed, was removed or moved meanwhile, and wholly if none is left",
      on(async ({ core, newDealer, newVehicle, schedule, process, due, scheduled, priceOf }) => {
        const [kept, changed, removed, moved] = [
          await newVehicle(),
          await newVehicle(),
          await newVehicle(),
          await newVehicle(),
        ];
        const some = await schedule([kept, changed, removed, moved], { price: 1 });
        const none = await schedule([changed, moved], { price: 2 });
        const same = await schedule([await newVehicle({ price: 3 })], { price: 3 });
        await core.vehicles.update(ADMIN, { id: changed, input: { mileage: 10 } });
        await core.vehicles.remove(ADMIN, removed);
        const elsewhere = await newDealer();
        await core.vehicles.update(ADMIN, { id: moved, input: { dealer_id: elsewhere } });
        await due();
        expect(await process.runAll()).toBe(3);
        const outcomes = async (made: ScheduleWithVehicles) => {
          const { state, vehicles } = await scheduled(made);
          return [state, ...vehicles.map(({ outcome, reason }) => reason ?? outcome)];
        };
        expect(await outcomes(some)).toEqual(["done", "updated", "changed", "gone", "gone"]);
        expect(await outcomes(none)).toEqual(["dropped", "changed", "gone"]);
        expect(await outcomes(same)).toEqual(["done", "unchanged"]);
        expect([await priceOf(kept), await priceOf(changed), await priceOf(moved)]).toEqual([1, 20_000, 20_000]);
      }),
    );

    test(
      "are dropped for a vehicle that its dealer would refuse as a duplicate, and made for the others",
      on(async ({ core, dealer, newVehicle, schedule, process, due, scheduled }) => {
        const vin = "1HGBH41JXMN109186";
        const sold = await newVehicle({ vin, status: "sold" });
        const other = await newVehicle({ vin: "1M8GDM9AXKP042788", status: "sold" });
        await newVehicle({ vin });
        await core.dealers.update(ADMIN, { id: dealer, input: { unique_vin: "refuse" } });
        const made = await schedule([sold, other], { status: "available" });
        await due();
        await process.runAll();
        expect((await scheduled(made)).vehicles).toMatchObject([
          {
            id: sold,
            outcome: "dropped",
            reason: "refused",
            message: expect.stringContaining("vin is that of vehicle"),
          },
          { id: other, outcome: "updated" },
        ]);
      }),
    );

    const LOSSES: Readonly<Record<string, (opened: Opened, maker: Principal) => Promise<unknown>>> = {
      "was revoked": async ({ core }, { keyId }) => core.keys.revoke(ADMIN, keyId ?? 0),
      "was deleted": async ({ core }, { keyId }) => core.keys.remove(ADMIN, keyId ?? 0),
      "has expired": async ({ core, clock }, { keyId }) =>
        core.keys.update(ADMIN, keyId ?? 0, { expires_at: clock.after(HOUR_SECONDS / 2) }),
      "lost the permission": async ({ core }, { keyId }) => core.keys.update(ADMIN, keyId ?? 0, { permissions: [] }),
      "became another dealer's": async ({ core, newDealer }, { keyId }) =>
        core.keys.update(ADMIN, keyId ?? 0, { dealer_id: await newDealer() }),
    };
    test(
      "are wholly dropped if the key that made them was revoked, deleted, has expired, lost the permission or became another dealer's",
      on(async (opened) => {
        const { newKey, newVehicle, schedule, process, due, scheduled, priceOf } = opened;
        const vehicle = await newVehicle();
        const made: ScheduleWithVehicles[] = [];
        for (const lose of Object.values(LOSSES)) {
          const key = await newKey({ permissions: [{ resource: "vehicles", action: "write" }] });
          made.push(await schedule([vehicle], { price: 1 }, key));
          expect(causeOf(await lose(opened, key))).toBeNull();
        }
        await due();
        expect(await process.runAll()).toBe(made.length);
        for (const one of made)
          expect(await scheduled(one)).toMatchObject({
            state: "dropped",
            reason: "rights_lost",
            dropped: 1,
            vehicles: [{ id: vehicle, outcome: "dropped", reason: "rights_lost" }],
          });
        expect(await priceOf(vehicle)).toBe(20_000);
      }),
    );

    test(
      "of a person are made while they may change the dealer's vehicles, and dropped once they are deactivated or may not",
      on(async ({ core, dealer, newVehicle, schedule, process, due, scheduled }) => {
        const person = async (email: string) =>
          succeeded(
            await core.users.create(
              ADMIN,
              newUserBody(email, { dealer_id: dealer, permissions: [{ resource: "vehicles", action: "write" }] }),
            ),
          ).id;
        const ids = [await person("a@example.com"), await person("b@example.com"), await person("c@example.com")];
        const [stays, leaves, narrowed] = ids as [number, number, number];
        const made: ScheduleWithVehicles[] = [];
        for (const userId of ids)
          made.push(
            await schedule([await newVehicle()], { price: 1 }, userKey("user", dealer, { keyId: null, userId })),
          );
        succeeded(await core.users.deactivate(ADMIN, leaves));
        succeeded(await core.users.update(ADMIN, narrowed, { permissions: [] }));
        expect(stays).toBeGreaterThan(0);
        await due();
        await process.runAll();
        const reasons = await Promise.all(made.map(scheduled));
        expect(reasons.map(({ state, reason }) => reason ?? state)).toEqual(["done", "rights_lost", "rights_lost"]);
      }),
    );

    test(
      "are given to the jobs once by processes that look at the same time, and made once",
      on(async ({ db, second, clock, newVehicle, schedule, priceOf }) => {
        const vehicles: number[] = [];
        for (let count = 0; count < 3; count++) {
          vehicles.push(await newVehicle());
          await schedule(vehicles.slice(-1), { price: { add: -1000 } });
        }
        clock.advance(HOUR_SECONDS * 1000);
        const now = clock.now();
        const begun = await Promise.all([db, second].map((one) => makeScheduleRepository(one, clock).begin(now)));
        expect(begun.reduce((sum, count) => sum + count, 0)).toBe(3);
        const processes = [db, second].map((one) => processOn(one, clock));
        let made = 0;
        // While one has a job of the dealer, the other finds none.
        while (made < 3) made += (await Promise.all(processes.map((one) => one.runAll()))).reduce((a, b) => a + b, 0);
        expect(made).toBe(3);
        for (const vehicle of vehicles) expect(await priceOf(vehicle)).toBe(19_000);
      }),
    );

    test(
      "go on after a process stopped or died, where its last step ended: no vehicle is changed twice or left out",
      on(async ({ db, second, clock, newVehicle, schedule, due, scheduled, priceOf }) => {
        const vehicles: number[] = [];
        while (vehicles.length < TWO_STEPS) vehicles.push(await newVehicle());
        const made = await schedule(vehicles, { price: { add: -1000 } });
        await due();
        let steps = 0;
        const dying = processOn(db, clock, ({ step }) => ({
          step: (claim, work) =>
            step(claim, async (inner) => {
              const result = await work(inner);
              // The first step is stored. The second dies before its end, with what it did.
              if (++steps === 2) throw new Error("killed");
              return result;
            }),
        }));
        const claim = await dying.claim();
        if (claim === null) throw new Error("there is no job");
        await dying.run(claim, () => true);
        expect(steps).toBe(1);
        await expect(dying.run(claim)).rejects.toThrow("killed");
        const other = processOn(second, clock);
        expect((await scheduled(made)).state).toBe("running");
        clock.advance(LEASE_SECONDS * 1000 + 1000);
        expect(await other.runAll()).toBe(1);
        expect(await scheduled(made)).toMatchObject({ state: "done", updated: TWO_STEPS, dropped: 0 });
        for (const vehicle of vehicles) expect(await priceOf(vehicle)).toBe(19_000);
      }),
    );

    test(
      "are dropped for a vehicle that somebody changes between its reading and its change",
      on(async ({ core, db, clock, newVehicle, schedule, due, scheduled, priceOf }) => {
        const vehicle = await newVehicle();
        const made = await schedule([vehicle], { price: 1 });
        const before = succeeded(await core.vehicles.get(ADMIN, vehicle));
        await due();
        const late = processOn(db, clock, ({ step }) => ({
          step: (claim, work) =>
            step(claim, (inner) => work({ ...inner, vehicles: { ...inner.vehicles, find: () => before } })),
        }));
        await core.vehicles.update(ADMIN, { id: vehicle, input: { price: 19_000 } });
        await late.runAll();
        expect((await scheduled(made)).vehicles).toMatchObject([{ outcome: "dropped", reason: "changed" }]);
        expect(await priceOf(vehicle)).toBe(19_000);
      }),
    );

    test(
      "are no work of a process whose lease has passed to another one",
      on(async ({ second, clock, newVehicle, schedule, due, process, scheduled }) => {
        const vehicle = await newVehicle();
        const made = await schedule([vehicle], { price: 1 });
        await due();
        const late = await process.claim();
        if (late === null) throw new Error("there is no job");
        clock.advance(LEASE_SECONDS * 1000 + 1000);
        const next = processOn(second, clock);
        const claimed = await next.claim();
        if (claimed === null) throw new Error("the job is not free");
        await expect(process.run(late)).rejects.toThrow(LeaseLost);
        await next.run(claimed);
        expect(await scheduled(made)).toMatchObject({ state: "done", updated: 1 });
      }),
    );

    test(
      "that are interrupted again and again at one place are given up, and say so",
      on(async ({ newVehicle, schedule, due, process, scheduled, priceOf }) => {
        const vehicles = [await newVehicle(), await newVehicle()];
        const made: ScheduleWithVehicles[] = [];
        for (const vehicle of vehicles) made.push(await schedule([vehicle], { price: 1 }));
        await due();
        for (const attempts of [MAX_ATTEMPTS, MAX_ATTEMPTS + 1]) {
          const claim = await process.claim();
          if (claim === null) throw new Error("there is no job");
          await process.run({ ...claim, attempts });
        }
        expect(await Promise.all(made.map(scheduled))).toMatchObject([
          { state: "done", updated: 1 },
          { state: "dropped", reason: "interrupted", dropped: 1 },
        ]);
        expect(await Promise.all(vehicles.map(priceOf))).toEqual([1, 20_000]);
      }),
    );

    test(
      "are cancelled until they begin, and stay in the list",
      on(async ({ core, maker, newVehicle, schedule, due, process, scheduled, priceOf }) => {
        const vehicle = await newVehicle();
        const [cancelled, begun] = [await schedule([vehicle], { price: 1 }), await schedule([vehicle], { price: 2 })];
        expect(await core.scheduledChanges.cancel(maker, cancelled.id)).toBe(true);
        expect(causeOf(await core.scheduledChanges.cancel(maker, cancelled.id))?.kind).toBe("schedule-state");
        await due();
        expect(causeOf(await core.scheduledChanges.cancel(maker, begun.id))?.kind).toBe("schedule-state");
        expect([await process.runAll(), await priceOf(vehicle)]).toEqual([1, 2]);
        expect(await scheduled(cancelled)).toMatchObject({
          state: "cancelled",
          vehicle_id: vehicle,
          vehicles: [{ outcome: "cancelled", reason: null }],
        });
        expect(cancelled).toMatchObject({ name: "2024 Toyota Camry", vehicle_id: vehicle });
        const listed = async (query: object) =>
          succeeded(await core.scheduledChanges.list(maker, query)).items.map(({ id }) => id);
        expect(await listed({ vehicle_id: vehicle })).toEqual([begun.id, cancelled.id]);
        expect([await listed({ state: "cancelled" }), await listed({ state: "done" })]).toEqual([
          [cancelled.id],
          [begun.id],
        ]);
      }),
    );

    test(
      "of another dealer do not exist for a bound caller, who can schedule none for its vehicles either",
      on(async ({ core, clock, newDealer, newVehicle, schedule, scheduled }) => {
        const theirs = await newDealer();
        const [ours, foreign] = [await newVehicle(), await newVehicle({}, theirs)];
        const made = await schedule([foreign], { price: 1 }, ADMIN);
        expect(made.dealer_id).toBe(theirs);
        const caller = dealerKey((await schedule([ours], { price: 1 }, ADMIN)).dealer_id);
        for (const query of [{}, { dealer_id: theirs }, { vehicle_id: foreign }]) {
          const { items, total } = succeeded(await core.scheduledChanges.list(caller, query));
          expect([items.filter(({ dealer_id }) => dealer_id === theirs), total < 2]).toEqual([[], true]);
        }
        for (const outcome of [
          await core.scheduledChanges.get(caller, made.id),
          await core.scheduledChanges.cancel(caller, made.id),
        ])
          expect(causeOf(outcome)).toEqual({ kind: "not-found", subject: "schedule", id: made.id });
        const at = clock.after(HOUR_SECONDS);
        const many = { vehicle_ids: [ours, foreign, 9e9], at, changes: { price: 1 } };
        expect(causeOf(await core.scheduledChanges.create(caller, many))).toMatchObject({
          issues: [{ path: "vehicle_ids.1" }, { path: "vehicle_ids.2" }],
        });
        const mixed = { ...many, vehicle_ids: [ours, foreign] };
        expect(causeOf(await core.scheduledChanges.create(ADMIN, mixed))).toMatchObject({
          issues: [{ path: "vehicle_ids" }],
        });
        expect((await scheduled(made)).state).toBe("scheduled");
      }),
    );

    test(
      "that have not ended are limited for a dealer; those that have are kept for 30 days",
      on(async ({ core, clock, maker, newVehicle, schedule, due, process }) => {
        const vehicle = await newVehicle();
        const { total: open } = succeeded(await core.scheduledChanges.list(maker, {}));
        for (let made = open; made < MAX_OPEN_SCHEDULES; made++) await schedule([vehicle], { price: 1 });
        const more = { vehicle_id: vehicle, at: clock.after(HOUR_SECONDS), changes: { price: 1 } };
        expect(causeOf(await core.scheduledChanges.create(maker, more))?.kind).toBe("quota-exceeded");
        await due();
        await process.runAll();
        expect(
          causeOf(await core.scheduledChanges.create(maker, { ...more, at: clock.after(HOUR_SECONDS) })),
        ).toBeNull();
        const total = async () => succeeded(await core.scheduledChanges.list(maker, {})).total;
        clock.advance(ENDED_SCHEDULE_DAYS * DAY_MS);
        await core.scheduledChanges.forgetOld();
        expect(await total()).toBe(MAX_OPEN_SCHEDULES + 1);
        clock.advance(1);
        await core.scheduledChanges.forgetOld();
        expect(await total()).toBe(1);
      }),
    );
  });
