import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Dataset, makeDataset } from "./data.ts";
import { SCALES } from "./growth-workloads.ts";
import { Histogram } from "./histogram.ts";
import { printProgress } from "./output.ts";
import { freePort } from "./ports.ts";
import { randomFrom } from "./random.ts";
import { untilReady } from "./service.ts";
import { table } from "./table.ts";
import { twoWords } from "./workloads.ts";

/**
 * Measures how long searches, facets and reports delay others, on SQLite with 1 000 000 vehicles of 1 000 dealers: the
 * longest turn of the event loop, and reads by id at the same time. `--data` uses a database that `bench/data.ts` has
 * made, with its key, instead of making a new one.
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    data: { type: "string" },
    key: { type: "string", default: "" },
  },
});
const seconds = Number(options.seconds);
const [, LARGE] = SCALES;
const WARM_UP_MS = 1000;

type Ask = (path: string) => Promise<number>;

const random = randomFrom(1);
const dealer = (): number => random.whole(1, LARGE.dealers);
const q = (): string => encodeURIComponent(twoWords(random));
/** The queries. For each of them, one client sends requests without a pause. */
const QUERIES: Readonly<Record<string, () => string>> = {
  "all dealers: search, page by price, report": () =>
    random.pick([`/api/vehicles?q=${q()}&limit=20`, "/api/vehicles?sort=-price&limit=20", "/api/report"]),
  "facets of a dealer": () => `/api/vehicles/facets?dealer_id=${dealer()}`,
  "search in a dealer": () => `/api/vehicles?dealer_id=${dealer()}&q=${q()}&limit=20`,
  "a dealer sorted": () => `/api/vehicles?dealer_id=${dealer()}&sort=-price&limit=20`,
  "report of a dealer": () => `/api/dealers/${dealer()}/report`,
};

const timed = async (ask: Ask, path: string, into: Histogram): Promise<number> => {
  const since = performance.now();
  const status = await ask(path);
  into.add((performance.now() - since) * 1000);
  return status;
};

/** Reads by id, one request after another, until the time is over. */
const probe = async (ask: Ask, until: number): Promise<Histogram> => {
  const times = new Histogram();
  while (performance.now() < until) {
    await timed(ask, `/api/vehicles/${random.whole(1, LARGE.vehicles)}`, times);
    await Bun.sleep(1);
  }
  return times;
};

const runQueries = async (ask: Ask, until: number) =>
  Promise.all(
    Object.entries(QUERIES).map(async ([name, path]) => {
      const times = new Histogram();
      const statuses = new Map<number, number>();
      while (performance.now() < until) {
        const status = await timed(ask, path(), times);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status !== 200) await Bun.sleep(100);
      }
      return { name, times, statuses };
    }),
  );

const folder = await mkdtemp(join(tmpdir(), "vehicle-inventory-turns-"));
await chmod(folder, 0o755);
const TURNS_FILE = join(folder, "turns.json");
const made = async (): Promise<Dataset> => {
  if (options.data !== undefined) return { file: options.data, apiKey: options.key };
  printProgress(`Making ${LARGE.vehicles} vehicles …`);
  return makeDataset(join(folder, "data"), LARGE);
};

try {
  const data = await made();
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = Bun.spawn(
    [process.execPath, "--preload", join(import.meta.dir, "turn-watch.ts"), join(import.meta.dir, "../app/main.ts")],
    {
      env: { ...process.env, DATABASE_URL: `sqlite:${data.file}`, HOST: "127.0.0.1", PORT: String(port), TURNS_FILE },
      stdout: "ignore",
      stderr: "inherit",
    },
  );
  try {
    const ask: Ask = async (path) => {
      const response = await fetch(url + path, { headers: { "x-api-key": data.apiKey } });
      await response.arrayBuffer();
      return response.status;
    };
    await untilReady(url);
    const during = (ms: number): number => performance.now() + ms;
    await probe(ask, during(WARM_UP_MS * 3));
    await runQueries(ask, during(WARM_UP_MS * 3));
    const calm = await probe(ask, during(seconds * 250));
    server.kill("SIGUSR2");
    const until = during(seconds * 1000);
    const [probed, answered] = await Promise.all([probe(ask, until), runQueries(ask, until)]);
    server.kill("SIGTERM");
    await server.exited;
    const turns = JSON.parse(await readFile(TURNS_FILE, "utf8")) as { cpuMs: number; wallMs: number };
    const row = (name: string, times: Histogram, statuses = "") => [
      name,
      String(times.total),
      times.percentileMs(0.5).toFixed(1),
      times.percentileMs(0.99).toFixed(1),
      statuses,
    ];
    printProgress(
      `${table(
        ["", "answers", "p50 ms", "p99 ms", "statuses"],
        [
          row("by id, calm", calm),
          row("by id, meanwhile", probed),
          ...answered.map(({ name, times, statuses }) =>
            row(name, times, [...statuses].map(([status, count]) => `${status}: ${count}`).join(", ")),
          ),
        ],
      )}\n\nThe longest turn of the event loop took ${turns.cpuMs.toFixed(1)} ms of CPU, ${turns.wallMs.toFixed(1)} ms in all.`,
    );
  } finally {
    server.kill("SIGKILL");
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
