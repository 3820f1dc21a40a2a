import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { serviceClock } from "../support/clock.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import {
  BOOTSTRAP_KEY,
  type Instance,
  launchInstance,
  makeKey,
  startInstances,
  statusOf,
} from "../support/instances.ts";
import { NO_REDIS, type Redis, startRedis } from "../support/redis.ts";
import { type CreatedKey, create, keyBody } from "../support/sample-records.ts";
import { NO_LIMIT, startService } from "../support/service.ts";

setDefaultTimeout(300_000);

/** So many requests wait for each other at once. */
const LIMIT = inGate(60, 300);
const FEW = 5;
const CLIENTS = 9;
const LOST = "out of reach";
const REGAINED = "count requests together";

// In this process, where no minute ends meanwhile and no answer of Redis is late.
test.skipIf(NO_REDIS)(
  `three services that share a Redis admit exactly ${LIMIT} of ${3 * LIMIT} requests at once under a limit of ${LIMIT}`,
  async () => {
    const redis = await startRedis();
    const [, engine] = ENGINES;
    const environment = {
      DATABASE_URL: await engine.migratedUrl(),
      RATE_LIMIT_URL: redis.url,
      BOOTSTRAP_API_KEY: BOOTSTRAP_KEY,
    };
    const clock = serviceClock();
    const first = await startService(engine, environment, { clock });
    const others = await Promise.all([1, 2].map(() => startService(engine, environment, { clock })));
    const services = [first, ...others];
    const { api_key } = await create<CreatedKey>(first.api, "/api/keys", keyBody({ rate_limit: LIMIT }));
    const statuses = await Promise.all(
      services.flatMap(({ url }) =>
        Array.from({ length: LIMIT }, () => statusOf(`${url}/api/vehicles?limit=1`, api_key)),
      ),
    );
    const counts = Object.fromEntries(
      [...Map.groupBy(statuses, (status) => status)].map(([status, some]) => [status, some.length]),
    );
    expect(counts).toEqual({ 200: LIMIT, 429: 2 * LIMIT });
    await Promise.all(services.map((service) => service.close()));
    await redis.kill();
  },
);

describe.skipIf(NO_REDIS)("three instances that share a Redis", () => {
  let redis: Redis;
  let instances: Instance[];

  beforeAll(async () => {
    redis = await startRedis();
    instances = await startInstances(3, {
      DATABASE_URL: await ENGINES[1].migratedUrl(),
      RATE_LIMIT_URL: redis.url,
      LOG_LEVEL: "info",
      // On a busy machine requests may wait long for a connection.
      REQUEST_TIMEOUT_MS: "60000",
      DATABASE_POOL_WAIT_MS: "60000",
    });
  });
  afterAll(async () => {
    expect(await Promise.all(instances.map((instance) => instance.stop()))).toEqual([0, 0, 0]);
    await redis.kill();
  });

  const ask = ({ url }: Instance, key: string): Promise<number> => statusOf(`${url}/api/vehicles?limit=1`, key);

  /** The first instance's answers on a new key until it refuses, and then the first answers of the others. */
  const usedUp = async (): Promise<readonly number[]> => {
    const [one, ...others] = instances;
    if (one === undefined) throw new Error("no instance");
    const { api_key } = await makeKey(one, { rate_limit: FEW });
    for (let asked = 0; asked <= 2 * FEW; asked++) if ((await ask(one, api_key)) === 429) break;
    return Promise.all(others.map((other) => ask(other, api_key)));
  };
  /** Asks again if a minute ended in between, or if Redis was late on a starved machine. */
  const countTogether = () => eventually(usedUp, (statuses) => statuses.every((status) => status === 429));

  test("refuse at one what was used up at another", async () => {
    expect(await countTogether()).toEqual([429, 429]);
  });

  test("keep answering while Redis is gone or silent, and limit together again when it is back", async () => {
    const [one] = instances;
    if (one === undefined) throw new Error("no instance");
    const key = await makeKey(one, { rate_limit: NO_LIMIT });
    /** The statuses that each client got. */
    const seen: number[][] = Array.from({ length: CLIENTS }, () => []);
    let over = false;
    const client = async (statuses: number[], index: number): Promise<void> => {
      while (!over) statuses.push(await ask(instances[index % instances.length] ?? one, key.api_key));
    };
    const clients = seen.map(client);
    /** Every client gets answers now and afterwards; requests that waited for Redis would not. */
    const allAreAnswered = async (): Promise<void> => {
      const wanted = seen.map(({ length }) => length + 2);
      const areThere = () => seen.every(({ length }, index) => length >= (wanted[index] ?? 0));
      await eventually(areThere, Boolean);
    };
    const timesOf = (words: string): number[] => instances.map((instance) => instance.output().split(words).length - 1);
    /** Waits until each instance has said so more often than `before`. */
    const untilSaid = (words: string, before: readonly number[]): Promise<number[]> =>
      eventually(
        () => timesOf(words),
        (times) => times.every((count, index) => count > (before[index] ?? 0)),
      );
    await allAreAnswered();
    for (const [lose, give] of [
      [redis.kill, redis.start],
      [redis.stall, redis.resume],
    ] as const) {
      const [lost, regained] = [timesOf(LOST), timesOf(REGAINED)];
      await lose();
      await untilSaid(LOST, lost);
      await allAreAnswered();
      await give();
      await untilSaid(REGAINED, regained);
    }
    over = true;
    await Promise.all(clients);
    expect(seen.flat().filter((status) => status !== 200)).toEqual([]);
    for (const instance of instances) expect(instance.output()).not.toContain("password-of-the-tests");
    expect(await countTogether()).toEqual([429, 429]);
  });
});

test("an instance starts without its Redis, says so and limits by itself", async () => {
  const [instance] = await startInstances(1, {
    DATABASE_URL: "sqlite::memory:",
    RATE_LIMIT_URL: "redis://:not-to-be-told@127.0.0.1:1",
  });
  if (instance === undefined) throw new Error("no instance");
  const key = await makeKey(instance, { rate_limit: FEW });
  const statuses: number[] = [];
  // At most one minute ends meanwhile.
  while (statuses.length <= 2 * FEW && !statuses.includes(429))
    statuses.push(await statusOf(`${instance.url}/api/vehicles`, key.api_key));
  expect(statuses.slice(0, FEW)).toEqual([200, 200, 200, 200, 200]);
  expect(statuses.at(-1)).toBe(429);
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
