import { timingSafeEqual } from "node:crypto";
import type { MetricsPage } from "../adapters/http/server/metrics.ts";
import { NOT_COUNTED, type RequestMeter } from "../adapters/http/server/request-meter.ts";
import { addCredentialCache, databaseMeter } from "../adapters/metrics/database.ts";
import { addEventLoop } from "../adapters/metrics/event-loop.ts";
import { listen, type MetricsListener } from "../adapters/metrics/listener.ts";
import { addProcess } from "../adapters/metrics/process.ts";
import { makeRegistry, type Registry } from "../adapters/metrics/registry.ts";
import { requestMeter } from "../adapters/metrics/requests.ts";
import type { CredentialCache } from "../adapters/sql/access/credential-cache.ts";
import type { SqlDatabase } from "../adapters/sql/query/database.ts";
import { withMetrics } from "../adapters/sql/query/with-metrics.ts";
import { ConfigError } from "./config-error.ts";
import type { MetricsConfig } from "./metrics-config.ts";
import { VERSION } from "./version.ts";

/** The metrics, and the ways to read them. */
export interface Metrics {
  /** All metrics are added here, even if nobody can read them. */
  readonly registry: Registry;
  /** The page `/metrics` on the service's port; `null` if it cannot be read there. */
  readonly page: MetricsPage | null;
  /** Counts requests. It does nothing if metrics are switched off. */
  readonly requests: RequestMeter;
  /** Returns the database. If metrics are switched on, its operations are measured. */
  measure(db: SqlDatabase): SqlDatabase;
  /** Adds the counts of the credential cache. */
  addCache(cache: CredentialCache): void;
  /** Opens the separate listener and returns its address; `null` if there is none. */
  listen(): string | null;
  close(): Promise<void>;
}

const BEARER = "Bearer ";
const hashOf = (text: string): Buffer => Buffer.from(Bun.SHA256.hash(text, "hex"), "hex");

/** Returns a function that compares a header with this token in constant time. */
const bearerCheck = (token: string): ((authorization: string | null) => boolean) => {
  const expected = hashOf(BEARER + token);
  return (authorization) => authorization !== null && timingSafeEqual(hashOf(authorization), expected);
};

const listenOrFail = (parts: Parameters<typeof listen>[0]): MetricsListener => {
  try {
    return listen(parts);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError("METRICS_PORT", `cannot be listened on (${reason})`, "9464");
  }
};

/** Makes the metrics. Nothing listens and no timer runs unless it is configured. */
export const composeMetrics = (config: MetricsConfig | null): Metrics => {
  const registry = makeRegistry();
  if (config === null)
    return {
      registry,
      page: null,
      requests: NOT_COUNTED,
      measure: (db) => db,
      addCache: () => {},
      listen: () => null,
      close: async () => {},
    };
  const { listener, token } = config;
  addProcess(registry, VERSION);
  const stopLagTimer = addEventLoop(registry);
  const mayRead = token === null ? () => true : bearerCheck(token);
  let closeListener = async (): Promise<void> => {};
  return {
    registry,
    requests: requestMeter(registry),
    measure: (db) => withMetrics(db, databaseMeter(registry, db)),
    addCache: (cache) => addCredentialCache(registry, cache),
    page: token === null ? null : { mayRead, text: registry.text },
    listen() {
      if (listener === null) return null;
      const opened = listenOrFail({ hostname: listener.host, port: listener.port, text: registry.text, mayRead });
      closeListener = opened.close;
      return opened.url;
    },
    async close() {
      stopLagTimer();
      await closeListener();
    },
  };
};
