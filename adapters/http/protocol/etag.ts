import type { Timestamp } from "../../../core/clock.ts";
import { DEALER_READ_ONLY, NewDealer } from "../../../core/dealers/dealer.ts";
import { VEHICLE_FIELDS } from "../../../core/vehicles/fields.ts";

type Fields = Readonly<Record<string, { readonly kind: string }>>;

/**
 * A short text that differs between releases that answer with other fields of a vehicle or dealer, or with other kinds
 * of values in a vehicle's.
 */
export const representationOf = (vehicle: Fields, dealer: readonly string[]): string =>
  new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([Object.entries(vehicle).map(([name, { kind }]) => [name, kind]), dealer]))
    .digest("base64url")
    .slice(0, 6);

/** Every field of a dealer, by name. */
export const DEALER_FIELDS: readonly string[] = [...DEALER_READ_ONLY, ...Object.keys(NewDealer.properties)];

// So that no client keeps the form of an earlier release.
const REPRESENTATION = representationOf(VEHICLE_FIELDS, DEALER_FIELDS);
const TAG = /(W\/)?"([^"]*)"/g;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const MAX_VERSIONS = 16;

/** The strong ETag of a record: its `updated_at` grows with every change, so a tag names one state of one record. */
export const tagOf = (id: number, version: Timestamp): string => `"${REPRESENTATION}-${id}-${version}"`;

/** The versions of record `id` that an If-Match header names, compared strongly; `null` without the header or for `*`: any version. */
export const versionsOf = (id: number, header: string | null): Timestamp[] | null => {
  if (header === null || header.trim() === "*") return null;
  const stem = `${REPRESENTATION}-${id}-`;
  const versions: Timestamp[] = [];
  for (const [, weak, tag = ""] of header.matchAll(TAG)) {
    const version = tag.slice(stem.length);
    if (weak === undefined && tag.startsWith(stem) && MOMENT.test(version)) versions.push(version);
  }
  return [...new Set(versions)].slice(0, MAX_VERSIONS);
};

/** The version that an If-None-Match header names when it is the one tag of this very record, as clients send it. */
export const onlyVersionOf = (id: number, header: string): Timestamp | null => {
  const stem = `"${REPRESENTATION}-${id}-`;
  const version = header.startsWith(stem) && header.endsWith('"') ? header.slice(stem.length, -1) : "";
  return MOMENT.test(version) ? version : null;
};

/** True when an If-None-Match header names this tag, compared weakly, or any. */
export const isNamedBy = (header: string, tag: string): boolean => {
  if (header === tag || header.trim() === "*") return true;
  for (const [, , named] of header.matchAll(TAG)) if (`"${named}"` === tag) return true;
  return false;
};
