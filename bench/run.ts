import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Contender } from "./contenders.ts";
import { leaveServerCore, PINNED } from "./cores.ts";
import { type Dataset, makeDataset } from "./data.ts";
import { thisMachine } from "./machine.ts";
import { measure } from "./measure.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { markdownOf, reportOn } from "./report.ts";
import type { Life, Measurement } from "./results.ts";
import { type Server, startServer } from "./servers.ts";

const RESULTS = join(import.meta.dir, "results");

interface Findings {
  readonly measurements: Measurement[];
  readonly lives: Life[];
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Nobody always goes first: what the machine does meanwhile must not fall on the same contender in every round. */
const rotated = (contenders: readonly Contender[], round: number): Contender[] => {
  const shift = round % contenders.length;
  return [...contenders.slice(shift), ...contenders.slice(0, shift)];
};

/** Fresh servers on fresh copies of the data; each workload on one contender right after the other. */
const runRound = async (
  round: number,
  { workloads, contenders, ...duration }: Options,
  data: Dataset,
  folder: string,
  { measurements, lives }: Findings,
): Promise<void> => {
  const servers: { server: Server; freshMb: number }[] = [];
  try {
    for (const contender of rotated(contenders, round)) {
      const server = await startServer(contender, { data, folder: join(folder, contender.name) });
      servers.push({ server, freshMb: server.memory().residentMb });
    }
    for (const workload of workloads)
      for (const { server } of servers) {
        const { name } = server.contender;
        if (server.contender.lacks?.includes(workload.name)) continue;
        const sample = await measure(server, workload, data, duration);
        measurements.push({ round, contender: name, workload: workload.name, ...sample });
        say(
          `round ${round + 1}  ${workload.name.padEnd(12)} ${name.padEnd(16)} ` +
            `${sample.cpuMicros.toFixed(1).padStart(8)} µs CPU  ${sample.perSecond.toFixed(0).padStart(7)} requests/s`,
        );
      }
    for (const { server, freshMb } of servers) {
      const { coldStartMs, contender } = server;
      lives.push({ round, contender: contender.name, coldStartMs, freshMb, ...server.memory() });
    }
  } finally {
    for (const { server } of servers) await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

const compare = async (options: Options): Promise<void> => {
  const machine = thisMachine();
  leaveServerCore();
  const folder = await mkdtemp(join(tmpdir(), "vehicle-inventory-bench-"));
  try {
    say("Making the data …");
    const data = await makeDataset(join(folder, "data"));
    const findings: Findings = { measurements: [], lives: [] };
    for (let round = 0; round < options.rounds; round++)
      await runRound(round, options, data, join(folder, `round-${round}`), findings);
    const setting = { machine, pinned: PINNED, ...options };
    const report = reportOn(setting, findings.measurements, findings.lives);
    const markdown = markdownOf(report);
    await mkdir(RESULTS, { recursive: true });
    await Bun.write(join(RESULTS, "latest.json"), `${JSON.stringify(report, null, 2)}\n`);
    await Bun.write(join(RESULTS, "latest.md"), markdown);
    process.stdout.write(`\n${markdown}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

try {
  if (!existsSync("/proc/self/stat")) throw new Error("CPU time is read from /proc: run this on Linux");
  await compare(readOptions(process.argv.slice(2)));
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exit(1);
}
