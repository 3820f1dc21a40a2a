import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { BOOTSTRAP_KEY, type Instance, makeKey, startInstances, statusOf } from "../support/instances.ts";
import { postgres } from "../support/postgres.ts";
import { type Relay, startRelay } from "../support/relay.ts";

const NO_LIMIT = 2_147_483_647;

setDefaultTimeout(600_000);

/** Changes of a key on one instance, and the answers of the others from then on. */
const CHANGES: readonly {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly refused: number;
}[] = [
  { name: "revoked", method: "POST", path: "/revoke", refused: 401 },
  { name: "deprived of its permission", method: "DELETE", path: "/permissions/vehicles/read", refused: 403 },
  { name: "deleted", method: "DELETE", path: "", refused: 401 },
];

describe("three instances on one database", () => {
  let instances: Instance[];
  let relay: Relay;

  beforeAll(async () => {
    relay = startRelay(await (await postgres()).freshDatabase());
    instances = await startInstances(3, { DATABASE_URL: relay.url });
  });
  afterAll(async () => {
    expect(await Promise.all(instances.map((instance) => instance.stop()))).toEqual([0, 0, 0]);
  });

  // How soon is proved where time can be moved: tests/contracts/cache-trust.test.ts.
  for (const { name, method, path, refused } of CHANGES)
    test(`refuse a key that was ${name} on another instance`, async () => {
      const [one, ...others] = instances;
      if (one === undefined) throw new Error("no instance");
      const key = await makeKey(one, { rate_limit: NO_LIMIT });
      const ask = ({ url }: Instance) => statusOf(`${url}/api/vehicles?limit=1`, key.api_key);
      for (const other of others) expect(await ask(other)).toBe(200);
      expect(await statusOf(`${one.url}/api/keys/${key.id}${path}`, BOOTSTRAP_KEY, { method })).toBe(200);
      expect(await ask(one)).toBe(refused);
      const refusedBy = (other: Instance): Promise<number> =>
        eventually(
          () => ask(other),
          (status) => status === refused,
        );
      await Promise.all(others.map(refusedBy));
    });

  for (const connection of ["broken", "silent"] as const)
    test(`with a ${connection} connection to the database stop trusting their caches, and all recover afterwards`, async () => {
      const [one] = instances;
      if (one === undefined) throw new Error("no instance");
      const key = await makeKey(one, { rate_limit: NO_LIMIT });
      // Answered from memory alone: a request with invalid parameters needs no database.
      const ask = ({ url }: Instance) => statusOf(`${url}/api/vehicles?limit=0`, key.api_key);
      for (const instance of instances) expect(await ask(instance)).toBe(400);
      relay.become(connection);
      const seen = new Set<number>();
      const untilRefused = (instance: Instance): Promise<number> =>
        eventually(
          async () => {
            const status = await ask(instance);
            seen.add(status);
            return status;
          },
          (status) => status === 503,
        );
      await Promise.all(instances.map(untilRefused));
      expect([...seen].filter((status) => status !== 400 && status !== 503)).toEqual([]);
      // Of a silent database each answer takes as long as a statement may.
      if (connection === "broken") expect(await Promise.all(instances.map(ask))).toEqual([503, 503, 503]);
      relay.become("fair");
      for (const instance of instances)
        await eventually(
          () => ask(instance),
          (status) => status === 400,
        );
    });
});
