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

/**
 * True if a price is more than 3.5 median deviations from the median of its peers, all as logarithms. `prices` are those
 * of its peers and its own, as logarithms and in order; `own` is its index there. It does not count among its peers, of
 * which there must be 8 or more. It takes the logarithm of their number.
 */
const isOffPeers = (prices: ArrayLike<number>, own: number): boolean => {
  const count = prices.length - 1;
  if (count < MIN_PEERS) return false;
  const at = (index: number): number => prices[index < own ? index : index + 1] ?? 0;
  const center = middleOf(count, at);
  const deviation = middleOf(count, (index) => distanceOf({ count, at, center }, index));
  return (
    Math.abs((prices[own] ?? 0) - center) > Math.max(USUAL_DEVIATIONS * deviation, deviation === 0 ? MIN_USUAL : 0)
  );
};

/** A vehicle with a price, among the like ones of its dealer. */
interface Priced {
  readonly year: number;
  readonly cents: number;
}

/** Peers may be so many years older or newer. */
const YEARS_APART = 1;

/**
 * Those vehicles of one make and model whose price is far from those of their peers, which are those of about the same
 * year. Vehicles without a price are none's peers. It sorts the prices of each year.
 */
export const farFromPeers = <Vehicle extends Priced>(vehicles: readonly Vehicle[]): ReadonlySet<Vehicle> => {
  const byYear = new Map<number, { readonly vehicle: Vehicle; readonly log: number }[]>();
  for (const vehicle of vehicles)
    if (vehicle.cents > 0) {
      const priced = { vehicle, log: Math.log(vehicle.cents) };
      const ofYear = byYear.get(vehicle.year);
      if (ofYear === undefined) byYear.set(vehicle.year, [priced]);
      else ofYear.push(priced);
    }
  const far = new Set<Vehicle>();
  for (const year of byYear.keys()) {
    const about = [year - YEARS_APART, year, year + YEARS_APART]
      .flatMap((one) => byYear.get(one) ?? [])
      .sort((one, other) => one.log - other.log);
    if (about.length <= MIN_PEERS) continue;
    const logs = Float64Array.from(about, ({ log }) => log);
    for (const [index, { vehicle }] of about.entries())
      if (vehicle.year === year && isOffPeers(logs, index)) far.add(vehicle);
  }
  return far;
};
