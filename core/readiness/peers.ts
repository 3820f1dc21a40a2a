/** Fewer say nothing of a price. */
const MIN_PEERS = 8;
/** So many median deviations are still usual. */
const USUAL_DEVIATIONS = 3.5;
/** Of prices that are all the same: one percent. */
const MIN_USUAL = 0.01;

/** What lies in the middle of `count` values, of which `at` names each by its index. */
const middleOf = (count: number, at: (index: number) => number): number => {
  const half = count >> 1;
  return count % 2 === 1 ? at(half) : (at(half - 1) + at(half)) / 2;
};

/** Of values in order, how far the one that is `nearest`-nearest to `center` is from it; 0 is the nearest. */
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

/** Prices as logarithms, in order: how many, and each by its place. */
interface Prices {
  readonly count: number;
  readonly at: (place: number) => number;
}

/**
 * True if a price is more than 3.5 median deviations from the median of its peers, of which there must be 8 or more.
 */
const isOff = (own: number, { count, at }: Prices): boolean => {
  if (count < MIN_PEERS) return false;
  const center = middleOf(count, at);
  const deviation = middleOf(count, (place) => distanceOf({ count, at, center }, place));
  return Math.abs(own - center) > Math.max(USUAL_DEVIATIONS * deviation, deviation === 0 ? MIN_USUAL : 0);
};

/** True if a price is far from those of its peers, which are in order. Prices of 0 are no prices. */
export const isFarFromPeers = (cents: number, peers: readonly number[]): boolean =>
  cents > 0 && isOff(Math.log(cents), { count: peers.length, at: (place) => Math.log(peers[place] ?? 1) });

/** A vehicle with a price, among the like ones of its dealer. */
interface Priced {
  readonly year: number;
  readonly cents: number;
}

/** Peers may be so many years older or newer. */
const YEARS_APART = 1;

/** Where a value is in values in order. */
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
 * Each vehicle of one make and model, and whether its price is far from those of its peers, which are those of about
 * the same year. Vehicles without a price are none's peers. They come one by one, as there may be very many.
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
