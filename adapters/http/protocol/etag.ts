import type { Timestamp } from "../../../core/clock.ts";
import { DEALER_READ_ONLY, NewDealer } from "../../../core/dealers/dealer.ts";
import { VEHICLE_FIELDS } from "../../../core/vehicles/fields.ts";

type Fields = Readonly<Record<string, { readonly kind: string }>>;

/**
 * A short text that changes if a release changes which fields of a vehicle or dealer it answers, or the kind of a
 * vehicle's field.
 */
export const representationOf = (vehicle: Fields, dealer: readonly string[]): string =>
  new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([Object.entries(vehicle).map(([name, { kind }]) => [name, kind]), dealer]))
    .digest("base64url")
    .slice(0, 6);

/** The names of all fields of a dealer. */
export const DEALER_FIELDS: readonly string[] = [...DEALER_READ_ONLY, ...Object.keys(NewDealer.properties)];

/** It is part of every tag, so that clients do not keep answers in the form of an earlier release. */
export const REPRESENTATION = representationOf(VEHICLE_FIELDS, DEALER_FIELDS);
const TAG = /(W\/)?"([^"]*)"/g;
/** A representation of this or another release, with a variant. */
const ANY_REPRESENTATION = /^[\w-]{1,20}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const TIMESTAMP_LENGTH = "2026-11-20T09:11:00.000Z".length;
const MAX_VERSIONS = 16;

/**
 * The strong ETag of a record. As `updated_at` increases with every change, a tag stands for exactly one state. The
 * variant tells apart different answers in that state.
 */
export const tagOf = (id: number, version: Timestamp, variant = ""): string =>
  `"${REPRESENTATION}${variant}-${id}-${version}"`;

/**
 * The versions of record `id` in an If-Match header, compared strongly. `null` (any version) if there is no header, or
 * if it is `*`. Tags of another release are valid: a change does not affect fields that its release does not know, and
 * clients can save what they read before an update.
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

/** The version in an If-None-Match header, if the header is a single tag of this record, as clients usually send it. */
export const onlyVersionOf = (id: number, header: string): Timestamp | null => {
  const stem = `"${REPRESENTATION}-${id}-`;
  const version = header.startsWith(stem) && header.endsWith('"') ? header.slice(stem.length, -1) : "";
  return TIMESTAMP.test(version) ? version : null;
};

/** True if an If-None-Match header contains this tag, compared weakly, or is `*`. */
export const matchesTag = (header: string, tag: string): boolean => {
  if (header === tag || header.trim() === "*") return true;
  for (const [, , named] of header.matchAll(TAG)) if (`"${named}"` === tag) return true;
  return false;
};
