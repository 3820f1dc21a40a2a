import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AnyOrama, create, insertMultiple, search } from "@orama/orama";
import { buildProgram, SERVICE } from "./contenders.ts";
import { makeDataset } from "./data.ts";
import { Histogram } from "./histogram.ts";
import { printProgress } from "./output.ts";
import { type Random, randomFrom } from "./random.ts";
import { startServer } from "./servers.ts";
import { COMPARISON_SCALE, vehicleWithId } from "./stock.ts";
import { table } from "./table.ts";
import { twoWords } from "./workloads.ts";

/**
 * The same searches and facets over the same 50 000 vehicles, with this service over HTTP, and with Orama, a search
 * engine for JavaScript, as a library in this process. One query follows another, and the two take turns.
 */
const QUERIES = 400;
const WARM_UP = 50;
const WORDS = ["make", "model", "trim", "title", "description", "features", "exterior_color", "engine"] as const;
const COUNTED = ["body_style", "fuel_type", "transmission", "drivetrain", "condition", "status"] as const;

const schema = {
  ...Object.fromEntries(WORDS.map((name) => [name, "string" as const])),
  ...Object.fromEntries(COUNTED.map((name) => [name, "enum" as const])),
  dealer_id: "number",
  year: "number",
} as const;

const textOf = (value: unknown): string => String(value ?? "");

const openEngine = async (): Promise<AnyOrama> => {
  const engine: AnyOrama = create({ schema });
  const documents = Array.from({ length: COMPARISON_SCALE.vehicles }, (_, index) => {
    const vehicle = vehicleWithId(index + 1, COMPARISON_SCALE);
    return {
      ...Object.fromEntries([...WORDS, ...COUNTED].map((name) => [name, textOf(vehicle[name])])),
      dealer_id: vehicle.dealer_id,
      year: vehicle.year,
    };
  });
  await insertMultiple(engine, documents, 1000);
  return engine;
};

interface Query {
  readonly term: string;
  /** `null` means all dealers. */
  readonly dealer: number | null;
  readonly isCounted: boolean;
}

const searchEngine = (engine: AnyOrama, { term, dealer, isCounted }: Query) =>
  search(engine, {
    term,
    properties: [...WORDS],
    threshold: 0,
    limit: 20,
    ...(dealer !== null && { where: { dealer_id: { eq: dealer } } }),
    ...(isCounted && { facets: Object.fromEntries([...COUNTED.map((name) => [name, {}])]) }),
  });

const pathOf = ({ term, dealer, isCounted }: Query): string => {
  const query = new URLSearchParams({
    q: term,
    ...(dealer !== null && { dealer_id: String(dealer) }),
    ...(isCounted ? { facets: COUNTED.join(",") } : { limit: "20" }),
  });
  return `/api/vehicles${isCounted ? "/facets" : ""}?${query}`;
};

const dealerOf = (random: Random): number => random.whole(1, COMPARISON_SCALE.dealers);
const KINDS: Readonly<Record<string, (random: Random) => Query>> = {
  "two words, all dealers": (random) => ({ term: twoWords(random), dealer: null, isCounted: false }),
  "two words, one dealer": (random) => ({ term: twoWords(random), dealer: dealerOf(random), isCounted: false }),
  "facets of two words, all dealers": (random) => ({ term: twoWords(random), dealer: null, isCounted: true }),
  "facets of two words, one dealer": (random) => ({
    term: twoWords(random),
    dealer: dealerOf(random),
    isCounted: true,
  }),
};

const folder = await mkdtemp(join(tmpdir(), "vehicle-inventory-engine-"));
try {
  buildProgram();
  const data = await makeDataset(join(folder, "data"), COMPARISON_SCALE);
  const freshPostgres = () => Promise.reject(new Error("this is measured on SQLite"));
  const server = await startServer(SERVICE, { data, freshPostgres, folder: join(folder, "service") });
  const since = performance.now();
  const engine = await openEngine();
  printProgress(
    `Orama took ${((performance.now() - since) / 1000).toFixed(0)} s to index ${COMPARISON_SCALE.vehicles} vehicles.`,
  );
  const headers = { "x-api-key": data.apiKey };
  const rows: string[][] = [];
  for (const [name, query] of Object.entries(KINDS)) {
    const random = randomFrom(1);
    const [service, other] = [new Histogram(), new Histogram()];
    for (let number = -WARM_UP; number < QUERIES; number++) {
      const next = query(random);
      const start = performance.now();
      const response = await fetch(`http://127.0.0.1:${server.port}${pathOf(next)}`, { headers });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${pathOf(next)} was answered ${response.status}`);
      const between = performance.now();
      await searchEngine(engine, next);
      if (number < 0) continue;
      service.add((between - start) * 1000);
      other.add((performance.now() - between) * 1000);
    }
    rows.push([name, ...[service, other].flatMap((times) => [0.5, 0.99].map((p) => times.percentileMs(p).toFixed(1)))]);
  }
  printProgress(table(["", "service p50 ms", "p99 ms", "Orama p50 ms", "p99 ms"], rows, 1));
  await server.stop();
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
