import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { WAITS_FOR_SCHEMA } from "../../adapters/sql/schema/migrate.ts";
import { MIGRATIONS } from "../../migrations/index.ts";
import { inGate } from "../support/depth.ts";
import { migratedProgram, type RunningProgram, rowsOf, TEST_TIMEOUT_MS, testProgram } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

/** What `migrate` prints for an empty database. */
const ALL_APPLIED = MIGRATIONS.map(({ name }) => `applied ${name}\n`).join("");

/** Several transactions. */
const SEEDED = inGate(1500, 6000);
/** By each of two services meanwhile. */
const WRITTEN = inGate(20, 40);
const KEY = "bootstrap-key-of-two-processes-123";

const addVehicle = async ({ url }: RunningProgram): Promise<number> => {
  const answer = await fetch(`${url}/api/vehicles`, {
    method: "POST",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    body: JSON.stringify({ dealer_id: 1, make: "Honda", model: "Civic", year: 2023, price: 24_500 }),
  });
  return answer.status;
};

describe("two processes on one database", () => {
  test("both write and lose nothing while a third one fills it with data", async () => {
    const program = migratedProgram();
    await program.run("seed", "--dealers", "1", "--vehicles", "0");
    const environment = { BOOTSTRAP_API_KEY: KEY };
    const services = await Promise.all([program.serve(environment), program.serve(environment)]);
    const filling = program.run("seed", "--dealers", "3", "--vehicles", String(SEEDED), "--force", "--no-images");
    const statuses = await Promise.all(
      services.map(async (serving) => {
        const answered: number[] = [];
        for (let count = 0; count < WRITTEN; ) {
          const status = await addVehicle(serving);
          answered.push(status);
          // A busy machine holds the lock longer than a write waits for it; that one is not made.
          if (status !== 503) count++;
        }
        return answered;
      }),
    );
    expect(await filling).toMatchObject({ code: 0 });
    expect(statuses.flat().filter((status) => status !== 503)).toEqual(Array(2 * WRITTEN).fill(201));
    expect(rowsOf(program.database, "SELECT count(*) AS vehicles FROM vehicles WHERE dealer_id = 1")).toEqual([
      { vehicles: 2 * WRITTEN },
    ]);
    expect(rowsOf(program.database, "SELECT count(*) AS vehicles FROM vehicles")).toEqual([
      { vehicles: SEEDED + 2 * WRITTEN },
    ]);
    for (const serving of services) expect(await serving.stop()).toMatchObject({ code: 0 });
  });

  test("start at once on a new database, only one shows the first key, and the second says that it is not alone", async () => {
    const program = testProgram();
    const log = { LOG_LEVEL: "warn" };
    const services = await Promise.all([program.serve(log), program.serve(log)]);
    const seen = await Promise.all(
      services.map(async ({ url }) => {
        const { checks } = (await (await fetch(`${url}/health/ready`)).json()) as { checks: { processes: string } };
        return checks.processes;
      }),
    );
    expect(seen.sort()).toEqual(["one", "several"]);
    const ended = await Promise.all(services.map((serving) => serving.stop()));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(ended.map(({ out }) => out.includes("another process serves the same SQLite file")).sort()).toEqual([
      false,
      true,
    ]);
    expect(ended.map(({ err }) => err.includes("Your first API key")).sort()).toEqual([false, true]);
    expect(rowsOf(program.database, "SELECT name FROM api_keys")).toEqual([{ name: "First super-admin key" }]);
  });

  test("migrate at once and apply each migration once", async () => {
    const program = testProgram();
    const runs = await Promise.all([program.run("migrate"), program.run("migrate")]);
    // One that waits long for the other says so.
    const errors = runs.map(({ err }) => err.replace(`${WAITS_FOR_SCHEMA}\n`, ""));
    expect([runs.map(({ code }) => code), errors]).toEqual([
      [0, 0],
      ["", ""],
    ]);
    expect(runs.map(({ out }) => out).sort()).toEqual([ALL_APPLIED, "the schema is up to date\n"]);
  });

  test("seed at once, and only one of them does it", async () => {
    const program = migratedProgram();
    const runs = await Promise.all([
      program.run("seed", "--dealers", "2", "--vehicles", "100", "--no-images"),
      program.run("seed", "--dealers", "2", "--vehicles", "100", "--no-images"),
    ]);
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(rowsOf(program.database, "SELECT count(*) AS dealers FROM dealers")).toEqual([{ dealers: 2 }]);
  });
});
