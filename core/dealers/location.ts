import type { Issue } from "../issues.ts";
import { type Place, placeOfZip } from "../places/places.ts";
import type { Dealer } from "./fields.ts";

/**
 * The location of a dealer: the coordinates that were set, or else the approximate location of the ZIP code. `null` if
 * neither is known.
 */
export const placeOfDealer = ({
  latitude,
  longitude,
  zip,
}: Pick<Dealer, "latitude" | "longitude" | "zip">): Place | null =>
  latitude === null || longitude === null ? placeOfZip(zip) : { latitude, longitude };

/** A dealer as answered, with coordinates if the location is known. */
export const located = <Stored extends Pick<Dealer, "latitude" | "longitude" | "zip">>(dealer: Stored): Stored => ({
  ...dealer,
  ...(placeOfDealer(dealer) ?? { latitude: null, longitude: null }),
});

const PAIR = ["latitude", "longitude"] as const;

/** Coordinates must be set or cleared together. An issue names the missing one. */
export const requireBothCoordinates = (fields: Readonly<Record<string, unknown>>): Issue[] => {
  const sent = PAIR.filter((name) => typeof fields[name] === "number");
  const cleared = PAIR.filter((name) => fields[name] === null);
  const [only] = sent.length === 1 ? sent : cleared.length === 1 ? cleared : [];
  if (only === undefined) return [];
  const [missing] = PAIR.filter((name) => name !== only);
  return missing === undefined
    ? []
    : [{ path: missing, message: `must be sent with ${only}: both are set, or neither` }];
};
