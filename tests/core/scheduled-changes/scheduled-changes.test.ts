import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeScheduleRepository } from "../../../adapters/sql/scheduled-changes/repository.ts";
import type { ScheduleQuery } from "../../../core/scheduled-changes/schedule.ts";
import { makeScheduledChanges } from "../../../core/scheduled-changes/scheduled-changes.ts";
import { superAdminKey } from "../callers.ts";
import {
  causeOf,
  newDealerBody,
  newScheduleBody,
  newVehicleBody,
  openUseCases,
  pathsOf,
  succeeded,
  type UseCases,
} from "../use-cases.ts";

const admin = superAdminKey();
let uses: UseCases;
beforeAll(async () => {
  uses = await openUseCases();
});
afterAll(() => uses.db.close());

const newDealer = async (): Promise<number> => succeeded(await uses.dealers.create(admin, newDealerBody())).id;
const newVehicle = async (dealer_id: number): Promise<number> =>
  succeeded(await uses.vehicles.create(admin, newVehicleBody({ dealer_id }))).id;
const schedule = async (vehicle: number): Promise<number> =>
  succeeded(await uses.scheduledChanges.create(admin, newScheduleBody(uses.clock, vehicle))).id;
const become = (id: number, state: string): Promise<void> =>
  uses.db.migrate(async (run) => void (await run(`UPDATE scheduled_changes SET state = '${state}' WHERE id = ${id}`)));

test("are listed by their dealer, vehicle and state", async () => {
  const [one, other] = [await newDealer(), await newDealer()];
  const [first, second, theirs] = [await newVehicle(one), await newVehicle(one), await newVehicle(other)];
  const [own, done, foreign] = [await schedule(first), await schedule(second), await schedule(theirs)];
  await become(done, "done");
  const listed = async (query: ScheduleQuery): Promise<number[]> =>
    succeeded(await uses.scheduledChanges.list(admin, query))
      .items.map(({ id }) => id)
      .toSorted();
  expect(await listed({})).toEqual([own, done, foreign]);
  expect(await listed({ dealer_id: one })).toEqual([own, done]);
  expect(await listed({ vehicle_id: theirs })).toEqual([foreign]);
  expect(await listed({ dealer_id: one, state: "scheduled" })).toEqual([own]);
});

test("are cancelled once and not while they are made, and the refusal says why", async () => {
  const vehicle = await newVehicle(await newDealer());
  const [id, running] = [await schedule(vehicle), await schedule(vehicle)];
  const cancel = async (one: number) => uses.scheduledChanges.cancel(admin, one);
  expect(await cancel(id)).toBe(true);
  expect(causeOf(await cancel(id))).toEqual({
    kind: "schedule-state",
    reason: "It is cancelled already, so that it cannot be cancelled",
  });
  await become(running, "running");
  expect(causeOf(await cancel(running))).toEqual({
    kind: "schedule-state",
    reason: "It is being made now, so that it cannot be cancelled; revert the change when it is done",
  });
  expect(causeOf(await cancel(9e9))).toMatchObject({ kind: "not-found" });
});

test("name each vehicle that is missing where it was sent, and are none of faulty requests or of two dealers", async () => {
  const [mine, theirs] = [await newVehicle(await newDealer()), await newVehicle(await newDealer())];
  const { at, changes } = newScheduleBody(uses.clock, mine);
  const made = (body: object) => uses.scheduledChanges.create(admin, { at, changes, ...body });
  expect(causeOf(await made({ vehicle_id: 9e9 }))).toMatchObject({ kind: "not-found" });
  expect(pathsOf(await made({ vehicle_ids: [mine, 9e9, 8e9] }))).toEqual(["vehicle_ids.1", "vehicle_ids.2"]);
  expect(pathsOf(await made({ vehicle_ids: [mine, theirs] }))).toEqual(["vehicle_ids"]);
  expect(pathsOf(await made({ vehicle_id: mine, changes: [] }))).toEqual(["changes"]);
  expect(pathsOf(await made({}))).toEqual(["vehicle_id"]);
});

test("that are due have somebody begin them, and others have not", async () => {
  const vehicle = await newVehicle(await newDealer());
  let nudges = 0;
  const { beginDue } = makeScheduledChanges({
    schedules: makeScheduleRepository(uses.db, uses.clock),
    clock: uses.clock,
    nudge: () => void nudges++,
  });
  const id = await schedule(vehicle);
  await beginDue();
  expect(nudges).toBe(0);
  uses.clock.advance(25 * 60 * 60 * 1000);
  await beginDue();
  expect(nudges).toBe(1);
  expect(succeeded(await uses.scheduledChanges.get(admin, id)).state).toBe("running");
});
