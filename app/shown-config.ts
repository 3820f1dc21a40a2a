import type { Config } from "./config.ts";
import { fileOf } from "./database.ts";
import { isPostgresUrl } from "./database-url.ts";

/** The text that is shown instead of a secret. */
const maskOf = (secret: string | null): string | null => (secret === null ? null : "set");

/** An address without its user, password and query. */
const addressOf = (text: string | null): string | null => {
  if (text === null) return null;
  if (!URL.canParse(text)) return "set";
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
};

const databaseOf = (url: string): string | null => (isPostgresUrl(url) ? addressOf(url) : `sqlite:${fileOf(url)}`);

/**
 * How the log shows each part of the configuration. A part without an entry does not compile, so that whoever adds a
 * part must decide what may be seen.
 */
const SHOWN: { readonly [Name in keyof Config]: (value: Config[Name]) => unknown } = {
  databaseUrl: databaseOf,
  host: (host) => host,
  port: (port) => port,
  bootstrapApiKey: maskOf,
  secretKeys: ({ present, previous }) => ({ present: present && "set", previous: previous && "set" }),
  corsOrigins: (origins) => (origins === "*" ? origins : [...origins].map(addressOf)),
  imageDeliveryBase: addressOf,
  photos: ({ storage, quotaMib }) => ({
    storage:
      storage.kind === "bucket"
        ? {
            bucket: storage.access.bucket,
            prefix: storage.access.prefix,
            region: storage.access.region ?? null,
            endpoint: addressOf(storage.access.endpoint ?? null),
            keys: maskOf(storage.access.secretAccessKey),
          }
        : storage.kind === "folder"
          ? storage.folder
          : storage.kind,
    quota_mb: quotaMib,
  }),
  requireAppType: (types) => [...types],
  exposeSql: (isOn) => isOn,
  trustedProxyHops: (hops) => hops,
  logLevel: (level) => level,
  migrate: (isOn) => isOn,
  search: (isOn) => isOn,
  egressAllow: (networks) => networks,
  rateLimitUrl: addressOf,
  shutdownDelayMs: (ms) => ms,
  requestTimeoutMs: (ms) => ms,
  startupTimeoutMs: (ms) => ms,
  postgres: ({ connections, connectMs, statementMs, poolWaitMs, sessions }) => ({
    connections,
    connect_ms: connectMs,
    statement_ms: statementMs,
    pool_wait_ms: poolWaitMs,
    sessions,
  }),
  publicUrl: addressOf,
  smtp: (smtp) => (smtp === null ? null : { url: addressOf(smtp.smtpUrl), from: smtp.from }),
  minFreeMib: (mib) => mib,
  dealerRateLimit: (limit) => limit,
  maxKeyDays: (days) => days,
  idleKeyDays: (days) => days,
  idempotencyHours: (hours) => hours,
  requireSecondFactor: (rule) => rule,
  quotas: (quotas) => ({
    keys_per_dealer: quotas.keysPerDealer,
    keys_per_user: quotas.keysPerUser,
    users_per_dealer: quotas.usersPerDealer,
    images_per_vehicle: quotas.imagesPerVehicle,
    kept_mib_per_dealer: quotas.keptMibPerDealer,
    kept_answers_per_dealer: quotas.keptAnswersPerDealer,
    kept_answers_mib_per_dealer: quotas.keptAnswersMibPerDealer,
    invitations_per_hour: quotas.invitationsPerHour,
  }),
  backups: (backups) =>
    backups === null ? null : { folder: backups.folder, every: backups.every, keep: backups.keep },
  metrics: (metrics) => (metrics === null ? null : { listener: metrics.listener, token: maskOf(metrics.token) }),
  tracing: (tracing) =>
    tracing === null
      ? null
      : {
          url: addressOf(tracing.url),
          headers: Object.keys(tracing.headers),
          sampler: tracing.sampler,
          ratio: tracing.ratio,
        },
};

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const shown = <Name extends keyof Config>(name: Name, config: Config): [string, unknown] => [
  snakeCase(name),
  SHOWN[name](config[name]),
];

/** The configuration in the form for the log. Secrets appear only as "set". */
export const shownConfig = (config: Config): Readonly<Record<string, unknown>> =>
  Object.fromEntries((Object.keys(SHOWN) as (keyof Config)[]).map((name) => shown(name, config)));
