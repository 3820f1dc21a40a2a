import type { Demand } from "./measure.ts";
import { type Random, zipfOf } from "./random.ts";
import type { Scale } from "./stock.ts";
import { type Call, callsOf, twoWords } from "./workloads.ts";

const DEALERS = 1000;
/** The number of dealers in requests. At every scale, they have more than a page of vehicles. */
const MEASURED_DEALERS = 100;
/** The number of vehicles that each of them has at the small scale. */
const FEWEST_VEHICLES = 50;
const SMALL_DEALERS_VEHICLES = MEASURED_DEALERS * FEWEST_VEHICLES;
/** The number of dealers after them that have as many vehicles at the small scale as at the large one. */
const EQUAL_DEALERS = 4;
const EQUAL_VEHICLES = 1000;
const EQUAL = EQUAL_DEALERS * EQUAL_VEHICLES;
const FIRST_EQUAL = MEASURED_DEALERS + 1;
const LAST_EQUAL = MEASURED_DEALERS + EQUAL_DEALERS;

const evenly = (id: number, from: number, to: number): number => from + ((id - 1) % (to - from + 1));

/**
 * The scales at which the service is compared with itself. At the small scale, nearly all vehicles belong to the
 * measured dealers, because ten vehicles each would be less than a page. At the large scale, every dealer has 1000
 * vehicles.
 */
export const SCALES: readonly [small: Scale, large: Scale] = [
  {
    dealers: DEALERS,
    vehicles: 10_000,
    dealerOf(id) {
      if (id <= SMALL_DEALERS_VEHICLES) return evenly(id, 1, MEASURED_DEALERS);
      return id <= SMALL_DEALERS_VEHICLES + EQUAL
        ? evenly(id, FIRST_EQUAL, LAST_EQUAL)
        : evenly(id, LAST_EQUAL + 1, DEALERS);
    },
  },
  { dealers: DEALERS, vehicles: 1_000_000, dealerOf: (id) => evenly(id, 1, DEALERS) },
];

const PAGE = 20;
const DEEP_PAGE = 10_000;

/** The number of vehicles before the deep page, which is page 10 000, or the last page of a shorter list. */
export const beforeDeepPage = ({ vehicles }: Scale): number =>
  Math.min(DEEP_PAGE, Math.floor(vehicles / PAGE)) * PAGE - PAGE;

/** A kind of load at one scale. `cursor` is where its deep page begins. */
interface GrowthWorkload {
  readonly name: string;
  readonly description: string;
  readonly callOn: (scale: Scale, cursor: string) => (random: Random) => Call;
}

const get = (path: string): Call => ({ method: "GET", path });
/**
 * Eight times as many as the pages in a connection's cache, so that at the large scale hardly any vehicle is in the
 * cache.
 */
const DIFFERENT_CALLS = 65_536;
/**
 * The distance from one popular vehicle to the next, so that they are on different pages of the database. It is coprime
 * to every scale.
 */
const POPULARITY_STRIDE = 7919;
const anyDealer = (random: Random): number => random.whole(1, MEASURED_DEALERS);
/**
 * A dealer with the same number of vehicles at both scales, so that only the number of other dealers' vehicles grows.
 */
const equalDealer = (random: Random): number => random.whole(FIRST_EQUAL, LAST_EQUAL);

/** The workloads at every scale. */
export const GROWTH_WORKLOADS: readonly GrowthWorkload[] = [
  {
    name: "by-id",
    description: "one vehicle, all fields, each as often as any other",
    callOn:
      ({ vehicles }) =>
      (random) =>
        get(`/api/vehicles/${random.whole(1, vehicles)}`),
  },
  {
    name: "by-popularity",
    description:
      "one vehicle, all fields, the k-th most popular k times less often than the first (Zipf, exponent 0.99)",
    callOn({ vehicles }) {
      const rank = zipfOf(vehicles);
      return (random) => get(`/api/vehicles/${1 + ((rank(random) * POPULARITY_STRIDE) % vehicles)}`);
    },
  },
  {
    name: "page",
    description: "a dealer's newest 20 with the total",
    callOn: () => (random) => get(`/api/vehicles?dealer_id=${anyDealer(random)}&limit=${PAGE}`),
  },
  {
    name: "statistics",
    description: "the statistics of a dealer with 1000 vehicles",
    callOn: () => (random) => get(`/api/dealers/${equalDealer(random)}/stats`),
  },
  {
    name: "words",
    description: "the newest 20 of those found by two words, with the total, of a dealer with 1000 vehicles",
    callOn: () => (random) =>
      get(`/api/vehicles?dealer_id=${equalDealer(random)}&q=${encodeURIComponent(twoWords(random))}&limit=${PAGE}`),
  },
  {
    name: "facets",
    description: "every facet of a dealer with 1000 vehicles",
    callOn: () => (random) => get(`/api/vehicles/facets?dealer_id=${equalDealer(random)}`),
  },
  {
    name: "sorted",
    description: "the 20 most expensive of a dealer with 1000 vehicles, with the total",
    callOn: () => (random) => get(`/api/vehicles?dealer_id=${equalDealer(random)}&sort=-price&limit=${PAGE}`),
  },
  {
    name: "first-page",
    description: "the newest 20 of all vehicles with the total",
    callOn: () => () => get(`/api/vehicles?limit=${PAGE}`),
  },
  {
    name: "deep-page",
    description: "page 10 000 of all vehicles by cursor; of the small set its last page, which is page 500",
    callOn: (_, cursor) => () => get(`/api/vehicles?limit=${PAGE}&cursor=${cursor}`),
  },
];

/** The workload's calls at a scale. */
export const demandOf = ({ name, callOn }: GrowthWorkload, scale: Scale, cursor: string): Demand => ({
  workload: name,
  statuses: [200],
  calls: callsOf(callOn(scale, cursor), DIFFERENT_CALLS),
});
