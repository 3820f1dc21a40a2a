import { SAMPLERS, type SamplerName } from "../adapters/tracing/sampling.ts";
import { ConfigError, type Environment } from "./config-error.ts";
import { wholeNumber } from "./config-values.ts";

/** Where traces are sent, and which requests are recorded. */
export interface TracingConfig {
  /** The collector's address for traces. */
  readonly url: string;
  /** Sent with every batch. They may hold a secret. */
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: "http/json" | "http/protobuf";
  readonly sampler: SamplerName;
  /** The share of requests that samplers with a ratio record, from 0 to 1. */
  readonly ratio: number;
  /** False if what senders say of their traces is ignored: each request begins a trace, and the sampler decides alone. */
  readonly followsSenders: boolean;
  /** What the collector is told of the service, the name included. */
  readonly resource: Readonly<Record<string, string>>;
  /** How long finished spans wait for others, in milliseconds. */
  readonly delayMs: number;
}

const PATH = "v1/traces";
const MAX_DELAY_MS = 600_000;
const MAX_LENGTH = 8192;
const RATIO = /^(?:0(?:\.\d{1,12})?|1(?:\.0{1,12})?)$/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;

const isAddress = (text: string): boolean =>
  /^https?:\/\/[^\s?#]{1,2000}$/i.test(text) && URL.canParse(text) && new URL(text).hostname !== "";

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** Reads `name=value,other=value`, with percent-encoded values, as OpenTelemetry writes lists. */
const pairsOf = (environment: Environment, name: string, example: string): Record<string, string> => {
  const text = environment[name];
  if (text === undefined) return {};
  const refused = () => new ConfigError(name, "must be a comma-separated list of name=value", example);
  if (text.length > MAX_LENGTH) throw refused();
  const pairs = text.split(",").map((part): [string, string] => {
    const at = part.indexOf("=");
    const [key, value] = [part.slice(0, Math.max(at, 0)).trim(), decoded(part.slice(at + 1).trim())];
    if (!NAME.test(key) || value === null || !/^[\x20-\x7e\u0080-\uffff]*$/.test(value)) throw refused();
    return [key, value];
  });
  return Object.fromEntries(pairs);
};

const urlOf = ({
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: exact,
  OTEL_EXPORTER_OTLP_ENDPOINT: base,
}: Environment): string | null => {
  const [name, text] =
    exact === undefined ? ["OTEL_EXPORTER_OTLP_ENDPOINT", base] : ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", exact];
  if (text === undefined) return null;
  if (!isAddress(text))
    throw new ConfigError(name, "must be an http or https address without a query", "http://127.0.0.1:4318");
  if (exact !== undefined) return exact;
  return text.endsWith("/") ? `${text}${PATH}` : `${text}/${PATH}`;
};

const protocolOf = ({ OTEL_EXPORTER_OTLP_PROTOCOL: text = "http/json" }: Environment): TracingConfig["protocol"] => {
  if (text === "http/json" || text === "http/protobuf") return text;
  throw new ConfigError("OTEL_EXPORTER_OTLP_PROTOCOL", "must be http/json or http/protobuf", "http/protobuf");
};

const samplerOf = ({ OTEL_TRACES_SAMPLER: text = "parentbased_always_on" }: Environment): SamplerName => {
  const found = (Object.keys(SAMPLERS) as SamplerName[]).find((name) => name === text);
  if (found === undefined)
    throw new ConfigError(
      "OTEL_TRACES_SAMPLER",
      `must be one of ${Object.keys(SAMPLERS).join(", ")}`,
      "parentbased_traceidratio",
    );
  return found;
};

const ratioOf = ({ OTEL_TRACES_SAMPLER_ARG: text = "1" }: Environment): number => {
  if (!RATIO.test(text)) throw new ConfigError("OTEL_TRACES_SAMPLER_ARG", "must be a number from 0 to 1", "0.01");
  return Number(text);
};

const PROPAGATORS: readonly string[] = ["tracecontext", "baggage", "none"];
/** Other formats that OpenTelemetry names. They may stand beside those, as in a setting for many services. */
const UNREAD_PROPAGATORS: readonly string[] = ["b3", "b3multi", "jaeger", "ottrace", "xray"];

const followsSenders = ({ OTEL_PROPAGATORS: text = "tracecontext,baggage" }: Environment): boolean => {
  const names = text.split(",").map((name) => name.trim());
  const read = names.filter((name) => !UNREAD_PROPAGATORS.includes(name));
  if (read.length === 0 || read.some((name) => !PROPAGATORS.includes(name)))
    throw new ConfigError("OTEL_PROPAGATORS", "must be tracecontext, baggage, both, or none", "none");
  return read.includes("tracecontext") && !read.includes("none");
};

const delayOf = ({ OTEL_BSP_SCHEDULE_DELAY: text = "5000" }: Environment): number => {
  const ms = wholeNumber(text, MAX_DELAY_MS);
  if (ms === null || ms === 0)
    throw new ConfigError("OTEL_BSP_SCHEDULE_DELAY", `must be a whole number from 1 to ${MAX_DELAY_MS}`, "5000");
  return ms;
};

/** Reads the standard variables of OpenTelemetry; `null` if no collector is named, or OTEL_SDK_DISABLED is true. */
export const tracingOf = (environment: Environment): TracingConfig | null => {
  const url = urlOf(environment);
  if (url === null || environment.OTEL_SDK_DISABLED === "true") return null;
  const { OTEL_SERVICE_NAME: name } = environment;
  return {
    url,
    headers: pairsOf(environment, "OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20token"),
    protocol: protocolOf(environment),
    sampler: samplerOf(environment),
    ratio: ratioOf(environment),
    followsSenders: followsSenders(environment),
    resource: {
      "service.name": "vehicle-inventory",
      ...pairsOf(environment, "OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=production"),
      ...(name !== undefined && { "service.name": name }),
    },
    delayMs: delayOf(environment),
  };
};
