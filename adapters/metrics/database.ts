import { Histogram } from "./histogram.ts";
import type { Registry } from "./registry.ts";

/** What is counted of a database. */
interface Source {
  readonly engine: "sqlite" | "postgres";
  /** Connections at work, and those that wait for some. */
  readonly connections: () => { readonly used: number; readonly idle: number };
}

/** What of the credentials is found in memory. */
interface Cache {
  readonly counts: { readonly hits: number; readonly misses: number };
}

const OPERATIONS = ["read", "write"] as const;

/** Times of the database's operations, its connections and the changes that wait for their turn. */
export const databaseMeter = (registry: Registry, { engine, connections }: Source) => {
  const operations = new Histogram(OPERATIONS.length);
  const waits = new Histogram(1);
  const system = engine === "postgres" ? "postgresql" : engine;
  const [read, write] = OPERATIONS.map((name) =>
    operations.add({ db_system_name: system, db_operation_name: name }),
  ) as [number, number];
  const wait = waits.add({});
  let waiting = 0;
  registry.histogram(
    "db_client_operation_duration_seconds",
    "Reads, and whole transactions with their wait for their turn.",
    () => operations.samples(),
  );
  registry.gauge("db_client_connection_count", "Connections to the database.", () =>
    Object.entries(connections()).map(([state, value]) => ({ labels: { state }, value })),
  );
  registry.gauge("inventory_write_queue_depth", "Transactions that wait for their turn.", () => waiting);
  registry.histogram("inventory_write_wait_seconds", "How long transactions waited for their turn.", () =>
    waits.samples(),
  );
  return {
    read: (seconds: number) => operations.observe(read, seconds),
    write: (seconds: number) => operations.observe(write, seconds),
    /** A transaction waits. */
    waits: () => {
      waiting++;
    },
    /** Its turn has come, or it was refused one; `seconds` is how long that took. */
    begins: (seconds: number) => {
      waiting--;
      waits.observe(wait, seconds);
    },
  };
};

/** How often a key's record was in memory. */
export const addCredentialCache = (registry: Registry, { counts }: Cache): void =>
  registry.counter("inventory_credential_cache_total", "Look-ups of keys, by where they were found.", () => [
    { labels: { result: "hit" }, value: counts.hits },
    { labels: { result: "miss" }, value: counts.misses },
  ]);
