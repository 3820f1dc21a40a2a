import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { MIGRATIONS } from "../../migrations/index.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import {
  BOOTSTRAP_KEY,
  type Instance,
  launchInstance,
  makeKey,
  startInstances,
  statusOf,
  untilReady,
} from "../support/instances.ts";
import { postgres } from "../support/postgres.ts";
import { SOURCES } from "../support/sources.ts";

setDefaultTimeout(300_000);

const INSTANCES = inGate(3, 5);

describe("instances that start", () => {
  const [, postgresql] = ENGINES;
  const running: Instance[] = [];
  afterAll(() => Promise.all(running.map((instance) => instance.stop())));

  const countIn = async (databaseUrl: string, table: string): Promise<number> => {
    const [row] = await queryDatabase<{ count: number }>(databaseUrl, `SELECT count(*) AS count FROM ${table}`);
    return row?.count ?? -1;
  };

  test("at once on an empty database migrate it once, create one first key and share one secret", async () => {
    const databaseUrl = await (await postgres()).freshDatabase();
    const instances = Array.from({ length: INSTANCES }, () => launchInstance({ DATABASE_URL: databaseUrl }));
    running.push(...instances);
    await Promise.all(instances.map(untilReady));
    expect(instances.filter((instance) => instance.output().includes("Your first API key"))).toHaveLength(1);
    expect(await countIn(databaseUrl, "api_keys")).toBe(1);
    expect(await countIn(databaseUrl, "schema_migrations")).toBe(MIGRATIONS.length);
    // One secret lets each instance continue lists that another began; the other verifies the secret key.
    expect(await countIn(databaseUrl, "service_secrets")).toBe(2);
  });

  test("from the sources work like those from the compiled program", async () => {
    const environment = { DATABASE_URL: "sqlite::memory:", BOOTSTRAP_API_KEY: BOOTSTRAP_KEY };
    const instance = launchInstance(environment, SOURCES);
    running.push(instance);
    await untilReady(instance);
    const { api_key } = await makeKey(instance);
    expect(await statusOf(`${instance.url}/api/vehicles`, api_key)).toBe(200);
    const reference = await (await fetch(`${instance.url}/docs`)).text();
    const [, script] = /src="([^"]+)"/.exec(reference) ?? [];
    expect((await fetch(instance.url + script)).status).toBe(200);
  });

  test("with DATABASE_PREPARE=off work without prepared statements", async () => {
    const databaseUrl = await postgresql.migratedUrl();
    const [instance] = await startInstances(1, { DATABASE_URL: databaseUrl, DATABASE_PREPARE: "off" });
    if (instance === undefined) throw new Error("no instance");
    running.push(instance);
    const { api_key } = await makeKey(instance);
    for (let round = 0; round < 20; round++)
      expect(await statusOf(`${instance.url}/api/vehicles?make=Toyota`, api_key)).toBe(200);
  });

  const change = async (databaseUrl: string, statement: string): Promise<void> => {
    const sql = new SQL(databaseUrl, { max: 1 });
    await sql.unsafe(statement);
    await sql.close();
  };

  const SCHEMAS: readonly { readonly name: string; readonly statement: string | null; readonly says: RegExp }[] = [
    { name: "empty", statement: null, says: /lacks .*migrate/ },
    { name: "older", statement: "DELETE FROM schema_migrations", says: /lacks .*migrate/ },
    {
      name: "newer",
      statement: "INSERT INTO schema_migrations VALUES ('9999-future')",
      says: /newer version.*9999-future/,
    },
  ];

  for (const { name, statement, says } of SCHEMAS)
    test.concurrent(`with MIGRATE=off refuse an ${name} schema with one line, and change nothing`, async () => {
      const databaseUrl =
        statement === null ? await (await postgres()).freshDatabase() : await postgresql.migratedUrl();
      if (statement !== null) await change(databaseUrl, statement);
      const instance = launchInstance({ DATABASE_URL: databaseUrl, MIGRATE: "off" });
      expect(await instance.exited).toBe(1);
      expect(instance.output().trim().split("\n")).toHaveLength(1);
      expect(instance.output()).toMatch(says);
      expect(instance.output()).not.toContain("password-of-the-tests");
    });

  test("with MIGRATE=off work on the schema of their own version", async () => {
    running.push(...(await startInstances(1, { DATABASE_URL: await postgresql.migratedUrl(), MIGRATE: "off" })));
  });
});
