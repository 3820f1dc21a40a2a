import type { PostgresLimits } from "../adapters/sql/postgres/open.ts";
import type { SecondFactorRule } from "../core/access/rules/users-must-set-up-second-factor.ts";
import { networkOf } from "../core/egress/networks.ts";
import { APP_TYPES, type AppType } from "../core/permissions.ts";
import type { Quotas } from "../core/quotas.ts";
import { type BackupConfig, backupsOf } from "./backup-config.ts";
import { bootstrapKeyOf } from "./bootstrap-key.ts";
import { ConfigError, type Environment } from "./config-error.ts";
import { list, MAX_TIMEOUT_MS, milliseconds, switchOf, wholeNumber } from "./config-values.ts";
import { databaseUrlOf } from "./database-url.ts";
import { type MetricsConfig, metricsOf } from "./metrics-config.ts";
import { type PhotoConfig, photosOf } from "./photo-config.ts";
import { publicUrlOf, type Smtp, smtpOf } from "./portal-config.ts";
import { dealerRateLimitOf, idleKeyDaysOf, maxKeyDaysOf, minFreeMibOf, quotasOf } from "./quota-config.ts";
import { idempotencyHoursOf, requestTimeoutOf, startupTimeoutOf } from "./request-config.ts";
import { type SecretKeys, secretKeysOf } from "./secret-key.ts";
import { secondFactorRuleOf } from "./sign-in-config.ts";
import { type TracingConfig, tracingOf } from "./tracing-config.ts";

/** The configuration. It is parsed once at the start (see docs/configuration.md). */
export interface Config {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  readonly bootstrapApiKey: string | null;
  /** The keys that seal secrets in the database. */
  readonly secretKeys: SecretKeys;
  readonly corsOrigins: "*" | ReadonlySet<string>;
  /** The address of the service that delivers images, without a slash at the end; `null` if there is none. */
  readonly imageDeliveryBase: string | null;
  /** The photos that the service holds. */
  readonly photos: PhotoConfig;
  readonly requireAppType: ReadonlySet<AppType>;
  readonly exposeSql: boolean;
  readonly trustedProxyHops: number;
  readonly logLevel: LogLevel;
  readonly migrate: boolean;
  /** True if vehicles can be searched by words. */
  readonly search: boolean;
  /** Networks from which files may be fetched although they are refused otherwise. TLS is not required there. */
  readonly egressAllow: readonly string[];
  /** The shared store of rate limits; `null` if each instance counts its own requests only. */
  readonly rateLimitUrl: string | null;
  /** How long the service keeps serving after SIGTERM while it reports that it is not ready, in milliseconds. */
  readonly shutdownDelayMs: number;
  /** How long the service works on one request, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** How long the start waits for PostgreSQL to answer, in milliseconds. */
  readonly startupTimeoutMs: number;
  readonly postgres: PostgresLimits;
  /** The address that browsers use, without a slash at the end; `null` if it is taken from each request. */
  readonly publicUrl: string | null;
  /** The mail server and the sender of invitations; `null` if no mails are sent. */
  readonly smtp: Smtp | null;
  /** The users who must have a second factor. */
  readonly requireSecondFactor: SecondFactorRule;
  readonly quotas: Quotas;
  /** Below this free space on the disk of the database, nothing is taken that would keep much. */
  readonly minFreeMib: number;
  /** The number of requests a minute that all keys of a dealer share; `null` if there is no such limit. */
  readonly dealerRateLimit: number | null;
  /** How many days ahead keys may expire at most; `null` if they need not expire. */
  readonly maxKeyDays: number | null;
  /** After how many days without a use keys are switched off; `null` if they are not. */
  readonly idleKeyDays: number | null;
  /** How many hours the answers to requests with an Idempotency-Key are kept. */
  readonly idempotencyHours: number;
  /** The backups that the service makes by itself; `null` if it makes none. */
  readonly backups: BackupConfig | null;
  /** How metrics can be read; `null` if they are switched off. */
  readonly metrics: MetricsConfig | null;
  /** Where traces are sent; `null` if none are recorded. */
  readonly tracing: TracingConfig | null;
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MAX_PORT = 65_535;
const MAX_HOPS = 10;
const MAX_CONNECTIONS = 1000;

/** Removes trailing slashes. */
const withoutSlashes = (address: string): string => {
  let end = address.length;
  while (address[end - 1] === "/") end--;
  return address.slice(0, end);
};

const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/i.test(text);
const isOrigin = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+$/i.test(text);

const isAppType = (word: string): word is AppType => APP_TYPES.some((type) => type === word);
const isLogLevel = (word: string): word is LogLevel => LOG_LEVELS.some((level) => level === word);

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

const isRedisUrl = (text: string): boolean =>
  /^rediss?:\/\/\S+$/.test(text) && URL.canParse(text) && new URL(text).hostname !== "";

/** The limits for PostgreSQL. They are not used on SQLite. */
export const postgresLimitsOf = (environment: Environment): PostgresLimits => {
  const connections = wholeNumber(environment.DATABASE_CONNECTIONS ?? "10", MAX_CONNECTIONS);
  if (connections === null || connections === 0)
    throw new ConfigError("DATABASE_CONNECTIONS", `must be a whole number from 1 to ${MAX_CONNECTIONS}`, "10");
  return {
    connections,
    connectMs: milliseconds(environment, "DATABASE_CONNECT_TIMEOUT_MS", 2000),
    statementMs: milliseconds(environment, "DATABASE_STATEMENT_TIMEOUT_MS", 2500),
    poolWaitMs: milliseconds(environment, "DATABASE_POOL_WAIT_MS", 1000),
    sessions: switchOf(environment, "DATABASE_PREPARE"),
  };
};

/** True if the program updates the schema by itself. */
export const migrateOf = (environment: Environment): boolean => switchOf(environment, "MIGRATE");

/** True if vehicles can be searched by words. */
export const searchOf = (environment: Environment): boolean => switchOf(environment, "SEARCH");

/** The address of the service that delivers images; `null` if there is none. */
export const imageDeliveryBaseOf = ({ IMAGE_DELIVERY_BASE: text }: Environment): string | null => {
  if (text === undefined) return null;
  if (!isWebAddress(text))
    throw new ConfigError(
      "IMAGE_DELIVERY_BASE",
      "must be an http or https address without a query",
      "https://images.example.com",
    );
  return withoutSlashes(text);
};

/** Reads one variable: returns the parsed value, or the default if the variable is not set. */
const variable =
  <Value>(
    name: string,
    {
      fallback,
      parse,
      fault,
      example,
    }: {
      readonly fallback: Value;
      readonly parse: (text: string) => Value | null;
      readonly fault: string;
      readonly example: string;
    },
  ) =>
  (environment: Environment): Value => {
    const text = environment[name];
    if (text === undefined) return fallback;
    const value = parse(text);
    if (value === null) throw new ConfigError(name, fault, example);
    return value;
  };

/** How each part of the configuration is read. An empty variable is unusable. */
export const READERS: { readonly [Name in keyof Config]: (environment: Environment) => Config[Name] } = {
  databaseUrl: databaseUrlOf,
  postgres: postgresLimitsOf,
  requestTimeoutMs: requestTimeoutOf,
  startupTimeoutMs: startupTimeoutOf,
  migrate: migrateOf,
  search: searchOf,
  publicUrl: publicUrlOf,
  smtp: smtpOf,
  requireSecondFactor: secondFactorRuleOf,
  quotas: quotasOf,
  minFreeMib: minFreeMibOf,
  dealerRateLimit: dealerRateLimitOf,
  maxKeyDays: maxKeyDaysOf,
  idleKeyDays: idleKeyDaysOf,
  idempotencyHours: idempotencyHoursOf,
  metrics: metricsOf,
  tracing: tracingOf,
  backups: backupsOf,
  host: variable("HOST", {
    fallback: "127.0.0.1",
    parse: (text) => (/^[A-Za-z0-9.:_-]+$/.test(text) ? text : null),
    fault: "must be an address or host name to listen on",
    example: "0.0.0.0",
  }),
  port: variable("PORT", {
    fallback: 3000,
    parse: (text) => wholeNumber(text, MAX_PORT),
    fault: `must be a whole number from 0 to ${MAX_PORT}`,
    example: "3000",
  }),
  bootstrapApiKey: bootstrapKeyOf,
  secretKeys: secretKeysOf,
  corsOrigins: variable<Config["corsOrigins"]>("CORS_ORIGINS", {
    fallback: "*",
    parse: (text) => {
      if (text.trim() === "*") return "*";
      const origins = list(text);
      return origins.length > 0 && origins.every(isOrigin) ? new Set(origins) : null;
    },
    fault: "must be * or a comma-separated list of origins without paths",
    example: "https://www.example.com,https://admin.example.com",
  }),
  imageDeliveryBase: imageDeliveryBaseOf,
  photos: photosOf,
  requireAppType: variable<ReadonlySet<AppType>>("REQUIRE_APP_TYPE", {
    fallback: new Set(),
    parse: (text) => {
      const types = list(text);
      return types.length > 0 && types.every(isAppType) ? new Set(types.filter(isAppType)) : null;
    },
    fault: `must be a comma-separated list of ${APP_TYPES.join(", ")}`,
    example: "desktop",
  }),
  exposeSql: variable("EXPOSE_SQL", {
    fallback: true,
    parse: (text) => BOOLEANS.get(text.toLowerCase()) ?? null,
    fault: "must be true or false",
    example: "false",
  }),
  trustedProxyHops: variable("TRUSTED_PROXY_HOPS", {
    fallback: 0,
    parse: (text) => wholeNumber(text, MAX_HOPS),
    fault: `must be a whole number from 0 to ${MAX_HOPS}`,
    example: "1",
  }),
  rateLimitUrl: variable<string | null>("RATE_LIMIT_URL", {
    fallback: null,
    parse: (text) => (isRedisUrl(text) ? text : null),
    fault: "must be a redis:// or rediss:// address",
    example: "redis://:<password>@redis.example.com:6379",
  }),
  egressAllow: variable<readonly string[]>("EGRESS_ALLOW", {
    fallback: [],
    parse: (text) => {
      const networks = list(text);
      return networks.length > 0 && networks.every((network) => networkOf(network) !== null) ? networks : null;
    },
    fault: "must be a comma-separated list of networks such as 10.1.0.0/16 or fd00:1::/32, or of single addresses",
    example: "10.1.0.0/16,192.168.7.20",
  }),
  shutdownDelayMs: variable("SHUTDOWN_DELAY_MS", {
    fallback: 0,
    parse: (text) => wholeNumber(text, MAX_TIMEOUT_MS),
    fault: `must be a whole number of milliseconds from 0 to ${MAX_TIMEOUT_MS}`,
    example: "5000",
  }),
  logLevel: variable<LogLevel>("LOG_LEVEL", {
    fallback: "info",
    parse: (text) => (isLogLevel(text) ? text : null),
    fault: `must be one of ${LOG_LEVELS.join(", ")}`,
    example: "info",
  }),
};

/** Reads the configuration. Throws ConfigError for the first unusable variable. */
export const readConfig = (environment: Environment): Config =>
  Object.fromEntries(Object.entries(READERS).map(([name, read]) => [name, read(environment)])) as unknown as Config;
