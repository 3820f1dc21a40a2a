import { Histogram } from "./histogram.ts";
import type { Job, Sample } from "./job.ts";
import { cpuMicrosOf, cpuMicrosOfChildren } from "./proc.ts";
import { Responses } from "./responses.ts";

const WARM_UP_PATIENCE_MS = 5000;
const POLL_MS = 20;

/** One connection: what it receives, and when its request under way was sent. */
interface Line {
  readonly responses: Responses;
  sentAt: number;
}

/** CPU time so far: of the server, of its database, and of this process. */
const cpuMicros = ({ pid, databasePid }: Job) => ({
  server: cpuMicrosOf(pid),
  database: databasePid === null ? null : cpuMicrosOfChildren(databasePid),
  self: cpuMicrosOf("self"),
});

/**
 * The load process: keeps every connection busy with one request after the other, first to warm the server up, then
 * measured. Reads a Job from standard input and writes a Sample; any answer that was not expected fails it.
 */
const run = async (job: Job): Promise<Sample> => {
  const requests = job.requests.map((text) => Buffer.from(text));
  const expected = new Set(job.statuses);
  const latencies = new Histogram();
  let measuring = false;
  let finished = false;
  let turn = 0;
  let answered = 0;
  let fail: (reason: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });

  const send = (socket: Bun.Socket<Line>): void => {
    const request = requests[turn++ % requests.length];
    if (request === undefined) throw new Error("there is nothing to send");
    socket.data.sentAt = Bun.nanoseconds();
    if (socket.write(request) !== request.length) fail(new Error("a request did not fit the socket"));
  };

  const receive = (socket: Bun.Socket<Line>, chunk: Buffer): void => {
    const status = socket.data.responses.take(chunk);
    if (status === 0) return;
    if (!expected.has(status)) fail(new Error(`a request was answered ${status}: ${chunk.toString()}`));
    answered++;
    if (measuring) latencies.add((Bun.nanoseconds() - socket.data.sentAt) / 1000);
    if (!finished) send(socket);
  };

  const connect = (): Promise<Bun.Socket<Line>> =>
    Bun.connect<Line>({
      hostname: "127.0.0.1",
      port: job.port,
      data: { responses: new Responses(), sentAt: 0 },
      socket: {
        data: receive,
        close: () => {
          if (!finished) fail(new Error("the server closed a connection"));
        },
        error: (_, error) => fail(error),
      },
    });
  const sockets = await Promise.all(Array.from({ length: job.connections }, connect));
  for (const socket of sockets) send(socket);

  const startedAt = Bun.nanoseconds();
  await Promise.race([Bun.sleep(job.warmUpMs), failed]);
  while (answered < job.warmUpRequests && (Bun.nanoseconds() - startedAt) / 1e6 < WARM_UP_PATIENCE_MS)
    await Promise.race([Bun.sleep(POLL_MS), failed]);
  // What starting up left behind is collected now rather than while latencies are taken.
  Bun.gc(true);
  const before = { at: Bun.nanoseconds(), ...cpuMicros(job) };
  measuring = true;
  await Promise.race([Bun.sleep(job.measuredMs), failed]);
  measuring = false;
  finished = true;
  const elapsedMicros = (Bun.nanoseconds() - before.at) / 1000;
  const after = cpuMicros(job);
  for (const socket of sockets) socket.end();
  return {
    requests: latencies.total,
    perSecond: latencies.total / (elapsedMicros / 1_000_000),
    cpuMicros: (after.server - before.server) / latencies.total,
    databaseMicros:
      after.database === null || before.database === null ? null : (after.database - before.database) / latencies.total,
    p50Ms: latencies.percentileMs(0.5),
    p99Ms: latencies.percentileMs(0.99),
    generatorBusy: (after.self - before.self) / elapsedMicros,
  };
};

try {
  // Waited for, as leaving would cut short what is still on its way into the pipe.
  await Bun.write(Bun.stdout, JSON.stringify(await run((await Bun.stdin.json()) as Job)));
  process.exit(0);
} catch (error) {
  await Bun.write(Bun.stderr, error instanceof Error ? error.message : String(error));
  process.exit(1);
}
