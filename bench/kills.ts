import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { addDealer, liftRateLimit, requestJson, sendRequest } from "./calls.ts";
import { printProgress } from "./output.ts";
import { startPostgres } from "./postgres.ts";
import { type Service, startService } from "./service.ts";

/**
 * Kills the service at random moments of an import, and compares the final records with those of an uninterrupted
 * import. Nothing may be lost or duplicated. SQLite has one instance, PostgreSQL two.
 */
const USAGE = `bun bench/kills.ts [--rows 20000] [--kills 20] [--engines sqlite,postgres]
  A killed instance keeps its lease for half a minute, so a run takes about that long for each kill.`;

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "20000" },
    kills: { type: "string", default: "20" },
    engines: { type: "string", default: "sqlite,postgres" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit();
}
const ROWS = Number(options.rows);
const KILLS = Number(options.kills);

const ROOT = join(import.meta.dir, "..");
const MAX_IMPORT_MS = 3_600_000;
const POLL_MS = 50;
/** The maximum time between progress of the import and the next kill. */
const MAX_PAUSE_MS = 400;

/**
 * The vehicles of a file beginning with number `first`, with prices that depend on the night. Every 50th row is
 * invalid, and every 70th is a repetition.
 */
const fileOf = (first: number, rows: number, night: number): string => {
  const lines = Array.from({ length: rows }, (_, index) => {
    const number = first + (index % 70 === 69 ? index - 1 : index);
    const year = index % 50 === 49 ? "2O24" : 2024 - (number % 20);
    return `S-${number},${year},Toyota,Camry,${9000 + (number % 100) * 250 + night * (number % 3)},${number}`;
  });
  return `Stock #,Year,Make,Model,Price,Mileage\n${lines.join("\n")}\n`;
};

interface Import {
  readonly id: number;
  readonly state: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly progress: { readonly read: number };
}

const isOver = ({ state }: Import): boolean => state !== "queued" && state !== "running";

/** The import as any instance answers it. `null` if no instance answers. */
const findImport = async (instances: readonly Service[], id: number): Promise<Import | null> => {
  for (const { url } of instances) {
    const found = await requestJson<Import>(`${url}/api/imports/${id}`).catch(() => null);
    if (found !== null) return found;
  }
  return null;
};

const waitForImport = async (
  instances: readonly Service[],
  id: number,
  wanted: (found: Import) => boolean,
): Promise<Import> => {
  const deadline = performance.now() + MAX_IMPORT_MS;
  for (;;) {
    const found = await findImport(instances, id);
    if (found !== null && wanted(found)) return found;
    if (performance.now() > deadline) throw new Error(`import ${id} does not go on: ${JSON.stringify(found)}`);
    await Bun.sleep(POLL_MS);
  }
};

type Stored = Readonly<Record<string, unknown>>;

/**
 * A record without the values that differ between runs: timestamps, and ids, because a killed transaction uses some up.
 */
const comparable = (record: Stored): string =>
  JSON.stringify(record, (name, value) => (/_at$|^(vehicle_)?id$/.test(name) ? undefined : value));

/** The records of an export. */
const exported = async (address: string): Promise<Stored[]> =>
  (await (await sendRequest(address)).text())
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Stored]));

interface Page {
  readonly data: readonly Stored[];
  readonly meta: { readonly next_cursor: string | null };
}

const rowsOf = async (url: string, id: number): Promise<Stored[]> => {
  const rows: Stored[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const after = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page = await requestJson(`${url}/api/imports/${id}/rows?limit=100${after}`);
    rows.push(...page.data);
    cursor = page.meta.next_cursor;
  }
  return rows;
};

interface Outcome {
  readonly import: Pick<Import, "state" | "counts">;
  readonly vehicles: readonly string[];
  readonly rows: readonly string[];
  /** The number of audit entries for each action. */
  readonly audited: Readonly<Record<string, number>>;
}

const outcomeOf = async (url: string, { id, state, counts }: Import): Promise<Outcome> => {
  const vehicles = await exported(`${url}/api/vehicles/export?format=ndjson`);
  const stockNumbers = new Map(vehicles.map(({ id, stock_number }) => [id, stock_number]));
  const rows = (await rowsOf(url, id)).map((row) => ({ ...row, vehicle: stockNumbers.get(row.vehicle_id) }));
  const audited: Record<string, number> = {};
  const log = await (await sendRequest(`${url}/api/audit/export`)).text();
  for (const [, action = ""] of log.matchAll(/,(vehicle\.[a-z_]+),vehicles,/g))
    audited[action] = (audited[action] ?? 0) + 1;
  return { import: { state, counts }, vehicles: vehicles.map(comparable).sort(), rows: rows.map(comparable), audited };
};

const imported = async (
  { databaseUrl, folder, count }: { readonly databaseUrl: string; readonly folder: string; readonly count: number },
  kills: number,
): Promise<Outcome> => {
  const start = () => startService({ databaseUrl, folder });
  const instances = await Promise.all(Array.from({ length: count }, start));
  const [{ url }] = instances as [Service];
  const dealer = await addDealer(url);
  await liftRateLimit(url);
  const imports = `${url}/api/imports?dealer_id=${dealer}`;
  const first = await requestJson<Import>(imports, { method: "POST", body: fileOf(0, ROWS / 2, 0) });
  await waitForImport(instances, first.id, isOver);
  const { id } = await requestJson<Import>(imports, { method: "POST", body: fileOf(ROWS / 4, ROWS, 1) });
  let read = 0;
  for (let killed = 0; killed < kills; ) {
    const found = await waitForImport(instances, id, (one) => isOver(one) || one.progress.read > read);
    if (isOver(found)) throw new Error(`the import was over after ${killed} kills: give it more --rows`);
    read = found.progress.read;
    await Bun.sleep(Math.random() * MAX_PAUSE_MS);
    const place = Math.floor(Math.random() * instances.length);
    await instances[place]?.kill();
    instances[place] = await start();
    printProgress(`kill ${++killed}: ${read} rows were read`);
  }
  const done = await waitForImport(instances, id, isOver);
  const outcome = await outcomeOf((instances[0] as Service).url, done);
  for (const instance of instances) await instance.kill();
  return outcome;
};

const main = await mkdtemp(join(tmpdir(), "vehicle-inventory-kills-"));
await chmod(main, 0o755);
const startServer = async () => {
  const empty = join(main, "empty.db");
  const env = { ...process.env, DATABASE_URL: `sqlite:${empty}` };
  await Bun.spawn([process.execPath, "app/main.ts", "migrate"], { cwd: ROOT, env, stdout: "ignore" }).exited;
  const started = await startPostgres(join(main, "postgres"));
  await started.fill(empty);
  return started;
};
const server = options.engines.includes("postgres") ? await startServer() : null;
const ENGINES = {
  sqlite: { count: 1, fresh: async () => `sqlite:${await mkdtemp(join(main, "sqlite-"))}/inventory.db` },
  postgres: { count: 2, fresh: async () => (await server?.freshDatabase()) ?? "" },
};
let isSame = true;
for (const name of options.engines.split(",") as (keyof typeof ENGINES)[]) {
  const { count, fresh } = ENGINES[name];
  const run = async (kills: number) => imported({ databaseUrl: await fresh(), folder: main, count }, kills);
  const uninterrupted = await run(0);
  const killed = await run(KILLS);
  const differing = (Object.keys(uninterrupted) as (keyof Outcome)[]).filter(
    (part) => !Bun.deepEquals(uninterrupted[part], killed[part]),
  );
  const { vehicles, rows, audited } = killed;
  printProgress(
    `${name}: ${vehicles.length} vehicles, ${rows.length} rows, ${JSON.stringify(killed.import)}, ${JSON.stringify(audited)}`,
  );
  printProgress(
    `${name}: ${KILLS} kills, ${differing.length === 0 ? "the end is the same as without" : `DIFFERS in ${differing}`}`,
  );
  isSame &&= differing.length === 0;
}
await server?.stop();
await rm(main, { recursive: true, force: true });
process.exit(isSame ? 0 : 1);
