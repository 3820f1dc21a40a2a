import { UNSET_DEALER } from "../../core/dealers/dealer.ts";
import type { DealerFields } from "../../core/dealers/dealer-repository.ts";
import { CITIES, type City } from "./cities.ts";
import { DESCRIPTIONS, drawHours, NETWORKS, PREFIXES, STREETS, USED_KINDS } from "./dealer-words.ts";
import { drawMake } from "./makes.ts";
import type { Make } from "./model.ts";
import { Random } from "./random.ts";
import { slugOf } from "./slug.ts";
import { DEALERS_MS, STREAMS, timestampAt, VEHICLES_MS } from "./times.ts";

/** A dealer to create, with the properties on which its vehicles depend. */
export interface SeedDealer {
  readonly fields: DealerFields;
  /** The make that it sells new; `null` if it sells used vehicles of every make. */
  readonly franchise: Make | null;
  /** The weight of its inventory in the total inventory. */
  readonly size: number;
}

/** Which dealers to invent. */
export interface DealersWanted {
  readonly seed: number;
  /** Up to MAX_DEALERS. */
  readonly count: number;
  /** The moment at which the invented data ends, in milliseconds since the epoch. */
  readonly until: number;
}

/** The maximum number of dealers. With more, some would have the same name and city. */
export const MAX_DEALERS = CITIES.length * PREFIXES.length;

const FRANCHISE_SHARE = 0.7;
const INACTIVE_SHARE = 0.03;
const UPDATED_SHARE = 0.5;

/** Fictitious telephone numbers: 555-0100 to 555-0199 are assigned to nobody. */
const phoneOf = (chance: Random, area: string): string =>
  `${area}-555-01${String(chance.integer(0, 99)).padStart(2, "0")}`;

/** It is coprime to the number of cities, so that every city is used before one is used again. */
const CITY_STEP = 7;

/** The city and the prefix of dealer `index`. No two dealers have both in common. */
const locationOf = (seed: number, index: number): { readonly city: City; readonly prefix: string } => {
  const start = new Random(seed, STREAMS.places);
  const cityOffset = start.integer(0, CITIES.length - 1);
  const prefixOffset = start.integer(0, PREFIXES.length - 1);
  const round = Math.floor(index / CITIES.length);
  const city = CITIES[(cityOffset + index * CITY_STEP) % CITIES.length];
  const prefix = PREFIXES[(prefixOffset + (index % CITIES.length) + round) % PREFIXES.length];
  if (city === undefined || prefix === undefined) throw new Error(`there is no place for dealer ${index}`);
  return { city, prefix };
};

const dealerAt = (index: number, { seed, count, until }: DealersWanted): SeedDealer => {
  const { city: place, prefix } = locationOf(seed, index);
  const chance = new Random(seed, STREAMS.dealers, index);
  const franchise = chance.happens(FRANCHISE_SHARE) ? drawMake(chance) : null;
  const name = `${prefix} ${franchise?.name ?? chance.pick(USED_KINDS)}`;
  const site = `https://${slugOf(`${name} ${place.city} ${place.state}`)}.example.com`;
  const created = until - DEALERS_MS + Math.floor(((index + chance.fraction()) / count) * (DEALERS_MS - VEHICLES_MS));
  const updated = chance.happens(UPDATED_SHARE) ? chance.integer(created, until) : created;
  const networks = chance.sample(NETWORKS, chance.integer(0, 3));
  return {
    franchise,
    // Few dealers are large, and most are small.
    size: 0.15 + chance.fraction() * chance.fraction() * 2,
    fields: {
      ...UNSET_DEALER,
      name,
      address: `${chance.integer(100, 9900)} ${chance.pick(STREETS)}`,
      city: place.city,
      state: place.state,
      zip: chance.pick(place.zips),
      phone: phoneOf(chance, place.area),
      email: `sales@${site.slice("https://".length)}`,
      website: chance.happens(0.9) ? site : null,
      logo_url: chance.happens(0.7) ? `${site}/logo.png` : null,
      description: chance.happens(0.8) ? `${name} of ${place.city} ${chance.pick(DESCRIPTIONS)}` : null,
      hours: drawHours(chance),
      social_media:
        networks.length === 0
          ? null
          : Object.fromEntries(networks.map((network) => [network, `https://${network}.example.com/${slugOf(name)}`])),
      active: chance.happens(INACTIVE_SHARE) ? 0 : 1,
      created_at: timestampAt(created),
      updated_at: timestampAt(updated),
    },
  };
};

/** Invents dealers, the oldest first. The same seed, count and moment give the same dealers. */
export const inventDealers = (wanted: DealersWanted): SeedDealer[] =>
  Array.from({ length: wanted.count }, (_, index) => dealerAt(index, wanted));
