import { describe, expect, test } from "bun:test";
import { readConfig } from "../../app/config.ts";
import { ConfigError } from "../../app/config-error.ts";
import { VARIABLES } from "./config-variables.ts";

/** The error of reading the configuration. */
const faultOf = (environment: Record<string, string>): unknown => {
  try {
    readConfig(environment);
    return null;
  } catch (error) {
    return error;
  }
};

test("this test covers every variable of the configuration", () => {
  const config = readConfig({});
  const fields = Object.values(VARIABLES).map(({ field }) => field(config));
  // Mail, metrics, traces and backups each use several variables, and have their own tests below.
  const { smtp: _, metrics: __, backups: ___, tracing: ____, ...rest } = config;
  const leaves = Object.values(rest).flatMap((value) =>
    value === config.postgres || value === config.quotas
      ? Object.values(value)
      : value === config.photos
        ? [config.photos.storage, config.photos.quotaMib]
        : [value],
  );
  expect(leaves.length).toBe(fields.length);
});

for (const [variable, { field, fallback, accepts, refuses }] of Object.entries(VARIABLES))
  describe(variable, () => {
    test("has its default when it is not set", () => {
      expect(field(readConfig({}))).toEqual(fallback);
    });

    test("is used when it is valid", () => {
      for (const [text, value] of accepts)
        expect([text, field(readConfig({ [variable]: text }))]).toEqual([text, value]);
    });

    for (const text of refuses)
      test(`is refused as ${JSON.stringify(text.slice(0, 40))} with one line that names the variable, its fault and an example`, () => {
        const fault = faultOf({ [variable]: text });
        expect(fault).toBeInstanceOf(ConfigError);
        expect(String(fault)).toMatch(/^ConfigError: [A-Z_]+ must [^\n]+; for example [A-Z_]+=[^\n]+$/);
        expect(String(fault)).toStartWith(`ConfigError: ${variable} must `);
        expect(String(fault)).toInclude(`; for example ${variable}=`);
      });
  });

test("an error message never repeats the value, which may be a secret", () => {
  for (const [variable, text] of [
    ["BOOTSTRAP_API_KEY", "hush-hush, 32 characters or more of it"],
    ["DATABASE_URL", "mysql://inventory:hush-hush@db.example.com/inventory"],
    ["RATE_LIMIT_URL", "http://:hush-hush@redis.example.com"],
  ] as const)
    expect(String(faultOf({ [variable]: text }))).not.toInclude("hush-hush");
});

test("the example in every error message is itself valid", () => {
  for (const [variable, { refuses }] of Object.entries(VARIABLES)) {
    const [, example = ""] = String(faultOf({ [variable]: refuses[0] ?? "" })).split(`; for example ${variable}=`);
    // The example names the command that generates such a key.
    if (["BOOTSTRAP_API_KEY", "SECRET_KEY"].includes(variable))
      expect(example).toMatch(/openssl rand -(hex|base64) 32/);
    else expect([variable, faultOf({ [variable]: example })]).toEqual([variable, null]);
  }
});

test("unknown variables are ignored", () => {
  expect(readConfig({ PATH: "/usr/bin", DATABASE: "x", port: "x" })).toEqual(readConfig({}));
});

describe("the configured mail server", () => {
  const MAIL = {
    SMTP_URL: "smtps://robin:word@mail.example.com:465",
    SMTP_FROM: "Inventory <inventory@example.com>",
    PUBLIC_URL: "https://inventory.example.com",
  };

  test("is used when its address, a sender and the service's own address are set", () => {
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

describe("the configured metrics", () => {
  const TOKEN = "7f3b9c21e8d05a64b7c1f2903de846ab";

  test("are off unless a port or a token is set", () => {
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
    METRICS_TOKEN: [
      "",
      TOKEN.slice(1),
      TOKEN.repeat(9),
      "t".repeat(32),
      "0123456789".repeat(4),
      `${TOKEN} `,
      `${TOKEN}\n`,
      `${TOKEN}é`,
    ],
  }))
    for (const text of texts)
      test(`are refused with ${variable} ${JSON.stringify(text)?.slice(0, 40) ?? "missing"}, in one line that names it and repeats nothing`, () => {
        const read = () => readConfig({ METRICS_PORT: "9464", METRICS_HOST: "127.0.0.1", [variable]: text });
        expect(read).toThrow(ConfigError);
        expect(read).toThrow(new RegExp(`^${variable} [^\n]+; for example ${variable}=`));
        expect(read).not.toThrow(/ttt/);
      });
});

describe("the configured traces", () => {
  const TRACES = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example.com:4318/otlp/",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20token,x-tenant=north",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.01",
    OTEL_PROPAGATORS: "none",
    OTEL_SERVICE_NAME: "inventory-north",
    OTEL_RESOURCE_ATTRIBUTES: "service.name=other,deployment.environment.name=caf%C3%A9",
    OTEL_BSP_SCHEDULE_DELAY: "100",
  };

  test("are off without a collector, follow the sender by default, and take the standard variables", () => {
    expect(readConfig({}).tracing).toBeNull();
    expect(readConfig({ ...TRACES, OTEL_SDK_DISABLED: "true" }).tracing).toBeNull();
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" }).tracing).toEqual({
      url: "http://127.0.0.1:4318/v1/traces",
      headers: {},
      protocol: "http/json",
      sampler: "parentbased_always_on",
      ratio: 1,
      followsSenders: true,
      resource: { "service.name": "vehicle-inventory" },
      delayMs: 5000,
    });
    expect(readConfig(TRACES).tracing).toEqual({
      url: "https://collector.example.com:4318/otlp/v1/traces",
      headers: { authorization: "Bearer token", "x-tenant": "north" },
      protocol: "http/protobuf",
      sampler: "parentbased_traceidratio",
      ratio: 0.01,
      followsSenders: false,
      resource: { "service.name": "inventory-north", "deployment.environment.name": "café" },
      delayMs: 100,
    });
    const exact = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:4318/taken" };
    expect(readConfig({ ...TRACES, ...exact }).tracing?.url).toBe("http://127.0.0.1:4318/taken");
    for (const [OTEL_PROPAGATORS, followsSenders] of [
      ["tracecontext", true],
      ["baggage, tracecontext", true],
      ["baggage", false],
      ["none,tracecontext", false],
      // What an operator of a cluster sets for all its services names formats beside.
      ["tracecontext,baggage,b3", true],
    ] as const)
      expect(readConfig({ ...TRACES, OTEL_PROPAGATORS }).tracing).toMatchObject({ followsSenders });
  });

  for (const [variable, texts] of Object.entries({
    OTEL_EXPORTER_OTLP_ENDPOINT: ["", "collector:4318", "http://", "http://collector.example.com/?a=1", "http://a b"],
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ["", "grpc://collector.example.com"],
    OTEL_EXPORTER_OTLP_HEADERS: ["", "token", "a b=c", "=c", "a=%zz", "a=%0d%0ab", "a=b,", "a".repeat(9000)],
    OTEL_EXPORTER_OTLP_PROTOCOL: ["", "grpc"],
    OTEL_TRACES_SAMPLER: ["", "sometimes", "constructor"],
    OTEL_TRACES_SAMPLER_ARG: ["", "1.1", "-1", "1e-3", "half"],
    OTEL_PROPAGATORS: ["", "b3", "tracecontext,", "tracecontext,b4"],
    OTEL_RESOURCE_ATTRIBUTES: ["", "a"],
    OTEL_BSP_SCHEDULE_DELAY: ["", "0", "600001", "1.5"],
  }))
    for (const text of texts)
      test(`are refused with ${variable} ${JSON.stringify(text).slice(0, 40)}, in one line that names it`, () => {
        const read = () => readConfig({ ...TRACES, [variable]: text });
        expect(read).toThrow(ConfigError);
        expect(read).toThrow(new RegExp(`^${variable} [^\n]+; for example ${variable}=`));
      });
});

describe("the configured backups", () => {
  const BACKUPS = { BACKUP_DIR: "/var/backups/inventory", BACKUP_EVERY: "0 */6 * * *", BACKUP_KEEP: "28" };

  test("are nightly and seven if only their folder is set, and none without it", () => {
    expect(readConfig({}).backups).toBeNull();
    expect(readConfig({ BACKUP_DIR: "a" }).backups).toMatchObject({ folder: "a", every: "30 2 * * *", keep: 7 });
    expect(readConfig(BACKUPS).backups).toMatchObject({ folder: BACKUPS.BACKUP_DIR, keep: 28 });
  });

  for (const [variable, texts] of Object.entries({
    BACKUP_DIR: ["", " ", undefined],
    BACKUP_EVERY: ["", "daily", "* * * * *", "61 2 * * *"],
    BACKUP_KEEP: ["", "0", "1001", "all"],
  }))
    for (const text of texts)
      test(`are refused with ${variable} ${JSON.stringify(text) ?? "missing"}, in one line that names it`, () => {
        const read = () => readConfig({ ...BACKUPS, [variable]: text });
        expect(read).toThrow(ConfigError);
        expect(read).toThrow(new RegExp(`^${variable} [^\n]+; for example ${variable}=`));
      });

  test("are refused on PostgreSQL and in memory, with what to use instead", () => {
    for (const DATABASE_URL of ["postgres://db.example.com/inventory", "sqlite::memory:"])
      expect(() => readConfig({ ...BACKUPS, DATABASE_URL })).toThrow(/^BACKUP_DIR .*pg_dump/);
  });
});
