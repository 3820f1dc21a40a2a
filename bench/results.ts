import { BASE, type Contender } from "./contenders.ts";
import type { Sample } from "./job.ts";
import type { Machine } from "./machine.ts";
import type { Workload } from "./workloads.ts";

/** One measurement of one round. */
export interface Measurement extends Sample {
  readonly round: number;
  readonly contender: string;
  readonly workload: string;
}

/** One life of a server: a round. */
export interface Life {
  readonly round: number;
  readonly contender: string;
  readonly coldStartMs: number;
  /** Resident right after the start, in MB. */
  readonly freshMb: number;
  /** Resident after all workloads, in MB. */
  readonly residentMb: number;
  readonly peakMb: number;
}

/** How a comparison was made. */
export interface Setting {
  readonly machine: Machine;
  readonly pinned: boolean;
  readonly rounds: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
  readonly contenders: readonly Contender[];
  readonly workloads: readonly Workload[];
}

/** Medians over the rounds. */
export interface Figures extends Omit<Sample, "requests"> {
  readonly contender: string;
  readonly workload: string;
  /** CPU time as a multiple of the base's of the same round, and the range of that over the rounds. */
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

/** The median of one number of every row. */
export const medianOf = <Item extends object>(items: readonly Item[], of: (item: Item) => number): number =>
  median(items.map(of));

const ofBase = (all: readonly Measurement[], { round, workload }: Measurement): Measurement | undefined =>
  all.find((other) => other.contender === BASE && other.round === round && other.workload === workload);

/** Medians of one contender on one workload; `null` when it was not measured. Ratios are taken within each round. */
export const figuresOf = (all: readonly Measurement[], contender: string, workload: string): Figures | null => {
  const own = all.filter((one) => one.contender === contender && one.workload === workload);
  if (own.length === 0) return null;
  const ratios = own.map((one) => one.cpuMicros / (ofBase(all, one)?.cpuMicros ?? Number.NaN));
  return {
    contender,
    workload,
    cpuMicros: medianOf(own, (one) => one.cpuMicros),
    perSecond: medianOf(own, (one) => one.perSecond),
    p50Ms: medianOf(own, (one) => one.p50Ms),
    p99Ms: medianOf(own, (one) => one.p99Ms),
    generatorBusy: medianOf(own, (one) => one.generatorBusy),
    cpuRatio: median(ratios),
    cpuRatioRange: [Math.min(...ratios), Math.max(...ratios)],
    throughputRatio: medianOf(own, (one) => one.perSecond / (ofBase(all, one)?.perSecond ?? Number.NaN)),
  };
};
