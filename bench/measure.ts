import { join } from "node:path";
import { LOAD_CORE, onCore } from "./cores.ts";
import type { Dataset } from "./data.ts";
import type { Job, Sample } from "./job.ts";
import type { Server } from "./servers.ts";
import type { Call } from "./workloads.ts";

const CONNECTIONS = 32;
const LOAD_PROGRAM = join(import.meta.dir, "load.ts");

/** What a server is asked, in turn. */
export interface Demand {
  readonly workload: string;
  readonly calls: readonly Call[];
  /** The only statuses that count as answered. */
  readonly statuses: readonly number[];
}

/** How long a server is warmed up and measured. */
export interface Duration {
  /** The least of it. */
  readonly warmUpMs: number;
  /** Answered before anything is measured: the runtime goes on compiling for thousands of them, and that is the server's time. */
  readonly warmUpRequests: number;
  readonly measuredMs: number;
}

/** A call as bytes for this server, written in ASCII. */
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

/** Puts calls on a server from a second process. Throws when any request is not answered as it should be. */
export const measure = async (
  server: Server,
  { workload, calls, statuses }: Demand,
  { data, databasePid }: { readonly data: Dataset; readonly databasePid: number | null },
  duration: Duration,
): Promise<Sample> => {
  const headers = Object.entries(server.contender.headers(data))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const job: Job = {
    port: server.port,
    pid: server.pid,
    databasePid,
    connections: CONNECTIONS,
    ...duration,
    requests: calls.map((call) => requestText(server, headers, call)),
    statuses,
  };
  const load = Bun.spawn(onCore(LOAD_CORE, [process.execPath, LOAD_PROGRAM]), {
    stdin: new Blob([JSON.stringify(job)]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, complaint] = await Promise.all([new Response(load.stdout).text(), new Response(load.stderr).text()]);
  const exitCode = await load.exited;
  if (exitCode !== 0)
    throw new Error(
      `${workload} on ${server.contender.name}: the load ended with ${exitCode}. ${complaint}\n${await server.condition()}`,
    );
  return JSON.parse(output) as Sample;
};
