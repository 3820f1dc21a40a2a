import { plainText, withoutLinks } from "../markup/plain-text.ts";
import { type FieldOf, fieldsOf, type Vehicle } from "../vehicles/fields.ts";
import { type Meaning, meaningOf, type Subject } from "../vehicles/synonyms.ts";
import type { Cell, FeedEntry, Value } from "./channel.ts";
import { EUROPE, PRICE_TYPE_ASKED } from "./countries.ts";
import { storeCodeOf } from "./dealer-values.ts";
import { linkOf, STORE_CODE_PLACE } from "./link-template.ts";
import { inSentenceCase, isInCapitals, multipleLines, nullIfEmpty, plainLine, singleLine, truncated } from "./texts.ts";

type TextField = FieldOf<"name" | "text" | "code">;

/** A text field of the vehicle in one line, cut after `most` characters. */
export const textOf = (field: TextField, most = Number.POSITIVE_INFINITY): Value => ({
  field,
  write: ({ vehicle }) => nullIfEmpty(truncated(plainLine(vehicle[field] ?? ""), most)),
});

/** The names and texts of a vehicle, which people write. */
const WRITTEN: ReadonlySet<string> = new Set(fieldsOf("name", "text", "long"));

/** A field of the vehicle. Names and texts are without tags and entities of HTML; else it is unchanged. */
export const plain = (field: keyof Vehicle): Value =>
  WRITTEN.has(field)
    ? {
        field,
        write({ vehicle }) {
          const value = vehicle[field];
          return typeof value === "string" ? plainText(value) : value;
        },
      }
    : { field, write: ({ vehicle }) => vehicle[field] };

/** The vehicle's features in one line. */
export const FEATURES: Value = {
  field: "features",
  write: ({ vehicle }) => nullIfEmpty(plainLine(vehicle.features ?? "")),
};

/** The description as plain text without links, cut after `most` characters. */
export const descriptionOf = (most: number): Value => ({
  field: "description",
  write: ({ vehicle }) =>
    nullIfEmpty(truncated(multipleLines(withoutLinks(plainText(vehicle.description ?? ""))), most)),
});

/** The description for channels that refuse texts in capitals. One in capitals is written in sentence case. */
export const descriptionNotInCapitals = (most: number): Value => {
  const { field, write } = descriptionOf(most);
  return {
    field,
    write(source, severity, report) {
      const { description: written } = source.vehicle;
      const description = written && plainText(written);
      if (description === null || !isInCapitals(description)) return write(source, severity, report);
      report({ rule: "description_capitals", severity: "warning", field, evidence: description });
      const vehicle = { ...source.vehicle, description: inSentenceCase(description) };
      return write({ ...source, vehicle }, severity, report);
    },
  };
};

/** The title, cut after `most` characters. A vehicle without a title has its year, make and model. */
export const titleOf = (most: number): Value => ({
  field: "title",
  write: ({ vehicle: { title, year, make, model } }) =>
    truncated(plainLine(title ?? "") || plainLine(`${year} ${make} ${model}`), most),
});

/** The vehicle's id. */
export const ID: Value = { field: "id", write: ({ vehicle }) => String(vehicle.id) };

/** The vehicle's id in Europe. Elsewhere the VIN is the id. */
export const ID_IN_EUROPE: Value = {
  field: "id",
  write: ({ vehicle, settings }) => (EUROPE.has(settings.country) ? String(vehicle.id) : null),
};

/** `10499 USD`. Cents, if there are any, follow a point. */
export const priceText = (price: number, currency: string): string =>
  `${Number.isInteger(price) ? price : price.toFixed(2)} ${currency}`;

/** The price with its currency. */
export const PRICE: Value = {
  field: "price",
  write({ vehicle: { price }, settings }, severity, report) {
    if (price > 0) return priceText(price, settings.currency);
    report({ rule: "price_zero", severity, field: "price", evidence: "0" });
    return null;
  },
};

/** The words for units of distance. */
export const UNITS = { mi: "miles", km: "km" } as const;

/** The mileage with its unit: `2333 miles`. */
export const MILEAGE_TEXT: Value = {
  field: "mileage",
  write: ({ vehicle: { mileage }, settings }) =>
    mileage === null ? null : `${mileage} ${UNITS[settings.mileage_unit]}`,
};

/** The mileage with its unit. A new vehicle whose mileage is unknown has 0. */
export const MILEAGE_OF_ALL: Value = {
  field: "mileage",
  write({ vehicle, settings }) {
    const mileage = vehicle.mileage ?? (isNew(vehicle) ? 0 : null);
    return mileage === null ? null : `${mileage} ${UNITS[settings.mileage_unit]}`;
  },
};

/** The channel's word for what the price includes. It is reported where the country asks for it and nobody said it. */
export const PRICE_TYPE: Value = {
  field: "price_type",
  write({ settings: { price_type: type, country } }, _, report) {
    if (type === null && PRICE_TYPE_ASKED.has(country))
      report({ rule: "price_type_missing", severity: "warning", field: "price_type" });
    return type;
  },
};

const isNew = ({ condition }: Vehicle): boolean => condition !== null && meaningOf("condition", condition) === "new";

/** The mileage without a unit. A new vehicle whose mileage is unknown has 0. */
export const MILEAGE: Value = {
  field: "mileage",
  write: ({ vehicle }) => vehicle.mileage ?? (isNew(vehicle) ? 0 : null),
};

/** The unit of mileages: `MI` or `KM`. */
export const MILEAGE_UNIT: Value = {
  field: "mileage_unit",
  write: ({ settings }) => settings.mileage_unit.toUpperCase(),
};

type TextFields = { readonly [About in Subject]: TextField };
const FIELD_OF: TextFields = {
  condition: "condition",
  body: "body_style",
  transmission: "transmission",
  fuel: "fuel_type",
  drivetrain: "drivetrain",
};

/**
 * The channel's word for the meaning of the vehicle's text, and its word for unknown meanings; each `null` if there is
 * none.
 */
const wordOf = <About extends Subject>(about: About, { channel }: FeedEntry, text: string) => {
  const meaning = meaningOf(about, text);
  const words = channel.words[about];
  const word = meaning === null ? undefined : (words?.words as Readonly<Record<Meaning<About>, string>>)?.[meaning];
  return { word: word ?? null, other: words?.other ?? null };
};

/** The channel's word for the condition. */
export const CONDITION: Value = {
  field: "condition",
  write(source, severity, report) {
    const text = source.vehicle.condition ?? "";
    if (text.trim() === "") return null;
    const { word } = wordOf("condition", source, text);
    if (word === null)
      report({
        rule: "condition_unknown",
        severity,
        field: "condition",
        message: `${source.channel.reader} knows new and used vehicles, but not “${singleLine(text)}”.`,
        evidence: text,
      });
    return word;
  },
};

/** The channel's word for the body style, or its word for other styles. */
export const BODY: Value = {
  field: "body_style",
  write(source, _, report) {
    const text = source.vehicle.body_style ?? "";
    if (text.trim() === "") return null;
    const { word, other } = wordOf("body", source, text);
    if (word === null)
      report({
        rule: "body_unknown",
        severity: "warning",
        field: "body_style",
        message: `${source.channel.reader} has no word for “${singleLine(text)}”, and is told ${other}.`,
        evidence: text,
      });
    return word ?? other;
  },
};

/** The channel's word for the meaning of a text, or its word for unknown meanings. */
export const word = (about: Exclude<Subject, "condition" | "body">): Value => ({
  field: FIELD_OF[about],
  write(source) {
    const text = source.vehicle[FIELD_OF[about]] ?? "";
    if (text.trim() === "") return null;
    const { word: known, other } = wordOf(about, source, text);
    return known ?? other;
  },
});

/** `yes` for certified vehicles, `no` for others. */
export const CERTIFIED: Value = {
  field: "condition",
  write: ({ vehicle: { condition } }) => (meaningOf("condition", condition ?? "") === "certified" ? "yes" : "no"),
};

const linkValue = (storeCode: (source: FeedEntry) => { readonly code: string | undefined } | null): Value => ({
  field: "link_template",
  write(source, severity, report) {
    const { link_template: template } = source.settings;
    const made = template === null ? { missing: [] } : linkOf(template, source.vehicle, storeCode(source));
    if ("link" in made) return made.link;
    const [first] = made.missing;
    const who = source.channel.reader;
    // A missing template is not reported where the link is optional: the feed does not want links.
    if (first !== undefined || severity === "error")
      report({
        rule: "link_missing",
        severity,
        field: first ?? "link_template",
        message:
          first === undefined
            ? `${who} wants the address of the vehicle's page; the feed has no link template.`
            : `The address of the vehicle's page needs ${made.missing.join(" and ")}, which this vehicle has not.`,
        evidence: template,
      });
    return null;
  },
});

/** The address of the vehicle's page on the dealer's site. */
export const LINK = linkValue((source) => ({ code: storeCodeOf(source) }));

const LINK_WITHOUT_STORE = linkValue(() => null);

/** The address for channels that fill in the store code by themselves, and refuse addresses without a place for it. */
export const LINK_FOR_STORES: Value = {
  field: LINK_WITHOUT_STORE.field,
  write(source, severity, report) {
    const { link_template: template } = source.settings;
    if (template !== null && !template.includes(STORE_CODE_PLACE))
      report({ rule: "link_store_code", severity, field: "link_template", evidence: template });
    return LINK_WITHOUT_STORE.write(source, severity, report);
  },
};

/** The day on which the vehicle was listed, such as `2026-03-31`. */
export const DAY_LISTED: Value = {
  field: "listed_at",
  write: ({ vehicle }) => (vehicle.listed_at ?? vehicle.created_at).slice(0, 10),
};

/** The channel's word for the vehicle's status. */
export const availability = (words: Readonly<Record<Vehicle["status"], string>>): Value => ({
  field: "status",
  write: ({ vehicle }) => words[vehicle.status],
});

/** True if a cell is empty. */
export const isEmptyCell = (cell: Cell): boolean =>
  cell === null || cell === "" || (typeof cell === "object" && cell.length === 0);

/** True unless the vehicle is known to be new. */
export const isUsed = (vehicle: Vehicle): boolean => !isNew(vehicle);
