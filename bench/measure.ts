import { join } from "node:path";
import { LOAD_CORE, onCore } from "./cores.ts";
import type { Dataset } from "./data.ts";
import type { Job, Order, Sample } from "./job.ts";
import type { Server } from "./servers.ts";
import type { Call } from "./workloads.ts";

const CONNECTIONS = 32;
const PART_MS = 200;
const LOAD_PROGRAM = join(import.meta.dir, "load.ts");

/** The requests to a server, sent in turn. */
export interface Demand {
  readonly workload: string;
  readonly calls: readonly Call[];
  /** Only these statuses count as answers. */
  readonly statuses: readonly number[];
}

/** How long a server is warmed up and measured. */
export interface Duration {
  /** The minimum. */
  readonly warmUpMs: number;
  /**
   * The number of requests before the measurement, unless they take more than 2 s. The runtime goes on compiling during
   * thousands of requests, which adds to the server's CPU time.
   */
  readonly warmUpRequests: number;
  readonly measuredMs: number;
}

/** A call to this server as ASCII text. */
const requestText = ({ contender }: Server, headers: string, { method, path, body, known }: Call): string => {
  const content = body === undefined ? "" : JSON.stringify(body);
  return [
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n`,
    headers,
    known === undefined ? "" : `if-none-match: ${contender.tag(known)}\r\n`,
    body === undefined ? "" : `content-type: application/json\r\ncontent-length: ${content.length}\r\n`,
    `\r\n${content}`,
  ].join("");
};

/** A server and its requests. */
export interface MeasuredServer {
  readonly server: Server;
  readonly demand: Demand;
  readonly data: Dataset;
  /** The parent of the database's own processes. `null` if the database runs within the server. */
  readonly databasePid: number | null;
}

const jobFor = ({ server, demand, data, databasePid }: MeasuredServer, duration: Duration): Job => {
  const headers = Object.entries(server.contender.headers(data))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  return {
    port: server.port,
    pid: server.pid,
    databasePid,
    connections: CONNECTIONS,
    warmUpMs: duration.warmUpMs,
    warmUpRequests: duration.warmUpRequests,
    partMs: Math.min(PART_MS, duration.measuredMs),
    requests: demand.calls.map((call) => requestText(server, headers, call)),
    statuses: demand.statuses,
  };
};

/** A load process, which follows orders one at a time. */
const startLoad = ({ server, demand }: MeasuredServer) => {
  let onSample: (sample: Sample) => void = () => {};
  const child = Bun.spawn(onCore(LOAD_CORE, [process.execPath, LOAD_PROGRAM]), {
    stdio: ["ignore", "ignore", "pipe"],
    ipc: (sample: Sample) => onSample(sample),
  });
  const failed = child.exited.then(async (exitCode): Promise<never> => {
    const complaint = await new Response(child.stderr).text();
    throw new Error(
      `${demand.workload} on ${server.contender.name}: the load ended with ${exitCode}. ${complaint}\n${await server.diagnosis()}`,
    );
  });
  // Those who wait for an answer get the error. At the end, nobody waits.
  failed.catch(() => {});
  return {
    order(order: Order): Promise<Sample> {
      const answer = new Promise<Sample>((resolve) => {
        onSample = resolve;
      });
      child.send(order);
      return Promise.race([answer, failed]);
    },
    async close(): Promise<void> {
      child.kill();
      await child.exited;
    },
  };
};

/**
 * Puts load on servers, on each from a process of its own. First each server is warmed up. Then they are measured in
 * turn, in short parts, so that other work on the machine affects all of them alike. Returns a sample for each server,
 * in their order. Throws if a request gets an unexpected answer.
 */
export const measure = async (subjects: readonly MeasuredServer[], duration: Duration): Promise<Sample[]> => {
  const loads = subjects.map((subject) => ({ ...startLoad(subject), job: jobFor(subject, duration) }));
  try {
    for (const { order, job } of loads) await order({ job });
    const parts = Math.ceil(duration.measuredMs / PART_MS);
    const samples: Sample[] = [];
    for (let part = 0; part < parts; part++)
      for (const [place, { order }] of loads.entries()) samples[place] = await order("part");
    return samples;
  } finally {
    await Promise.all(loads.map(({ close }) => close()));
  }
};
