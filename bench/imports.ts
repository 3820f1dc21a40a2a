import { chmod, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CHECK_PLACE, checkDigitOf } from "../core/vin/vin.ts";
import { addDealer, HEADERS, liftRateLimit, requestJson, sendRequest } from "./calls.ts";
import { leaveServerCore, onCore, SERVER_CORE } from "./cores.ts";
import { Histogram } from "./histogram.ts";
import { printProgress } from "./output.ts";
import { cpuMicrosOf, memoryOf } from "./proc.ts";
import { type Service, startService } from "./service.ts";
import { table, times } from "./table.ts";

/**
 * Measures bulk work on SQLite against minimal loops (bench/bases/bulk.ts): an import of new vehicles and of the same
 * file again, an export, the largest allowed file, reads by id during imports, and an unchanged feed.
 */
const { values: options } = parseArgs({ options: { rows: { type: "string", default: "50000" } } });
const ROWS = Number(options.rows);

const ROOT = join(import.meta.dir, "..");
const POLL_MS = 200;
const CALM_MS = 10_000;
const PROBE_PAUSE_MS = 2;
/** A feed may be fetched 60 times an hour. */
const FEEDS = 60;
const FETCHES = 50;
const LARGE_BYTES = 120 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** A measured value, and its maximum. */
interface Figure {
  readonly what: string;
  readonly measured: number;
  readonly most: number;
  readonly unit: "times" | "MB" | "ms";
}

const HEADING =
  "Stock #,VIN,Year,Make,Model,Trim,Body Style,Condition,Price,Odometer,Exterior Color,Interior Color,Transmission,Engine,Drivetrain,Fuel,Description";

const vinOf = (number: number): string => {
  const open = `4T1BF1FK0NU${String(number).padStart(6, "0")}`;
  return open.slice(0, CHECK_PLACE) + checkDigitOf(open) + open.slice(CHECK_PLACE + 1);
};

/** A file with this number of vehicles and 17 columns, and with descriptions of this length. */
const fileOf = (rows: number, first = 0, descriptionLength = 120): string => {
  const description = "One owner, serviced each year, with new tires and a clean title. ".repeat(
    Math.ceil(descriptionLength / 65),
  );
  const lines = Array.from({ length: rows }, (_, index) => {
    const number = first + index;
    return `S-${number},${vinOf(number)},${2010 + (number % 15)},Toyota,Camry,SE,sedan,used,${9000 + (number % 900) * 25}.50,${1000 + number},Ruby Red,Black,automatic,2.5 l,front-wheel drive,gasoline,"${description.slice(0, descriptionLength)}"`;
  });
  return `${HEADING}\n${lines.join("\n")}\n`;
};

const folder = await mkdtemp(join(tmpdir(), "vehicle-inventory-imports-"));
await chmod(folder, 0o755);
const TURNS_FILE = join(folder, "turns.json");

const serve = (file: string): Promise<Service> =>
  startService({ databaseUrl: `sqlite:${file}`, folder, core: SERVER_CORE, turnsFile: TURNS_FILE });

interface Import {
  readonly state: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Imports a file and waits for the end. Returns the counts of its rows. */
const imported = async ({ url }: Service, dealer: number, file: string): Promise<Import["counts"]> => {
  const path = `/api/imports?dealer_id=${dealer}`;
  const { id } = await requestJson<{ id: number }>(url + path, { method: "POST", body: file });
  for (;;) {
    await Bun.sleep(POLL_MS);
    const found = await requestJson<Import>(`${url}/api/imports/${id}`);
    if (found.state === "completed") return found.counts;
    if (found.state !== "queued" && found.state !== "running") throw new Error(`an import: ${JSON.stringify(found)}`);
  }
};

/** The CPU seconds that the service needs for some work. */
const cpuOf = async ({ pid }: Service, work: () => Promise<unknown>): Promise<number> => {
  const before = cpuMicrosOf(pid);
  await work();
  return (cpuMicrosOf(pid) - before) / 1e6;
};

/** The CPU seconds of a minimal loop. */
const cpuOfBareLoop = async (...task: readonly string[]): Promise<number> => {
  const child = Bun.spawn(onCore(SERVER_CORE, [process.execPath, join(import.meta.dir, "bases/bulk.ts"), ...task]), {
    cwd: ROOT,
    stdout: "pipe",
    stderr: "pipe",
  });
  const read = async (): Promise<void> => {
    for await (const _piece of child.stdout);
  };
  const [output] = await Promise.all([new Response(child.stderr).text(), read()]);
  if ((await child.exited) !== 0) throw new Error(`the bare loop failed: ${output}`);
  return Number(output);
};

/** Reads all vehicles of a dealer, uncompressed like the output of the minimal loop. */
const exportOf = async ({ url }: Service, dealer: number): Promise<void> => {
  const headers = { ...HEADERS, "accept-encoding": "identity" };
  await (await fetch(`${url}/api/vehicles/export?format=ndjson&dealer_id=${dealer}`, { headers })).arrayBuffer();
};

/** Reads vehicles by id one after another until the work is done. Returns the 99th percentile in milliseconds. */
const p99MsDuring = async ({ url }: Service, work: Promise<unknown>): Promise<number> => {
  const latencies = new Histogram();
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const since = performance.now();
    const response = await fetch(`${url}/api/vehicles/${1 + (latencies.total % ROWS)}`, { headers: HEADERS });
    await response.arrayBuffer();
    latencies.add((performance.now() - since) * 1000);
    await Bun.sleep(PROBE_PAUSE_MS);
  }
  await work;
  return latencies.percentileMs(0.99);
};

const importFigures = async (): Promise<Figure[]> => {
  const file = join(folder, "service.db");
  const base = join(folder, "base.db");
  const csv = join(folder, "vehicles.csv");
  const text = fileOf(ROWS);
  await Bun.write(csv, text);
  const first = await serve(file);
  const dealer = await addDealer(first.url);
  await liftRateLimit(first.url);
  await first.stop();
  await copyFile(file, base);

  const service = await serve(file);
  const created = await cpuOf(service, () => imported(service, dealer, text));
  const unchanged = await cpuOf(service, () => imported(service, dealer, text));
  const calm = await p99MsDuring(service, Bun.sleep(CALM_MS));
  const another = await addDealer(service.url);
  process.kill(service.pid, "SIGUSR2");
  const busy = await p99MsDuring(service, imported(service, another, fileOf(ROWS, ROWS)));
  // The first export of a process compiles the checks of its query.
  await exportOf(service, await addDealer(service.url));
  const exported = await cpuOf(service, () => exportOf(service, dealer));
  await service.stop();
  const { wallMs } = (await Bun.file(TURNS_FILE).json()) as { wallMs: number };
  const inserting = await cpuOfBareLoop("insert", base, String(dealer), file, csv);
  const reading = await cpuOfBareLoop("export", file, String(dealer));
  printProgress(
    `CPU seconds: created ${created}, bare ${inserting}; unchanged ${unchanged}; export ${exported}, bare ${reading}`,
  );
  return [
    { what: "Import of new vehicles, CPU beside a bare loop", measured: created / inserting, most: 1.6, unit: "times" },
    {
      what: "The same file again, CPU beside the first time",
      measured: unchanged / created,
      most: 1 / 3,
      unit: "times",
    },
    { what: "Export, CPU beside a bare loop", measured: exported / reading, most: 1.5, unit: "times" },
    { what: "By id during an import, 99th percentile beside without", measured: busy / calm, most: 5, unit: "times" },
    { what: "Longest turn of the event loop during an import", measured: wallMs, most: 50, unit: "ms" },
  ];
};

const memoryFigure = async (): Promise<Figure> => {
  const service = await serve(join(folder, "large.db"));
  const dealer = await addDealer(service.url);
  const descriptionLength = 10_000;
  await imported(service, dealer, fileOf(Math.floor(LARGE_BYTES / (descriptionLength + 200)), 0, descriptionLength));
  const { peakMb } = memoryOf(service.pid);
  await service.stop();
  return { what: `Memory for a file of ${LARGE_BYTES / MEGABYTE} MiB`, measured: peakMb, most: 250, unit: "MB" };
};

const feedFigure = async (): Promise<Figure> => {
  const service = await serve(join(folder, "feeds.db"));
  const { url } = service;
  const dealer = await addDealer(service.url);
  await imported(service, dealer, fileOf(1000));
  await liftRateLimit(url);
  const addresses: string[] = [];
  for (let made = 0; made < FEEDS; made++) {
    const body = { name: `Feed ${made}`, channel: "csv", dealer_ids: [dealer] };
    addresses.push((await requestJson<{ url: string }>(`${url}/api/feeds`, { method: "POST", body })).url);
  }
  const vehicle = `${url}/api/vehicles/1`;
  const known = async (address: string) => {
    const response = await sendRequest(address);
    await response.arrayBuffer();
    return { address, sent: { headers: { ...HEADERS, "if-none-match": response.headers.get("etag") ?? "" } } };
  };
  const feeds: Awaited<ReturnType<typeof known>>[] = [];
  for (const address of addresses) feeds.push(await known(url + new URL(address).pathname));
  const same = await known(vehicle);
  const askAgain = async ({ address, sent }: typeof same): Promise<void> => {
    const { status } = await fetch(address, sent);
    if (status !== 304) throw new Error(`${address}: ${status}`);
  };
  for (let warm = 0; warm < 5000; warm++) await askAgain(same);
  const ofFeeds = await cpuOf(service, async () => {
    for (let turn = 0; turn < FETCHES; turn++) for (const feed of feeds) await askAgain(feed);
  });
  const ofVehicles = await cpuOf(service, async () => {
    for (let turn = 0; turn < FETCHES * FEEDS; turn++) await askAgain(same);
  });
  await service.stop();
  const what = "A feed that did not change, CPU beside a 304 of a vehicle";
  return { what, measured: ofFeeds / ofVehicles, most: 1.3, unit: "times" };
};

leaveServerCore();
const figures = [...(await importFigures()), await memoryFigure(), await feedFigure()];
const shown = (value: number, unit: Figure["unit"]): string =>
  unit === "times" ? times(value) : `${Math.round(value)} ${unit}`;
const rows = figures.map(({ what, measured, most, unit }) => [what, shown(measured, unit), shown(most, unit)]);
process.stdout.write(`${table([`${ROWS} vehicles, SQLite`, "Measured", "At most"], rows, 1)}\n`);
await rm(folder, { recursive: true, force: true });
process.exit(figures.every(({ measured, most }) => measured <= most) ? 0 : 1);
