import { Histogram } from "./histogram.ts";
import type { Job, Order, Sample } from "./job.ts";
import { cpuMicrosOf, cpuMicrosOfChildren } from "./proc.ts";
import { Responses } from "./responses.ts";

const MAX_WARM_UP_MS = 4000;
const POLL_MS = 20;
/**
 * The time before the measurement of each part, in which connections are opened and the server becomes active again.
 */
const RUN_UP_MS = 50;

/** One connection: the data that it receives, and the time at which its pending request was sent. */
interface Connection {
  readonly responses: Responses;
  sentAt: number;
}

/** The CPU time so far of the server, its database and this process. */
const cpuMicros = ({ pid, databasePid }: Job) => ({
  server: cpuMicrosOf(pid),
  database: databasePid === null ? 0 : cpuMicrosOfChildren(databasePid),
  self: cpuMicrosOf("self"),
});

/** Sends the requests of a job and counts the answers. It fails at an unexpected answer. */
class Load {
  private readonly requests: readonly Buffer[];
  private readonly expected: ReadonlySet<number>;
  private readonly latencies = new Histogram();
  private readonly spent = { elapsed: 0, server: 0, database: 0, self: 0 };
  private requestCount = 0;
  private answered = 0;
  private measuring = false;

  constructor(private readonly job: Job) {
    this.requests = job.requests.map((text) => Buffer.from(text));
    this.expected = new Set(job.statuses);
  }

  async warmUp(): Promise<void> {
    const { warmUpMs, warmUpRequests } = this.job;
    await this.during(async () => {
      const startedAt = performance.now();
      await Bun.sleep(warmUpMs);
      while (this.answered < warmUpRequests && performance.now() - startedAt < MAX_WARM_UP_MS) await Bun.sleep(POLL_MS);
    });
    // The garbage of the start is collected now, and not while latencies are measured.
    Bun.gc(true);
  }

  /** Measures one part. */
  part(): Promise<void> {
    return this.during(async () => {
      await Bun.sleep(RUN_UP_MS);
      const before = { at: Bun.nanoseconds(), ...cpuMicros(this.job) };
      this.measuring = true;
      await Bun.sleep(this.job.partMs);
      this.measuring = false;
      this.spent.elapsed += (Bun.nanoseconds() - before.at) / 1000;
      const after = cpuMicros(this.job);
      for (const whose of ["server", "database", "self"] as const) this.spent[whose] += after[whose] - before[whose];
    });
  }

  /** The results of all parts so far. */
  sample(): Sample {
    const { latencies, spent, job } = this;
    return {
      requests: latencies.total,
      perSecond: latencies.total / (spent.elapsed / 1_000_000),
      cpuMicros: spent.server / latencies.total,
      databaseMicros: job.databasePid === null ? null : spent.database / latencies.total,
      p50Ms: latencies.percentileMs(0.5),
      p99Ms: latencies.percentileMs(0.99),
      generatorBusy: spent.self / spent.elapsed,
    };
  }

  /** While `work` runs, keeps every connection busy with one request after another. */
  private async during(work: () => Promise<void>): Promise<void> {
    let finished = false;
    let fail: (reason: Error) => void = () => {};
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
    });

    const send = (socket: Bun.Socket<Connection>): void => {
      const request = this.requests[this.requestCount++ % this.requests.length];
      if (request === undefined) throw new Error("there is nothing to send");
      socket.data.sentAt = Bun.nanoseconds();
      if (socket.write(request) !== request.length) fail(new Error("a request did not fit the socket"));
    };

    const receive = (socket: Bun.Socket<Connection>, chunk: Buffer): void => {
      const status = socket.data.responses.take(chunk);
      if (status === 0) return;
      if (!this.expected.has(status)) fail(new Error(`a request was answered ${status}: ${chunk.toString()}`));
      this.answered++;
      if (this.measuring) this.latencies.add((Bun.nanoseconds() - socket.data.sentAt) / 1000);
      if (finished) socket.end();
      else send(socket);
    };

    const connect = (): Promise<{ socket: Bun.Socket<Connection>; closed: Promise<void> }> => {
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      return Bun.connect<Connection>({
        hostname: "127.0.0.1",
        port: this.job.port,
        data: { responses: new Responses(), sentAt: 0 },
        socket: {
          data: receive,
          close: () => {
            if (!finished) fail(new Error("the server closed a connection"));
            resolve();
          },
          error: (_, error) => fail(error),
        },
      }).then((socket) => ({ socket, closed }));
    };

    const lines = await Promise.all(Array.from({ length: this.job.connections }, connect));
    for (const { socket } of lines) send(socket);
    await Promise.race([work(), failed]);
    finished = true;
    await Promise.race([Promise.all(lines.map(({ closed }) => closed)), failed]);
  }
}

let load: Load | null = null;

const follow = async (order: Order): Promise<Sample> => {
  if (typeof order === "object") {
    load = new Load(order.job);
    await load.warmUp();
  } else await load?.part();
  if (load === null) throw new Error("there is no job");
  return load.sample();
};

/** The load process follows the orders of its parent one at a time, and answers each with the results so far. */
process.on("message", async (order: Order) => {
  try {
    process.send?.(await follow(order));
  } catch (error) {
    await Bun.write(Bun.stderr, error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
});
process.on("disconnect", () => process.exit(0));
