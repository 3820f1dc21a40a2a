import { COLOURS, MODELS } from "./catalogue.ts";
import { type Random, randomFrom } from "./random.ts";
import { COMPARISON_SCALE, vehicleWithId } from "./stock.ts";

/** One state of a vehicle. */
export interface VehicleVersion {
  readonly id: number;
  readonly updatedAt: string;
}

/** One request with the service's paths, which is the same for every contender. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: object;
  /** The version of the vehicle that the client has. Each contender has its own form of ETag. */
  readonly known?: VehicleVersion;
}

/** A kind of load. */
export interface Workload {
  readonly name: string;
  readonly description: string;
  /** Only these statuses count as answers. */
  readonly statuses: readonly number[];
  readonly call: (random: Random) => Call;
  /** How many times as long as others it is measured; 1 if it is left out. */
  readonly measuredTimes?: number;
}

/**
 * In what costs little, and in what mixes much, the parts of one measurement differ most: by id, the ratio of two servers
 * was anything from 0.83 to 1.33 in 0.6 s, and 1.07 to 1.10 in four times as long.
 */
const LONGER = 4;

const anyVehicle = (random: Random): number => random.whole(1, COMPARISON_SCALE.vehicles);
const anyDealer = (random: Random): number => random.whole(1, COMPARISON_SCALE.dealers);

const byId = (random: Random): Call => ({ method: "GET", path: `/api/vehicles/${anyVehicle(random)}` });

const page = (random: Random): Call => ({
  method: "GET",
  path: `/api/vehicles?dealer_id=${anyDealer(random)}&limit=20`,
});

const search = (random: Random): Call => {
  const { make, model, newPrice } = random.pick(MODELS);
  const lowest = Math.round(newPrice * (0.4 + random.next() * 0.3));
  const filters = new URLSearchParams({
    make,
    model,
    min_price: String(lowest),
    max_price: String(lowest + Math.round(newPrice * 0.2)),
    limit: "20",
  });
  return { method: "GET", path: `/api/vehicles?${filters}` };
};

const inventory = (random: Random): Call => ({
  method: "GET",
  path: `/api/dealers/${anyDealer(random)}/vehicles?limit=50`,
});

const statistics = (random: Random): Call => ({ method: "GET", path: `/api/dealers/${anyDealer(random)}/stats` });

/** The first word of a make and the last word of a colour, as people type them. */
export const twoWords = (random: Random): string => {
  const [make = ""] = random.pick(MODELS).make.split("-");
  return `${make} ${random.pick(COLOURS).split(" ").at(-1)}`.toLowerCase();
};

const words = (random: Random): Call => ({
  method: "GET",
  path: `/api/vehicles?${new URLSearchParams({ dealer_id: String(anyDealer(random)), q: twoWords(random), limit: "20" })}`,
});

const facets = (random: Random): Call => ({
  method: "GET",
  path: `/api/vehicles/facets?dealer_id=${anyDealer(random)}`,
});

const sorted = (random: Random): Call => ({
  method: "GET",
  path: `/api/vehicles?dealer_id=${anyDealer(random)}&sort=-price&limit=20`,
});

const history = (random: Random): Call => ({
  method: "GET",
  path: `/api/vehicles/${anyVehicle(random)}/history?limit=20`,
});

const notModified = (random: Random): Call => {
  const id = anyVehicle(random);
  return {
    method: "GET",
    path: `/api/vehicles/${id}`,
    known: { id, updatedAt: vehicleWithId(id, COMPARISON_SCALE).updated_at },
  };
};

const update = (random: Random, id = anyVehicle(random)): Call => ({
  method: "PUT",
  path: `/api/vehicles/${id}`,
  body: { price: random.whole(500_000, 6_000_000) / 100 },
});

const create = (random: Random): Call => {
  const { created_at, updated_at, ...vehicle } = vehicleWithId(anyVehicle(random), COMPARISON_SCALE);
  return { method: "POST", path: "/api/vehicles", body: vehicle };
};

/** Of ten requests, five read a vehicle, three a page and one the statistics. One in ten writes. */
const mix = (random: Random): Call => {
  const share = random.next();
  if (share < 0.5) return byId(random);
  if (share < 0.8) return page(random);
  if (share < 0.9) return statistics(random);
  return share < 0.95 ? update(random) : create(random);
};

/** The vehicles that most requests of a website are about. */
const POPULAR = 2000;
const popularVehicle = (random: Random): number => random.whole(1, POPULAR);

/** The shares of HttpArena's profile `crud`: 75 % by id of popular vehicles, 15 % updates of these, 5 % pages, 5 % creates. */
const crud = (random: Random): Call => {
  const share = random.next();
  if (share < 0.75) return { method: "GET", path: `/api/vehicles/${popularVehicle(random)}` };
  if (share < 0.9) return update(random, popularVehicle(random));
  return share < 0.95 ? page(random) : create(random);
};

/**
 * Every workload. Those that write come late, because they change what later ones read. Those that mix reads and writes
 * come last, so that the runtime has compiled what writes: in a mix, writes are too rare for that.
 */
export const WORKLOADS: readonly Workload[] = [
  { name: "by-id", description: "one vehicle, all fields", statuses: [200], call: byId, measuredTimes: LONGER },
  { name: "page", description: "a dealer's newest 20 with the total", statuses: [200], call: page },
  { name: "statistics", description: "a dealer's statistics", statuses: [200], call: statistics },
  {
    name: "search",
    description: "20 of a make and model in a price range, with the total",
    statuses: [200],
    call: search,
  },
  { name: "inventory", description: "50 of a dealer's inventory with the total", statuses: [200], call: inventory },
  {
    name: "words",
    description: "a dealer's newest 20 of those found by two words, with the total",
    statuses: [200],
    call: words,
  },
  { name: "facets", description: "a dealer's vehicles counted by every facet", statuses: [200], call: facets },
  { name: "sorted", description: "a dealer's 20 most expensive with the total", statuses: [200], call: sorted },
  { name: "history", description: "the changes of a vehicle", statuses: [200], call: history },
  {
    name: "not-modified",
    description: "one vehicle that the client has already",
    statuses: [304],
    call: notModified,
    measuredTimes: LONGER,
  },
  { name: "update", description: "a new price", statuses: [200], call: (random) => update(random) },
  { name: "create", description: "a vehicle with every field", statuses: [201], call: create },
  {
    name: "mix",
    description: "90 % reads, 10 % writes",
    statuses: [200, 201],
    call: mix,
    measuredTimes: LONGER,
  },
  {
    name: "crud",
    description: "75 % one of 2000 vehicles, 15 % updates of these, 5 % pages, 5 % creates",
    statuses: [200, 201],
    call: crud,
    measuredTimes: LONGER,
  },
];

const SEED = 20_261_120;
const DIFFERENT_CALLS = 8192;

/** Different calls in random order, which is the same in every run. */
export const callsOf = (call: (random: Random) => Call, different = DIFFERENT_CALLS): Call[] => {
  const random = randomFrom(SEED);
  return Array.from({ length: different }, () => call(random));
};
