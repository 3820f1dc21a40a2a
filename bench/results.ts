import type { Contender } from "./contenders.ts";
import type { Sample } from "./job.ts";
import type { Machine } from "./machine.ts";
import type { Duration } from "./measure.ts";
import type { Workload } from "./workloads.ts";

/** One measurement in one round. */
export interface Measurement extends Sample {
  readonly round: number;
  readonly contender: string;
  readonly workload: string;
}

/** One run of a server in a round. */
export interface ServerRun {
  readonly round: number;
  readonly contender: string;
  readonly coldStartMs: number;
  /** The resident memory right after the start, in MB. */
  readonly freshMb: number;
  /** The resident memory after all workloads, in MB. */
  readonly residentMb: number;
  readonly peakMb: number;
}

/** How a comparison was made. It contains no paths of the machine, because it is published. */
export interface Setting extends Duration {
  readonly machine: Machine;
  readonly pinned: boolean;
  readonly rounds: number;
  readonly contenders: readonly Pick<Contender, "name" | "description" | "base" | "engine">[];
  readonly workloads: readonly Pick<Workload, "name" | "description" | "measuredTimes">[];
}

/** The medians over the rounds. */
export interface Medians extends Omit<Sample, "requests"> {
  readonly contender: string;
  readonly workload: string;
  /** The CPU time as a multiple of the base's in the same round, with the range over the rounds. */
  readonly cpuRatio: number;
  readonly cpuRatioRange: readonly [lowest: number, highest: number];
  readonly throughputRatio: number;
}

const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
};

/** The median of one number over all items. */
export const medianOf = <Item extends object>(items: readonly Item[], of: (item: Item) => number): number =>
  median(items.map(of));

/** The measurements of one contender on one workload in all rounds. */
const measurementsOf = (all: readonly Measurement[], contender: string, workload: string): Measurement[] =>
  all.filter((one) => one.contender === contender && one.workload === workload);

/** A number of one contender as multiples of another's, one for each round. Empty if one of them was not measured. */
const ratiosOf = (
  all: readonly Measurement[],
  [contender, other]: readonly [string, string],
  { workload, of }: { readonly workload: string; readonly of: (measurement: Measurement) => number },
): number[] => {
  const others = new Map(measurementsOf(all, other, workload).map((one) => [one.round, of(one)]));
  return measurementsOf(all, contender, workload).flatMap((one) => {
    const compared = others.get(one.round);
    return compared === undefined ? [] : of(one) / compared;
  });
};

/**
 * The CPU time of a contender as a multiple of another's. It is the median over the rounds, or NaN if one was not
 * measured.
 */
export const cpuRatioOf = (all: readonly Measurement[], pair: readonly [string, string], workload: string): number =>
  median(ratiosOf(all, pair, { workload, of: (one) => one.cpuMicros }));

/**
 * The medians of one contender on one workload. `null` if it was not measured. Ratios are computed within each round.
 */
export const mediansOf = (
  all: readonly Measurement[],
  { name, base }: Pick<Contender, "name" | "base">,
  workload: string,
): Medians | null => {
  const own = measurementsOf(all, name, workload);
  if (own.length === 0) return null;
  const ratios = ratiosOf(all, [name, base], { workload, of: (one) => one.cpuMicros });
  return {
    contender: name,
    workload,
    cpuMicros: medianOf(own, (one) => one.cpuMicros),
    databaseMicros: own.some((one) => one.databaseMicros === null)
      ? null
      : medianOf(own, (one) => one.databaseMicros ?? 0),
    perSecond: medianOf(own, (one) => one.perSecond),
    p50Ms: medianOf(own, (one) => one.p50Ms),
    p99Ms: medianOf(own, (one) => one.p99Ms),
    generatorBusy: medianOf(own, (one) => one.generatorBusy),
    cpuRatio: median(ratios),
    cpuRatioRange: [Math.min(...ratios), Math.max(...ratios)],
    throughputRatio: median(ratiosOf(all, [name, base], { workload, of: (one) => one.perSecond })),
  };
};
