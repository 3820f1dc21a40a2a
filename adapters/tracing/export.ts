import type { Attributes, Tracer } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";

/** Where traces are sent, and as what. */
export interface TraceTarget {
  /** The address that takes traces. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: "http/json" | "http/protobuf";
  /** What the collector is told of the service. */
  readonly resource: Attributes;
  /** How long finished spans wait for others. */
  readonly delayMs: number;
  readonly version: string;
  /** Called when traces cannot be sent, once until they can again. */
  readonly failed: (reason: string) => void;
}

const ENDED_MS = 2000;

const exporterFor = async ({ url, headers, protocol }: TraceTarget): Promise<SpanExporter> => {
  const { OTLPTraceExporter } =
    protocol === "http/json"
      ? await import("@opentelemetry/exporter-trace-otlp-http")
      : await import("@opentelemetry/exporter-trace-otlp-proto");
  return new OTLPTraceExporter({ url, headers: { ...headers } });
};

/** Tells once that traces cannot be sent, until they can again. */
const reporting = (exporter: SpanExporter, failed: TraceTarget["failed"]): SpanExporter => {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const fails = result.error !== undefined;
        if (fails && !isFailing) failed(result.error?.message ?? "");
        isFailing = fails;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush !== undefined && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
};

/**
 * Sends finished spans to a collector, in batches. At most 2 048 wait; more are dropped, so that a collector that is
 * away costs no memory. `close` sends what is left, for two seconds at most.
 */
export const openTraceExport = async (
  target: TraceTarget,
): Promise<{ readonly tracer: Tracer; close(): Promise<void> }> => {
  const provider = new TracerProvider({
    resource: resourceFromAttributes(target.resource),
    // What is not to be recorded never begins a span.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(await exporterFor(target), target.failed),
        scheduledDelayMillis: target.delayMs,
      }),
    ],
  });
  return {
    tracer: provider.getTracer("vehicle-inventory", target.version),
    async close() {
      await Promise.race([provider.shutdown().catch(() => {}), Bun.sleep(ENDED_MS)]);
    },
  };
};
