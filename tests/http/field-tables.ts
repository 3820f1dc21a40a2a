import type { TObject } from "typebox";
import { yearOf } from "../../core/clock.ts";
import { DealerChanges, NewDealer } from "../../core/dealers/dealer.ts";
import { ImageChanges, NewImage } from "../../core/images/image.ts";
import { KeyChanges, NewKey } from "../../core/keys/key.ts";
import { NewUser, UserChanges } from "../../core/users/user.ts";
import { NewVehicle, VehicleChanges } from "../../core/vehicles/vehicle.ts";
import {
  NOT_CLEARED as DEALER_NOT_CLEARED,
  REQUIRED as DEALER_REQUIRED,
  DEALER_VALUES,
} from "../core/dealers/dealer-values.ts";
import { type FieldRule, FLAG_OR_BIT } from "../core/field-rules.ts";
import { NOT_CLEARED, REQUIRED, VEHICLE_VALUES } from "../core/vehicles/vehicle-values.ts";
import {
  dealerBody,
  imageBody,
  keyBody,
  NORTH,
  NORTH_CAR,
  NOTHING,
  userBody,
  vehicleBody,
} from "../support/sample-records.ts";
import { STARTING_CLOCK } from "../support/service.ts";
import {
  bit,
  email,
  type Field,
  flag,
  integer,
  NO_INTEGER,
  NO_TEXT,
  oneOf,
  optionalText,
  requiredText,
  webAddress,
} from "./field-kinds.ts";

/** False for NaN and Infinity. */
const hasJson = (value: unknown): boolean => typeof value !== "number" || Number.isFinite(value);

/** Fields that take and refuse the values of the core's rules. Those of `notNull` refuse `null`. */
const fieldsByRules = (
  rules: Readonly<Record<string, FieldRule>>,
  notNull: readonly string[],
): Readonly<Record<string, Field>> =>
  Object.fromEntries(
    Object.entries(rules).map(([name, rule]): [string, Field] => {
      if (rule === FLAG_OR_BIT) return [name, bit];
      const [takes, refuses] = [rule.accepts, rule.refuses.filter(hasJson)];
      return [
        name,
        notNull.includes(name) ? { takes, refuses: [...refuses, null] } : { takes: [...takes, null], refuses },
      ];
    }),
  );

const id = integer(1, NOTHING, "takes null");

// These depend on other records or fields, and have tests of their own.
const { dealer_id: _, stage: __, sold_at: ___, sold_price: ____, ...VEHICLE_RULES } = VEHICLE_VALUES;
const VEHICLE: Record<string, Field> = {
  ...fieldsByRules(VEHICLE_RULES, [...REQUIRED, ...NOT_CLEARED]),
  // The clock is not faked here.
  year: integer(1886, yearOf(STARTING_CLOCK.now()) + 2, "refuses null"),
  listed_at: {
    takes: ["1999-12-31T23:59:59Z", "2026-02-28T01:00:00.5+01:00"],
    refuses: ["", "2026-02-28", "2026-02-30T00:00:00Z", "yesterday", "9999-01-01T00:00:00Z", ...NO_TEXT],
    answers: (value) => new Date(String(value)).toISOString(),
  },
};

const degrees = (most: number, other: string): Field => ({
  takes: [-most, most, 0, 45.523064, -0.1],
  refuses: [-most - 0.1, most + 1, "45.5", "", true, [], {}],
  with: { [other]: 12.5 },
});

const DEALER: Record<string, Field> = {
  ...fieldsByRules(DEALER_VALUES, [...DEALER_REQUIRED, ...DEALER_NOT_CLEARED]),
  latitude: degrees(90, "longitude"),
  longitude: degrees(180, "latitude"),
};

/** Each dealer has codes that no other has: these are taken by one dealer after the other. */
const codesBeginning = (start: string): Record<string, Field> => ({
  codes: {
    takes: [[], [`${start}0042`], [`${start}1`, `${start}2`, `google:${start}`]],
    refuses: DEALER.codes?.refuses ?? [],
  },
});

const IMAGE: Record<string, Field> = {
  image_url: webAddress("refuses null"),
  is_primary: { ...flag, refuses: flag.refuses.filter((value) => value !== null) },
  display_order: { ...integer(0, 2_147_483_647, "refuses null"), refuses: [-1, 2_147_483_648, ...NO_INTEGER] },
  alt: optionalText(250),
};

const NO_PAIRS = ["vehicles:read", [5], [null], ["vehicles:read"], { resource: "vehicles", action: "read" }];
const permissions: Field = {
  takes: [
    [],
    [{ resource: "audit", action: "delete" }],
    [
      { resource: "vehicles", action: "read" },
      { resource: "users", action: "write" },
    ],
  ],
  refuses: [
    null,
    ...NO_PAIRS,
    [{ resource: "cars", action: "read" }],
    [{ resource: "vehicles", action: "drive" }],
    [{ resource: "vehicles" }],
    [{ resource: "vehicles", action: "read", scope: "all" }],
  ],
};

const KEY: Record<string, Field> = {
  name: requiredText(100),
  description: optionalText(20_000),
  app_type: oneOf("web", "desktop", "mobile"),
  rate_limit: integer(1, 2_147_483_647, "takes null"),
  allowed_origins: {
    takes: [null, ["https://www.harbor.example.com"], ["https://a.example.com:8443", "http://localhost:3000"]],
    refuses: [
      [],
      ["http://www.harbor.example.com"],
      ["https://www.harbor.example.com/"],
      "https://a.example.com",
      [5],
      {},
    ],
  },
  allowed_networks: {
    takes: [null, ["203.0.113.0/24"], ["10.0.0.0/8", "2001:db8::/32"]],
    refuses: [[], ["0.0.0.0/0"], ["::/0"], ["10.0.0.1/8"], ["10.0.0.1"], "10.0.0.0/8", [5], {}],
  },
  owner_email: { ...email, takes: [null, ...email.takes], refuses: email.refuses.filter((value) => value !== null) },
  expires_at: {
    takes: [null, "2035-01-02T03:04:05.678Z", "2035-01-02T05:04:05+02:00", "2036-02-29T00:00:00Z"],
    refuses: [
      "",
      "soon",
      "2035-01-02",
      "2035-01-02T03:04:05",
      "2035-02-29T00:00:00Z",
      "2035-13-01T00:00:00Z",
      "2001-01-01T00:00:00Z",
      2_051_222_400_000,
      true,
      [],
      {},
    ],
    answers: (moment) => (moment === null ? null : new Date(String(moment)).toISOString()),
  },
  permissions,
  dealer_id: { takes: [NORTH, null], refuses: [0, -1, "1", 1.5, NOTHING, NOTHING + 1, true] },
  user_id: { takes: [null], refuses: id.refuses },
  active: { ...bit, answers: Boolean },
};

const NEW_KEY_ONLY: Record<string, Field> = {
  app_id: {
    takes: ["x", "A.b-c_9", "x".repeat(64)],
    refuses: ["", "x".repeat(65), "a b", "a/b", "č", "a\n", null, ...NO_TEXT],
  },
};

const USER: Record<string, Field> = {
  name: requiredText(100),
  role: { ...oneOf("user", "dealer_admin"), with: { dealer_id: NORTH } },
  dealer_id: { takes: [NORTH, null], refuses: [0, -1, "1", 1.5, NOTHING, true] },
  permissions,
  active: { ...bit, answers: Boolean },
};

/** Requests an additional action and is no field of the record; other tests cover the action. */
const request: Field = { ...bit, answers: () => undefined };

/** Addresses must be unique, so another test covers the accepted ones. */
const EMAIL_OF_USER: Record<string, Field> = { email: { takes: [], refuses: email.refuses } };

/** A kind of record, and the fields of its creation and change. */
export interface Resource {
  readonly name: string;
  readonly path: string;
  readonly body: () => object;
  readonly created: Record<string, Field>;
  readonly changed: Record<string, Field>;
  /** The bodies as the service describes them. */
  readonly bodies: { readonly created: TObject; readonly changed: TObject };
  /** Fields that have tests of their own. */
  readonly apart: readonly string[];
}

export const RESOURCES: readonly Resource[] = [
  {
    name: "vehicle",
    path: "/api/vehicles",
    body: () => vehicleBody(NORTH),
    created: VEHICLE,
    changed: VEHICLE,
    bodies: { created: NewVehicle, changed: VehicleChanges },
    apart: ["dealer_id", "stage", "sold_at", "sold_price", "undo_sale"],
  },
  {
    name: "dealer",
    path: "/api/dealers",
    body: dealerBody,
    created: { ...DEALER, ...codesBeginning("created") },
    changed: { ...DEALER, ...codesBeginning("changed") },
    bodies: { created: NewDealer, changed: DealerChanges },
    apart: [],
  },
  {
    name: "image",
    path: `/api/vehicles/${NORTH_CAR}/images`,
    body: imageBody,
    created: IMAGE,
    changed: IMAGE,
    bodies: { created: NewImage, changed: ImageChanges },
    apart: [],
  },
  {
    name: "key",
    path: "/api/keys",
    body: keyBody,
    created: { ...KEY, ...NEW_KEY_ONLY },
    changed: { ...KEY, rotate: request },
    bodies: { created: NewKey, changed: KeyChanges },
    // `public-keys.test.ts` tests which keys may be public.
    apart: ["association", "app_id", "public", "confirm_lockout"],
  },
  {
    name: "user",
    path: "/api/users",
    body: userBody,
    created: { ...USER, ...EMAIL_OF_USER },
    changed: { ...USER, ...EMAIL_OF_USER, rotate_keys: request },
    bodies: { created: NewUser, changed: UserChanges },
    apart: [],
  },
];
