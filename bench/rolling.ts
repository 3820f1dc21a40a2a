import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { addDealer, HEADERS, KEY, liftRateLimit } from "./calls.ts";
import { freePort } from "./ports.ts";
import { untilReady } from "./service.ts";

/**
 * Restarts three instances behind HAProxy one after another, repeatedly and under load, and counts the failed requests.
 * It uses the configuration in deploy/haproxy.cfg with other ports.
 */
const USAGE = `DATABASE_URL=postgres://… bun bench/rolling.ts [--rounds 20] [--clients 16] [--delay 2000]
  --rounds   how often each of the three instances is restarted
  --clients  clients that send requests one after the other, on connections they keep
  --delay    SHUTDOWN_DELAY_MS of the instances`;

const MAIN = join(import.meta.dir, "../app/main.ts");
const CONFIGURATION = join(import.meta.dir, "../deploy/haproxy.cfg");
const CONFIGURED_PORTS = [8080, 3001, 3002, 3003];
/** The time until the balancer sends requests to an instance that is ready again. */
const SETTLE_MS = 1000;

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    clients: { type: "string", default: "16" },
    delay: { type: "string", default: "2000" },
  },
});
const databaseUrl = process.env.DATABASE_URL;
if (databaseUrl === undefined || Bun.which("haproxy") === null) {
  process.stderr.write(`${USAGE}\nNeeds a PostgreSQL and haproxy on the path.\n`);
  process.exit(2);
}

const [front = 0, ...ports] = CONFIGURED_PORTS.map(freePort);
const folder = await mkdtemp(join(tmpdir(), "vehicle-inventory-rolling-"));

/** Everything that was started, so that nothing is left running. */
const children = new Set<Bun.Subprocess>();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

const start = async (port: number) => {
  const child = Bun.spawn([process.execPath, MAIN], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      BOOTSTRAP_API_KEY: KEY,
      SHUTDOWN_DELAY_MS: options.delay,
      LOG_LEVEL: "error",
    },
    stdout: "inherit",
    stderr: "ignore",
  });
  children.add(child);
  await untilReady(`http://127.0.0.1:${port}`);
  return child;
};

const url = `http://127.0.0.1:${front}`;
const headers = { ...HEADERS, "content-type": "application/json" };
const send = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });

const instances = await Promise.all(ports.map(start));
const text = CONFIGURED_PORTS.reduce(
  (config, port, index) => config.replace(`127.0.0.1:${port}`, `127.0.0.1:${[front, ...ports][index]}`),
  await readFile(CONFIGURATION, "utf8"),
);
await Bun.write(join(folder, "haproxy.cfg"), text);
const haproxy = Bun.spawn(["haproxy", "-db", "-f", join(folder, "haproxy.cfg")], {
  stdout: "ignore",
  stderr: "ignore",
});
children.add(haproxy);
await untilReady(url);

const dealerId = await addDealer(url);
await liftRateLimit(url);

const VEHICLE = { dealer_id: dealerId, make: "Toyota", model: "Camry", year: 2024, price: 25_999.99 };
const REQUESTS = [
  { wanted: 200, send: () => send("GET", "/api/vehicles?limit=20") },
  { wanted: 200, send: () => send("GET", `/api/dealers/${dealerId}/stats`) },
  { wanted: 201, send: () => send("POST", "/api/vehicles", VEHICLE) },
];

const failures = new Map<string, number>();
let sent = 0;
let slowestMs = 0;
let over = false;
const client = async (): Promise<void> => {
  while (!over) {
    const request = REQUESTS[sent++ % REQUESTS.length];
    const startedAt = performance.now();
    const outcome = await request?.send().then(
      async (response) => {
        await response.arrayBuffer();
        return response.status === request.wanted ? null : `status ${response.status}`;
      },
      (error) => String(error),
    );
    if (outcome) failures.set(outcome, (failures.get(outcome) ?? 0) + 1);
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
  }
};
const clients = Array.from({ length: Number(options.clients) }, client);

const exitCodes = new Set<number>();
for (let round = 1; round <= Number(options.rounds); round++) {
  for (const [index, port] of ports.entries()) {
    instances[index]?.kill("SIGTERM");
    exitCodes.add((await instances[index]?.exited) ?? -1);
    instances[index] = await start(port);
    await Bun.sleep(SETTLE_MS);
  }
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(`round ${round}: ${sent} requests, ${failed} failed\n`);
}
over = true;
await Promise.all(clients);
process.stdout.write(
  `slowest request ${Math.round(slowestMs)} ms; exit codes ${[...exitCodes].join(", ")}; failures ${JSON.stringify(Object.fromEntries(failures))}\n`,
);
haproxy.kill();
for (const instance of instances) instance.kill("SIGTERM");
await Promise.all(instances.map((instance) => instance.exited));
await rm(folder, { recursive: true, force: true });
process.exit(failures.size === 0 ? 0 : 1);
