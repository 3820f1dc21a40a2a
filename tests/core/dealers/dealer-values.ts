import {
  EMAIL,
  type FieldRule,
  FLAG_OR_BIT,
  requiredTextOf,
  textOf,
  WEB_ADDRESS,
  wholeNumberOf,
} from "../field-rules.ts";

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

/** The values of every field of a dealer that can be sent. The core is tested with them, and the service over HTTP. */
export const DEALER_VALUES: Readonly<Record<string, FieldRule>> = {
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
  unique_vin: { accepts: ["warn", "refuse"], refuses: ["Warn", "reject", "", true, 1, [], {}] },
  codes: {
    accepts: [[], ["0042"], ["0042", "42", "google:HARBOR-1"], Array.from({ length: 20 }, (_, at) => `x${at}`)],
    refuses: [
      Array.from({ length: 21 }, (_, at) => `x${at}`),
      [""],
      ["  "],
      ["x".repeat(101)],
      ["a\0b"],
      ["\ud800"],
      [5],
      [null],
      "0042",
      { "0": "0042" },
      5,
    ],
  },
  rate_limit: wholeNumberOf(1, 999_999),
  active: FLAG_OR_BIT,
};

/** The fields that a new dealer must have. */
export const REQUIRED = ["name", "address", "city", "state", "zip", "phone", "email"];
/** The other fields that `null` does not clear. */
export const NOT_CLEARED = ["unique_vin", "codes", "active"];
