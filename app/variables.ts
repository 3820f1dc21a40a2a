/** Every variable of the configuration with its meaning in a few words. docs/configuration.md says more. */
export const VARIABLES: Readonly<Record<string, string>> = {
  DATABASE_URL: "the database, sqlite: and a file or postgres://…; default sqlite:./data/inventory.db",
  HOST: "the address to listen on; default 127.0.0.1",
  PORT: "the port to listen on; default 3000",
  PUBLIC_URL: "the address that browsers use",
  CORS_ORIGINS: "origins whose pages may call the API; default *",
  TRUSTED_PROXY_HOPS: "proxies in front that are trusted for X-Forwarded-For; default 0",
  BOOTSTRAP_API_KEY: "the first super-admin key, in place of an invented one",
  SECRET_KEY: "seals secrets in the database; default the file secret.key",
  SECRET_KEY_PREVIOUS: "the secret key before, for one start after a change",
  REQUIRE_SECOND_FACTOR: "who must have a second factor: none, super_admin or all",
  REQUIRE_APP_TYPE: "app types whose keys must send X-App-Type",
  EXPOSE_SQL: "false leaves meta.sql of lists empty",
  IMAGE_DELIVERY_BASE: "the address of an image delivery service",
  EGRESS_ALLOW: "refused networks that sources may be fetched from",
  SMTP_URL: "the mail server that sends invitations",
  SMTP_FROM: "the sender of invitations",
  LOG_LEVEL: "fatal, error, warn, info, debug, trace or silent; default info",
  METRICS_PORT: "a listener of its own for Prometheus",
  METRICS_HOST: "the address of that listener; default 127.0.0.1",
  METRICS_TOKEN: "opens /metrics for this bearer token",
  RATE_LIMIT_URL: "redis://…, where instances share their limits",
  DEALER_RATE_LIMIT: "requests a minute of all keys of one dealer",
  MAX_KEYS_PER_DEALER: "default 1000",
  MAX_KEYS_PER_USER: "default 1000",
  MAX_USERS_PER_DEALER: "default 1000",
  MAX_IMAGES_PER_VEHICLE: "default 100",
  MAX_KEPT_MIB_PER_DEALER: "MiB that are kept for one dealer; default 4096",
  MIN_FREE_MIB: "SQLite: MiB that stay free on the disk; default 256",
  INVITATIONS_PER_HOUR: "default 20",
  MIGRATE: "off refuses a schema that is not up to date",
  SEARCH: "off keeps no words of vehicles",
  SHUTDOWN_DELAY_MS: "how long to keep serving after SIGTERM; default 0",
  REQUEST_TIMEOUT_MS: "time for one request; default 5000",
  STARTUP_TIMEOUT: "seconds to wait for PostgreSQL at the start; default 30",
  BACKUP_DIR: "SQLite: the folder for backups that the service makes by itself",
  BACKUP_EVERY: "when, in the form of cron and in UTC; default 30 2 * * *",
  BACKUP_KEEP: "how many backups are kept; default 7",
  DATABASE_PREPARE: "PostgreSQL: off behind a pooler of transactions",
  DATABASE_CONNECTIONS: "PostgreSQL: connections; default 10",
  DATABASE_CONNECT_TIMEOUT_MS: "PostgreSQL: time to connect; default 2000",
  DATABASE_STATEMENT_TIMEOUT_MS: "PostgreSQL: time for one statement; default 2500",
  DATABASE_POOL_WAIT_MS: "PostgreSQL: wait for a free connection; default 1000",
};

const WIDTH = Math.max(...Object.keys(VARIABLES).map((name) => name.length)) + 2;

/** The variables as a section of the help. */
export const variablesHelp = (): string =>
  [
    "\nEnvironment (docs/configuration.md says more; check-config shows what a start would use):",
    ...Object.entries(VARIABLES).map(([name, meaning]) => `  ${name.padEnd(WIDTH)}${meaning}`),
  ].join("\n");
