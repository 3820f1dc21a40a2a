import { LOAD_CORE, SERVER_CORE } from "./cores.ts";
import type { Machine } from "./machine.ts";
import type { Duration } from "./measure.ts";
import { type Measurement, type Medians, medianOf, mediansOf, type ServerRun, type Setting } from "./results.ts";
import { table, times } from "./table.ts";
import { type TargetResult, targetResults } from "./targets.ts";

/** Up to this load average a machine counts as idle. */
const IDLE_LOAD_AVERAGE = 0.5;
/** From this share on, the load process rather than the server may limit the result. */
const TOO_BUSY = 0.9;

/** All results of a comparison: the setting, the medians over the rounds, and the comparison with the targets. */
export interface Report {
  readonly setting: Setting;
  readonly figures: readonly Medians[];
  readonly verdicts: readonly TargetResult[];
  readonly lives: readonly ServerRun[];
  readonly measurements: readonly Measurement[];
}

export const makeReport = (
  setting: Setting,
  measurements: readonly Measurement[],
  lives: readonly ServerRun[],
): Report => {
  const figures = setting.workloads.flatMap(({ name }) =>
    setting.contenders.flatMap((contender) => mediansOf(measurements, contender, name) ?? []),
  );
  return { setting, figures, verdicts: targetResults(figures, measurements, lives), lives, measurements };
};

const figuresTable = (figures: readonly Medians[]): string =>
  table(
    [
      "workload",
      "contender",
      "CPU µs",
      "to base",
      "range",
      "database CPU µs",
      "requests/s",
      "to base",
      "p50 ms",
      "p99 ms",
      "load busy",
    ],
    figures.map((one) => [
      one.workload,
      one.contender,
      one.cpuMicros.toFixed(1),
      times(one.cpuRatio),
      one.cpuRatioRange.map((ratio) => ratio.toFixed(2)).join("–"),
      one.databaseMicros?.toFixed(0) ?? "",
      one.perSecond.toFixed(0),
      times(one.throughputRatio),
      one.p50Ms.toFixed(2),
      one.p99Ms.toFixed(2),
      `${(one.generatorBusy * 100).toFixed(0)} %`,
    ]),
  );

const serverTable = ({ setting, lives }: Report): string => {
  const coldStartOf = (wanted: string): number =>
    medianOf(
      lives.filter(({ contender }) => contender === wanted),
      (life) => life.coldStartMs,
    );
  return table(
    ["contender", "what it is", "base", "ready ms", "to base", "MB at start", "MB at the end", "MB at most"],
    setting.contenders.map(({ name, description, base }) => {
      const own = lives.filter(({ contender }) => contender === name);
      return [
        name,
        description,
        base,
        coldStartOf(name).toFixed(0),
        times(coldStartOf(name) / coldStartOf(base)),
        ...[
          medianOf(own, (life) => life.freshMb),
          medianOf(own, (life) => life.residentMb),
          Math.max(...own.map((life) => life.peakMb)),
        ].map((megabytes) => megabytes.toFixed(0)),
      ];
    }),
    3,
  );
};

const targetsTable = (verdicts: readonly TargetResult[]): string =>
  [
    `${verdicts.filter(({ met }) => met).length} of ${verdicts.length} are met.\n`,
    table(
      ["contender", "quantity", "target", "measured", "met"],
      verdicts.map(({ contender, quantity, target, measured, met }) => [
        contender,
        quantity,
        target,
        measured,
        met ? "yes" : "NO",
      ]),
    ),
  ].join("\n");

const warnings = (figures: readonly Medians[]): string[] =>
  figures
    .filter(({ generatorBusy }) => generatorBusy > TOO_BUSY)
    .map(
      ({ workload, contender }) =>
        `The load process was the BOTTLENECK for ${workload} on ${contender}: its throughput and latency say nothing.`,
    );

/** Says in words how servers were warmed up. */
export const warmUpOf = ({ warmUpMs, warmUpRequests }: Duration): string =>
  `at least ${warmUpMs / 1000} s and ${warmUpRequests} requests (or 4 s) of warming up`;

/** The setting of a report, as the lines at its beginning. */
export const machineLines = (machine: Machine, pinned: boolean): string[] => [
  `${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}, Bun ${machine.bun}, Node ${machine.node}; ${
    pinned
      ? `servers pinned to core ${SERVER_CORE}, the load and PostgreSQL to core ${LOAD_CORE}`
      : "servers and load NOT pinned to cores of their own: throughput and latency are rough"
  }.`,
  machine.loadAverage > IDLE_LOAD_AVERAGE
    ? `The machine was BUSY with other work (load average ${machine.loadAverage.toFixed(1)}): take throughput and latency as rough.`
    : "The machine had nothing else to do.",
  `Measured on ${machine.date} at commit ${machine.commit}.`,
];

/** The report for people. */
export const markdownOf = (report: Report): string => {
  const { machine, pinned, rounds, measuredMs, workloads } = report.setting;
  return [
    "# Measured comparison\n",
    ...machineLines(machine, pinned),
    `Medians of ${rounds} rounds of ${measuredMs / 1000} s, in parts with all contenders in turn, after ${warmUpOf(report.setting)}; ratios within a round.`,
    "CPU is user and kernel time of the server's process for one request, all threads; that of PostgreSQL's processes is apart.\n",
    ...warnings(report.figures),
    figuresTable(report.figures),
    "",
    ...workloads.map(
      ({ name, description, measuredTimes = 1 }) =>
        `- ${name}: ${description}${measuredTimes === 1 ? "" : ` (measured ${measuredTimes} times as long)`}`,
    ),
    "\n## Start and memory\n",
    serverTable(report),
    "\n## Targets of the service\n",
    targetsTable(report.verdicts),
    "",
  ].join("\n");
};
