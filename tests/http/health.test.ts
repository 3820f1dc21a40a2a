import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readiness } from "../../adapters/http/server/health.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { type DiskSpace, isLow, watchDisk } from "../../adapters/system/disk.ts";
import { ENGINES } from "../support/engines.ts";
import { startService } from "../support/service.ts";

setDefaultTimeout(300_000);

const MB = 1_000_000;
const HEADERS = { "x-request-id": "one" };

for (const engine of ENGINES)
  test(`readiness on ${engine.name} shows anybody what it checked, but no addresses`, async () => {
    const service = await startService(engine, { RATE_LIMIT_URL: "redis://:not-to-be-told@127.0.0.1:1" });
    const response = await fetch(`${service.url}/health/ready`);
    const text = await response.text();
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(JSON.parse(text)).toEqual({
      status: "ready",
      checks: {
        database: "ok",
        limits: "degraded",
        disk: expect.stringMatching(/^(?:ok|low)$/),
        ...(engine.name === "SQLite" && { processes: "one" }),
        images: "ok",
      },
    });
    await service.close();
  });

describe("the readiness check", () => {
  const answerOf = (database: () => Promise<void>) =>
    readiness({ database, limits: () => "ok", disk: () => "low" }, systemClock, () => {});

  test("answers 503 without the database, with the fields of every error and without the reason", async () => {
    const response = await answerOf(() => Promise.reject(new Error("db.example.com refused")))(HEADERS);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await response.json()).toEqual({
      error: "The database is out of reach; try again shortly",
      code: "unavailable",
      timestamp: expect.any(String),
      request_id: "one",
      checks: { database: "unavailable", limits: "ok", disk: "low" },
    });
  });

  test("reports a nearly full disk, and still answers 200", async () => {
    expect((await answerOf(async () => {})(HEADERS)).status).toBe(200);
  });

  test("asks the database once for all concurrent callers, and again for the next ones", async () => {
    let asked = 0;
    let fails = true;
    const answer = answerOf(async () => {
      asked++;
      if (fails) throw new Error("away");
    });
    const crowd = () => Promise.all(Array.from({ length: 200 }, async () => (await answer(HEADERS)).status));
    expect(new Set(await crowd())).toEqual(new Set([503]));
    expect(asked).toBe(1);
    fails = false;
    expect(new Set(await crowd())).toEqual(new Set([200]));
    expect(asked).toBe(2);
  });
});

describe("the disk", () => {
  const GB = 1000 * MB;
  for (const [about, freeBytes, totalBytes, low] of [
    ["199 MB of 1 GB", 199 * MB, GB, true],
    ["200 MB of 1 GB", 200 * MB, GB, false],
    ["4.9 % of 100 GB", 4.9 * GB, 100 * GB, true],
    ["5 % of 100 GB", 5 * GB, 100 * GB, false],
  ] as const)
    test(`with ${about} left is ${low ? "low" : "ok"}`, () => expect(isLow({ freeBytes, totalBytes })).toBe(low));

  test("is measured for an existing folder, and unknown for a missing one", async () => {
    const listener = { low() {}, recovered() {} };
    const watch = await watchDisk(import.meta.dir, listener);
    expect(watch.space?.totalBytes).toBeGreaterThan(0);
    expect(watch.space?.freeBytes).toBeLessThanOrEqual(watch.space?.totalBytes ?? 0);
    watch.stop();
    const nowhere = await watchDisk(`${import.meta.dir}/not there`, listener);
    expect([nowhere.state, nowhere.space]).toEqual(["unknown", null]);
    nowhere.stop();
  });

  test("that is low is logged when it is found", async () => {
    const reported: DiskSpace[] = [];
    const space = { freeBytes: 10 * MB, totalBytes: GB };
    const watch = await watchDisk(
      ".",
      { low: (found) => void reported.push(found), recovered() {} },
      async () => space,
    );
    expect([watch.state, reported]).toEqual(["low", [space]]);
    watch.stop();
  });
});
