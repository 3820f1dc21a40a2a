import { expect, setDefaultTimeout, test } from "bun:test";
import { BOOTSTRAP_KEY, launchInstance, untilReady } from "../support/instances.ts";
import { freePort } from "../support/ports.ts";

setDefaultTimeout(300_000);

/** The JSON lines in an instance's output on both streams. */
const eventsOf = (output: string): Record<string, unknown>[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

test("the log states the start and stop of the service with version and configuration, but without secrets", async () => {
  const token = "token-of-the-tests-that-reads-metrics";
  const port = freePort();
  const instance = await untilReady(
    launchInstance({
      DATABASE_URL: "sqlite::memory:",
      BOOTSTRAP_API_KEY: BOOTSTRAP_KEY,
      LOG_LEVEL: "info",
      METRICS_PORT: String(port),
      METRICS_TOKEN: token,
    }),
  );
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).status).toBe(200);
  expect(await instance.stop()).toBe(0);
  const events = eventsOf(instance.output());
  const started = events.findIndex(({ msg }) => msg === "the service has started");
  const stopped = events.findIndex(({ msg }) => msg === "the service has stopped");
  expect(stopped).toBe(events.length - 1);
  for (const at of [started, stopped])
    expect(events[at]).toMatchObject({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      url: instance.url,
      configuration: { database_url: "sqlite::memory:", bootstrap_api_key: "set", log_level: "info" },
    });
  expect(events[started]).toMatchObject({ metrics_url: `http://127.0.0.1:${port}` });
  expect(events[stopped]).toMatchObject({ signal: "SIGTERM", uptime_seconds: expect.any(Number) });
  for (const secret of [BOOTSTRAP_KEY, token]) expect(instance.output()).not.toContain(secret);
});

test("a metrics port in use ends the start with one line that names the variable", async () => {
  const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const instance = launchInstance({ DATABASE_URL: "sqlite::memory:", METRICS_PORT: String(taken.port) });
  expect(await instance.exited).toBe(1);
  expect(instance.output()).toMatch(/^vehicle-inventory: METRICS_PORT cannot be listened on [^\n]+\n$/m);
  await taken.stop(true);
});
