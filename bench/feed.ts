import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requestJson, sendRequest } from "./calls.ts";
import { printProgress } from "./output.ts";
import { cpuMicrosOf, memoryOf } from "./proc.ts";
import { type Service, startService } from "./service.ts";
import { table, times } from "./table.ts";

/**
 * Measures what it takes to fill a copy by the change feed, beside an export of the same vehicles, and the memory of
 * streams with nothing to tell. It reads a database that `seed` has filled.
 */
const USAGE = `BUN_CONFIG_MAX_HTTP_REQUESTS=2000 bun bench/feed.ts --database sqlite:./data/inventory.db [--rounds 5] [--streams 500]`;

const { values: options } = parseArgs({
  options: {
    database: { type: "string", default: "" },
    rounds: { type: "string", default: "5" },
    streams: { type: "string", default: "500" },
    help: { type: "boolean", default: false },
  },
});
if (options.help || options.database === "") {
  process.stdout.write(`${USAGE}\n`);
  process.exit();
}
const STREAMS_OF_A_KEY = 5;
const LIMITLESS = 2_147_483_647;
const SETTLES_MS = 3000;

const newKey = async ({ url }: Service): Promise<string> => {
  const permissions = ["vehicles", "dealers"].map((resource) => ({ resource, action: "read" }));
  const body = { name: "Feed", app_type: "desktop", app_id: "feed", rate_limit: LIMITLESS, permissions };
  return (await requestJson<{ api_key: string }>(`${url}/api/keys`, { method: "POST", body })).api_key;
};

/** Reads everything that one way of reading gives, and answers the number of records. */
type Reading = () => Promise<number>;

const readingsOf = ({ url }: Service, key: string): Readonly<Record<string, Reading>> => {
  const feed =
    (query: string): Reading =>
    async () => {
      let count = 0;
      for (let after = "", more = true; more; ) {
        const page = await requestJson<{ data: unknown[]; meta: { next: string; more: boolean } }>(
          `${url}/api/changes?limit=500${query}${after}`,
          { key },
        );
        count += page.data.length;
        after = `&after=${encodeURIComponent(page.meta.next)}`;
        more = page.meta.more;
      }
      return count;
    };
  return {
    "export as NDJSON": async () =>
      (await (await sendRequest(`${url}/api/vehicles/export?format=ndjson`, { key })).text()).trim().split("\n").length,
    "feed, vehicles": feed("&kinds=vehicle"),
    "feed, all kinds": feed(""),
  };
};

const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const openStreams = async ({ url }: Service, keys: readonly string[]): Promise<void> => {
  for (const key of keys)
    for (let stream = 0; stream < STREAMS_OF_A_KEY; stream++)
      await (await sendRequest(`${url}/api/changes/stream?after=now`, { key })).body?.getReader().read();
};

const folder = await mkdtemp(join(tmpdir(), "vehicle-inventory-feed-"));
await chmod(folder, 0o755);
const service = await startService({ databaseUrl: options.database, folder });
const readings = Object.entries(readingsOf(service, await newKey(service)));
const seen = new Map(readings.map(([name]) => [name, { records: 0, cpu: [] as number[], took: [] as number[] }]));
for (let round = 0; round < Number(options.rounds); round++)
  for (const [name, read] of readings) {
    const [cpu, at] = [cpuMicrosOf(service.pid), performance.now()];
    const records = await read();
    const sums = seen.get(name) ?? { records, cpu: [], took: [] };
    sums.records = records;
    sums.cpu.push((cpuMicrosOf(service.pid) - cpu) / 1000);
    sums.took.push(performance.now() - at);
    printProgress(`${name}: ${records} records, ${Math.round(sums.cpu.at(-1) ?? 0)} ms of CPU`);
  }
const base = middleOf(seen.get(readings[0]?.[0] ?? "")?.cpu ?? []);
const rows = [...seen].map(([name, { records, cpu, took }]) => [
  name,
  String(records),
  `${Math.round(middleOf(cpu))} ms`,
  times(middleOf(cpu) / base),
  `${Math.round(middleOf(took))} ms`,
]);
process.stdout.write(`${table(["", "Records", "CPU of the service", "Of the export", "Time"], rows, 1)}\n`);

await service.stop();
// What was read before left memory behind, so that streams are opened in a new process.
const idle = await startService({ databaseUrl: options.database, folder });
const keys: string[] = [];
while (keys.length * STREAMS_OF_A_KEY < Number(options.streams)) keys.push(await newKey(idle));
const before = memoryOf(idle.pid).residentMb;
await openStreams(idle, keys);
await Bun.sleep(SETTLES_MS);
const perStream = ((memoryOf(idle.pid).residentMb - before) * 1024) / Number(options.streams);
process.stdout.write(`\n${options.streams} streams with nothing to tell: ${perStream.toFixed(1)} kB each\n`);
await idle.kill();
await rm(folder, { recursive: true, force: true });
