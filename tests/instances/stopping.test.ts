import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { eventually } from "../support/eventually.ts";
import { BOOTSTRAP_KEY, type Instance, startInstances } from "../support/instances.ts";

setDefaultTimeout(60_000);

const SOON_MS = 5000;
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
const open = async (instance: Instance) => {
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

const readiness = async ({ url }: Instance): Promise<number | undefined> =>
  (await fetch(`${url}/health/ready`, { keepalive: false }).catch(() => null))?.status;

// Side by side, as most of their time is waiting for the ten seconds of one of them.
describe.concurrent("an instance that is told to stop", () => {
  const running: Instance[] = [];
  afterAll(() => {
    for (const instance of running) instance.signal("SIGKILL");
  });

  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<Instance> => {
    const [started] = await startInstances(1, { DATABASE_URL: "sqlite::memory:", ...environment });
    if (started === undefined) throw new Error("no instance");
    running.push(started);
    return started;
  };

  test("finishes a request whose body is still arriving, closes idle connections, takes no new ones and exits with 0", async () => {
    const instance = await start();
    const idle = await open(instance);
    idle.send(LIVE);
    await eventually(idle.received, (text) => text.includes('"ok"'), SOON_MS);
    const arriving = await open(instance);
    arriving.send(HEAD + BODY.slice(0, 20));
    await Bun.sleep(200);
    instance.signal("SIGTERM");
    await eventually(idle.isClosed, Boolean, SOON_MS);
    expect(arriving.isClosed()).toBe(false);
    await expect(open(instance)).rejects.toThrow();
    arriving.send(BODY.slice(20));
    await eventually(arriving.isClosed, Boolean, SOON_MS);
    expect(arriving.received()).toStartWith("HTTP/1.1 201");
    expect(arriving.received()).toMatch(/^connection: close\r$/im);
    expect(await instance.exited).toBe(0);
  });

  test("with a delay first says that it is not ready while it serves on, each answer the last of its connection", async () => {
    const instance = await start({ SHUTDOWN_DELAY_MS: "1500" });
    const kept = await open(instance);
    kept.send(LIVE);
    await eventually(kept.received, (text) => text.includes('"ok"'), SOON_MS);
    expect(kept.received()).not.toMatch(/^connection: close/im);
    expect(await readiness(instance)).toBe(200);
    const stoppedAt = performance.now();
    instance.signal("SIGTERM");
    await eventually(
      () => readiness(instance),
      (status) => status === 503,
      SOON_MS,
    );
    expect(kept.isClosed()).toBe(false);
    kept.send(LIVE);
    await eventually(kept.isClosed, Boolean, SOON_MS);
    expect(kept.received().split('"ok"')).toHaveLength(3);
    expect(kept.received()).toMatch(/^connection: close\r$/im);
    const dealers = await fetch(`${instance.url}/api/dealers`, { headers: { "x-api-key": BOOTSTRAP_KEY } });
    expect([dealers.status, dealers.headers.get("connection")]).toEqual([200, "close"]);
    expect(await instance.exited).toBe(0);
    expect(performance.now() - stoppedAt).toBeGreaterThan(1400);
  });

  test("has written every line of its log when it has ended", async () => {
    const requests = ["first", "second", "last"];
    // Several, as which of writing and ending wins is chance.
    const instances = await Promise.all(Array.from({ length: 8 }, () => start({ LOG_LEVEL: "info" })));
    for (const instance of instances) {
      for (const id of requests) await fetch(`${instance.url}/health/live`, { headers: { "x-request-id": id } });
      expect(await instance.stop()).toBe(0);
      for (const id of requests) expect(instance.output()).toContain(`"request_id":"${id}"`);
    }
  });

  test("does not wait for a client that never finishes longer than ten seconds", async () => {
    const instance = await start();
    const unfinished = await open(instance);
    unfinished.send(HEAD);
    await Bun.sleep(200);
    const stoppedAt = performance.now();
    instance.signal("SIGTERM");
    expect(await instance.exited).toBe(0);
    const took = performance.now() - stoppedAt;
    expect(took).toBeGreaterThan(9000);
    expect(took).toBeLessThan(12_000);
  });
});
