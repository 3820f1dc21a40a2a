import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { contentOf, onTerminal, rowsOf, TEST_TIMEOUT_MS, testProgram } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const DATA = ["dealers", "vehicles", "vehicle_images", "dealer_inventory"] as const;

/** Rows without the random mark that each change of a dealer's vehicles sets. */
const withoutMark = <Row extends object>(rows: readonly Row[]) => rows.map((row) => ({ ...row, mark: undefined }));

const seeded = async (...options: readonly string[]) => {
  const program = testProgram();
  expect(await program.run("seed", ...options)).toMatchObject({ code: 0 });
  const content = contentOf(program.database);
  return Object.fromEntries(DATA.map((table) => [table, withoutMark(content[table] ?? [])]));
};

describe("seed without options", () => {
  const program = testProgram();
  let out = "";
  let err = "";

  beforeAll(async () => {
    const ran = await program.run("seed");
    ({ out, err } = ran);
    expect(ran.code).toBe(0);
  }, TEST_TIMEOUT_MS);

  test("adds 100 dealers and 50 000 vehicles", () => {
    expect(out).toMatch(/^Added 100 dealers and 50000 vehicles in \d+\.\d s\.\n$/);
    expect(rowsOf(program.database, "SELECT count(*) AS dealers FROM dealers")).toEqual([{ dealers: 100 }]);
    expect(rowsOf(program.database, "SELECT count(DISTINCT vin) AS vehicles FROM vehicles")).toEqual([
      { vehicles: 50_000 },
    ]);
  });

  test("prints its progress in lines of percent if standard error is no terminal", () => {
    const percents = err.trimEnd().split("\n");
    expect(percents.length).toBe(10);
    for (const line of percents) expect(line).toMatch(/^vehicles \d+%$/);
    expect(percents.at(-1)).toBe("vehicles 100%");
  });

  test("is recorded in the audit log as the command line's, with an entry for each transaction", () => {
    const entries =
      "SELECT action, via, sum(after ->> '$.dealers') AS dealers, sum(after ->> '$.vehicles') AS vehicles";
    expect(
      rowsOf(program.database, `${entries} FROM audit_entries GROUP BY action, via ORDER BY action`),
    ).toMatchObject([
      { action: "dealer.seeded", via: "command", dealers: 100 },
      { action: "vehicle.seeded", via: "command", vehicles: 50_000 },
    ]);
  });

  test("leaves the stored counts of every dealer correct", () => {
    const kept = "SELECT dealer_id, available, sold, pending FROM dealer_inventory ORDER BY dealer_id";
    const counted = `SELECT dealer_id, sum(status = 'available') AS available, sum(status = 'sold') AS sold,
      sum(status = 'pending') AS pending FROM vehicles GROUP BY dealer_id ORDER BY dealer_id`;
    expect(rowsOf(program.database, kept)).toEqual(rowsOf(program.database, counted));
  });

  test("refuses a database that is not empty, and changes nothing", async () => {
    const refused = await program.run("seed", "--vehicles", "10");
    expect(refused).toEqual({
      code: 1,
      out: "",
      err: "vehicle-inventory: the database is not empty; --force adds invented data to what is there\n",
    });
    expect(rowsOf(program.database, "SELECT count(*) AS dealers FROM dealers")).toEqual([{ dealers: 100 }]);
  });

  test("adds to it with --force", async () => {
    const forced = await program.run("seed", "--dealers", "1", "--vehicles", "1", "--seed", "2", "--force");
    expect(forced).toMatchObject({ code: 0, out: expect.stringContaining("Added 1 dealer and 1 vehicle in ") });
    const added =
      "SELECT vehicles.id, dealer_id FROM vehicles JOIN dealers ON dealers.id = dealer_id WHERE dealer_id > 100";
    expect(rowsOf(program.database, added)).toEqual([{ id: 50_001, dealer_id: 101 }]);
  });
});

describe("seed", () => {
  const SMALL = ["--dealers", "7", "--vehicles", "2345"];

  test("adds identical data for the same seed, and different data for another", async () => {
    const [one, same, other] = await Promise.all([
      seeded(...SMALL, "--seed", "7", "--images"),
      seeded(...SMALL, "--seed", "7", "--images"),
      seeded(...SMALL, "--seed", "8", "--images"),
    ]);
    expect(Bun.hash(JSON.stringify(one))).toBe(Bun.hash(JSON.stringify(same)));
    expect(Bun.hash(JSON.stringify(one.dealers))).not.toBe(Bun.hash(JSON.stringify(other.dealers)));
    expect(Bun.hash(JSON.stringify(one.vehicles))).not.toBe(Bun.hash(JSON.stringify(other.vehicles)));
  });

  test("adds images to every vehicle on request, one of them primary, and leaves the vehicles the same", async () => {
    const [without, images] = await Promise.all([seeded(...SMALL), seeded(...SMALL, "--images")]);
    expect(without.vehicle_images).toEqual([]);
    expect(Bun.hash(JSON.stringify(without.vehicles))).toBe(Bun.hash(JSON.stringify(images.vehicles)));
    const pictured = new Map<unknown, { primary: number; orders: unknown[]; made: unknown }>();
    for (const image of images.vehicle_images ?? []) {
      const seen = pictured.get(image.vehicle_id) ?? { primary: 0, orders: [], made: image.image_url };
      seen.primary += Number(image.is_primary);
      seen.orders.push(image.display_order);
      pictured.set(image.vehicle_id, seen);
    }
    for (const { id, model } of images.vehicles ?? []) {
      const { primary, orders, made } = pictured.get(id) ?? { primary: 0, orders: [], made: "" };
      expect(primary).toBe(1);
      expect(orders).toEqual(orders.map((_, index) => index));
      expect(String(made)).toContain(
        `/${String(model)
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, "-")}/front.jpg`,
      );
    }
  });

  test("can add dealers only", async () => {
    const { dealers, vehicles } = await seeded("--dealers", "3", "--vehicles", "0");
    expect([dealers?.length, vehicles?.length]).toEqual([3, 0]);
  });

  test("shows a progress bar on a terminal", async () => {
    const program = testProgram();
    const written = await onTerminal(program, 100, "seed", "--dealers", "2", "--vehicles", "3000");
    expect(written).toMatch(/vehicles \[-+\] 0% \| 0\/3000/);
    expect(written).toMatch(/vehicles \[=+\] 100% \| 3000\/3000/);
    expect(written).toContain("Added 2 dealers and 3000 vehicles");
  });
});
