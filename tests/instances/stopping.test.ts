import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterExit } from "../support/after-exit.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { PROGRAM } from "../support/executable.ts";
import { BOOTSTRAP_KEY, type Instance, launchInstance, untilReady } from "../support/instances.ts";
import { startService } from "../support/service.ts";
import { timerTurns } from "../support/timer-turns.ts";

setDefaultTimeout(300_000);

/** The capacity of a pipe that nobody reads. */
const PIPE_BYTES = 64 * 1024;
/** Longer than any test runs. */
const ENDLESS_MS = "600000";
/** Log lines that have to wait for such a pipe; each has more than 128 bytes. */
const LINES = (2 * PIPE_BYTES) / 128;
const BODY = JSON.stringify({
  name: "Harbor Motors",
  address: "12 Quay Street",
  city: "Portland",
  state: "OR",
  zip: "97201",
  phone: "503-555-0142",
  email: "sales@harbor.example.com",
});
const HEAD = [
  "POST /api/dealers HTTP/1.1",
  "Host: localhost",
  `X-API-Key: ${BOOTSTRAP_KEY}`,
  "Content-Type: application/json",
  `Content-Length: ${BODY.length}`,
  "\r\n",
].join("\r\n");
const LIVE = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** A connection that stays open until the service closes it. */
const open = async (instance: Pick<Instance, "url">) => {
  const received: Buffer[] = [];
  let closed = false;
  const socket = await new Promise<Socket>((resolve, reject) => {
    const connecting = connect(Number(new URL(instance.url).port), "127.0.0.1", () => resolve(connecting));
    connecting.on("error", reject);
    connecting.on("data", (bytes) => received.push(bytes));
    connecting.on("close", () => {
      closed = true;
    });
  });
  return {
    send: (text: string) => void socket.write(text),
    received: () => Buffer.concat(received).toString(),
    isClosed: () => closed,
  };
};

/** Sends the beginning of a request behind a whole one, whose answer shows that the service has read both. */
const begin = async ({ send, received }: Awaited<ReturnType<typeof open>>, beginning: string): Promise<void> => {
  send(LIVE + beginning);
  await eventually(received, (text) => text.includes('"ok"'));
};

const readiness = async ({ url }: Instance): Promise<number | undefined> =>
  (await fetch(`${url}/health/ready`, { keepalive: false }).catch(() => null))?.status;

/** Waits until it accepts no more connections. */
const untilClosed = ({ url }: Instance): Promise<boolean> =>
  eventually(
    () =>
      fetch(`${url}/health/live`, { keepalive: false }).then(
        () => false,
        () => true,
      ),
    Boolean,
  );

// Run together, because they mostly wait for programs to start and end.
describe.concurrent("an instance that is told to stop", () => {
  const running: Instance[] = [];
  afterAll(() => {
    for (const instance of running) instance.signal("SIGKILL");
  });

  const start = async (
    environment: Readonly<Record<string, string>> = {},
    program: readonly string[] = PROGRAM,
  ): Promise<Instance> => {
    const fixed = { DATABASE_URL: "sqlite::memory:", BOOTSTRAP_API_KEY: BOOTSTRAP_KEY };
    const launched = launchInstance({ ...fixed, ...environment }, program);
    running.push(launched);
    return await untilReady(launched);
  };

  test("finishes a request whose body is still arriving, closes idle connections, accepts no new ones and exits with 0", async () => {
    const instance = await start();
    const idle = await open(instance);
    idle.send(LIVE);
    await eventually(idle.received, (text) => text.includes('"ok"'));
    const arriving = await open(instance);
    await begin(arriving, HEAD + BODY.slice(0, 20));
    instance.signal("SIGTERM");
    await eventually(idle.isClosed, Boolean);
    await timerTurns(20, 20);
    expect(arriving.isClosed()).toBe(false);
    await expect(open(instance)).rejects.toThrow();
    arriving.send(BODY.slice(20));
    await eventually(arriving.isClosed, Boolean);
    const [, answer = ""] = arriving.received().split("HTTP/1.1 201");
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(await instance.exited).toBe(0);
  });

  test("with a delay reports first that it is not ready, still answers also if it is told twice, and closes each connection after an answer", async () => {
    const instance = await start({ SHUTDOWN_DELAY_MS: ENDLESS_MS });
    const kept = await open(instance);
    kept.send(LIVE);
    await eventually(kept.received, (text) => text.includes('"ok"'));
    expect(kept.received()).not.toMatch(/^connection: close/im);
    expect(await readiness(instance)).toBe(200);
    instance.signal("SIGTERM");
    instance.signal("SIGINT");
    await eventually(
      () => readiness(instance),
      (status) => status === 503,
    );
    expect(kept.isClosed()).toBe(false);
    kept.send(LIVE);
    await eventually(kept.isClosed, Boolean);
    expect(kept.received().split('"ok"')).toHaveLength(3);
    expect(kept.received()).toMatch(/^connection: close\r$/im);
    const dealers = await fetch(`${instance.url}/api/dealers`, { headers: { "x-api-key": BOOTSTRAP_KEY } });
    expect([dealers.status, dealers.headers.get("connection")]).toEqual([200, "close"]);
  });

  test("with a delay ends with 0 after it", async () => {
    const instance = await start({ SHUTDOWN_DELAY_MS: "50" });
    instance.signal("SIGTERM");
    expect(await instance.exited).toBe(0);
  });

  test("has written every line of its log when it ends, even to a reader that was not reading", async () => {
    const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-log-"));
    afterExit('rm -rf "$1"', folder);
    const pipe = join(folder, "log");
    expect(Bun.spawnSync(["mkfifo", pipe]).success).toBe(true);
    const reader = Bun.spawn(["sh", "-c", 'exec 3<"$0" && read -r go; exec cat <&3', pipe], { stdin: "pipe" });
    const instance = await start({ LOG_LEVEL: "debug" }, ["sh", "-c", 'exec "$@" >"$0"', pipe, ...PROGRAM]);
    const ids = Array.from({ length: LINES }, (_, number) => `line-${number}`);
    for (const id of ids) await fetch(`${instance.url}/health/live`, { headers: { "x-request-id": id } });
    instance.signal("SIGTERM");
    // It cannot have written more than the pipe holds. Would it end nevertheless, it would do so now.
    await untilClosed(instance);
    await timerTurns(20, 20);
    await reader.stdin.end();
    const log = await new Response(reader.stdout).text();
    expect(log.length).toBeGreaterThan(2 * PIPE_BYTES);
    expect(await instance.exited).toBe(0);
    expect(ids.filter((id) => !log.includes(`"request_id":"${id}"`))).toEqual([]);
  });

  test("does not wait for ever for a client that never finishes", async () => {
    const service = await startService(ENGINES[0], { BOOTSTRAP_API_KEY: BOOTSTRAP_KEY }, { drainMs: 50 });
    const unfinished = await open(service);
    await begin(unfinished, HEAD);
    const closed = service.close();
    // The runtime closes a silent connection after 30 seconds in any case.
    for (let turn = 0; turn < 1000 && !unfinished.isClosed(); turn++) await timerTurns(1, 5);
    expect(unfinished.isClosed()).toBe(true);
    await closed;
  });
});
