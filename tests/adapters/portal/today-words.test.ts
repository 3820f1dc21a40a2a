import { describe, expect, test } from "bun:test";
import { ageLink, daysInWords, figuresOf, linksOf, todoWords } from "../../../adapters/portal/today/today-words.ts";
import { RULES } from "../../../core/channels/issue.ts";
import type { Todo } from "../../../core/today/do-next.ts";
import type { Today } from "../../../core/today/today.ts";

const price = (amount: number): string => `$${amount}`;
const OWN = linksOf(7, true);
const LOT: Pick<Today, "on_lot" | "average_age" | "sold" | "without_images" | "left_out"> = {
  on_lot: { count: 41, value: 1000 },
  average_age: { now: 47, week_ago: 44 },
  sold: { this_month: 9, last_month: 7 },
  without_images: 10,
  left_out: [],
};
const notes = (changes: Partial<typeof LOT>) =>
  figuresOf({ ...LOT, ...changes }, { links: OWN, price }).map(({ value, note, trend }) => [value, note, trend]);

describe("the words of a dealer's first page:", () => {
  test("links of users who see one dealer have no filter for it; others do, and open its own report", () => {
    expect(OWN.lot()).toBe("/vehicles?status=available&status=pending");
    expect(linksOf(7, false).lot({ has_images: "false" })).toBe(
      "/vehicles?status=available&status=pending&dealer_id=7&has_images=false",
    );
    expect([OWN.report, linksOf(7, false).report]).toEqual(["/vehicles/report", "/dealers/7?tab=report"]);
  });

  test("each age opens the vehicles of its days, and the last one has no end", () => {
    const filter = { dealer_id: 7, status: ["available", "pending"], min_days_on_lot: 31 } as const;
    expect(ageLink(OWN, { filter: { ...filter, max_days_on_lot: 60 } })).toEndWith(
      "&min_days_on_lot=31&max_days_on_lot=60",
    );
    expect(ageLink(OWN, { filter })).toEndWith("status=pending&min_days_on_lot=31");
    expect([daysInWords({ from: 0, to: 30 }), daysInWords({ from: 31, to: 60 }), daysInWords({ from: 91, to: null })])
      // The last group begins with day 91.
      .toEqual(["up to 30 days", "31 to 60 days", "over 90 days"]);
  });

  test("figures say how they change: an older lot is worse, more sales are better", () => {
    expect(notes({})).toEqual([
      ["41", "$1000", null],
      ["47 days", "3 more than a week ago", "worse"],
      ["9", "7 by this day last month", "better"],
      ["10", "Of 41", null],
      ["0", "No channel fetched a feed", null],
    ]);
    const [, age, sold] = notes({ average_age: { now: 1, week_ago: 3 }, sold: { this_month: 1, last_month: 2 } });
    expect([age, sold]).toEqual([
      ["1 day", "2 fewer than a week ago", "better"],
      ["1", "2 by this day last month", "worse"],
    ]);
    const [, sameAge, sameSold] = notes({
      average_age: { now: 3, week_ago: 3 },
      sold: { this_month: 2, last_month: 2 },
    });
    expect([sameAge, sameSold]).toEqual([
      ["3 days", "As a week ago", null],
      ["2", "2 by this day last month", null],
    ]);
  });

  test("what was not counted is no zero, and who may not see feeds has no figure about them", () => {
    const figures = notes({ without_images: null, left_out: null });
    expect(figures).toHaveLength(4);
    expect(figures.at(-1)).toEqual(["–", "Too many to count", null]);
  });

  test("the feed that leaves out most says if it is all for one reason", () => {
    const feed = { feed_id: 3, name: "Google", channel: "csv", rows: 30, left_out: 10 } as const;
    const reason = { rule: "required_empty", field: "condition", count: 10 } as const;
    const noteOf = (changes: object) =>
      figuresOf({ ...LOT, left_out: [{ ...feed, reason, ...changes }] }, { links: OWN, price }).at(-1);
    expect(noteOf({})).toMatchObject({
      ...{ name: "Left out of Google", value: "10", note: "All for one reason", to: "/channels/3" },
    });
    expect(noteOf({ reason: { ...reason, count: 9 } })?.note).toBe("Of 40");
    expect(noteOf({ reason: null })?.note).toBe("Of 40");
    expect(noteOf({ left_out: 0, reason: null })?.note).toBe("All are in it");
  });

  describe("what is to be done", () => {
    const todo: Todo = {
      ...{ kind: "left_out", count: 10, of: 40, id: 3, name: "Google", code: "csv", reason: null },
      ...{ vehicle_ids: [], file_prices: [] },
    };
    const empty = { rule: "required_empty", field: "condition", ...RULES.required_empty } as const;
    const vin = { rule: "vin_form", field: "vin", ...RULES.vin_form } as const;
    const words = (changes: Partial<Todo>) => todoWords({ ...todo, ...changes }, price);

    test("names why a feed leaves vehicles out, and leads to those with this reason", () => {
      expect(words({ reason: { ...empty, count: 10 } })).toEqual({
        sentence: "10 vehicles are left out of Google",
        detail: "The condition is empty on all of them.",
        action: "Mend",
        to: "/channels/3?severity=error&rule=required_empty&field=condition",
      });
      expect(words({ reason: { ...empty, count: 8 } }).detail).toBe("The condition is empty on 8 of them.");
      expect(words({ reason: { ...vin, count: 9 } }).detail).toBe(
        "Mostly: VIN: This VIN does not have the 17 characters of a VIN.",
      );
      const unknown = words({ count: 1 });
      expect([unknown.sentence, unknown.to]).toEqual(["1 vehicle is left out of Google", "/channels/3?severity=error"]);
    });

    test("leads to the rows of a file, the sale, the price and the key", () => {
      expect(words({ kind: "failed_rows", count: 3, of: 38, id: 5 })).toEqual({
        sentence: "3 rows of the last file are left",
        ...{ detail: "Of 38 rows; the others are in.", action: "Mend", to: "/imports/5" },
      });
      expect(words({ kind: "no_sale_price", count: 1, vehicle_ids: [8, 9] })).toEqual({
        sentence: "1 sold vehicle has no sale price",
        ...{ detail: "It counts in no value of the report until then.", action: "Enter", to: "/vehicles/8" },
      });
      expect(words({ kind: "price_differs", count: 2, vehicle_ids: [8, 9], file_prices: [241, 310] })).toEqual({
        sentence: "2 prices differ from the file by hand",
        ...{ detail: "The file says $241 and $310.", action: "Compare", to: "/vehicles/8" },
      });
      expect(words({ kind: "refused_key", count: 50, of: 100, id: 4, name: "Widget", code: "rate_limited" })).toEqual({
        sentence: "Key “Widget” was refused 50 of 100 times",
        ...{ detail: "In the last 24 hours, mostly as it was over its limit.", action: "See", to: "/keys/4" },
      });
    });

    test("of many prices names the first three", () => {
      const file_prices = [1, 2, 3, 4, 5, 6, 7, 8];
      expect(words({ kind: "price_differs", count: 9, file_prices, vehicle_ids: file_prices }).detail).toBe(
        "The file says $1, $2, and $3 …",
      );
    });
  });
});
