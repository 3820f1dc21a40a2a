import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DatabaseUnavailable } from "../../../adapters/sql/query/database.ts";
import { nextTurn } from "../../../adapters/sql/query/turns.ts";
import { makeRecentChangeRepository } from "../../../adapters/sql/recent-changes/repository.ts";
import { vehicleWordsIn } from "../../../adapters/sql/search/vehicle-words.ts";
import { makeVehicleRepository } from "../../../adapters/sql/vehicles/repository.ts";
import { OPERATOR, type Principal } from "../../../core/access/principal.ts";
import type { RevertQuery } from "../../../core/recent-changes/recent-change.ts";
import { makeRecentChanges, type RevertAnswer } from "../../../core/recent-changes/recent-changes.ts";
import type { VehicleFields } from "../../../core/vehicles/vehicle-repository.ts";
import { made, vehicleFields } from "../../support/records.ts";
import { dealerKey, superAdminKey } from "../callers.ts";
import { causeOf, newDealerBody, openUseCases, read, succeeded, type UseCases } from "../use-cases.ts";

/** The number of vehicles that are reverted in one transaction. */
const PART = 20;
const MAX_MS = 1000;
/** A database with so many pages is full. */
const MOST_PAGES = 1000;
const admin = superAdminKey();

/** What reversals have around them. Each reading of the clock takes so long. */
interface Surroundings {
  readonly tickMs?: number;
  readonly meanwhile?: () => unknown;
  readonly holdsOthersUp?: () => boolean;
}

/** The changes of vehicles in a database. */
const changesIn = (uses: UseCases) => {
  const { db, clock, bulk, dealers, vehicles } = uses;
  const newDealer = async (): Promise<number> => succeeded(await dealers.create(admin, newDealerBody())).id;
  const newVehicles = async (dealer: number, count: number, fields: Partial<VehicleFields> = {}): Promise<number[]> => {
    const ids: number[] = [];
    const given = vehicleFields(dealer, { price: 1000, ...fields });
    while (ids.length < count) ids.push(made(await makeVehicleRepository(db).insert(given, OPERATOR)).id);
    return ids;
  };
  const change = async (ids: readonly number[], changes: object): Promise<string> => {
    clock.advance(1);
    const input = { ids: [...ids], changes };
    return succeeded(await bulk.change(admin, { input, mayGoOn: () => true })).change_id ?? "";
  };
  const storedOf = async <Name extends keyof VehicleFields>(id: number, name: Name) =>
    read(await vehicles.get(admin, id))[name];
  const { list } = uses.recentChanges;
  const listed = async (id: string, by: Principal = admin) =>
    succeeded(await list(by, {})).changes.find((one) => one.id === id);

  /** How often a reversal paused, and what it answered. */
  const reverting = async (
    id: string,
    {
      query = {},
      by = admin,
      ...around
    }: Surroundings & { readonly query?: RevertQuery; readonly by?: Principal } = {},
    mayGoOn = () => true,
  ) => {
    clock.advance(1);
    let [pauses, steadyMs] = [0, 0];
    const { tickMs = 0, meanwhile = () => {}, holdsOthersUp = () => false } = around;
    const { revert } = makeRecentChanges({
      changes: makeRecentChangeRepository(db, { words: vehicleWordsIn(db), pause: nextTurn }),
      clock: {
        ...clock,
        steadyMs() {
          steadyMs += tickMs;
          return clock.steadyMs() + steadyMs;
        },
      },
      maxMs: MAX_MS,
      holdsOthersUp,
      async pause() {
        pauses++;
        await meanwhile();
      },
      isUnavailable: (error) => error instanceof DatabaseUnavailable,
    });
    return { outcome: await revert(by, { id, query, mayGoOn }), pauses };
  };
  const revert = async (...given: Parameters<typeof reverting>): Promise<RevertAnswer> =>
    succeeded((await reverting(...given)).outcome);
  return { newDealer, newVehicles, change, storedOf, listed, reverting, revert };
};

let uses: UseCases;
let on: ReturnType<typeof changesIn>;
beforeAll(async () => {
  uses = await openUseCases();
  on = changesIn(uses);
});
afterAll(() => uses.db.close());

const resultsOf = ({ results }: RevertAnswer) => results.map(({ id: _, ...result }) => result);

describe("a list of recent changes", () => {
  test("tells a dealer of a move only that, and others all that it changed", async () => {
    const [old, next] = [await on.newDealer(), await on.newDealer()];
    const moved = await on.change(await on.newVehicles(old, 1), { dealer_id: next, price: 900 });
    expect((await on.listed(moved))?.fields).toEqual(["dealer_id", "price"]);
    expect((await on.listed(moved, dealerKey(old)))?.fields).toEqual(["dealer_id"]);
  });
});

describe("the reversal of a change", () => {
  test("says of each vehicle what became of it, and with names what it is called", async () => {
    const dealer = await on.newDealer();
    const ids = await on.newVehicles(dealer, 3, { stock_number: "S1" });
    const [gone = 0, later = 0, still = 0] = ids;
    const lowered = await on.change(ids, { price: 900 });
    succeeded(await uses.vehicles.remove(admin, gone));
    await on.change([later], { price: 800 });
    const query = { include: "names" } as const;
    const answer = await on.revert(lowered, { query });
    const called = { name: "2024 Toyota Camry", stock_number: "S1" };
    expect(answer).toStrictEqual({
      change_id: expect.any(String),
      reverts: lowered,
      total: 3,
      results: [
        { id: gone, outcome: "not_found", fields: [], name: null, stock_number: null },
        { id: later, outcome: "changed_since", fields: [], ...called },
        { id: still, outcome: "reverted", fields: ["price"], ...called },
      ],
      next: null,
    });
    expect([await on.storedOf(later, "price"), await on.storedOf(still, "price")]).toEqual([800, 1000]);
    expect(resultsOf(await on.revert(lowered)).at(-1)).toStrictEqual({ outcome: "unchanged", fields: [] });
  });

  test("keeps values that are not valid beside those that were kept, or that another vehicle has by now", async () => {
    const dealer = await on.newDealer();
    const [sold = 0] = await on.newVehicles(dealer, 1, { stage: "in_prep" });
    const staged = await on.change([sold], { stage: null });
    await on.change([sold], { status: "sold" });
    expect(resultsOf(await on.revert(staged))).toStrictEqual([{ outcome: "changed_since", fields: [] }]);
    expect(await on.storedOf(sold, "stage")).toBeNull();
    succeeded(await uses.dealers.update(admin, { id: dealer, input: { unique_vin: "refuse" } }));
    const [renamed = 0] = await on.newVehicles(dealer, 1, { stock_number: "S1" });
    const numbered = await on.change([renamed], { stock_number: "S2" });
    await on.newVehicles(dealer, 1, { stock_number: "S1" });
    expect(resultsOf(await on.revert(numbered))).toStrictEqual([{ outcome: "changed_since", fields: [] }]);
    expect(await on.storedOf(renamed, "stock_number")).toBe("S2");
  });

  test("marks the change as reverted only if it reverted something", async () => {
    const ids = await on.newVehicles(await on.newDealer(), 1);
    const lowered = await on.change(ids, { price: 900 });
    const again = await on.change(ids, { price: 800 });
    expect((await on.revert(lowered)).change_id).toBeNull();
    expect((await on.listed(lowered))?.reverted_at).toBeNull();
    const { change_id } = await on.revert(again);
    expect((await on.listed(again))?.reverted_at).toBe((await on.listed(change_id ?? ""))?.at ?? "");
  });

  test("goes on as the same change if the same caller began it, and is another one otherwise", async () => {
    const [a = 0, b = 0, c = 0, d = 0, ...rest] = await on.newVehicles(await on.newDealer(), 6);
    const lowered = await on.change([a, b, c, d, ...rest], { price: 900 });
    const idAfter = async (after: number, by: Principal = admin) =>
      (await on.revert(lowered, { query: after === 0 ? {} : { after }, by })).change_id ?? "";
    const [first, second] = [await idAfter(rest[0] ?? 0), await idAfter(d)];
    expect(second).toBe(first);
    const others = [
      first,
      await idAfter(c, superAdminKey({ keyId: 2 })),
      await idAfter(b, superAdminKey({ keyId: null, userId: 1 })),
      await idAfter(a),
      await idAfter(0),
    ];
    expect(new Set(others).size).toBe(others.length);
    expect(await on.listed(first)).toMatchObject({ kind: "reversal", reverts: lowered, vehicles: 2 });
  });

  test("is refused of what cannot be reverted, with the reason, and not found of what is not there", async () => {
    const ids = await on.newVehicles(await on.newDealer(), 1);
    const { change_id: reversal } = await on.revert(await on.change(ids, { price: 900 }));
    const removal = succeeded(
      await uses.bulk.change(admin, { input: { ids, remove: true }, mayGoOn: () => true }),
    ).change_id;
    for (const [id, reason] of [
      [reversal, "is a reversal"],
      [removal, "changed no field"],
    ] as const)
      expect(causeOf((await on.reverting(id ?? "")).outcome)).toMatchObject({
        kind: "not-revertible",
        reason: expect.stringMatching(reason),
      });
    expect(causeOf((await on.reverting("gone")).outcome)).toMatchObject({ kind: "not-found", id: "gone" });
  });

  test("lets others run when it has looked at vehicles for long", async () => {
    const lowered = await on.change(await on.newVehicles(await on.newDealer(), 4), { price: 900 });
    for (const [tickMs, pauses] of [
      [0, 0],
      [1, 2],
      [2, 4],
    ] as const)
      expect((await on.reverting(lowered, { tickMs })).pauses).toBe(pauses);
  });
});

describe("the reversal of a change of many vehicles", () => {
  test("stops between two parts when its time is over, others wait or the caller has other rights, and says where", async () => {
    const ids = await on.newVehicles(await on.newDealer(), PART + 1);
    const [last = 0, end = 0] = [ids[PART - 1], ids[PART]];
    const lowered = await on.change(ids, { price: 900 });
    const stopped = [
      await on.revert(lowered, { meanwhile: () => uses.clock.advance(MAX_MS) }),
      await on.revert(lowered, { holdsOthersUp: () => true }),
      await on.revert(lowered, {}, () => false),
    ];
    for (const answer of stopped) expect(answer).toMatchObject({ total: PART, next: last });
    expect([await on.storedOf(last, "price"), await on.storedOf(end, "price")]).toEqual([1000, 900]);
    const whole = await on.reverting(lowered, { meanwhile: () => uses.clock.advance(MAX_MS - 1) });
    expect([succeeded(whole.outcome), whole.pauses]).toMatchObject([{ total: PART + 1, next: null }, 1]);
    expect(await on.storedOf(end, "price")).toBe(1000);
    // Nothing is left after the last: nothing stops there.
    const rest = await on.reverting(lowered, { query: { after: ids[0] ?? 0 }, holdsOthersUp: () => true });
    expect([succeeded(rest.outcome), rest.pauses]).toMatchObject([{ total: PART, next: null }, 0]);
  });

  test("answers what it made before the database was full, and hides no other fault", async () => {
    const own = await openUseCases();
    const { newDealer, newVehicles, change, storedOf, revert } = changesIn(own);
    const run = (text: string) => own.db.migrate(async (sql) => void (await sql(text)));
    const ids = await newVehicles(await newDealer(), PART + 1);
    const [last = 0, end = 0] = [ids[PART - 1], ids[PART]];
    const lowered = await change(ids, { price: 900 });
    /** What happens when the last of them is written. */
    const failing = (as: string) =>
      run(`CREATE TRIGGER failing BEFORE UPDATE ON vehicles WHEN NEW.id = ${end} BEGIN ${as}; END`);
    await run("CREATE TABLE filling (bytes)");
    await run(`PRAGMA max_page_count = ${MOST_PAGES}`);
    await failing(`INSERT INTO filling VALUES (zeroblob(${MOST_PAGES} * 4096))`);
    expect(await revert(lowered)).toMatchObject({ total: PART, next: last });
    expect([await storedOf(last, "price"), await storedOf(end, "price")]).toEqual([1000, 900]);
    await expect(revert(lowered, { query: { after: last } })).rejects.toThrow(DatabaseUnavailable);
    await run("DROP TRIGGER failing");
    await failing("SELECT RAISE(ABORT, 'not this one')");
    await expect(revert(lowered)).rejects.toThrow("not this one");
    await own.db.close();
  });
});
