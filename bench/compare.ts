import { rm } from "node:fs/promises";
import { join } from "node:path";
import { chartOf } from "./chart.ts";
import type { Contender } from "./contenders.ts";
import { PINNED } from "./cores.ts";
import { type Dataset, makeDataset } from "./data.ts";
import type { Machine } from "./machine.ts";
import { measure } from "./measure.ts";
import type { Options } from "./options.ts";
import { printProgress, writeResults } from "./output.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { makeReport, markdownOf } from "./report.ts";
import type { Measurement, ServerRun } from "./results.ts";
import { type Server, startServer } from "./servers.ts";
import { COMPARISON_SCALE } from "./stock.ts";
import { callsOf, WORKLOADS } from "./workloads.ts";

interface CollectedResults {
  readonly measurements: Measurement[];
  readonly lives: ServerRun[];
}

/** The data that each round copies for its servers. `postgres` is present if a contender needs it. */
interface Sources {
  readonly data: Dataset;
  readonly postgres: Postgres | null;
}

/**
 * The contenders in another order in each round, so that other work on the machine does not always affect the same
 * contender.
 */
const rotated = (contenders: readonly Contender[], round: number): Contender[] => {
  const shift = round % contenders.length;
  return [...contenders.slice(shift), ...contenders.slice(0, shift)];
};

const freshPostgres = ({ postgres }: Sources) => {
  if (postgres === null) throw new Error("there is no PostgreSQL");
  return postgres.freshDatabase();
};

/** The workloads that a server runs before anything is measured. */
const WARM_UP_WORKLOADS: readonly string[] = ["by-id", "page", "statistics"];
/**
 * The share of the measured time that each of them runs for. Compilation goes on for thousands of requests, and is part
 * of the start of a server.
 */
const WARM_UP_FACTOR = 1.5;
const WARM_UP_MEASURED_MS = 100;

const warmUp = async (server: Server, data: Dataset, { measuredMs }: Options): Promise<void> => {
  const warmUpMs = measuredMs * WARM_UP_FACTOR;
  for (const { name, statuses, call } of WORKLOADS.filter(({ name }) => WARM_UP_WORKLOADS.includes(name))) {
    const demand = { workload: name, statuses, calls: callsOf(call) };
    await measure([{ server, demand, data, databasePid: null }], {
      warmUpMs,
      warmUpRequests: 0,
      measuredMs: WARM_UP_MEASURED_MS,
    });
  }
};

/** Starts new servers on new copies of the data, and measures each workload on all contenders in turn. */
const runRound = async ({
  round,
  options,
  sources,
  folder,
  findings: { measurements, lives },
}: {
  readonly round: number;
  readonly options: Options;
  readonly sources: Sources;
  readonly folder: string;
  readonly findings: CollectedResults;
}): Promise<void> => {
  const { workloads, contenders, isMeasured, ...duration } = options;
  const { data, postgres } = sources;
  const servers: { server: Server; freshMb: number }[] = [];
  try {
    for (const contender of rotated(contenders, round)) {
      const server = await startServer(contender, {
        data,
        freshPostgres: () => freshPostgres(sources),
        folder: join(folder, contender.name),
      });
      servers.push({ server, freshMb: server.memory().residentMb });
    }
    for (const { server } of servers) await warmUp(server, data, options);
    for (const workload of workloads) {
      const demand = { workload: workload.name, statuses: workload.statuses, calls: callsOf(workload.call) };
      const subjects = servers
        .filter(({ server }) => isMeasured(server.contender, workload))
        .map(({ server }) => ({
          server,
          demand,
          data,
          databasePid: server.contender.engine === "postgres" ? (postgres?.pid ?? null) : null,
        }));
      const measuredMs = duration.measuredMs * (workload.measuredTimes ?? 1);
      for (const [place, sample] of (await measure(subjects, { ...duration, measuredMs })).entries()) {
        const contender = subjects[place]?.server.contender.name ?? "";
        measurements.push({ round, contender, workload: workload.name, ...sample });
        printProgress(
          `round ${round + 1}  ${workload.name.padEnd(12)} ${contender.padEnd(16)} ` +
            `${sample.cpuMicros.toFixed(1).padStart(8)} µs CPU  ${sample.perSecond.toFixed(0).padStart(7)} requests/s`,
        );
      }
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

const filledPostgres = async (folder: string, data: Dataset): Promise<Postgres> => {
  const postgres = await startPostgres(folder);
  await postgres.fill(data.file);
  return postgres;
};

/** Measures all contenders on the same data within the folder, and writes the results. */
export const compare = async (options: Options, machine: Machine, folder: string): Promise<void> => {
  const { rounds, warmUpMs, warmUpRequests, measuredMs, contenders, workloads, published } = options;
  printProgress("Making the data …");
  const data = await makeDataset(join(folder, "data"), COMPARISON_SCALE);
  const needsPostgres = contenders.some(({ engine }) => engine === "postgres");
  const postgres = needsPostgres ? await filledPostgres(join(folder, "postgres"), data) : null;
  const findings: CollectedResults = { measurements: [], lives: [] };
  try {
    for (let round = 0; round < rounds; round++)
      await runRound({ round, options, sources: { data, postgres }, folder: join(folder, `round-${round}`), findings });
  } finally {
    await postgres?.stop();
  }
  const setting = {
    machine,
    pinned: PINNED,
    rounds,
    warmUpMs,
    warmUpRequests,
    measuredMs,
    contenders: contenders.map(({ name, description, base, engine }) => ({ name, description, base, engine })),
    workloads: workloads.map(({ name, description, measuredTimes = 1 }) => ({ name, description, measuredTimes })),
  };
  const report = makeReport(setting, findings.measurements, findings.lives);
  await writeResults("latest", { json: report, md: markdownOf(report), svg: chartOf(report.figures) }, published);
};
