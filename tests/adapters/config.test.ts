import { describe, expect, test } from "bun:test";
import { type Config, readConfig } from "../../app/config.ts";
import { ConfigError } from "../../app/config-error.ts";

const KEY = "f3b8d1a97c5e204608e2c6fa91b57d34";
/** 256 hexadecimal digits as if drawn. */
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

const VARIABLES: Readonly<Record<string, VariableRules>> = {
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
  DATABASE_POOL_WAIT_MS: wholeNumber(({ postgres }) => postgres.poolWaitMs, 1000, 1, 600_000),
  DATABASE_PREPARE: onUnlessOff(({ postgres }) => postgres.sessions),
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

/** What reading the configuration fails with. */
const faultOf = (environment: Record<string, string>): unknown => {
  try {
    readConfig(environment);
    return null;
  } catch (error) {
    return error;
  }
};

test("everything that is configured comes from a variable that is tested here", () => {
  const config = readConfig({});
  const fields = Object.values(VARIABLES).map(({ field }) => field(config));
  // How mail is sent and numbers are read is made of several variables, which have tests of their own below.
  const { smtp: _, metrics: __, ...rest } = config;
  const leaves = Object.values(rest).flatMap((value) =>
    value === config.postgres || value === config.quotas ? Object.values(value) : [value],
  );
  expect(leaves.length).toBe(fields.length);
});

for (const [variable, { field, fallback, accepts, refuses }] of Object.entries(VARIABLES))
  describe(variable, () => {
    test("has its default when it is not set", () => {
      expect(field(readConfig({}))).toEqual(fallback);
    });

    test("is taken when it is good", () => {
      for (const [text, value] of accepts)
        expect([text, field(readConfig({ [variable]: text }))]).toEqual([text, value]);
    });

    for (const text of refuses)
      test(`${JSON.stringify(text.slice(0, 40))} is answered with one line that names the variable, its fault and an example`, () => {
        const fault = faultOf({ [variable]: text });
        expect(fault).toBeInstanceOf(ConfigError);
        expect(String(fault)).toMatch(/^ConfigError: [A-Z_]+ must [^\n]+; for example [A-Z_]+=[^\n]+$/);
        expect(String(fault)).toStartWith(`ConfigError: ${variable} must `);
        expect(String(fault)).toInclude(`; for example ${variable}=`);
      });
  });

test("a message never repeats what was set, which may be a secret", () => {
  for (const [variable, text] of [
    ["BOOTSTRAP_API_KEY", "hush-hush, 32 characters or more of it"],
    ["DATABASE_URL", "mysql://inventory:hush-hush@db.example.com/inventory"],
    ["RATE_LIMIT_URL", "http://:hush-hush@redis.example.com"],
  ] as const)
    expect(String(faultOf({ [variable]: text }))).not.toInclude("hush-hush");
});

test("the example of every message is good itself", () => {
  for (const [variable, { refuses }] of Object.entries(VARIABLES)) {
    const [, example = ""] = String(faultOf({ [variable]: refuses[0] ?? "" })).split(`; for example ${variable}=`);
    // A key is made up by a command, which the example names.
    if (["BOOTSTRAP_API_KEY", "SECRET_KEY"].includes(variable))
      expect(example).toMatch(/openssl rand -(hex|base64) 32/);
    else expect([variable, faultOf({ [variable]: example })]).toEqual([variable, null]);
  }
});

test("variables that the service does not know are none of its business", () => {
  expect(readConfig({ PATH: "/usr/bin", DATABASE: "x", port: "x" })).toEqual(readConfig({}));
});

describe("the mail server", () => {
  const MAIL = {
    SMTP_URL: "smtps://robin:word@mail.example.com:465",
    SMTP_FROM: "Inventory <inventory@example.com>",
    PUBLIC_URL: "https://inventory.example.com",
  };

  test("is used when its address, a sender and the service's own address are there", () => {
    expect(readConfig(MAIL).smtp).toEqual({ smtpUrl: MAIL.SMTP_URL, from: MAIL.SMTP_FROM });
    expect(readConfig({}).smtp).toBeNull();
    expect(readConfig({ SMTP_FROM: "inventory@example.com" }).smtp).toBeNull();
  });

  for (const [variable, texts] of Object.entries({
    SMTP_URL: ["", "mail.example.com", "https://mail.example.com", "smtp://"],
    SMTP_FROM: ["", "inventory", "a@b@c", "inventory@example.com\r\nBcc: all@example.com", undefined],
    PUBLIC_URL: [undefined],
  }))
    for (const text of texts)
      test(`is refused with ${variable} ${JSON.stringify(text) ?? "missing"}, in one line that names it`, () => {
        const read = () => readConfig({ ...MAIL, [variable]: text });
        expect(read).toThrow(ConfigError);
        expect(read).toThrow(new RegExp(`^${variable} [^\n]+; for example ${variable}=`));
      });
});

describe("the metrics", () => {
  const TOKEN = "t".repeat(32);

  test("are not to be had unless a port or a token is set", () => {
    expect(readConfig({}).metrics).toBeNull();
    expect(readConfig({ METRICS_PORT: "9464" }).metrics).toEqual({
      listener: { host: "127.0.0.1", port: 9464 },
      token: null,
    });
    expect(readConfig({ METRICS_TOKEN: TOKEN }).metrics).toEqual({ listener: null, token: TOKEN });
    expect(readConfig({ METRICS_PORT: "0", METRICS_HOST: "::", METRICS_TOKEN: TOKEN }).metrics).toEqual({
      listener: { host: "::", port: 0 },
      token: TOKEN,
    });
  });

  for (const [variable, texts] of Object.entries({
    METRICS_PORT: ["", "65536", "-1", "a", undefined],
    METRICS_HOST: ["", "a b", "http://example.com", "h".repeat(256)],
    METRICS_TOKEN: ["", "t".repeat(31), "t".repeat(257), `${TOKEN} `, `${TOKEN}\n`, `${TOKEN}é`],
  }))
    for (const text of texts)
      test(`are refused with ${variable} ${JSON.stringify(text)?.slice(0, 40) ?? "missing"}, in one line that names it and repeats nothing`, () => {
        const read = () => readConfig({ METRICS_PORT: "9464", METRICS_HOST: "127.0.0.1", [variable]: text });
        expect(read).toThrow(ConfigError);
        expect(read).toThrow(new RegExp(`^${variable} [^\n]+; for example ${variable}=`));
        expect(read).not.toThrow(/ttt/);
      });
});
