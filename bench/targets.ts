import type { Figures, Life } from "./results.ts";
import { medianOf } from "./results.ts";

/** CPU time of the service for one request, as a multiple of the base's: at most `now`, and in the end `aim`. */
const CPU_TARGETS: Readonly<Record<string, { readonly now: number; readonly aim: number }>> = {
  "by-id": { now: 3, aim: 1.7 },
  page: { now: 1.5, aim: 1 },
  create: { now: 2, aim: 1.25 },
  statistics: { now: 1.8, aim: 1.2 },
};

const MAX_PEAK_MB = 200;
const MAX_COLD_START_MS = 300;

/** What the service promises of one quantity, and what was measured. */
export interface Verdict {
  readonly quantity: string;
  readonly measured: string;
  readonly target: string;
  readonly met: boolean;
  /** Whether the further aim is met too; `null` where there is none. */
  readonly aimMet: boolean | null;
}

/** How the service did against its targets; those that were not measured are left out. */
export const verdictsOn = (figures: readonly Figures[], lives: readonly Life[]): Verdict[] => {
  const ratios = figures.flatMap(({ workload, cpuRatio }): Verdict[] => {
    const target = CPU_TARGETS[workload];
    if (target === undefined || Number.isNaN(cpuRatio)) return [];
    return [
      {
        quantity: `CPU time, ${workload}`,
        measured: `${cpuRatio.toFixed(2)}×`,
        target: `${target.now}× (aim ${target.aim}×)`,
        met: cpuRatio <= target.now,
        aimMet: cpuRatio <= target.aim,
      },
    ];
  });
  if (lives.length === 0) return ratios;
  const peakMb = Math.max(...lives.map((life) => life.peakMb));
  const coldStartMs = medianOf(lives, (life) => life.coldStartMs);
  return [
    ...ratios,
    {
      quantity: "highest memory",
      measured: `${peakMb.toFixed(0)} MB`,
      target: `${MAX_PEAK_MB} MB`,
      met: peakMb < MAX_PEAK_MB,
      aimMet: null,
    },
    {
      quantity: "ready after",
      measured: `${coldStartMs.toFixed(0)} ms`,
      target: `${MAX_COLD_START_MS} ms`,
      met: coldStartMs < MAX_COLD_START_MS,
      aimMet: null,
    },
  ];
};
