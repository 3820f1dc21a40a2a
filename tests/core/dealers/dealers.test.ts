import { describe, expect, test } from "bun:test";
import type { DealerQuery } from "../../../core/dealers/dealer.ts";
import { fieldsOf } from "../../../core/dealers/fields.ts";
import { placeOfZip } from "../../../core/places/places.ts";
import { dealerKey, superAdminKey, userKey } from "../callers.ts";
import { openFixture } from "../use-case-fixture.ts";
import {
  causeOf,
  createDealerRecords,
  NOW,
  newDealerBody,
  newVehicleBody,
  pathsOf,
  read,
  succeeded,
  type UseCases,
} from "../use-cases.ts";

const core = openFixture();

const admin = superAdminKey();

const UNSET = fieldsOf("url", "text", "long", "hours", "networks");

describe("a new dealer", () => {
  test("with only the required fields is active, has its ZIP code's location, and null for unset fields", async () => {
    expect<object>(await core.newDealer()).toEqual({
      id: expect.any(Number),
      ...newDealerBody(),
      ...Object.fromEntries(UNSET.map((field) => [field, null])),
      ...placeOfZip("97201"),
      unique_vin: "warn",
      codes: [],
      rate_limit: null,
      active: 1,
      created_at: NOW,
      updated_at: NOW,
    });
  });

  test("keeps every optional field as sent", async () => {
    const sent = {
      website: "https://harbor.example.com",
      logo_url: "https://harbor.example.com/logo.png",
      description: " As sent\n",
      hours: { monday: "9:00-18:00", sunday: "closed" },
      social_media: { mastodon: "https://social.example.com/@harbor" },
    };
    expect<object>(await core.newDealer(sent)).toMatchObject(sent);
  });

  for (const [active, answered] of [
    [true, 1],
    [1, 1],
    [false, 0],
    [0, 0],
  ] as const)
    test(`sent with active ${active} is answered with ${answered}`, async () => {
      expect((await core.newDealer({ active })).active).toBe(answered);
    });
});

describe("a change of a dealer", () => {
  test("that sends back what was read changes only updated_at, which increases", async () => {
    const dealer = await core.newDealer({ hours: { monday: "9-18" }, active: false });
    const changed = succeeded(await core.dealers.update(admin, { id: dealer.id, input: dealer }));
    expect({ ...changed, updated_at: NOW }).toEqual(dealer);
    expect(changed.updated_at > dealer.updated_at).toBe(true);
  });

  test("leaves every field unchanged that it does not name, including active", async () => {
    for (const active of [true, false]) {
      const dealer = await core.newDealer({ active, website: "https://harbor.example.com" });
      const changed = succeeded(await core.dealers.update(admin, { id: dealer.id, input: { city: "Salem" } }));
      expect(changed).toEqual({ ...dealer, city: "Salem", updated_at: changed.updated_at });
    }
  });

  test("of active by an unbound caller is stored, whether sent as a boolean or a bit", async () => {
    const { id } = await core.newDealer();
    for (const caller of [admin, userKey("user", null)])
      for (const [active, answered] of [
        [false, 0],
        [1, 1],
        [0, 0],
        [true, 1],
      ] as const)
        expect(succeeded(await core.dealers.update(caller, { id, input: { active } })).active).toBe(answered);
  });

  test("of its limit by a caller of the dealer is refused, one that sends it as it is leaves it", async () => {
    const { id, rate_limit } = await core.newDealer({ rate_limit: 20 });
    const caller = dealerKey(id);
    const input = { rate_limit, city: "Salem" };
    expect(succeeded(await core.dealers.update(caller, { id, input }))).toMatchObject(input);
    expect<unknown>(causeOf(await core.dealers.update(caller, { id, input: { rate_limit: null } }))).toEqual({
      kind: "escalation",
      reason: "You may not change `rate_limit` of a dealer that you are bound to",
    });
    expect(succeeded(await core.dealers.get(admin, id)).rate_limit).toBe(20);
  });

  test("of codes by a caller of the dealer is refused, one that sends them as they are leaves them", async () => {
    const { id, codes } = await core.newDealer({ codes: ["Own 1"] });
    const caller = dealerKey(id);
    const input = { codes, city: "Salem" };
    expect(succeeded(await core.dealers.update(caller, { id, input }))).toMatchObject(input);
    for (const others of [["Own 1", "Theirs 1"], [], ["own 1"]])
      expect<unknown>(causeOf(await core.dealers.update(caller, { id, input: { codes: others } }))).toEqual({
        kind: "escalation",
        reason: "You may not change `codes` of a dealer that you are bound to",
      });
    expect(succeeded(await core.dealers.get(admin, id)).codes).toEqual(["Own 1"]);
  });

  test("to the code of another dealer names the code, for a new dealer as well", async () => {
    await core.newDealer({ codes: ["First 1", "First 2"] });
    const { id } = await core.newDealer();
    const taken = { kind: "dealer-code-taken", code: " FIRST  2" };
    const codes = ["Second", " FIRST  2"];
    expect<unknown>(causeOf(await core.dealers.update(admin, { id, input: { codes } }))).toEqual(taken);
    expect<unknown>(causeOf(await core.dealers.create(admin, { ...newDealerBody(), codes }))).toEqual(taken);
    expect(succeeded(await core.dealers.get(admin, id)).codes).toEqual([]);
  });

  test("must name a changeable field", async () => {
    const { id } = await core.newDealer();
    expect(pathsOf(await core.dealers.update(admin, { id, input: { id: 5, created_at: NOW } }))).toEqual([""]);
  });

  test("based on an old version is stale, for an update and a deactivation alike, and changes nothing", async () => {
    const dealer = await core.newDealer();
    const changed = succeeded(
      await core.dealers.update(admin, { id: dealer.id, input: { city: "Salem" }, versions: [dealer.updated_at] }),
    );
    const stale = { kind: "stale", subject: "dealer" };
    for (const versions of [[dealer.updated_at], []]) {
      expect<unknown>(
        causeOf(await core.dealers.update(admin, { id: dealer.id, input: { city: "Bend" }, versions })),
      ).toEqual(stale);
      expect<unknown>(causeOf(await core.dealers.deactivate(admin, dealer.id, versions))).toEqual(stale);
    }
    expect(succeeded(await core.dealers.get(admin, dealer.id))).toEqual(changed);
    expect(succeeded(await core.dealers.deactivate(admin, dealer.id, [changed.updated_at])).active).toBe(0);
  });
});

describe("deactivation of a dealer", () => {
  test("keeps the record, its vehicles and its keys, and may be repeated", async () => {
    const { dealerId, vehicleId, keyId } = await createDealerRecords(core);
    for (const round of [1, 2])
      expect([round, succeeded(await core.dealers.deactivate(admin, dealerId)).active]).toEqual([round, 0]);
    expect(succeeded(await core.dealers.get(admin, dealerId)).active).toBe(0);
    expect(read(await core.vehicles.get(admin, vehicleId)).dealer_id).toBe(dealerId);
    expect(succeeded(await core.keys.get(admin, keyId))).toMatchObject({ active: true, dealerId });
  });
});

test("every operation on a missing dealer reports it as missing", async () => {
  const missing = { kind: "not-found", subject: "dealer", id: 9_999_999 };
  for (const outcome of [
    await core.dealers.get(admin, 9_999_999),
    await core.dealers.update(admin, { id: 9_999_999, input: { city: "Salem" } }),
    await core.dealers.deactivate(admin, 9_999_999),
    await core.dealers.inventory(admin, { id: 9_999_999, query: {} }),
    await core.dealers.statistics(admin, 9_999_999),
  ])
    expect<unknown>(causeOf(outcome)).toEqual(missing);
});

test("a dealer's inventory is its vehicles, filtered as requested; without any it is empty, not missing", async () => {
  const { id: dealer_id } = await core.newDealer();
  const of = async (query: Parameters<UseCases["dealers"]["inventory"]>[1]["query"]) => {
    const { total, vehicles } = succeeded(await core.dealers.inventory(admin, { id: dealer_id, query }));
    return [total, vehicles.parse().map(({ make }) => make)];
  };
  expect(await of({})).toEqual([0, []]);
  read(await core.vehicles.create(admin, newVehicleBody({ dealer_id, make: "Tatra" })));
  read(await core.vehicles.create(admin, newVehicleBody({ dealer_id, status: "sold" })));
  await createDealerRecords(core);
  expect(await of({})).toEqual([2, ["Toyota", "Tatra"]]);
  expect(await of({ make: ["tatra"] })).toEqual([1, ["Tatra"]]);
  expect(await of({ status: ["pending"] })).toEqual([0, []]);
  expect(await of({ limit: 1, offset: 1 })).toEqual([2, ["Tatra"]]);
});

test("a list of dealers has exactly those of the requested state, city and activity, regardless of case", async () => {
  const name = "Listed Motors";
  for (const fields of [
    { city: "Łódź", state: "LD", active: true },
    { city: "Łódź", state: "XX", active: false },
    { city: "Lodz", state: "LD", active: false },
  ])
    await core.newDealer({ name, ...fields });
  const listed = async (query: DealerQuery) =>
    succeeded(await core.dealers.list(admin, query))
      .items.filter((dealer) => dealer.name === name)
      .map(({ city, state }) => `${city} ${state}`);
  expect(await listed({ city: "łÓDŹ" })).toEqual(["Łódź XX", "Łódź LD"]);
  expect(await listed({ state: "ld" })).toEqual(["Lodz LD", "Łódź LD"]);
  expect(await listed({ state: "LD", active: false })).toEqual(["Lodz LD"]);
  expect(await listed({ city: "Łódź", active: true })).toEqual(["Łódź LD"]);
  expect(await listed({ limit: 1 })).toEqual(["Lodz LD"]);
  expect(await listed({ limit: 1, offset: 2 })).toEqual(["Łódź LD"]);
});
