import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeProgram } from "../../app/commands/program.ts";
import { DAY_MS } from "../../app/seed/times.ts";
import { inGate } from "../support/depth.ts";
import {
  alter,
  contentOf,
  inThisProcess,
  migratedProgram,
  onTerminal,
  rowsOf,
  TEST_TIMEOUT_MS,
  testCommands,
  testProgram,
} from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const DATA = ["dealers", "vehicles", "vehicle_images", "dealer_inventory"] as const;

/** Rows without the random mark that each change of a dealer's vehicles sets. */
const withoutMark = <Row extends object>(rows: readonly Row[]) => rows.map((row) => ({ ...row, mark: undefined }));

/** The deep run seeds as much as the command does by default. */
const DEALERS = inGate(20, 100);
const VEHICLES = inGate(2500, 50_000);
const OPTIONS = inGate(["--dealers", String(DEALERS), "--vehicles", String(VEHICLES)], []);
/** On a busy machine all of them, with their photos, may take longer than other tests. */
const SEEDING_MS = inGate(TEST_TIMEOUT_MS, 1_800_000);
/** The command writes so many vehicles at once, and then says how far it is. */
const BATCH = 2000;

test("seed adds 100 dealers and 50 000 vehicles unless it is told otherwise", () => {
  const seed = makeProgram().commands.find((command) => command.name() === "seed");
  expect(seed?.opts()).toMatchObject({ dealers: 100, vehicles: 50_000 });
});

/** The images are addresses then, and nothing is drawn. */
const WITHOUT_PHOTOS: Readonly<Record<string, string>> = { IMAGE_STORAGE: "off" };

const seeded = async (...options: readonly string[]) => {
  const program = testCommands();
  expect(await program.runWith(WITHOUT_PHOTOS, "seed", ...options)).toMatchObject({ code: 0 });
  const content = contentOf(program.database);
  return Object.fromEntries(DATA.map((table) => [table, withoutMark(content[table] ?? [])]));
};

describe("seed of an empty database", () => {
  const program = inThisProcess(testProgram());
  let out = "";
  let err = "";

  beforeAll(async () => {
    const ran = await program.runWith(inGate(WITHOUT_PHOTOS, {}), "seed", ...OPTIONS);
    ({ out, err } = ran);
    expect(ran.code).toBe(0);
  }, SEEDING_MS);

  test("adds so many dealers and vehicles", () => {
    expect(out.replace(/\d+\.\d s/, "1.0 s")).toBe(`Added ${DEALERS} dealers and ${VEHICLES} vehicles in 1.0 s.\n`);
    expect(rowsOf(program.database, "SELECT count(*) AS dealers FROM dealers")).toEqual([{ dealers: DEALERS }]);
    expect(rowsOf(program.database, "SELECT count(DISTINCT vin) AS vehicles FROM vehicles")).toEqual([
      { vehicles: VEHICLES },
    ]);
  });

  test("prints its progress in lines of percent if standard error is no terminal", () => {
    const percents = err.trimEnd().split("\n");
    expect(percents.length).toBe(Math.min(10, Math.ceil(VEHICLES / BATCH)));
    for (const line of percents) expect(line).toMatch(/^vehicles \d+%$/);
    expect(percents.at(-1)).toBe("vehicles 100%");
  });

  test("is recorded in the audit log as the command line's, with an entry for each transaction", () => {
    const entries =
      "SELECT action, via, sum(after ->> '$.dealers') AS dealers, sum(after ->> '$.vehicles') AS vehicles";
    expect(
      rowsOf(program.database, `${entries} FROM audit_entries GROUP BY action, via ORDER BY action`),
    ).toMatchObject([
      { action: "dealer.seeded", via: "command", dealers: DEALERS },
      { action: "feed.created", via: "command" },
      { action: "import.ended", via: "command" },
      { action: "vehicle.seeded", via: "command", vehicles: VEHICLES },
    ]);
  });

  test("ends its data now: the last listings, changes and sales are those of the last days", () => {
    const [first] = rowsOf(program.database, "SELECT min(created_at) AS began FROM audit_entries");
    const began = Date.parse(String(first?.began));
    // Two vehicles are listed four hours apart, in the gate; about one is sold a day.
    for (const [moment, days] of [
      ["listed_at", 1],
      ["updated_at", 1],
      ["sold_at", 30],
    ] as const) {
      const [row] = rowsOf(program.database, `SELECT max(${moment}) AS last FROM vehicles`);
      const last = Date.parse(String(row?.last));
      expect(last).toBeLessThanOrEqual(began);
      expect(began - last).toBeLessThan(days * DAY_MS);
    }
  });

  test("leaves the stored counts of every dealer correct", () => {
    const kept = "SELECT dealer_id, available, sold, pending FROM dealer_inventory ORDER BY dealer_id";
    const counted = `SELECT dealer_id, sum(status = 'available') AS available, sum(status = 'sold') AS sold,
      sum(status = 'pending') AS pending FROM vehicles GROUP BY dealer_id ORDER BY dealer_id`;
    expect(rowsOf(program.database, kept)).toEqual(rowsOf(program.database, counted));
  });

  test("leaves something to do: a channel leaves vehicles out, and the rows of a file failed, without changing a vehicle", () => {
    const [feed] = rowsOf(program.database, "SELECT row_count, left_out FROM feed_fetches");
    expect([Number(feed?.row_count) > 0, Number(feed?.left_out) > 0]).toEqual([true, true]);
    const rows = "SELECT outcome, count(*) AS found FROM import_rows GROUP BY outcome";
    expect(rowsOf(program.database, rows)).toEqual([{ outcome: "failed", found: 3 }]);
  });

  test("refuses a database that is not empty, and changes nothing", async () => {
    const refused = await program.run("seed", "--vehicles", "10");
    expect(refused).toEqual({
      code: 1,
      out: "",
      err: "vehicle-inventory: the database is not empty; --force adds invented data to what is there\n",
    });
    expect(rowsOf(program.database, "SELECT count(*) AS dealers FROM dealers")).toEqual([{ dealers: DEALERS }]);
  });

  test("adds to it with --force", async () => {
    const forced = await program.runWith(
      WITHOUT_PHOTOS,
      ..."seed --dealers 1 --vehicles 1 --seed 2 --force".split(" "),
    );
    expect(forced).toMatchObject({ code: 0, out: expect.stringContaining("Added 1 dealer and 1 vehicle in ") });
    const added = `SELECT vehicles.id, dealer_id FROM vehicles JOIN dealers ON dealers.id = dealer_id WHERE dealer_id > ${DEALERS}`;
    expect(rowsOf(program.database, added)).toEqual([{ id: VEHICLES + 1, dealer_id: DEALERS + 1 }]);
  });
});

describe("seed", () => {
  const SMALL = ["--dealers", "7", "--vehicles", inGate("345", "2345"), "--until", "2026-01-31"];

  type Seeded = Awaited<ReturnType<typeof seeded>>;
  let [images, again, other, without]: Seeded[] = [];

  beforeAll(async () => {
    [images, again, other, without] = await Promise.all([
      seeded(...SMALL, "--seed", "7"),
      seeded(...SMALL, "--seed", "7"),
      seeded(...SMALL, "--seed", "8", "--no-images"),
      seeded(...SMALL, "--seed", "7", "--no-images"),
    ]);
  }, TEST_TIMEOUT_MS);

  test("adds identical data for the same seed and day, and different data for another", () => {
    expect(Bun.hash(JSON.stringify(images))).toBe(Bun.hash(JSON.stringify(again)));
    expect(Bun.hash(JSON.stringify(images?.dealers))).not.toBe(Bun.hash(JSON.stringify(other?.dealers)));
    expect(Bun.hash(JSON.stringify(images?.vehicles))).not.toBe(Bun.hash(JSON.stringify(other?.vehicles)));
  });

  test("ends its data on the day that it is told, and refuses days that have not ended", async () => {
    const moments = (images?.vehicles ?? []).flatMap(({ listed_at, sold_at, updated_at }) => [
      ...[listed_at, updated_at].map(String),
      ...(sold_at === null ? [] : [String(sold_at)]),
    ]);
    expect(moments.sort().at(-1)?.slice(0, 8)).toBe("2026-01-");
    for (const day of ["2025-12-31", "9999-12-31", "2026-02-30", "yesterday"])
      expect(await testCommands().run("seed", "--until", day)).toEqual({
        code: 2,
        out: "",
        err: "vehicle-inventory: --until: must be a day from 2026-01-01 to yesterday (UTC), as YYYY-MM-DD\n(--help explains the commands and options)\n",
      });
  });

  test("adds images to all but some of the newest vehicles unless told otherwise, one of them primary, and leaves the vehicles the same", () => {
    expect(without?.vehicle_images).toEqual([]);
    expect(Bun.hash(JSON.stringify(without?.vehicles))).toBe(Bun.hash(JSON.stringify(images?.vehicles)));
    const pictured = new Map<unknown, { primary: number; orders: unknown[]; made: unknown }>();
    for (const image of images?.vehicle_images ?? []) {
      const seen = pictured.get(image.vehicle_id) ?? { primary: 0, orders: [], made: image.image_url };
      seen.primary += Number(image.is_primary);
      seen.orders.push(image.display_order);
      pictured.set(image.vehicle_id, seen);
    }
    const vehicles = images?.vehicles ?? [];
    const bare = vehicles.filter(({ id }) => !pictured.has(id));
    for (const { listed_at } of bare) expect(String(listed_at) > "2026-01-17").toBe(true);
    for (const { id, model } of vehicles.filter((vehicle) => !bare.includes(vehicle))) {
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
    const program = migratedProgram();
    const written = await onTerminal(program, 100, "seed", "--dealers", "2", "--vehicles", "300", "--no-images");
    expect(written).toMatch(/vehicles \[-+\] 0% \| 0\/300/);
    expect(written).toMatch(/vehicles \[=+\] 100% \| 300\/300/);
    expect(written).toContain("Added 2 dealers and 300 vehicles");
  });
});

describe("the pictures of seed", () => {
  const SMALL = ["seed", "--dealers", "2", "--vehicles", inGate("3", "300"), "--until", "2026-01-31"];
  const program = migratedProgram();
  const pictured = (database: string) =>
    rowsOf(
      database,
      "SELECT vehicle_id, image_url, is_primary, display_order, placeholder FROM vehicle_images ORDER BY id",
    );
  const photosIn = (database: string) =>
    rowsOf(database, "SELECT photo_id, files, bytes, sha256 FROM photos ORDER BY photo_id");

  beforeAll(async () => expect(await program.run(...SMALL)).toMatchObject({ code: 0 }), TEST_TIMEOUT_MS);

  test("are photos that the storage holds, under the accounts of their vehicles' dealers", () => {
    const photos = photosIn(program.database);
    expect(photos.length).toBeGreaterThan(3);
    for (const { photo_id, files } of photos)
      for (const [name, hash] of Object.entries(JSON.parse(String(files)) as Record<string, string>)) {
        const file = readFileSync(program.path(join("images", String(photo_id).slice(0, 2), String(photo_id), name)));
        expect(Bun.SHA256.hash(file, "hex")).toBe(hash);
      }
    const faulty = `SELECT image_url FROM vehicle_images JOIN vehicles ON vehicles.id = vehicle_id
      LEFT JOIN photo_accounts ON photo_accounts.dealer_id = vehicles.dealer_id
      LEFT JOIN photos ON image_url = 'photo:' || account_hash || '/' || photo_id || '/public'
      WHERE photos.width IS NULL OR photos.width <> vehicle_images.width OR photos.placeholder <> vehicle_images.placeholder`;
    expect(rowsOf(program.database, faulty)).toEqual([]);
    const withoutPrimary = `SELECT vehicle_id FROM vehicle_images GROUP BY vehicle_id
      HAVING sum(is_primary = 1 AND display_order = 0) <> 1`;
    expect(rowsOf(program.database, withoutPrimary)).toEqual([]);
  });

  test("are the same for the same seed and day, also where the storage has them of an earlier database", async () => {
    const [images, photos] = [pictured(program.database), photosIn(program.database)];
    const again = testCommands();
    cpSync(program.path("images"), again.path("images"), { recursive: true });
    expect(await again.run(...SMALL)).toMatchObject({ code: 0 });
    expect(pictured(again.database)).toEqual(images);
    expect(photosIn(again.database)).toEqual(photos);
  });

  test("stop the command before it adds anything if the storage is away", async () => {
    const elsewhere = testCommands();
    const away = { IMAGE_STORAGE: "s3://photos", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };
    const ran = await elsewhere.runWith({ ...away, S3_ENDPOINT: "http://127.0.0.1:9" }, ...SMALL);
    expect([ran.code, ran.out]).toEqual([1, ""]);
    expect(ran.err).toStartWith("vehicle-inventory: the pictures cannot be stored; --no-images adds none: ");
    expect(rowsOf(elsewhere.database, "SELECT count(*) AS dealers FROM dealers")).toEqual([{ dealers: 0 }]);
  });

  test("are none with --no-images, and their storage is not made", async () => {
    const bare = testCommands();
    expect((await bare.run("seed", "--dealers", "1", "--vehicles", "2", "--no-images")).code).toBe(0);
    expect(rowsOf(bare.database, "SELECT id FROM vehicle_images")).toEqual([]);
    expect(existsSync(bare.path("images"))).toBe(false);
  });

  test("that cannot be stored end the command in one line; a defect is told whole", async () => {
    const place = testCommands();
    mkdirSync(place.path("images"));
    // No photo finds a place: the folders of all ids are files.
    for (let shelf = 0; shelf < 256; shelf++)
      writeFileSync(place.path(join("images", shelf.toString(16).padStart(2, "0"))), "");
    const one = ["seed", "--dealers", "1", "--vehicles", "3", "--until", "2026-01-31"];
    const { code, err } = await place.run(...one);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^vehicle-inventory: the pictures cannot be stored; [^\n]+\n$/),
    ]);
    const broken = testCommands();
    alter(
      broken.database,
      "CREATE TRIGGER refused BEFORE INSERT ON vehicles BEGIN SELECT RAISE(ABORT, 'a defect'); END",
    );
    expect((await broken.run(...one, "--no-images")).err).toMatch(/a defect[\s\S]*\n +at /);
  });
});
