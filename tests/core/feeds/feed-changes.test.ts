import { describe, expect, test } from "bun:test";
import { Failure } from "../../../core/failure.ts";
import { fieldsAfter } from "../../../core/feeds/feed.ts";
import { feedChanged, feedFieldsWithin, staleFeed } from "../../../core/feeds/feed-changes.ts";
import type { StoredFeed } from "../../../core/feeds/feed-repository.ts";
import { MOMENT, momentAfter } from "../../support/records.ts";
import { dealerKey, superAdminKey } from "../callers.ts";
import { causeOf } from "../use-cases.ts";

const DEFAULTS = { currency: "USD", mileage_unit: "mi", name: "Google", channel: "csv" } as const;
const fields = fieldsAfter(DEFAULTS, { dealer_ids: [7] });
const STORED: StoredFeed = { id: 1, fields, endedBy: null, updatedAt: momentAfter(1000), held: null };
const by = dealerKey(7);

describe("a change of a feed", () => {
  test("is of its present version, or of a later fetch, or of none; another is refused", () => {
    const versions = [null, [momentAfter(1000)], [MOMENT, momentAfter(2000)], [MOMENT], []];
    const stale = new Failure({ kind: "stale", subject: "feed" });
    expect(versions.map((some) => staleFeed(STORED, some))).toEqual([null, null, null, stale, stale]);
    expect(feedChanged(STORED, { name: "New" }, { by, versions: [MOMENT] })).toEqual(stale);
  });

  test("gives it the fields that were sent, and leaves the others", () => {
    const changed = feedChanged(STORED, { name: "New" }, { by, versions: null });
    expect(changed).toEqual({ fields: { ...fields, name: "New" }, endedBy: null });
  });

  test("records who switched it off, and lets only that rank switch it on again", () => {
    const off = feedChanged(STORED, { active: false }, { by: superAdminKey(), versions: null });
    expect(off).toMatchObject({ fields: { active: false }, endedBy: "super_admin" });
    const ended: StoredFeed = { ...STORED, fields: { ...fields, active: false }, endedBy: "super_admin" };
    expect(causeOf(feedChanged(ended, { active: true }, { by, versions: null }))?.kind).toBe("escalation");
    const byUser: StoredFeed = { ...ended, endedBy: "user" };
    expect(feedChanged(byUser, { name: "New" }, { by, versions: null })).toMatchObject({ endedBy: "user" });
    expect(feedChanged(byUser, { active: false }, { by, versions: null })).toMatchObject({ endedBy: "dealer_admin" });
  });

  test("is refused to whoever may not read its vehicles", () => {
    const cannotRead = { ...by, permissions: 0 };
    expect(causeOf(feedChanged(STORED, { name: "New" }, { by: cannotRead, versions: null }))?.kind).toBe(
      "permission-missing",
    );
  });
});

test("a bound caller's feed has the vehicles and the store codes of its dealer alone", () => {
  const several = { ...fields, dealer_ids: [7, 8], filters: { dealer_id: 8 }, store_codes: { 7: "A", 8: "B" } };
  expect(feedFieldsWithin(by, several)).toEqual({
    ...several,
    dealer_ids: [7],
    filters: { dealer_id: 7 },
    store_codes: { 7: "A" },
  });
  expect(feedFieldsWithin(superAdminKey(), several)).toEqual(several);
  expect(feedFieldsWithin(superAdminKey(), { ...several, dealer_ids: [9] }).store_codes).toEqual({});
});
