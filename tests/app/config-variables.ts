import type { Config } from "../../app/config.ts";

const KEY = "f3b8d1a97c5e204608e2c6fa91b57d34";
/** 256 hexadecimal digits that look random. */
const LONGEST_KEY = [1, 2, 3, 4].map((part) => Bun.SHA256.hash(`part ${part}`, "hex")).join("");

interface VariableRules {
  readonly field: (config: Config) => unknown;
  readonly fallback: unknown;
  readonly accepts: readonly (readonly [text: string, value: unknown])[];
  readonly refuses: readonly string[];
}

const NAMES_OF_OBJECTS = ["constructor", "__proto__"];

const wholeNumber = (
  field: VariableRules["field"],
  fallback: number,
  smallest: number,
  largest: number,
): VariableRules => ({
  field,
  fallback,
  accepts: [smallest, largest].map((value) => [String(value), value]),
  refuses: [
    String(smallest - 1),
    String(largest + 1),
    "",
    "one",
    "1.5",
    "1e1",
    "0x1",
    "01",
    " 1",
    "+1",
    "9".repeat(30),
  ],
});

const onUnlessOff = (field: VariableRules["field"]): VariableRules => ({
  field,
  fallback: true,
  accepts: [
    ["on", true],
    ["off", false],
    ["OFF", false],
  ],
  refuses: ["", "no", "true", " on", ...NAMES_OF_OBJECTS],
});

/** Every variable behind a single field of the configuration: its default, and the values it accepts and refuses. */
export const VARIABLES: Readonly<Record<string, VariableRules>> = {
  DATABASE_URL: {
    field: ({ databaseUrl }) => databaseUrl,
    fallback: "sqlite:./data/inventory.db",
    accepts: ["sqlite::memory:", "sqlite:a.db", "sqlite:///tmp/a.db", "postgres://u:p@db.example.com/inventory"].map(
      (url) => [url, url],
    ),
    refuses: ["", "sqlite:", "sqlite://", "a.db", "mysql://db.example.com/inventory", "postgres://", "postgres:// a"],
  },
  MAX_KEYS_PER_DEALER: wholeNumber(({ quotas }) => quotas.keysPerDealer, 1000, 1, 999_999),
  MAX_KEYS_PER_USER: wholeNumber(({ quotas }) => quotas.keysPerUser, 1000, 1, 999_999),
  MAX_USERS_PER_DEALER: wholeNumber(({ quotas }) => quotas.usersPerDealer, 1000, 1, 999_999),
  MAX_IMAGES_PER_VEHICLE: wholeNumber(({ quotas }) => quotas.imagesPerVehicle, 100, 1, 999_999),
  DEALER_RATE_LIMIT: { ...wholeNumber(({ dealerRateLimit }) => dealerRateLimit, 0, 1, 999_999), fallback: null },
  MAX_KEPT_ANSWERS_PER_DEALER: wholeNumber(({ quotas }) => quotas.keptAnswersPerDealer, 50_000, 1, 999_999),
  MAX_KEPT_ANSWERS_MIB_PER_DEALER: wholeNumber(({ quotas }) => quotas.keptAnswersMibPerDealer, 128, 1, 999_999),
  MAX_KEPT_MIB_PER_DEALER: wholeNumber(({ quotas }) => quotas.keptMibPerDealer, 4096, 1, 999_999),
  MIN_FREE_MIB: wholeNumber(({ minFreeMib }) => minFreeMib, 256, 0, 999_999),
  IDEMPOTENCY_HOURS: wholeNumber(({ idempotencyHours }) => idempotencyHours, 24, 1, 168),
  MAX_KEY_DAYS: { ...wholeNumber(({ maxKeyDays }) => maxKeyDays, 0, 1, 36_500), fallback: null },
  IDLE_KEY_DAYS: { ...wholeNumber(({ idleKeyDays }) => idleKeyDays, 0, 15, 36_500), fallback: null },
  INVITATIONS_PER_HOUR: wholeNumber(({ quotas }) => quotas.invitationsPerHour, 20, 1, 999_999),
  REQUIRE_SECOND_FACTOR: {
    field: ({ requireSecondFactor }) => requireSecondFactor,
    fallback: "none",
    accepts: (["none", "super_admin", "all"] as const).map((rule) => [rule, rule]),
    refuses: ["", "ALL", "true", "super-admin", "none,all"],
  },
  PUBLIC_URL: {
    field: ({ publicUrl }) => publicUrl,
    fallback: null,
    accepts: [
      ["https://inventory.example.com", "https://inventory.example.com"],
      ["https://inventory.example.com/", "https://inventory.example.com"],
      ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
    ],
    refuses: [
      "",
      "inventory.example.com",
      "ftp://inventory.example.com",
      "https://inventory.example.com/portal",
      "https://inventory.example.com?a=b",
      "https://user:word@inventory.example.com",
      " https://inventory.example.com",
    ],
  },
  DATABASE_CONNECTIONS: wholeNumber(({ postgres }) => postgres.connections, 10, 1, 1000),
  DATABASE_CONNECT_TIMEOUT_MS: wholeNumber(({ postgres }) => postgres.connectMs, 2000, 1, 600_000),
  DATABASE_STATEMENT_TIMEOUT_MS: wholeNumber(({ postgres }) => postgres.statementMs, 2500, 1, 600_000),
  REQUEST_TIMEOUT_MS: wholeNumber(({ requestTimeoutMs }) => requestTimeoutMs, 5000, 1, 600_000),
  STARTUP_TIMEOUT: {
    ...wholeNumber(({ startupTimeoutMs }) => startupTimeoutMs, 30_000, 0, 3600),
    accepts: [
      ["0", 0],
      ["3600", 3_600_000],
    ],
  },
  DATABASE_POOL_WAIT_MS: wholeNumber(({ postgres }) => postgres.poolWaitMs, 1000, 1, 600_000),
  DATABASE_PREPARE: onUnlessOff(({ postgres }) => postgres.sessions),
  SEARCH: onUnlessOff(({ search }) => search),
  MIGRATE: onUnlessOff(({ migrate }) => migrate),
  HOST: {
    field: ({ host }) => host,
    fallback: "127.0.0.1",
    accepts: ["0.0.0.0", "::", "::1", "localhost", "inventory.example.com"].map((host) => [host, host]),
    refuses: ["", " ", "a b", "http://example.com", "example.com/a", "a\nb"],
  },
  PORT: wholeNumber(({ port }) => port, 3000, 0, 65_535),
  BOOTSTRAP_API_KEY: {
    field: ({ bootstrapApiKey }) => bootstrapApiKey,
    fallback: null,
    accepts: [KEY, LONGEST_KEY].map((key) => [key, key]),
    refuses: [
      "",
      ...["k".repeat(32), "k".repeat(256), "0123456789".repeat(4), `${KEY}${KEY}`],
      ...[KEY.slice(1), `${LONGEST_KEY}x`],
      `${KEY},${KEY}`,
      `${KEY} `,
      `${KEY}\n`,
      `${KEY}é`,
    ],
  },
  SECRET_KEY: {
    field: ({ secretKeys }) => secretKeys.present && Buffer.from(secretKeys.present).toString("hex"),
    fallback: null,
    accepts: (["base64", "base64url"] as const).map((form) => [
      Bun.SHA256.hash("a key", form),
      Bun.SHA256.hash("a key", "hex"),
    ]),
    refuses: ["", "A".repeat(43), Bun.SHA256.hash("a key", "hex"), Bun.SHA256.hash("a key", "base64").slice(1)],
  },
  CORS_ORIGINS: {
    field: ({ corsOrigins }) => corsOrigins,
    fallback: "*",
    accepts: [
      ["*", "*"],
      [" * ", "*"],
      ["https://www.example.com", new Set(["https://www.example.com"])],
      [
        " https://www.example.com , http://localhost:8080,",
        new Set(["https://www.example.com", "http://localhost:8080"]),
      ],
    ],
    refuses: [
      "",
      ",",
      "www.example.com",
      "https://www.example.com/",
      "https://www.example.com/a",
      "*,https://a.example.com",
    ],
  },
  IMAGE_DELIVERY_BASE: {
    field: ({ imageDeliveryBase }) => imageDeliveryBase,
    fallback: null,
    accepts: [
      ["https://images.example.com", "https://images.example.com"],
      ["https://images.example.com/", "https://images.example.com"],
      ["http://images.example.com/a/b//", "http://images.example.com/a/b"],
    ],
    refuses: [
      "",
      "images.example.com",
      "ftp://images.example.com",
      "https://",
      "https://images.example.com?a",
      "https://a b",
    ],
  },
  IMAGE_STORAGE: {
    field: ({ photos }) => photos.storage,
    fallback: { kind: "folder", folder: "data/images" },
    accepts: [
      ["/srv/images", { kind: "folder", folder: "/srv/images" }],
      ["off", { kind: "off", reason: "No photos are taken here: IMAGE_STORAGE is off" }],
    ],
    refuses: ["", " ", "https://images.example.com", "gs://images", "s3://", "s3://A", "s3://images?a"],
  },
  IMAGE_QUOTA_MB: {
    field: ({ photos }) => photos.quotaMib,
    fallback: null,
    accepts: [
      ["1", 1],
      ["2048", 2048],
    ],
    refuses: ["", "0", "-1", "1.5", "1000000", "many"],
  },
  EGRESS_ALLOW: {
    field: ({ egressAllow }) => egressAllow,
    fallback: [],
    accepts: [
      ["10.1.0.0/16", ["10.1.0.0/16"]],
      ["10.1.0.0/16, 192.168.7.20,fd00:1::/32", ["10.1.0.0/16", "192.168.7.20", "fd00:1::/32"]],
    ],
    refuses: ["", ",", "*", "10.1.0.0/15", "10.0.0.0/33", "localhost", "10.0.0.1,intern"],
  },
  REQUIRE_APP_TYPE: {
    field: ({ requireAppType }) => requireAppType,
    fallback: new Set(),
    accepts: [
      ["desktop", new Set(["desktop"])],
      ["desktop, mobile,web", new Set(["desktop", "mobile", "web"])],
    ],
    refuses: ["", ",", "Desktop", "desktop,tablet", "all", ...NAMES_OF_OBJECTS],
  },
  EXPOSE_SQL: {
    field: ({ exposeSql }) => exposeSql,
    fallback: true,
    accepts: [
      ["true", true],
      ["1", true],
      ["TRUE", true],
      ["false", false],
      ["0", false],
      ["False", false],
    ],
    refuses: ["", "yes", "no", "2", " true", ...NAMES_OF_OBJECTS],
  },
  TRUSTED_PROXY_HOPS: wholeNumber(({ trustedProxyHops }) => trustedProxyHops, 0, 0, 10),
  RATE_LIMIT_URL: {
    field: ({ rateLimitUrl }) => rateLimitUrl,
    fallback: null,
    accepts: ["redis://redis.example.com", "rediss://:p@redis.example.com:6380/1"].map((url) => [url, url]),
    refuses: ["", "redis.example.com:6379", "http://redis.example.com", "redis://", "redis:// a", "redis:///1"],
  },
  SHUTDOWN_DELAY_MS: wholeNumber(({ shutdownDelayMs }) => shutdownDelayMs, 0, 0, 600_000),
  LOG_LEVEL: {
    field: ({ logLevel }) => logLevel,
    fallback: "info",
    accepts: ["fatal", "error", "warn", "info", "debug", "trace", "silent"].map((level) => [level, level]),
    refuses: ["", "INFO", "verbose", "0", ...NAMES_OF_OBJECTS],
  },
};
