import { compiledOnUse } from "../compiled.ts";
import { url } from "../schema.ts";
import type { Vehicle } from "../vehicles/fields.ts";

/** The fields of a vehicle that a link template may name in braces. */
export const LINK_FIELDS = ["id", "dealer_id", "vin", "stock_number", "year", "make", "model", "trim"] as const;
type LinkField = (typeof LINK_FIELDS)[number];

/** Stands for the dealer's store code, which some channels fill in by themselves. */
const STORE_CODE = "store_code";

const addressCheck = compiledOnUse(url());

const MAX_LENGTH = 2048;
/** A link grows with each field that it names. */
const MAX_FIELDS = 16;
const PLACEHOLDER = /\{([^{}]*)\}/g;
const BRACES = /[{}]/;
const BLANK = /[\s"<>\\^`|]/;
/** Signs that cannot be seen; some of them show what stands around them in another order. */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}]/u;
const AUTHORITY = /^https?:\/\/([^/?#]*)/i;
const PORT = /:(\d+)$/;
const LAST_PORT = 65_535;

const isLinkField = (name: string): name is LinkField => LINK_FIELDS.some((one) => one === name);
const isKnown = (name: string): boolean => name === STORE_CODE || isLinkField(name);

/**
 * What is wrong with a link template, as the words behind its name; `null` if nothing is. It is an http or https
 * address whose host is written out, and names fields in braces: `https://www.example.com/cars/{stock_number}`.
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

/** A link, or the fields that it lacks. */
export type Link = { readonly link: string } | { readonly missing: readonly string[] };

/**
 * The link of a vehicle by a template. Values are encoded, so that none can change what stands around it. `storeCode`
 * `null`: the channel fills it in by itself.
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
