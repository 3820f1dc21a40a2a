import type { RequestTracer } from "../adapters/http/server/request-tracer.ts";
import type { SqlDatabase } from "../adapters/sql/query/database.ts";
import { withSpans } from "../adapters/sql/query/with-spans.ts";
import { SAMPLERS } from "../adapters/tracing/sampling.ts";
import type { TracingConfig } from "./tracing-config.ts";
import { VERSION } from "./version.ts";

/** What follows requests, and the database whose statements are part of it. */
export interface Tracing {
  /** `null` if nothing is recorded. */
  readonly requests: RequestTracer | null;
  trace(db: SqlDatabase): SqlDatabase;
  close(): Promise<void>;
}

/** Makes the tracing. Nothing of it is loaded unless a collector is configured. */
export const composeTracing = async (
  config: TracingConfig | null,
  warn: (reason: string) => void,
): Promise<Tracing> => {
  if (config === null) return { requests: null, trace: (db) => db, close: async () => {} };
  const { openTraceExport } = await import("../adapters/tracing/export.ts");
  const { makeTracer } = await import("../adapters/tracing/tracer.ts");
  const { tracer: spans, close } = await openTraceExport({
    ...config,
    resource: { "service.version": VERSION, ...config.resource },
    version: VERSION,
    failed: warn,
  });
  const tracer = makeTracer(spans, SAMPLERS[config.sampler](config.ratio));
  const requests: RequestTracer = config.followsSenders
    ? tracer
    : { ...tracer, begin: (request) => tracer.begin({ ...request, sent: null }) };
  return { requests, trace: (db) => withSpans(db, tracer), close };
};
