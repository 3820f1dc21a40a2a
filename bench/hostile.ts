import { chmod, mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ATTACKS, type Attack, type Target } from "./attacks.ts";
import { addDealer, KEY, requestJson, sendRequest } from "./calls.ts";
import { LOAD_CORE, leaveServerCore, onCore, SERVER_CORE } from "./cores.ts";
import { Histogram } from "./histogram.ts";
import { printProgress } from "./output.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { memoryOf } from "./proc.ts";
import { type Service, startService } from "./service.ts";
import { table } from "./table.ts";

const USAGE = `bun bench/hostile.ts [--only ${ATTACKS.map(({ name }) => name).join(",")}] [--engines sqlite,postgres] [--seconds 20] [--vehicles 1000]
  What one hostile client costs the others: reads by id of another key's, calm and under each attack.`;

const ROOT = join(import.meta.dir, "..");
/** The maximum multiples of the 99th percentile without an attack, and of memory. */
const MAX_LATENCY_RATIO = 10;
const MAX_MB = 400;
const CALM_SECONDS = 5;
const PROBES = 2;
const PROBE_PAUSE_MS = 1;
const MEMORY_EVERY_MS = 50;
const NO_LIMIT = 1_000_000_000;
const controlCharacters = (length: number) => "\u0001".repeat(length);

const LONGEST_VEHICLE = {
  dealer_id: 1,
  make: controlCharacters(100),
  model: controlCharacters(100),
  year: 2024,
  price: 1,
  title: controlCharacters(250),
  trim: controlCharacters(100),
  exterior_color: controlCharacters(100),
  interior_color: controlCharacters(100),
  stock_number: controlCharacters(64),
  description: controlCharacters(20_000),
  features: controlCharacters(5000),
  fuel_type: controlCharacters(100),
  transmission: controlCharacters(100),
  engine: controlCharacters(100),
  drivetrain: controlCharacters(100),
  body_style: controlCharacters(100),
  condition: controlCharacters(100),
};

/** Creates a dealer whose vehicles are as long as possible, and a vehicle of another dealer for the readers. */
const fillDatabase = async (url: string, vehicles: number): Promise<void> => {
  await addDealer(url);
  const dealer_id = await addDealer(url, "Hill Motors");
  const add = (body: object, key = KEY) => sendRequest(`${url}/api/vehicles`, { method: "POST", body, key });
  await add({ dealer_id, make: "Toyota", model: "Camry", year: 2024, price: 1 });
  const permissions = [{ resource: "vehicles", action: "write" }];
  const key = await keyOf(url, { app_type: "desktop", dealer_id: 1, permissions, rate_limit: NO_LIMIT });
  for (let made = 0; made < vehicles; made++) await add(LONGEST_VEHICLE, key);
};

const keyOf = async (url: string, fields: object): Promise<string> => {
  const body = { name: "Key of a measurement", app_id: "hostile", ...fields };
  return (await requestJson<{ api_key: string }>(`${url}/api/keys`, { method: "POST", body })).api_key;
};

const readOnce = (agent: Agent, url: string, key: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/api/vehicles/1`, { agent, headers: { "x-api-key": key } }, (response) => {
      response.resume();
      response.on("end", () => (response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`))));
    });
    sent.on("error", reject);
    sent.end();
  });

interface ProbeResult {
  readonly latencies: Histogram;
  readonly failures: number;
  readonly peakMb: number;
}

/** Reads by id on a few connections, one request after another on each, until the time is over. */
const probe = async ({ url, pid }: Service, key: string, seconds: number): Promise<ProbeResult> => {
  const latencies = new Histogram();
  const deadline = performance.now() + seconds * 1000;
  let failures = 0;
  let peakMb = 0;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, memoryOf(pid).residentMb);
  }, MEMORY_EVERY_MS);
  const reader = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (performance.now() < deadline) {
      const startedAt = performance.now();
      await readOnce(agent, url, key).catch(() => failures++);
      latencies.add((performance.now() - startedAt) * 1000);
      await Bun.sleep(PROBE_PAUSE_MS);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: PROBES }, reader));
  clearInterval(timer);
  return { latencies, failures, peakMb };
};

const underAttack = async ({
  attack,
  serving,
  target,
  key,
  seconds,
}: {
  readonly attack: Attack;
  readonly serving: Service;
  readonly target: Target;
  readonly key: string;
  readonly seconds: number;
}) => {
  const attacker = Bun.spawn(
    onCore(LOAD_CORE, ["nice", process.execPath, "bench/attacker.ts", attack.name, JSON.stringify(target)]),
    { cwd: ROOT, stdout: "pipe", stderr: "inherit" },
  );
  const seen = await probe(serving, key, seconds);
  attacker.kill("SIGTERM");
  return { ...seen, statuses: await new Response(attacker.stdout).text() };
};

const milliseconds = (value: number): string => value.toFixed(2);

interface Options {
  readonly seconds: number;
  readonly vehicles: number;
  readonly attacks: readonly Attack[];
}

/** Runs each attack on a new service, so that no attack is affected by the one before. */
const measure = async ({
  engine,
  databases,
  folder,
  options: { attacks, seconds },
}: {
  readonly engine: string;
  readonly databases: () => Promise<string>;
  readonly folder: string;
  readonly options: Options;
}): Promise<{ readonly rows: string[][]; readonly held: boolean }> => {
  const rows: string[][] = [];
  let held = true;
  for (const attack of attacks) {
    const serving = await startService({ databaseUrl: await databases(), folder, core: SERVER_CORE });
    const { url } = serving;
    const key = await keyOf(url, { app_type: "web", dealer_id: 2, rate_limit: NO_LIMIT });
    const target: Target = {
      host: new URL(url).host,
      webKey: await keyOf(url, { app_type: "web", dealer_id: 1 }),
      desktopKey: await keyOf(url, { app_type: "desktop", dealer_id: 1 }),
    };
    await probe(serving, key, 1);
    const calm = await probe(serving, key, CALM_SECONDS);
    const attacked = await underAttack({ attack, serving, target, key, seconds });
    await serving.kill();
    const [before, after] = [calm, attacked].map(({ latencies }) => latencies.percentileMs(0.99)) as [number, number];
    held &&= after < before * MAX_LATENCY_RATIO && attacked.peakMb < MAX_MB && attacked.failures === 0;
    rows.push([
      engine,
      attack.name,
      milliseconds(calm.latencies.percentileMs(0.5)),
      milliseconds(before),
      milliseconds(attacked.latencies.percentileMs(0.5)),
      milliseconds(after),
      (after / before).toFixed(1),
      String(Math.round(attacked.peakMb)),
      String(attacked.failures),
      attacked.statuses,
    ]);
    printProgress(rows.at(-1)?.join("  ") ?? "");
  }
  return { rows, held };
};

const HEAD = ["engine", "attack", "calm p50", "calm p99", "p50", "p99 (ms)", "times", "peak MB", "failed", "answers"];

const run = async (folder: string, engines: readonly string[], options: Options): Promise<boolean> => {
  const file = join(folder, "filled.db");
  printProgress("filling");
  const filler = await startService({ databaseUrl: `sqlite:${file}`, folder, core: SERVER_CORE });
  await fillDatabase(filler.url, options.vehicles);
  await filler.kill();
  const results: { rows: string[][]; held: boolean }[] = [];
  let postgres: Postgres | null = null;
  if (engines.includes("sqlite"))
    results.push(await measure({ engine: "sqlite", databases: async () => `sqlite:${file}`, folder, options }));
  if (engines.includes("postgres")) {
    postgres = await startPostgres(join(folder, "postgres"));
    await postgres.fill(file);
    const { freshDatabase } = postgres;
    results.push(await measure({ engine: "postgres", databases: freshDatabase, folder, options }));
  }
  process.stdout.write(
    `${table(
      HEAD,
      results.flatMap(({ rows }) => rows),
    )}\n`,
  );
  await postgres?.stop();
  return results.every(({ held }) => held);
};

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    engines: { type: "string", default: "sqlite,postgres" },
    seconds: { type: "string", default: "20" },
    vehicles: { type: "string", default: "1000" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  printProgress(USAGE);
  process.exit(0);
}
const names = values.only?.split(",") ?? ATTACKS.map(({ name }) => name);
const folder = await mkdtemp(join(tmpdir(), "vehicle-inventory-hostile-"));
await chmod(folder, 0o755);
leaveServerCore();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
try {
  const held = await run(folder, values.engines.split(","), {
    seconds: Number(values.seconds),
    vehicles: Number(values.vehicles),
    attacks: ATTACKS.filter(({ name }) => names.includes(name)),
  });
  await rm(folder, { recursive: true, force: true });
  process.exit(held ? 0 : 1);
} catch (error) {
  printProgress(String(error));
  process.exit(1);
}
