import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ATTACKS, type Attack, type Target } from "./attacks.ts";
import { LOAD_CORE, leaveServerCore, onCore, SERVER_CORE } from "./cores.ts";
import { Histogram } from "./histogram.ts";
import { feedOf, fillDatabase, idsOf, keyOf, type Lots, NO_LIMIT } from "./hostile-lots.ts";
import { printProgress } from "./output.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { memoryOf } from "./proc.ts";
import { type Service, startService } from "./service.ts";
import { table } from "./table.ts";

const USAGE = `bun bench/hostile.ts [--only ${ATTACKS.map(({ name }) => name).join(",")}] [--engines sqlite,postgres] [--seconds 20] [--vehicles 1000] [--of folder]
  What one hostile client costs the others: reads by id of another key's, calm and under each attack.
  \`--of\` is the folder of another checkout, whose service is measured instead.`;

/** The dealer whose vehicles have long texts. */
const WORDY_DEALER = 3;
const ROOT = join(import.meta.dir, "..");
/** The maximum multiples of the 99th percentile without an attack, and of memory. */
const MAX_LATENCY_RATIO = 10;
const MAX_MB = 400;
const CALM_SECONDS = 5;
const PROBES = 2;
const PROBE_PAUSE_MS = 1;
const MEMORY_EVERY_MS = 50;
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

interface Options extends Lots {
  readonly seconds: number;
  /** The folder of the service's source. */
  readonly root: string;
}

/** Runs each attack on a new service, so that no attack is affected by the one before. */
const measure = async ({
  engine,
  databases,
  folder,
  options: { attacks, seconds, root },
}: {
  readonly engine: string;
  readonly databases: () => Promise<string>;
  readonly folder: string;
  readonly options: Options;
}): Promise<{ readonly rows: string[][]; readonly held: boolean }> => {
  const rows: string[][] = [];
  let held = true;
  for (const attack of attacks) {
    const turnsFile = join(folder, "turns.json");
    const serving = await startService({
      ...{ databaseUrl: await databases(), folder, root, core: SERVER_CORE, turnsFile },
    });
    const { url, pid } = serving;
    const key = await keyOf(url, { app_type: "web", dealer_id: 2, rate_limit: NO_LIMIT });
    const target: Target = {
      host: new URL(url).host,
      webKey: await keyOf(url, { app_type: "web", dealer_id: 1 }),
      desktopKey: await keyOf(url, { app_type: "desktop", dealer_id: 1 }),
      wordsKey: await keyOf(url, { app_type: "web", dealer_id: WORDY_DEALER }),
      wordsWriterKey: await keyOf(url, {
        ...{ app_type: "desktop", dealer_id: WORDY_DEALER },
        permissions: ["read", "write"].map((action) => ({ resource: "vehicles", action })),
      }),
      wordsIds: await idsOf(url, WORDY_DEALER),
      wordsFeed: await feedOf(url, WORDY_DEALER),
    };
    await probe(serving, key, 1);
    const calm = await probe(serving, key, CALM_SECONDS);
    // From now on, turn-watch.ts measures anew.
    process.kill(pid, "SIGUSR2");
    const attacked = await underAttack({ attack, serving, target, key, seconds });
    await serving.stop();
    const turn: { readonly cpuMs: number } = JSON.parse(await readFile(turnsFile, "utf8"));
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
      milliseconds(turn.cpuMs),
      String(Math.round(attacked.peakMb)),
      String(attacked.failures),
      attacked.statuses,
    ]);
    printProgress(rows.at(-1)?.join("  ") ?? "");
  }
  return { rows, held };
};

const HEAD = [
  "engine",
  "attack",
  "calm p50",
  "calm p99",
  "p50",
  "p99 (ms)",
  "times",
  "longest turn (CPU ms)",
  "peak MB",
  "failed",
  "answers",
];

const run = async (folder: string, engines: readonly string[], options: Options): Promise<boolean> => {
  const file = join(folder, "filled.db");
  printProgress("filling");
  const filler = await startService({ databaseUrl: `sqlite:${file}`, folder, root: options.root, core: SERVER_CORE });
  await fillDatabase(filler.url, options);
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
    of: { type: "string", default: ROOT },
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
    root: values.of,
    attacks: ATTACKS.filter(({ name }) => names.includes(name)),
  });
  await rm(folder, { recursive: true, force: true });
  process.exit(held ? 0 : 1);
} catch (error) {
  printProgress(String(error));
  process.exit(1);
}
