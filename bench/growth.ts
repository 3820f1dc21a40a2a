import { join } from "node:path";
import { AS_DEPLOYED, type Contender, SERVICE } from "./contenders.ts";
import { PINNED } from "./cores.ts";
import { type Dataset, makeDataset } from "./data.ts";
import { makeGrowthReport, markdownOfGrowth, type Scaled } from "./growth-report.ts";
import { beforeDeepPage, demandOf, GROWTH_WORKLOADS, SCALES } from "./growth-workloads.ts";
import type { Machine } from "./machine.ts";
import { type Demand, type Duration, measure } from "./measure.ts";
import type { Options } from "./options.ts";
import { printProgress, writeResults } from "./output.ts";
import type { Memory } from "./proc.ts";
import type { Measurement } from "./results.ts";
import { type Server, startServer } from "./servers.ts";
import type { Scale } from "./stock.ts";

/** The number of vehicles on each page on the way to the deep page. The service allows no more. */
const VEHICLES_PER_PAGE = 1000;

/** The service running at one scale. */
interface RunningScale {
  readonly scale: Scale;
  readonly data: Dataset;
  readonly server: Server;
  readonly demands: readonly Demand[];
  /** The number of vehicles in an answer of each workload. */
  readonly rows: readonly number[];
}

interface PageAnswer {
  readonly meta: { readonly next_cursor: string | null };
  readonly vehicles?: readonly object[];
}

const nameOf = ({ vehicles }: Scale): string => `${vehicles} vehicles`;

/** The service on the original data, because nothing here writes vehicles. */
const serviceOn = (scale: Scale): Contender => ({
  ...SERVICE,
  name: nameOf(scale),
  environment: async ({ data, port }) => ({
    ...AS_DEPLOYED,
    DATABASE_URL: `sqlite:${data.file}`,
    HOST: "127.0.0.1",
    PORT: String(port),
  }),
});

const requestPage = async ({ port, contender }: Server, data: Dataset, path: string): Promise<PageAnswer> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: contender.headers(data) });
  if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
  return (await response.json()) as PageAnswer;
};

/** Goes to the deep page as a client would, from cursor to cursor. */
const deepCursor = async (server: Server, data: Dataset, scale: Scale): Promise<string> => {
  let cursor = "";
  for (let left = beforeDeepPage(scale); left > 0; left -= VEHICLES_PER_PAGE) {
    const limit = Math.min(left, VEHICLES_PER_PAGE);
    const { meta } = await requestPage(server, data, `/api/vehicles?limit=${limit}${cursor && `&cursor=${cursor}`}`);
    if (meta.next_cursor === null) throw new Error("the list ended before its deep page");
    cursor = meta.next_cursor;
  }
  return cursor;
};

const openScale = async (scale: Scale, data: Dataset, folder: string): Promise<RunningScale> => {
  const freshPostgres = () => Promise.reject(new Error("growth is measured on SQLite"));
  const server = await startServer(serviceOn(scale), { data, freshPostgres, folder });
  try {
    const cursor = await deepCursor(server, data, scale);
    const demands = GROWTH_WORKLOADS.map((workload) => demandOf(workload, scale, cursor));
    const answers = await Promise.all(demands.map(({ calls }) => requestPage(server, data, calls[0]?.path ?? "")));
    return { scale, data, server, demands, rows: answers.map(({ vehicles }) => vehicles?.length ?? 1) };
  } catch (error) {
    await server.stop();
    throw error;
  }
};

/** Measures each workload at both scales, which take turns. */
const runRound = async (round: number, sites: readonly RunningScale[], duration: Duration): Promise<Measurement[]> => {
  const measurements: Measurement[] = [];
  const order = round % 2 === 0 ? sites : sites.toReversed();
  for (const [index, { name: workload }] of GROWTH_WORKLOADS.entries()) {
    const subjects = order.flatMap(({ server, data, demands }) => {
      const demand = demands[index];
      return demand === undefined ? [] : [{ server, demand, data, databasePid: null }];
    });
    for (const [place, sample] of (await measure(subjects, duration)).entries()) {
      const contender = subjects[place]?.server.contender.name ?? "";
      measurements.push({ round, contender, workload, ...sample });
      printProgress(
        `round ${round + 1}  ${workload.padEnd(12)} ${contender.padEnd(16)} ${sample.cpuMicros.toFixed(1).padStart(8)} µs CPU`,
      );
    }
  }
  return measurements;
};

const maxOf = (memory: Memory, before: Memory = memory): Memory => ({
  residentMb: Math.max(memory.residentMb, before.residentMb),
  peakMb: Math.max(memory.peakMb, before.peakMb),
});

/** Measures the service on a hundred times as much data within the folder, and writes the results. */
export const compareGrowth = async (
  { rounds, warmUpMs, warmUpRequests, measuredMs, published }: Options,
  machine: Machine,
  folder: string,
): Promise<void> => {
  const duration = { warmUpMs, warmUpRequests, measuredMs };
  const made: { scale: Scale; home: string; data: Dataset }[] = [];
  for (const scale of SCALES) {
    printProgress(`Making ${nameOf(scale)} …`);
    const home = join(folder, String(scale.vehicles));
    made.push({ scale, home, data: await makeDataset(join(home, "data"), scale) });
  }
  const measurements: Measurement[] = [];
  let scaled: Scaled[] = [];
  for (let round = 0; round < rounds; round++) {
    // The processes are new each time, because two processes of the same program can differ by as much as the data may
    // cost.
    const sites: RunningScale[] = [];
    try {
      for (const { scale, data, home } of made) sites.push(await openScale(scale, data, join(home, "service")));
      measurements.push(...(await runRound(round, sites, duration)));
      scaled = sites.map(({ server, scale, rows }, index) => ({
        name: server.contender.name,
        dealers: scale.dealers,
        vehicles: scale.vehicles,
        rows,
        ...maxOf(server.memory(), scaled[index]),
      }));
    } finally {
      for (const { server } of sites) await server.stop();
    }
  }
  const report = makeGrowthReport({ machine, pinned: PINNED, rounds, ...duration }, scaled, measurements);
  await writeResults("growth", { json: report, md: markdownOfGrowth(report) }, published);
};
