import { cpuRatioOf, type Measurement, type Medians, medianOf, type ServerRun } from "./results.ts";
import { times } from "./table.ts";

/** The contenders that are checked: the service on each engine. */
const SERVICES: readonly string[] = ["service", "service-postgres"];

/** The maximum CPU time of one request, as a multiple of another contender's. */
interface CpuTarget {
  readonly contender: string;
  readonly other: string;
  readonly workload: string | "every";
  readonly atMost: number;
}

const CPU_TARGETS: readonly CpuTarget[] = [
  { contender: "service", other: "bare", workload: "by-id", atMost: 1.2 },
  { contender: "service", other: "bare", workload: "page", atMost: 0.45 },
  { contender: "service", other: "bare", workload: "statistics", atMost: 0.4 },
  { contender: "service", other: "bare", workload: "create", atMost: 2.6 },
  { contender: "service", other: "bare", workload: "words", atMost: 1.3 },
  { contender: "service", other: "bare", workload: "facets", atMost: 1.3 },
  { contender: "service", other: "fastify", workload: "every", atMost: 1 },
  { contender: "service", other: "hono", workload: "every", atMost: 1 },
  { contender: "service-postgres", other: "bare-postgres", workload: "every", atMost: 1.5 },
];

/** The latency of the slowest percent of requests must be below this multiple of the usual latency. */
const MAX_TAIL = 10;
const MAX_PEAK_MB = 150;
const MAX_READY_MS = 1000;

/** One promise of the service, with its measurement. */
export interface TargetResult {
  readonly contender: string;
  readonly quantity: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean;
}

const cpuResults = (measurements: readonly Measurement[], workloads: readonly string[]): TargetResult[] =>
  CPU_TARGETS.flatMap(({ contender, other, workload: wanted, atMost }) =>
    workloads
      .filter((workload) => wanted === "every" || workload === wanted)
      .map((workload) => ({ workload, ratio: cpuRatioOf(measurements, [contender, other], workload) }))
      .filter(({ ratio }) => !Number.isNaN(ratio))
      .map(({ workload, ratio }) => ({
        contender,
        quantity: `CPU time to ${other}'s, ${workload}`,
        target: `≤ ${times(atMost)}`,
        measured: times(ratio),
        met: ratio <= atMost,
      })),
  );

const tailResults = (figures: readonly Medians[]): TargetResult[] =>
  figures
    .filter(({ contender }) => SERVICES.includes(contender))
    .map(({ contender, workload, p50Ms, p99Ms }) => ({
      contender,
      quantity: `p99 to p50, ${workload}`,
      target: `< ${MAX_TAIL}×`,
      measured: times(p99Ms / p50Ms),
      met: p99Ms < MAX_TAIL * p50Ms,
    }));

const serverResults = (all: readonly ServerRun[]): TargetResult[] =>
  SERVICES.flatMap((contender) => {
    const lives = all.filter((life) => life.contender === contender);
    if (lives.length === 0) return [];
    const peakMb = Math.max(...lives.map((life) => life.peakMb));
    const readyMs = medianOf(lives, (life) => life.coldStartMs);
    return [
      {
        contender,
        quantity: "highest memory",
        target: `< ${MAX_PEAK_MB} MB`,
        measured: `${peakMb.toFixed(0)} MB`,
        met: peakMb < MAX_PEAK_MB,
      },
      {
        contender,
        quantity: "ready after",
        target: `< ${MAX_READY_MS} ms`,
        measured: `${readyMs.toFixed(0)} ms`,
        met: readyMs < MAX_READY_MS,
      },
    ];
  });

/** The service's results compared with its targets, without those that were not measured. */
export const targetResults = (
  figures: readonly Medians[],
  measurements: readonly Measurement[],
  lives: readonly ServerRun[],
): TargetResult[] => [
  ...cpuResults(measurements, [...new Set(figures.map(({ workload }) => workload))]),
  ...tailResults(figures),
  ...serverResults(lives),
];
