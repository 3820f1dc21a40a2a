import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { type Instance, launchInstance, makeKey, startInstances, statusOf } from "../support/instances.ts";
import { postgres } from "../support/postgres.ts";
import { NO_REDIS, type Redis, startRedis } from "../support/redis.ts";
import { sameMinute } from "../support/same-minute.ts";

setDefaultTimeout(300_000);

const LIMIT = 300;
const NO_LIMIT = 2_147_483_647;
const ATTEMPTS = 5;
/** Long enough for each instance to notice, and to retry in vain. */
const OUTAGE_MS = 1000;
const CLIENTS = 9;
const BURST_MS = 8000;

const PAUSE_MS = 100;

const LOST = "out of reach";
const PAUSED = "pauses";
const REGAINED = "count requests together";

describe.skipIf(NO_REDIS)("three instances that share a Redis", () => {
  let redis: Redis;
  let instances: Instance[];

  beforeAll(async () => {
    redis = await startRedis();
    instances = await startInstances(3, {
      DATABASE_URL: await (await postgres()).freshDatabase(),
      RATE_LIMIT_URL: redis.url,
      LOG_LEVEL: "info",
      // On a busy machine the requests of a burst may wait long for a connection.
      REQUEST_TIMEOUT_MS: "60000",
      DATABASE_POOL_WAIT_MS: "60000",
    });
  });
  afterAll(async () => {
    expect(await Promise.all(instances.map((instance) => instance.stop()))).toEqual([0, 0, 0]);
    await redis.kill();
  });

  const first = (): Instance => {
    const [instance] = instances;
    if (instance === undefined) throw new Error("no instance");
    return instance;
  };
  const at = (index: number): Instance => instances[index % instances.length] ?? first();

  /** Sends this many requests at once, spread over the instances, and counts the statuses. */
  const burst = async (requests: number, key: string): Promise<Readonly<Record<number, number>>> => {
    await sameMinute(BURST_MS);
    const statuses = await Promise.all(
      Array.from({ length: requests }, (_, index) => statusOf(`${at(index).url}/api/vehicles?limit=1`, key)),
    );
    const counts: Record<number, number> = {};
    for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  const timesLost = (): number =>
    instances.reduce((sum, instance) => sum + instance.output().split(LOST).length - 1, 0);

  /** A burst on a new key during which every instance kept Redis. A starved machine may lose Redis for a moment. */
  const sharedBurst = async (attempts = ATTEMPTS): Promise<Readonly<Record<number, number>>> => {
    const before = timesLost();
    const key = await makeKey(first(), { rate_limit: LIMIT });
    const counts = await burst(900, key.api_key);
    if (timesLost() === before || attempts <= 1) return counts;
    await Bun.sleep(500);
    return sharedBurst(attempts - 1);
  };

  test("admit exactly 300 of 900 requests at once under a limit of 300", async () => {
    expect(await sharedBurst()).toEqual({ 200: 300, 429: 600 });
  });

  test("admit no more if Redis pauses for a tenth of a second during the burst", async () => {
    const key = await makeKey(first(), { rate_limit: LIMIT });
    const lost = timesLost();
    const answered = burst(900, key.api_key);
    await Bun.sleep(PAUSE_MS);
    redis.stall();
    await Bun.sleep(PAUSE_MS);
    redis.resume();
    const { 200: admitted = 0 } = await answered;
    expect(admitted).toBeGreaterThanOrEqual(LIMIT);
    // Requests that an instance judged by itself may pass. If instances started from zero, nearly all would.
    if (!instances.some((instance) => instance.output().includes(PAUSED))) expect(admitted).toBe(LIMIT);
    expect(admitted).toBeLessThan(2 * LIMIT);
    expect(timesLost()).toBe(lost);
  });

  test("keep answering without delay when Redis is killed under load, and limit together again when it is back", async () => {
    const key = await makeKey(first(), { rate_limit: NO_LIMIT });
    /** The statuses that each client got. */
    const seen: number[][] = Array.from({ length: CLIENTS }, () => []);
    let over = false;
    const client = async (statuses: number[], index: number): Promise<void> => {
      while (!over) {
        statuses.push(await statusOf(`${at(index).url}/api/vehicles?limit=1`, key.api_key));
        await Bun.sleep(2);
      }
    };
    const clients = seen.map(client);
    /** Every client gets answers now and afterwards; requests that waited for Redis would not. */
    const allAreAnswered = async (): Promise<void> => {
      const wanted = seen.map(({ length }) => length + 2);
      const areThere = () => seen.every(({ length }, index) => length >= (wanted[index] ?? 0));
      await eventually(areThere, Boolean);
    };
    const haveRegained = (times: number): Promise<boolean> =>
      eventually(() => instances.every((one) => one.output().split(REGAINED).length > times), Boolean);
    await allAreAnswered();
    await redis.kill();
    await allAreAnswered();
    await Bun.sleep(OUTAGE_MS);
    await redis.start();
    await haveRegained(1);
    redis.stall();
    await allAreAnswered();
    await Bun.sleep(OUTAGE_MS);
    redis.resume();
    await haveRegained(2);
    over = true;
    await Promise.all(clients);
    expect(seen.flat().filter((status) => status !== 200)).toEqual([]);
    for (const instance of instances) {
      expect(instance.output().split(LOST).length).toBeGreaterThanOrEqual(3);
      expect(instance.output()).not.toContain("password-of-the-tests");
    }
    expect(await sharedBurst()).toEqual({ 200: 300, 429: 600 });
  });
});

test("an instance starts without its Redis, says so once and limits by itself", async () => {
  const [instance] = await startInstances(1, {
    DATABASE_URL: "sqlite::memory:",
    RATE_LIMIT_URL: "redis://:not-to-be-told@127.0.0.1:1",
  });
  if (instance === undefined) throw new Error("no instance");
  const key = await makeKey(instance, { rate_limit: 5 });
  const statuses = [];
  for (let request = 0; request < 7; request++)
    statuses.push(await statusOf(`${instance.url}/api/vehicles`, key.api_key));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  await Bun.sleep(600);
  expect(await instance.stop()).toBe(0);
  expect(instance.output().split(LOST)).toHaveLength(2);
  expect(instance.output()).not.toContain("not-to-be-told");
});

test("an unusable address of Redis ends the start with one line, which does not reveal the password", async () => {
  const instance = launchInstance({ DATABASE_URL: "sqlite::memory:", RATE_LIMIT_URL: "http://:not-to-be-told@store" });
  expect(await instance.exited).toBe(1);
  expect(instance.output()).toMatch(/^vehicle-inventory: RATE_LIMIT_URL must be .*; for example \S+\n$/);
  expect(instance.output()).not.toContain("not-to-be-told");
});
