import { GROWTH_WORKLOADS } from "./growth-workloads.ts";
import type { Duration } from "./measure.ts";
import type { Memory } from "./proc.ts";
import { machineLines, warmUpOf } from "./report.ts";
import { type Measurement, type Medians, mediansOf, type Setting } from "./results.ts";
import { table, times } from "./table.ts";

/** The maximum factor by which a hundred times as much data may increase the cost. */
const MAX_GROWTH = 1.2;
const MAX_PEAK_MB = 200;

/** One data set, and the highest memory use of the service in any round on it. */
export interface Scaled extends Memory {
  readonly name: string;
  readonly dealers: number;
  readonly vehicles: number;
  /** The number of vehicles in an answer of each workload, in the order of the workloads. */
  readonly rows: readonly number[];
}

/** One workload on both data sets. Ratios are large to small. */
interface Growth {
  readonly workload: string;
  readonly rows: readonly number[];
  readonly small: Medians;
  readonly large: Medians;
  readonly met: boolean;
}

/** All results of the comparison of sizes. */
export interface GrowthReport {
  readonly setting: Pick<Setting, "machine" | "pinned" | "rounds" | keyof Duration>;
  readonly scales: readonly Scaled[];
  readonly growth: readonly Growth[];
  readonly measurements: readonly Measurement[];
}

export const makeGrowthReport = (
  setting: GrowthReport["setting"],
  scales: readonly Scaled[],
  measurements: readonly Measurement[],
): GrowthReport => {
  const [small, large] = scales.map(({ name }) => name);
  if (small === undefined || large === undefined) throw new Error("growth takes two sets of data");
  return {
    setting,
    scales,
    growth: GROWTH_WORKLOADS.flatMap(({ name: workload }, index) => {
      const base = mediansOf(measurements, { name: small, base: small }, workload);
      const grown = mediansOf(measurements, { name: large, base: small }, workload);
      if (base === null || grown === null) return [];
      const rows = scales.map((scale) => scale.rows[index] ?? 0);
      return [{ workload, rows, small: base, large: grown, met: grown.cpuRatio <= MAX_GROWTH }];
    }),
    measurements,
  };
};

const HEAD = [
  "workload",
  "rows",
  "CPU µs",
  "large",
  "ratio",
  `≤ ${times(MAX_GROWTH)}`,
  "p50 ms",
  "large",
  "p99 ms",
  "large",
];

const growthTable = (growth: readonly Growth[]): string =>
  table(
    HEAD,
    growth.map(({ workload, rows, small, large, met }) => [
      workload,
      [...new Set(rows)].join(" / "),
      small.cpuMicros.toFixed(1),
      large.cpuMicros.toFixed(1),
      times(large.cpuRatio),
      met ? "yes" : "NO",
      small.p50Ms.toFixed(2),
      large.p50Ms.toFixed(2),
      small.p99Ms.toFixed(2),
      large.p99Ms.toFixed(2),
    ]),
    1,
  );

const memoryTable = (scales: readonly Scaled[]): string =>
  table(
    ["data", "resident MB", "MB at most", `< ${MAX_PEAK_MB} MB`],
    scales.map(({ name, dealers, residentMb, peakMb }) => [
      `${name} of ${dealers} dealers`,
      residentMb.toFixed(0),
      peakMb.toFixed(0),
      peakMb < MAX_PEAK_MB ? "yes" : "NO",
    ]),
    1,
  );

/** The report for people. */
export const markdownOfGrowth = ({ setting, scales, growth }: GrowthReport): string =>
  [
    "# The service on 10 000 and on 1 000 000 vehicles\n",
    ...machineLines(setting.machine, setting.pinned),
    `Medians of ${setting.rounds} rounds of ${setting.measuredMs / 1000} s, each with fresh servers, in parts with both sets in turn, after ${warmUpOf(setting)}; ratios within a round.`,
    "The dealers asked for have 50 vehicles each in the small set and 1000 in the large one, so that both fill a page.\n",
    growthTable(growth),
    "",
    ...GROWTH_WORKLOADS.map(({ name, description }) => `- ${name}: ${description}`),
    "\n## Memory after the load\n",
    memoryTable(scales),
    "",
  ].join("\n");
