import { expect, test } from "bun:test";
import {
  type Dealer,
  DealerChanges,
  dealerChanges,
  listedDealer,
  NewDealer,
  newDealer,
  UNSET_DEALER,
} from "../../../core/dealers/dealer.ts";
import { testBody } from "../field-rules.ts";
import { newDealerBody, pathsOf } from "../use-cases.ts";
import { DEALER_VALUES, NOT_CLEARED, REQUIRED } from "./dealer-values.ts";

const READ_ONLY = ["id", "created_at", "updated_at"];

testBody("a new dealer", {
  parse: (input) => newDealer.parse(input),
  schema: NewDealer,
  base: newDealerBody(),
  fields: DEALER_VALUES,
  required: REQUIRED,
  notNull: NOT_CLEARED,
  readOnly: READ_ONLY,
});

testBody("a change of a dealer", {
  parse: (input) => dealerChanges.parse(input),
  schema: DealerChanges,
  base: {},
  fields: DEALER_VALUES,
  required: [],
  notNull: [...REQUIRED, ...NOT_CLEARED],
  readOnly: READ_ONLY,
});

test("every invalid day of opening hours is named", () => {
  const hours = { monday: "", tuesday: "9-18", sunday: 5 };
  expect(pathsOf(dealerChanges.parse({ hours }))).toEqual(["hours.monday", "hours.sunday"]);
});

test("__proto__ as a dealer's network changes no object", () => {
  dealerChanges.parse({ social_media: JSON.parse(`{"__proto__": "https://social.example.com"}`) });
  dealerChanges.parse({ social_media: JSON.parse(`{"__proto__": {"polluted": true}}`) });
  expect("polluted" in {}).toBe(false);
});

const LONG = ["logo_url", "description", "hours", "social_media"] as const;

test("a list item leaves out the long fields that are unset, and no others", () => {
  const bare: Dealer = {
    id: 1,
    ...UNSET_DEALER,
    ...newDealerBody(),
    created_at: "2026-11-20T09:11:00.000Z",
    updated_at: "2026-11-20T09:11:00.000Z",
  };
  const { logo_url: _l, description: _d, hours: _h, social_media: _s, ...rest } = bare;
  expect<unknown>(listedDealer(bare)).toEqual(rest);
  expect(Object.keys(listedDealer(bare)).filter((field) => LONG.some((long) => long === field))).toEqual([]);
  const full = { ...bare, logo_url: "https://example.com/l.png", description: "", hours: {}, social_media: {} };
  expect<unknown>(listedDealer(full)).toEqual(full);
});
