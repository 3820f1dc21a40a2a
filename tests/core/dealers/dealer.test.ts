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
import { EMAIL, type FieldRule, FLAG_OR_BIT, requiredTextOf, testBody, textOf, WEB_ADDRESS } from "../field-rules.ts";
import { newDealerBody, pathsOf } from "../use-cases.ts";

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const networks = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`network ${index}`, "https://social.example.com"]));
const parsed = (json: string): unknown => JSON.parse(json);

const HOURS: FieldRule = {
  accepts: [
    {},
    { monday: "9:00-18:00", sunday: "closed" },
    Object.fromEntries(DAYS.map((day) => [day, "x".repeat(100)])),
    { friday: "😀".repeat(100), saturday: "x" },
  ],
  refuses: [
    { monday: "" },
    { monday: "x".repeat(101) },
    { monday: 9 },
    { monday: null },
    { monday: "a\0b" },
    { Monday: "9-18" },
    { holiday: "closed" },
    parsed(`{"__proto__": "closed"}`),
    parsed(`{"constructor": "closed"}`),
    [],
    ["9-18"],
    "9-18",
    5,
  ],
};

const SOCIAL_MEDIA: FieldRule = {
  accepts: [{}, networks(1), networks(20), { ["😀".repeat(100)]: "https://example.com" }],
  refuses: [
    networks(21),
    { "": "https://example.com" },
    { ["x".repeat(101)]: "https://example.com" },
    { "a\0b": "https://example.com" },
    { "\ud800": "https://example.com" },
    { mastodon: "social.example.com" },
    { mastodon: "javascript:alert(1)" },
    { mastodon: null },
    { mastodon: 5 },
    [],
    ["https://example.com"],
    "https://example.com",
    5,
  ],
};

const degreesTo = (most: number): FieldRule => ({
  accepts: [-most, 0, most, 45.523064, -0.5],
  refuses: [-most - 0.1, most + 1, "45.5", "", true, [], {}, Number.NaN, Number.POSITIVE_INFINITY],
});

const FIELDS: Readonly<Record<string, FieldRule>> = {
  name: requiredTextOf(100),
  address: requiredTextOf(200),
  city: requiredTextOf(100),
  state: requiredTextOf(100),
  zip: requiredTextOf(100),
  latitude: degreesTo(90),
  longitude: degreesTo(180),
  phone: requiredTextOf(100),
  email: EMAIL,
  website: WEB_ADDRESS,
  logo_url: WEB_ADDRESS,
  description: textOf(0, 20_000),
  hours: HOURS,
  social_media: SOCIAL_MEDIA,
  active: FLAG_OR_BIT,
};

const REQUIRED = ["name", "address", "city", "state", "zip", "phone", "email"];
const READ_ONLY = ["id", "created_at", "updated_at"];

testBody("a new dealer", {
  parse: (input) => newDealer.parse(input),
  schema: NewDealer,
  base: newDealerBody(),
  fields: FIELDS,
  required: REQUIRED,
  notNull: ["active"],
  readOnly: READ_ONLY,
});

testBody("a change of a dealer", {
  parse: (input) => dealerChanges.parse(input),
  schema: DealerChanges,
  base: {},
  fields: FIELDS,
  required: [],
  notNull: [...REQUIRED, "active"],
  readOnly: READ_ONLY,
});

test("every invalid day of opening hours is named", () => {
  const hours = { monday: "", tuesday: "9-18", sunday: 5 };
  expect(pathsOf(dealerChanges.parse({ hours }))).toEqual(["hours.monday", "hours.sunday"]);
});

test("__proto__ as a dealer's network changes no object", () => {
  dealerChanges.parse({ social_media: parsed(`{"__proto__": "https://social.example.com"}`) });
  dealerChanges.parse({ social_media: parsed(`{"__proto__": {"polluted": true}}`) });
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
