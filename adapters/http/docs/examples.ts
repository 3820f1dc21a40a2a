import type { Json } from "./schemas.ts";

type Fields = { readonly [name: string]: Json };

const TIME = "2026-11-20T09:11:00.000Z";

/**
 * Values of fields whose schemas say too little to make one that a reader understands. They count where the schema
 * accepts their type.
 */
const BY_NAME: Readonly<Record<string, Json>> = {
  title: "2024 Toyota Camry",
  record_name: "2024 Toyota Camry",
  make: "Toyota",
  makes: "Toyota",
  model: "Camry",
  year: 2024,
  vin: "1HGBH41JXMN109186",
  check_digit: "X",
  stage: null,
  sold_at: null,
  price_changed_at: null,
  publish: 1,
  active: 1,
  sql: "select * from vehicles where dealer_id = ? order by created_at desc, id desc limit ?",
  next_cursor: null,
  message: "says what was done, or what is wrong",
  fix: "Says what to do about it.",
  path: "price",
  heading: "Price",
  field: "price",
  name: "Harbor Motors",
  key_start: "vis_web_showroom-site_3f",
  api_key: "vis_web_showroom-site_...",
  effective_rate_limit: 100,
  per_minute: 100,
  remaining: 99,
  reset_seconds: 42,
  url: "https://www.example.com/lot.csv",
  schedule: "30 2 * * *",
  timezone: "Europe/Berlin",
  failing_since: null,
  charset: "utf-8",
  delimiter: ",",
  address: "203.0.113.7",
  method: "GET",
  rule: "vin_missing",
};

const TYPES: readonly (readonly [type: string, fits: (value: Json) => boolean])[] = [
  ["null", (value) => value === null],
  ["string", (value) => typeof value === "string"],
  ["integer", Number.isSafeInteger],
  ["number", (value) => typeof value === "number"],
];

/** A field's value by its name, if the schema accepts its type. */
const valueByName = (name: string, { type }: Fields): Json | undefined => {
  const value = BY_NAME[name];
  const accepted = [type].flat();
  return value !== undefined && TYPES.some(([one, fits]) => accepted.includes(one) && fits(value)) ? value : undefined;
};

const isRecord = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = ({ format, minLength = 0 }: Fields, name: string): string => {
  if (format === "date-time") return TIME;
  if (format === "date") return TIME.slice(0, 10);
  if (format === "email") return "sales@harbor.example.com";
  if (format === "uri") return "https://www.example.com/";
  return name.padEnd(Number(minLength), "x");
};

/** Makes an example for a schema of the document; `name` is that of the field. Optional fields are left out. */
export const exampleMaker = (records: () => Fields): ((schema: Fields, name?: string) => Json) => {
  const objectOf = ({ properties, required, additionalProperties }: Fields): Json => {
    const known = isRecord(properties) ? properties : {};
    const names = Array.isArray(required) ? (required as readonly string[]) : Object.keys(known);
    if (names.length > 0)
      return Object.fromEntries(names.map((name) => [name, exampleOf(known[name] as Fields, name)]));
    return isRecord(additionalProperties) ? { "1": exampleOf(additionalProperties, "1") } : {};
  };

  const ofType = (type: Json | undefined, schema: Fields, name: string): Json => {
    switch (type) {
      case "object":
        return objectOf(schema);
      case "array":
        return isRecord(schema.items) ? [exampleOf(schema.items, name)] : [];
      case "string":
        return textOf(schema, name);
      case "integer":
      case "number":
        return Math.max(Number(schema.minimum ?? 1), Math.min(1, Number(schema.maximum ?? 1)));
      case "boolean":
        return true;
      default:
        return null;
    }
  };

  /** The first of a schema's own values, if it has any. */
  const ownValue = (schema: Fields, name: string): Json | undefined => {
    // A vehicle for sale has no sale, and what has no stage has none.
    if (valueByName(name, schema) === null) return null;
    for (const values of [schema.examples, schema.enum])
      if (Array.isArray(values) && values.length > 0) return values[0];
    if (schema.const !== undefined) return schema.const;
    return schema.default ?? valueByName(name, schema);
  };

  const exampleOf = (schema: Fields, name = "text"): Json => {
    if (typeof schema.$ref === "string")
      return exampleOf(records()[schema.$ref.split("/").at(-1) ?? ""] as Fields, name);
    const own = ownValue(schema, name);
    if (own !== undefined) return own;
    if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0] as Fields, name);
    // What may be unset, and has no example of its own, is unset.
    if (Array.isArray(schema.type)) return schema.type.includes("null") ? null : ofType(schema.type[0], schema, name);
    return ofType(schema.type, schema, name);
  };

  return exampleOf;
};
