import type { Timestamp } from "../../../core/clock.ts";
import { DEALER_READ_ONLY, NewDealer } from "../../../core/dealers/dealer.ts";
import { VEHICLE_FIELDS } from "../../../core/vehicles/fields.ts";

type Fields = Readonly<Record<string, { readonly kind: string }>>;

/**
 * A short text that changes if a release answers with other fields of a vehicle or dealer, or other kinds of vehicle
 * fields.
 */
export const representationOf = (vehicle: Fields, dealer: readonly string[]): string =>
  new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([Object.entries(vehicle).map(([name, { kind }]) => [name, kind]), dealer]))
    .digest("base64url")
    .slice(0, 6);

/** The names of all fields of a dealer. */
export const DEALER_FIELDS: readonly string[] = [...DEALER_READ_ONLY, ...Object.keys(NewDealer.properties)];

// Part of every tag, so that clients do not keep the form of an earlier release.
const REPRESENTATION = representationOf(VEHICLE_FIELDS, DEALER_FIELDS);
const TAG = /(W\/)?"([^"]*)"/g;
const ANY_REPRESENTATION = /^[\w-]{1,7}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const TIMESTAMP_LENGTH = "2026-11-20T09:11:00.000Z".length;
const MAX_VERSIONS = 16;

/**
 * The strong ETag of a record. Its `updated_at` grows with every change, so a tag names exactly one state, and the
 * variant one of its answers.
 */
export const tagOf = (id: number, version: Timestamp, variant = ""): string =>
  `"${REPRESENTATION}${variant}-${id}-${version}"`;

/**
 * The versions of record `id` that an If-Match header names, compared strongly; `null` (any version) without a header
 * or for `*`. Tags of another release count: a change leaves alone what that release does not know, and its clients can
 * save what they read before an update.
 */
export const versionsOf = (id: number, header: string | null): Timestamp[] | null => {
  if (header === null || header.trim() === "*") return null;
  const versions: Timestamp[] = [];
  for (const [, weak, tag = ""] of header.matchAll(TAG)) {
    const version = tag.slice(-TIMESTAMP_LENGTH);
    const isOwn = tag.endsWith(`-${id}-${version}`) && TIMESTAMP.test(version);
    const representation = tag.slice(0, -`-${id}-${version}`.length);
    if (weak === undefined && isOwn && ANY_REPRESENTATION.test(representation)) versions.push(version);
  }
  return [...new Set(versions)].slice(0, MAX_VERSIONS);
};

/**
 * The version that an If-None-Match header names, if the header is a single tag of this record, as clients usually send
 * it.
 */
export const onlyVersionOf = (id: number, header: string): Timestamp | null => {
  const stem = `"${REPRESENTATION}-${id}-`;
  const version = header.startsWith(stem) && header.endsWith('"') ? header.slice(stem.length, -1) : "";
  return TIMESTAMP.test(version) ? version : null;
};

/** True if an If-None-Match header names this tag, compared weakly, or is `*`. */
export const matchesTag = (header: string, tag: string): boolean => {
  if (header === tag || header.trim() === "*") return true;
  for (const [, , named] of header.matchAll(TAG)) if (`"${named}"` === tag) return true;
  return false;
};
