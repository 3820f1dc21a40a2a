import { compiledOnUse } from "../compiled.ts";
import { url } from "../schema.ts";
import type { Vehicle } from "../vehicles/fields.ts";

/** The fields of a vehicle that a link template may contain in braces. */
export const LINK_FIELDS = ["id", "dealer_id", "vin", "stock_number", "year", "make", "model", "trim"] as const;
type LinkField = (typeof LINK_FIELDS)[number];

/** The name of the placeholder for the dealer's store code. Some channels fill it in by themselves. */
const STORE_CODE = "store_code";
/** The same as a template has it. */
export const STORE_CODE_PLACE = `{${STORE_CODE}}`;

const addressCheck = compiledOnUse(url());

const MAX_LENGTH = 2048;
/** The limit keeps links short: each placeholder makes a link longer. */
const MAX_FIELDS = 16;
const PLACEHOLDER = /\{([^{}]*)\}/g;
const BRACES = /[{}]/;
const BLANK = /[\s"<>\\^`|]/;
/** Invisible characters. Some of them change the order in which the characters around them are displayed. */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}]/u;
const AUTHORITY = /^https?:\/\/([^/?#]*)/i;
const PORT = /:(\d+)$/;
const LAST_PORT = 65_535;

const isLinkField = (name: string): name is LinkField => LINK_FIELDS.some((one) => one === name);
const isKnown = (name: string): boolean => name === STORE_CODE || isLinkField(name);

/**
 * What is wrong with a link template, in words that follow its name; `null` if nothing is. A template is an http or
 * https address with fields in braces after its host: `https://www.example.com/cars/{stock_number}`.
 */
export const linkTemplateFault = (template: string): string | null => {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
  const unknown = names.find((name) => !isKnown(name));
  if (unknown !== undefined)
    return `has {${unknown}}, but may have ${[...LINK_FIELDS, STORE_CODE].map((name) => `{${name}}`).join(", ")}`;
  if (names.length > MAX_FIELDS) return `names ${names.length} fields, but may name at most ${MAX_FIELDS}`;
  if (INVISIBLE.test(template)) return "must have no control characters";
  const authority = AUTHORITY.exec(template)?.[1] ?? "";
  if (authority.includes("@")) return "must have no user or password in it";
  if (Number(PORT.exec(authority)?.[1] ?? 0) > LAST_PORT) return `must have a port of up to ${LAST_PORT}, or none`;
  const filled = template.replace(PLACEHOLDER, "x");
  const isAddress =
    !BRACES.test(authority) && !BRACES.test(filled) && !BLANK.test(filled) && addressCheck().Check(filled);
  return isAddress && template.length <= MAX_LENGTH
    ? null
    : `must be an http or https address of up to ${MAX_LENGTH} characters, with fields of the vehicle in braces behind its host`;
};

/** A link, or the fields that are missing for it. */
export type Link = { readonly link: string } | { readonly missing: readonly string[] };

/**
 * The link of a vehicle, made from a template. Values are encoded, so that they cannot change other parts of the
 * address. If `storeCode` is `null`, its placeholder is kept, and the channel fills it in.
 */
export const linkOf = (
  template: string,
  vehicle: Pick<Vehicle, LinkField>,
  storeCode: { readonly code: string | undefined } | null,
): Link => {
  const missing: string[] = [];
  const link = template.replace(PLACEHOLDER, (written, name: string) => {
    if (name === STORE_CODE && storeCode === null) return written;
    const value = isLinkField(name) ? vehicle[name] : storeCode?.code;
    if (value === null || value === undefined || value === "") {
      missing.push(name);
      return "";
    }
    return encodeURIComponent(String(value).toWellFormed());
  });
  return missing.length === 0 ? { link } : { missing };
};
