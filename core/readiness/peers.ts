/** The minimum number of peers. Fewer prices do not show what is usual. */
const MIN_PEERS = 8;
/** The number of median deviations up to which a price is usual. */
const USUAL_DEVIATIONS = 3.5;
/** The deviation, as a logarithm, that is still usual if the median deviation is 0: about one percent. */
const MIN_USUAL = 0.01;

/** The median of `count` values in order, where `at` returns the value at an index. */
const middleOf = (count: number, at: (index: number) => number): number => {
  const half = count >> 1;
  return count % 2 === 1 ? at(half) : (at(half - 1) + at(half)) / 2;
};

/**
 * The distance from `center` to the value that as many others as `nearest` says are nearer to. The values are in order.
 */
const distanceOf = (
  { count, at, center }: { readonly count: number; readonly at: (index: number) => number; readonly center: number },
  nearest: number,
): number => {
  let [first, last] = [0, count - nearest - 1];
  while (first < last) {
    const middle = (first + last) >> 1;
    if (center - at(middle) > at(middle + nearest + 1) - center) first = middle + 1;
    else last = middle;
  }
  return Math.max(center - at(first), at(first + nearest) - center);
};

/** Logarithms of prices in ascending order. `at` returns the one at an index. */
interface Prices {
  readonly count: number;
  readonly at: (place: number) => number;
}

/**
 * True if a price is more than 3.5 median deviations from the median of its peers. With fewer than 8 peers it is false.
 */
const isOff = (own: number, { count, at }: Prices): boolean => {
  if (count < MIN_PEERS) return false;
  const center = middleOf(count, at);
  const deviation = middleOf(count, (place) => distanceOf({ count, at, center }, place));
  return Math.abs(own - center) > Math.max(USUAL_DEVIATIONS * deviation, deviation === 0 ? MIN_USUAL : 0);
};

/**
 * True if a price is far from those of its peers, which are in ascending order. A price of 0 means that none is known.
 */
export const isFarFromPeers = (cents: number, peers: readonly number[]): boolean =>
  cents > 0 && isOff(Math.log(cents), { count: peers.length, at: (place) => Math.log(peers[place] ?? 1) });

/** A vehicle with its price, among vehicles of the same dealer, make and model. */
interface Priced {
  readonly year: number;
  readonly cents: number;
}

/** The number of years by which a peer may be older or newer. */
const YEARS_APART = 1;

/** The index of the first value that is not less than this one. The values are in ascending order. */
const placeOf = (value: number, values: Float64Array): number => {
  let [first, last] = [0, values.length];
  while (first < last) {
    const middle = (first + last) >> 1;
    if ((values[middle] ?? 0) < value) first = middle + 1;
    else last = middle;
  }
  return first;
};

/**
 * Each vehicle of one make and model, and whether its price is far from those of its peers. Peers differ by at most one
 * year and have a price. The result is a generator because there may be very many vehicles.
 */
export function* besidePeers<Vehicle extends Priced>(
  vehicles: readonly Vehicle[],
): Generator<{ readonly vehicle: Vehicle; readonly isFar: boolean }> {
  const byYear = Map.groupBy(vehicles, ({ year }) => year);
  const logs = new Map<number, Float64Array>();
  for (const [year, own] of byYear)
    logs.set(year, Float64Array.from(own.filter(({ cents }) => cents > 0).map(({ cents }) => Math.log(cents))));
  for (const [year, own] of byYear) {
    const about = [year - YEARS_APART, year, year + YEARS_APART].map((one) => logs.get(one) ?? new Float64Array());
    const prices = new Float64Array(about.reduce((sum, { length }) => sum + length, 0));
    let filled = 0;
    for (const some of about) {
      prices.set(some, filled);
      filled += some.length;
    }
    prices.sort();
    for (const vehicle of own) {
      const log = Math.log(vehicle.cents);
      const place = placeOf(log, prices);
      const others = { count: prices.length - 1, at: (of: number) => prices[of < place ? of : of + 1] ?? 0 };
      yield { vehicle, isFar: vehicle.cents > 0 && isOff(log, others) };
    }
  }
}
