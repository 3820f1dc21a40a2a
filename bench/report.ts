import { BASE } from "./contenders.ts";
import { LOAD_CORE, SERVER_CORE } from "./cores.ts";
import { type Figures, figuresOf, type Life, type Measurement, medianOf, type Setting } from "./results.ts";
import { verdictsOn } from "./targets.ts";

/** The contender whose targets are checked. */
const SERVICE = "service";

/** A load average up to which a machine counts as idle. */
const QUIET = 0.5;

/** Everything a comparison found: what was measured, and the medians over the rounds. */
export interface Report {
  readonly setting: Setting;
  readonly figures: readonly Figures[];
  readonly lives: readonly Life[];
  readonly measurements: readonly Measurement[];
}

export const reportOn = (setting: Setting, measurements: readonly Measurement[], lives: readonly Life[]): Report => ({
  setting,
  figures: setting.workloads.flatMap(({ name: workload }) =>
    setting.contenders.flatMap(({ name }) => figuresOf(measurements, name, workload) ?? []),
  ),
  lives,
  measurements,
});

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => (column < 2 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
};

const times = (ratio: number): string => (Number.isNaN(ratio) ? "–" : `${ratio.toFixed(2)}×`);

const figuresTable = (figures: readonly Figures[]): string =>
  table(
    ["workload", "contender", "CPU µs", "to base", "range", "requests/s", "to base", "p50 ms", "p99 ms", "load busy"],
    figures.map((one) => [
      one.workload,
      one.contender,
      one.cpuMicros.toFixed(1),
      times(one.cpuRatio),
      one.cpuRatioRange.map((ratio) => ratio.toFixed(2)).join("–"),
      one.perSecond.toFixed(0),
      times(one.throughputRatio),
      one.p50Ms.toFixed(2),
      one.p99Ms.toFixed(2),
      `${(one.generatorBusy * 100).toFixed(0)} %`,
    ]),
  );

const livesTable = ({ setting, lives }: Report): string => {
  const ofBase = lives.filter(({ contender }) => contender === BASE);
  return table(
    ["contender", "what it is", "cold start ms", "to base", "MB at start", "MB at the end", "MB at most"],
    setting.contenders.map(({ name, description }) => {
      const own = lives.filter(({ contender }) => contender === name);
      const coldStart = medianOf(own, (life) => life.coldStartMs);
      return [
        name,
        description,
        coldStart.toFixed(0),
        times(coldStart / medianOf(ofBase, (life) => life.coldStartMs)),
        ...[
          medianOf(own, (life) => life.freshMb),
          medianOf(own, (life) => life.residentMb),
          Math.max(...own.map((life) => life.peakMb)),
        ].map((megabytes) => megabytes.toFixed(0)),
      ];
    }),
  );
};

const verdictsTable = ({ figures, lives }: Report): string =>
  table(
    ["quantity", "target", "measured", "met", "aim met"],
    verdictsOn(
      figures.filter(({ contender }) => contender === SERVICE),
      lives.filter(({ contender }) => contender === SERVICE),
    ).map(({ quantity, target, measured, met, aimMet }) => [
      quantity,
      target,
      measured,
      met ? "yes" : "NO",
      aimMet === null ? "" : aimMet ? "yes" : "no",
    ]),
  );

/** The report for people. */
export const markdownOf = (report: Report): string => {
  const { machine, pinned, rounds, warmUpMs, measuredMs, workloads } = report.setting;
  const cores = pinned
    ? `servers pinned to core ${SERVER_CORE}, the load to core ${LOAD_CORE}`
    : "servers and load NOT pinned to cores of their own: throughput and latency are rough";
  return [
    "# Measured comparison\n",
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}, Bun ${machine.bun}; ${cores}.`,
    machine.loadAverage > QUIET
      ? `The machine was BUSY with other work (load average ${machine.loadAverage.toFixed(1)}): take throughput and latency as rough.`
      : "The machine had nothing else to do.",
    `Medians of ${rounds} rounds of ${measuredMs / 1000} s after ${warmUpMs / 1000} s of warming up, contenders in turn; ratios within a round.`,
    "CPU is user and kernel time of the server's process for one request, all threads.\n",
    figuresTable(report.figures),
    "",
    ...workloads.map(({ name, description }) => `- ${name}: ${description}`),
    "\n## Start and memory\n",
    livesTable(report),
    "\n## Targets of the service\n",
    verdictsTable(report),
    "",
  ].join("\n");
};
