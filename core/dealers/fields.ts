import type { Timestamp } from "../clock.ts";
import { type NamesOf, namesOf } from "../fields.ts";

/** The days of opening hours. */
export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** What a dealer may want for vehicles with the VIN or stock number of another. */
export const UNIQUENESS = ["warn", "refuse"] as const;
type Uniqueness = (typeof UNIQUENESS)[number];

/** What the OpenAPI document says about a field. */
interface Notes {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** The type of the value of each kind of field, as answered. */
interface KindValues {
  /** Set by the service. */
  readonly id: number;
  readonly moment: Timestamp;
  /** Required. Names are not blank. */
  readonly name: string;
  readonly email: string;
  /** `null` if unset. Addresses are http or https; long texts may have several lines. */
  readonly url: string | null;
  readonly text: string | null;
  readonly long: string | null;
  /** A latitude or longitude. `null` if unset. */
  readonly degrees: number | null;
  readonly hours: { readonly [Day in Weekday]?: string } | null;
  readonly networks: Readonly<Record<string, string>> | null;
  /** What happens to a vehicle with the VIN or stock number of another. `warn` by default. */
  readonly uniqueness: Uniqueness;
  /** Requests a minute; `null` if unset. */
  readonly requests: number | null;
  /** Texts by which other systems know the dealer; none by default. */
  readonly codes: readonly string[];
  /** 1 by default. */
  readonly flag: 0 | 1;
}
export type Kind = keyof KindValues;

/** The limits of the values of each kind. Lengths are in characters. */
interface KindLimits extends Readonly<Record<Kind, object>> {
  readonly name: { readonly max: number };
  readonly text: { readonly min: 0 | 1; readonly max: number };
  readonly long: { readonly max: number };
  readonly degrees: { readonly max: number };
}

/** A field of one of these kinds. */
export type Field<Some extends Kind = Kind> = { [Key in Kind]: { readonly kind: Key } & KindLimits[Key] & Notes }[Some];

/**
 * THE list: every field of a dealer, in the order of the answer (interface 2.2). Types, schemas, columns, entity tags
 * and the portal's form are derived from it. CONTRIBUTING.md explains how to add a field.
 */
export const DEALER_FIELDS = {
  id: { kind: "id" },
  name: { kind: "name", max: 100, examples: ["Harbor Motors"] },
  address: { kind: "name", max: 200, examples: ["12 Quay Street"] },
  city: { kind: "name", max: 100, examples: ["Portland"] },
  state: { kind: "name", max: 100, examples: ["OR"] },
  zip: { kind: "name", max: 100, examples: ["97201"] },
  latitude: {
    kind: "degrees",
    max: 90,
    description:
      "Set it together with `longitude`. If neither is set, both are answered as the approximate location of the ZIP code.",
    examples: [45.52],
  },
  longitude: { kind: "degrees", max: 180, examples: [-122.68] },
  phone: { kind: "name", max: 100, examples: ["503-555-0142"] },
  email: { kind: "email" },
  website: { kind: "url", examples: ["https://harbor.example.com"] },
  logo_url: { kind: "url", examples: ["https://harbor.example.com/logo.png"] },
  description: { kind: "long", max: 20_000 },
  hours: { kind: "hours" },
  social_media: { kind: "networks" },
  unique_vin: {
    kind: "uniqueness",
    description:
      "What happens to a vehicle whose VIN or stock number an unsold vehicle of the dealer has: `warn` accepts it and names the others in `X-Duplicate-Of`, `refuse` answers 409.",
  },
  codes: {
    kind: "codes",
    description:
      "What other systems call the dealer, each at one dealer only; case and blanks do not matter. A file for several dealers names them by these codes. `google:HARBOR-1` is the dealer's store code in feeds for Google that name none. Keys that are bound to the dealer may not change them.",
    examples: [["DLR-0042", "google:HARBOR-1"]],
  },
  rate_limit: {
    kind: "requests",
    description:
      "The requests a minute of all keys of the dealer together, beside the limit of each key; `null` for the service's. Keys that are bound to the dealer may not change it.",
    examples: [2000],
  },
  active: { kind: "flag", description: "Answered as 0 or 1." },
  created_at: { kind: "moment" },
  updated_at: { kind: "moment" },
} as const satisfies Readonly<Record<string, Field>>;
type Fields = typeof DEALER_FIELDS;

/** A dealer as the service answers it. */
export type Dealer = { readonly [Name in keyof Fields]: KindValues[Fields[Name]["kind"]] };
export type DealerField = keyof Dealer;

/** The names of the fields that have one of these kinds. */
export type FieldOf<Some extends Kind> = NamesOf<Fields, Some>;

/** The names of the fields that have one of these kinds, in the order of the list. */
export const fieldsOf = <const Some extends Kind>(...kinds: readonly Some[]): readonly FieldOf<Some>[] =>
  namesOf(DEALER_FIELDS, ...kinds);
