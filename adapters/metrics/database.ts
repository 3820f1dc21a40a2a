import { Histogram } from "./histogram.ts";
import type { Registry } from "./registry.ts";

/** The database that is measured. */
interface MeasuredDatabase {
  readonly engine: "sqlite" | "postgres";
  /** Busy and idle connections, and the number of callers that wait for a connection. */
  readonly connections: () => { readonly used: number; readonly idle: number; readonly waiting: number };
}

/** The counts of the credential cache. */
interface CountedCache {
  readonly counts: { readonly hits: number; readonly misses: number };
}

const OPERATIONS = ["read", "write"] as const;

/** Measures the database's operations and connections, and the transactions that wait for their turn. */
export const databaseMeter = (registry: Registry, { engine, connections }: MeasuredDatabase) => {
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
  registry.gauge("db_client_connections", "Connections to the database.", () => {
    const { used, idle } = connections();
    return Object.entries({ used, idle }).map(([state, value]) => ({ labels: { state }, value }));
  });
  registry.gauge(
    "db_client_connection_pending_requests",
    "What waits for a connection: on SQLite long reads, on PostgreSQL all that is asked of it.",
    () => connections().waiting,
  );
  registry.gauge("inventory_write_queue_depth", "Transactions that wait for their turn.", () => waiting);
  registry.histogram("inventory_write_wait_seconds", "How long transactions waited for their turn.", () =>
    waits.samples(),
  );
  return {
    readTook: (seconds: number) => operations.observe(read, seconds),
    writeTook: (seconds: number) => operations.observe(write, seconds),
    /** A transaction starts to wait for its turn. */
    writeQueued: () => {
      waiting++;
    },
    /** The wait of a transaction has ended, or was refused, after `seconds`. */
    writeStarted: (seconds: number) => {
      waiting--;
      waits.observe(wait, seconds);
    },
  };
};

/** Counts how often a key was found in memory. */
export const addCredentialCache = (registry: Registry, { counts }: CountedCache): void =>
  registry.counter("inventory_credential_cache_total", "Look-ups of keys, by where they were found.", () => [
    { labels: { result: "hit" }, value: counts.hits },
    { labels: { result: "miss" }, value: counts.misses },
  ]);
