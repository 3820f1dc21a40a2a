import type { Timestamp } from "../clock.ts";

/** How the reader of a sentence writes values. */
export interface Formats {
  /** Writes a price in the installation's currency, such as "$25,999". */
  price(amount: number): string;
  /** Writes a distance with its unit, such as "12,500 mi". */
  distance(amount: number): string;
  moment(at: Timestamp): string;
  /** The name of a dealer, if it is known. */
  dealer(id: number): string | null;
}

/** The fields that sentences call by another name. */
const NAMES: Readonly<Record<string, string>> = {
  vin: "VIN",
  msrp: "MSRP",
  co2_emissions: "CO2 emissions",
  zip: "ZIP code",
  dealer_id: "dealer",
  bound_dealer_id: "bound to",
  user_id: "user",
  vehicle_id: "vehicle",
  app_id: "app ID",
  key_start: "beginning of the key",
  association: "kind",
  expires_at: "end",
  last_used_at: "last use",
  is_primary: "main photo",
  image_url: "photo's address",
  alt: "photo's description",
  image_ids: "order of the photos",
  display_order: "place",
  email: "address",
  active: "state",
  user_agent: "browser",
};

/** The words for a field: "exterior color". */
export const fieldInWords = (field: string): string => NAMES[field] ?? field.replaceAll(/[._]/g, " ");

type Pair = { readonly resource: string; readonly action: string };

const isPairs = (value: unknown): value is readonly Pair[] =>
  Array.isArray(value) && value.every((one) => typeof one === "object" && one !== null && "resource" in one);

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** Permissions as "read, write vehicles; read dealers". */
const permissionsInWords = (pairs: readonly Pair[]): string => {
  const actions = Map.groupBy(pairs, ({ resource }) => resource);
  return [...actions].map(([resource, of]) => `${of.map(({ action }) => action).join(", ")} ${resource}`).join("; ");
};

const FLAGS: Readonly<Record<string, readonly [string, string]>> = {
  active: ["inactive", "active"],
  featured: ["not featured", "featured"],
  publish: ["not published", "published"],
};

const isFlag = (value: unknown): value is boolean | 0 | 1 =>
  value === true || value === false || value === 0 || value === 1;

/** How to write the values of fields that need more than plain text. */
const VALUES: Readonly<Record<string, (value: number, formats: Formats) => string>> = {
  price: (value, { price }) => price(value),
  msrp: (value, { price }) => price(value),
  mileage: (value, { distance }) => distance(value),
  electric_range: (value, { distance }) => distance(value),
  dealer_id: (value, { dealer }) => dealer(value) ?? `dealer ${value}`,
  bound_dealer_id: (value, { dealer }) => dealer(value) ?? `dealer ${value}`,
  user_id: (value) => `user ${value}`,
  vehicle_id: (value) => `vehicle ${value}`,
};

/** A recorded value of a field, written for people. */
export const valueInWords = (field: string, value: unknown, formats: Formats): string => {
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0))
    return "none";
  const flag = FLAGS[field];
  if (flag !== undefined && isFlag(value)) return flag[Number(value) as 0 | 1];
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return VALUES[field]?.(value, formats) ?? String(value);
  if (typeof value === "string")
    return DATE_TIME.test(value)
      ? formats.moment(value)
      : value.replaceAll("_", field === "role" || field === "app_type" ? " " : "_");
  if (isPairs(value)) return permissionsInWords(value);
  if (Array.isArray(value)) return value.join(", ");
  return Object.entries(value as object)
    .map(([name, of]) => `${fieldInWords(name)} ${String(of)}`)
    .join(", ");
};
