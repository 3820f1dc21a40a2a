import { expect, test } from "bun:test";
import { readConfig } from "../../app/config.ts";
import { shownConfig } from "../../app/shown-config.ts";

const SECRET = "hush-hush-32-characters-or-more-of-it";

test("the shown configuration has names and values, but no secrets", () => {
  const shown = shownConfig(
    readConfig({
      DATABASE_URL: `postgres://inventory:${SECRET}@db.example.com:5433/inventory?password=${SECRET}`,
      RATE_LIMIT_URL: `rediss://:${SECRET}@redis.example.com:6380/2`,
      SMTP_URL: `smtps://robin:${SECRET}@mail.example.com`,
      SMTP_FROM: "inventory@example.com",
      PUBLIC_URL: "https://inventory.example.com",
      IMAGE_DELIVERY_BASE: `https://robin:${SECRET}@images.example.com/cars`,
      CORS_ORIGINS: "https://www.example.com",
      BOOTSTRAP_API_KEY: SECRET,
      METRICS_PORT: "9464",
      METRICS_TOKEN: SECRET,
      OTEL_EXPORTER_OTLP_ENDPOINT: `https://robin:${SECRET}@collector.example.com`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${SECRET}`,
      LOG_LEVEL: "debug",
    }),
  );
  expect(shown).toMatchObject({
    database_url: "postgres://db.example.com:5433/inventory",
    rate_limit_url: "rediss://redis.example.com:6380/2",
    smtp: { url: "smtps://mail.example.com", from: "inventory@example.com" },
    public_url: "https://inventory.example.com",
    image_delivery_base: "https://images.example.com/cars",
    cors_origins: ["https://www.example.com"],
    bootstrap_api_key: "set",
    metrics: { listener: { host: "127.0.0.1", port: 9464 }, token: "set" },
    tracing: { url: "https://collector.example.com/v1/traces", headers: ["authorization"] },
    log_level: "debug",
    port: 3000,
  });
  expect(JSON.stringify(shown)).not.toContain(SECRET);
  expect(JSON.stringify(shown)).not.toContain("robin");
});

test("the shown configuration marks unset values, and shows a file by its path", () => {
  expect(shownConfig(readConfig({ DATABASE_URL: "sqlite://./data/a.db" }))).toMatchObject({
    database_url: "sqlite:./data/a.db",
    bootstrap_api_key: null,
    rate_limit_url: null,
    smtp: null,
    metrics: null,
  });
});

test("the shown configuration covers every part of the configuration", () => {
  expect(Object.keys(shownConfig(readConfig({})))).toHaveLength(Object.keys(readConfig({})).length);
});
