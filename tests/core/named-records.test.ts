import { describe, expect, test } from "bun:test";
import { Failure, invalid } from "../../core/failure.ts";
import { type NamingField, withIssues, withUnknownRecords } from "../../core/named-records.ts";
import { dealerKey, superAdminKey, userKey } from "./callers.ts";
import { openFixture } from "./use-case-fixture.ts";
import { causeOf, newKeyBody, newUserBody, pathsOf } from "./use-cases.ts";

const NOBODY = 9_999;

describe("a body with other faults names, too, who it names and is not there:", () => {
  const fixture = openFixture();
  const admin = superAdminKey();
  const bound = () => dealerKey(fixture.records.dealerId);
  /** Sees no user but their own, so that they are not told either. */
  const person = userKey("user", null);
  const wrong = { name: "" };

  test("keys, their dealer and their user", async () => {
    const { keys } = fixture;
    const key = await fixture.newKey();
    const asDealers = { ...newKeyBody(), ...wrong, dealer_id: NOBODY };
    const asUsers = { ...newKeyBody(), ...wrong, user_id: NOBODY };
    expect(pathsOf(await keys.create(admin, asDealers))).toEqual(["dealer_id", "name"]);
    expect(pathsOf(await keys.create(admin, asUsers))).toEqual(["name", "user_id"]);
    expect(pathsOf(await keys.update(admin, key.record.id, { ...wrong, dealer_id: NOBODY }))).toEqual([
      "dealer_id",
      "name",
    ]);
    expect(
      pathsOf(await keys.create(admin, { ...newKeyBody(), public: true, dealer_id: NOBODY, app_type: "desktop" })),
    ).toContain("dealer_id");
    for (const caller of [bound(), person])
      for (const body of [asDealers, asUsers]) expect(pathsOf(await keys.create(caller, body))).toEqual(["name"]);
    expect(pathsOf(await keys.create(admin, { ...asDealers, dealer_id: fixture.records.dealerId }))).toEqual(["name"]);
  });

  test("users and their dealer", async () => {
    const { users } = fixture;
    const user = await fixture.newUser();
    const body = newUserBody("nobody@harbor.example.com", { ...wrong, role: "user", dealer_id: NOBODY });
    expect(pathsOf(await users.create(admin, body))).toEqual(["dealer_id", "name"]);
    expect(pathsOf(await users.update(admin, user.id, { ...wrong, dealer_id: NOBODY }))).toEqual(["dealer_id", "name"]);
    for (const caller of [bound(), person]) expect(pathsOf(await users.create(caller, body))).toEqual(["name"]);
  });

  test("feeds and their dealers", async () => {
    const { feeds } = fixture;
    const body = {
      ...wrong,
      channel: "google_vehicle_listings",
      dealer_ids: [fixture.records.dealerId, NOBODY, NOBODY + 1],
    };
    const refused = await feeds.create(admin, body);
    expect(causeOf(refused)).toMatchObject({
      issues: [{ path: "name" }, { path: "dealer_ids", message: `dealer ${NOBODY}, ${NOBODY + 1} does not exist` }],
    });
    expect(pathsOf(await feeds.update(admin, { id: 1, input: { ...wrong, dealer_ids: [NOBODY] } }))).toEqual([
      "dealer_ids",
      "name",
    ]);
    expect(pathsOf(await feeds.create(bound(), body))).toEqual(["name"]);
  });

  test("webhooks and their dealer", async () => {
    const body = { url: "nowhere", events: ["vehicle.sold"], dealer_id: NOBODY };
    expect(pathsOf(await fixture.webhooks.create(admin, body))).toEqual(["dealer_id", "url"]);
    expect(pathsOf(await fixture.webhooks.create(bound(), body))).toEqual(["url"]);
  });
});

test("a refusal stays as it is if it leaves issues out, is of another kind, or the field itself or the body is at fault", async () => {
  const asked: (readonly number[])[] = [];
  const field: NamingField = {
    path: "dealer_id",
    word: "dealer",
    known: async (ids) => {
      asked.push(ids);
      return new Set();
    },
  };
  const one = { path: "dealer_id[1]", message: "must be a number" };
  const other = { path: "name", message: "is required" };
  const left = new Failure({ kind: "invalid", issues: [other], omitted: 1 });
  const taken = new Failure({ kind: "email-taken" });
  for (const [refusal, input] of [
    [left, { dealer_id: 1 }],
    [taken, { dealer_id: 1 }],
    [invalid(one), { dealer_id: 1 }],
    [invalid(other), { dealer_id: "1" }],
    [invalid(other), { dealer_id: [] }],
    [invalid(other), "dealer_id"],
    [invalid(other), null],
  ] as const)
    expect(await withUnknownRecords(refusal, input, [field])).toBe(refusal);
  expect(withIssues(taken, [other])).toBe(taken);
  expect(asked).toEqual([]);
  expect(pathsOf(await withUnknownRecords(invalid(other), { dealer_id: 1 }, [field]))).toEqual(["dealer_id", "name"]);
});
