import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeDealerRepository } from "../../../adapters/sql/dealers/repository.ts";
import { storedBases } from "../../../adapters/sql/imports/bases.ts";
import { makeRowWork } from "../../../adapters/sql/imports/row-steps.ts";
import { makePhotoRepository } from "../../../adapters/sql/photos/repository.ts";
import { nextTurn } from "../../../adapters/sql/query/turns.ts";
import { vehicleWordsIn } from "../../../adapters/sql/search/vehicle-words.ts";
import { makeVehicleRepository } from "../../../adapters/sql/vehicles/repository.ts";
import { imageAdded } from "../../../core/images/image-changes.ts";
import type { Merging } from "../../../core/imports/bases.ts";
import type { RowStep } from "../../../core/imports/import-repository.ts";
import type { BatchContext, ReadRow, RowResult } from "../../../core/imports/row-decision.ts";
import { makeRows, TURN_MS } from "../../../core/imports/rows.ts";
import { SeenRows } from "../../../core/imports/seen-rows.ts";
import { isSameValue } from "../../../core/imports/values/cell-readers.ts";
import type { RowValues } from "../../../core/imports/values/values.ts";
import type { VehicleFields } from "../../../core/vehicles/vehicle-repository.ts";
import { fakeClock } from "../../support/clock.ts";
import { ENGINES, type TestDatabase } from "../../support/engines.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../../support/records.ts";
import { storedImages } from "../../support/stored-images.ts";
import { superAdminKey } from "../callers.ts";

const [sqlite] = ENGINES;

const MOST_IMAGES = 100;
/** The changed images after which the rows of a step end. */
const IMAGES_OF_STEP = 200;
const CAR = { make: "Kia", model: "Rio", year: 2020, price: 9000 };
const MERGING: Merging = { source: "uploads", isOn: true, ownerOf: () => "file", formerlyCalled: () => [] };

let db: TestDatabase;
let dealer: number;
let other: number;
let vins = 0;

const newVin = (): string => `VIN${++vins}`;
const addressesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `https://a.example.com/${n}.jpg`);

beforeAll(async () => {
  db = await sqlite.open();
  const dealers = makeDealerRepository(db);
  dealer = (await dealers.insert(dealerFields({ unique_vin: "refuse" }), OPERATOR)).id;
  other = (await dealers.insert(dealerFields(), OPERATOR)).id;
});
afterAll(() => db.close());

const newVehicle = async (fields: Partial<VehicleFields> = {}, of = dealer): Promise<number> =>
  made(await makeVehicleRepository(db, vehicleWordsIn(db)).insert(vehicleFields(of, fields), OPERATOR)).id;

/** A row of a vehicle with this VIN. */
const rowOf = (
  vin: string,
  { fields = CAR, ...values }: Partial<RowValues> = {},
  dealerId: number | null = dealer,
): ReadRow => ({
  dealerId,
  values: {
    fields: { vin, ...fields },
    images: null,
    key: { vin, stock_number: null },
    exported: null,
    dealerId,
    errors: [],
    warnings: [],
    ...values,
  },
});

interface Applied {
  readonly results: readonly RowResult[];
  /** What was read and stored, in its order, with the number of what was named. */
  readonly calls: readonly string[];
  readonly pauses: number;
}

/** Processes rows within one step. Each reading of the clock takes `tickMs`. */
const applied = async (
  rows: readonly ReadRow[],
  context: Partial<BatchContext> = {},
  { tickMs = 0, now = MOMENT }: { readonly tickMs?: number; readonly now?: string } = {},
): Promise<Applied> => {
  const calls: string[] = [];
  let pauses = 0;
  let steadyMs = 0;
  const steadily = (): number => {
    steadyMs += tickMs;
    return steadyMs;
  };
  const apply = makeRows({
    clock: { ...fakeClock(Date.parse(now)), steadyMs: steadily },
    images: { max: MOST_IMAGES, issuesOf: () => [] },
    pause: async () => void pauses++,
  });
  /** The same function, which tells of each call first. */
  const told =
    <Args extends readonly unknown[], Result>(
      name: string | ((...args: Args) => string),
      work: (...args: Args) => Result,
    ) =>
    (...args: Args): Result => {
      calls.push(typeof name === "string" ? name : name(...args));
      return work(...args);
    };
  const watched = ({ reads, ...step }: RowStep): RowStep => ({
    ...step,
    reads: {
      ...reads,
      hasDealer: told((id) => `dealer ${id}`, reads.hasDealer),
      vehiclesWith: told((id, { keys }) => `vehicles of ${id} by ${keys.length}`, reads.vehiclesWith),
      refusedDuplicates: told("duplicates", reads.refusedDuplicates),
      imagesOf: told((ids) => `images of ${ids.length}`, reads.imagesOf),
      hasPhoto: told("photo", reads.hasPhoto),
      photosOf: told((id, addresses) => `photos of ${id} by ${addresses.length}`, reads.photosOf),
      basesOf: told((_, { dealerId, vehicleIds }) => `bases of ${dealerId}: ${vehicleIds.length}`, reads.basesOf),
      soldPricesOf: told((ids) => `sold prices of ${ids.length}`, reads.soldPricesOf),
    },
    storeBases: told((_, bases) => `store ${bases.length}`, step.storeBases),
  });
  const results = await makeRowWork(db, { words: vehicleWordsIn(db), pause: nextTurn }).begin()((step) =>
    apply(watched(step), rows, {
      by: superAdminKey(),
      seen: new SeenRows(),
      options: { mode: "upsert", match: "auto", images: "replace" },
      ...{ isCheck: false, resaleDays: 14, isLenient: true, nameOf: (field: string) => field, isSame: isSameValue },
      ...context,
    }),
  );
  return { results, calls, pauses };
};

const vehicle = async (id: number) => made(await makeVehicleRepository(db).find(id, null)).parse();
const imagesOf = async (id: number) => made(await storedImages(db).list(id, null, { limit: 500, offset: 0 })).items;
const baseOf = (id: number, source = "uploads") =>
  db.write(async (tx) => (await storedBases(db)(tx).basesOf(source, { dealerId: dealer, vehicleIds: [id] })).get(id));
const addImages = async (vehicleId: number, ...drafts: { image_url: string; is_primary: boolean }[]) => {
  for (const draft of drafts) await storedImages(db).add({ vehicleId, scope: null, now: MOMENT, by: OPERATOR, draft });
};

describe("of a batch is read", () => {
  test("nothing of vehicles, images and prices that no row can need", async () => {
    const { calls } = await applied([rowOf(newVin(), {}, other), rowOf(newVin()), rowOf(newVin(), {}, null)], {
      isCheck: true,
      merging: MERGING,
    });
    expect(calls).toEqual([
      ...[`vehicles of ${dealer} by 1`, `vehicles of ${other} by 1`],
      ...[`dealer ${other}`, `dealer ${dealer}`],
    ]);
    const images = addressesOf(1);
    const isNew = await applied([rowOf(newVin(), { images, fields: { ...CAR, sold_price: 1 } })], { isCheck: true });
    expect(isNew.calls).toEqual([`vehicles of ${dealer} by 1`, `dealer ${dealer}`]);
    const vin = newVin();
    await newVehicle({ vin });
    expect((await applied([rowOf(vin)], { isCheck: true })).calls).toEqual(isNew.calls);
  });

  test("what one of its rows needs, for all of its vehicles", async () => {
    const [first, second] = [newVin(), newVin()];
    for (const vin of [first, second]) await newVehicle({ vin });
    const rows = [
      rowOf(first),
      rowOf(second, { images: addressesOf(3), fields: { ...CAR, status: "sold", sold_price: 8000 } }),
    ];
    const { calls } = await applied(rows, { isCheck: true, merging: MERGING, knowsPhotos: true });
    expect(calls).toEqual([
      ...[`vehicles of ${dealer} by 2`, "images of 2", "sold prices of 2", `bases of ${dealer}: 2`],
      ...[`photos of ${dealer} by 3`, `dealer ${dealer}`],
    ]);
    expect((await applied(rows, { isCheck: true })).calls).toEqual([
      ...[`vehicles of ${dealer} by 2`, "images of 2", "sold prices of 2", `dealer ${dealer}`],
    ]);
  });

  test("what sold vehicles were sold for, which a row may say again", async () => {
    const vin = newVin();
    await newVehicle({ vin });
    const sold = (sold_price: number) => rowOf(vin, { fields: { status: "sold", sold_price } });
    await applied([sold(8000)]);
    expect((await applied([sold(8000)])).results).toMatchObject([{ outcome: "unchanged", changes: {} }]);
    expect((await applied([sold(7900)])).results[0]?.changes).toEqual({ sold_price: [8000, 7900] });
  });
});

describe("rows that are only checked", () => {
  test("change nothing, and are not ended by their images", async () => {
    const vin = newVin();
    const id = await newVehicle({ vin, price: 8500 });
    const before = await vehicle(id);
    const rows = [rowOf(vin), ...Array.from({ length: 5 }, () => rowOf(newVin(), { images: addressesOf(50) }))];
    const { results, calls } = await applied(rows, { isCheck: true, merging: MERGING });
    expect(results.map(({ outcome }) => outcome)).toEqual(["updated", ...Array(5).fill("created")]);
    expect(results.map(({ vehicle_id }) => vehicle_id)).toEqual([id, ...Array(5).fill(null)]);
    expect(calls.filter((call) => call.startsWith("store"))).toEqual([]);
    expect(await vehicle(id)).toEqual(before);
  });
});

test("rows end their step once they change so many images, and not before", async () => {
  const rows = Array.from({ length: 6 }, () => rowOf(newVin(), { images: addressesOf(IMAGES_OF_STEP / 4) }));
  expect((await applied(rows)).results).toHaveLength(4);
  // Images that are replaced count, too.
  const again = rows.map((row) => ({ ...row, values: { ...row.values, images: ["https://b.example.com/1.jpg"] } }));
  expect((await applied(again)).results.map(({ outcome }) => outcome)).toEqual(Array(4).fill("updated"));
});

describe("a row is refused", () => {
  const strictly = { isLenient: false, refusesDuplicates: true } as const;
  const byStock = { ...strictly, options: { mode: "upsert", match: "stock_number", images: "exactly" } } as const;
  const foreign = `photo:${"a".repeat(32)}/${"b".repeat(32)}/public`;
  const withStock = (vin: string, values: Partial<RowValues> = {}) => {
    const stock_number = `S${vin}`;
    return rowOf(vin, { fields: { ...CAR, stock_number }, key: { vin, stock_number }, ...values });
  };

  test("if its dealer refuses the VIN of another vehicle, and nothing more is read of it", async () => {
    const vin = newVin();
    await newVehicle({ vin });
    const row = withStock(vin, { images: [foreign] });
    const refused = await applied([row], byStock);
    expect(refused.results).toMatchObject([{ outcome: "failed", errors: [{ path: "vin" }], vehicle_id: null }]);
    expect(refused.calls.filter((call) => call === "duplicates" || call === "photo")).toEqual(["duplicates"]);
    // Rows of files may repeat them.
    const taken = await applied([row], { options: byStock.options });
    expect(taken.results).toMatchObject([{ outcome: "created" }]);
    expect(taken.calls).not.toContain("duplicates");
  });

  test("if it names a photo that its dealer does not have, and no other", async () => {
    const vin = newVin();
    const refused = await applied([withStock(vin, { images: [foreign] })], byStock);
    expect(refused.results).toMatchObject([{ outcome: "failed", errors: [{ path: "images", code: "value_invalid" }] }]);
    expect(refused.calls.filter((call) => call === "photo")).toHaveLength(1);

    const vehicleId = await newVehicle();
    const change = { vehicleId, scope: null, now: MOMENT, by: OPERATOR };
    const photo = {
      ...{ photoId: "1".repeat(32), sha256: "hash", width: 640, height: 480, bytes: 1000 },
      ...{ placeholder: "data:image/png;base64,AAAA", files: { "public.jpg": "hash of the file" } },
    };
    await makePhotoRepository(db).change(change, { sha256: photo.sha256, photo }, (present, image_url) =>
      imageAdded(present, { image_url }, MOST_IMAGES),
    );
    const own = (await imagesOf(vehicleId)).map(({ image_url }) => image_url);
    expect(own[0]).toStartWith("photo:");
    const [result] = (await applied([withStock(vin, { images: own })], byStock)).results;
    expect(result).toMatchObject({ outcome: "created", errors: [] });
    expect((await imagesOf(result?.vehicle_id ?? 0)).map(({ image_url }) => image_url)).toEqual(own);
  });
});

describe("what a file says is kept", () => {
  test("of new vehicles and of others, if it is news, and only if files are compared", async () => {
    const vin = newVin();
    const images = addressesOf(2);
    const said = { ...CAR, sold_price: null };
    const row = rowOf(vin, { fields: said, images });
    const first = await applied([row], { merging: MERGING });
    const id = first.results[0]?.vehicle_id ?? 0;
    expect(first.calls.filter((call) => call.startsWith("store"))).toEqual(["store 1"]);
    expect(first.pauses).toBe(2);
    expect(await baseOf(id)).toEqual({ vin, ...said, images, images_then: null });

    const again = await applied([row], { merging: MERGING });
    expect([again.results[0]?.outcome, again.pauses]).toEqual(["unchanged", 1]);
    expect(again.calls.filter((call) => call.startsWith("store"))).toEqual([]);

    const news = rowOf(vin, { fields: { price: 8900 } });
    const unmerged = await applied([news]);
    expect([unmerged.results[0]?.outcome, unmerged.pauses]).toEqual(["updated", 1]);
    expect((await baseOf(id))?.price).toBe(9000);
    // Also a file that overwrites all is what the next one is compared with.
    await applied([news], { merging: { ...MERGING, isOn: false } });
    expect((await baseOf(id))?.price).toBe(8900);
  });

  test("by whether people have changed it since: then it stays", async () => {
    const vin = newVin();
    const row = rowOf(vin);
    const id = (await applied([row], { merging: MERGING })).results[0]?.vehicle_id ?? 0;
    await applied([rowOf(vin, { fields: { price: 7 } })]);
    expect((await applied([row], { merging: MERGING })).results[0]).toMatchObject({
      outcome: "unchanged",
      kept: [{ field: "price", file: 9000, ours: 7 }],
    });
    expect((await applied([row])).results[0]?.changes).toEqual({ price: [7, 9000] });
    expect((await vehicle(id)).price).toBe(9000);
  });
});

describe("of complete images", () => {
  const [first = "", second = "", third = ""] = addressesOf(3);
  const exactly = { options: { mode: "upsert", match: "auto", images: "exactly" } } as const;
  /** The addresses of a vehicle whose images are marked so, after a row; the main one has a star. */
  const after = async (
    marked: readonly (readonly [address: string, isPrimary: boolean])[],
    sent: Partial<RowValues>,
    context: Partial<BatchContext> = exactly,
  ): Promise<string[]> => {
    const vin = newVin();
    const id = await newVehicle({ vin });
    await addImages(id, ...marked.map(([image_url, is_primary]) => ({ image_url, is_primary })));
    await applied([rowOf(vin, { ...sent, fields: {} })], context);
    return (await imagesOf(id)).map(({ image_url, is_primary }) => `${image_url}${is_primary ? "*" : ""}`);
  };

  test("the named one is the main one, or else the first", async () => {
    const of = [
      [first, false],
      [second, true],
    ] as const;
    expect(await after(of, { images: [first, second] })).toEqual([`${first}*`, second]);
    expect(await after(of, { images: [first, second, third], primary: third })).toEqual([first, second, `${third}*`]);
  });

  test("of a file's images, the main one stays as long as the first does", async () => {
    const of = [
      [first, false],
      [second, true],
    ] as const;
    const inFile = { options: { ...exactly.options, images: "replace" } } as const;
    expect(await after(of, { images: [first, second, third] }, inFile)).toEqual([first, `${second}*`, third]);
  });
});

test("a row that changes nothing but the images changes its vehicle all the same", async () => {
  const vin = newVin();
  const id = await newVehicle({ vin });
  const now = momentAfter(60_000);
  const { results } = await applied([rowOf(vin, { fields: {}, images: addressesOf(1) })], {}, { now });
  expect(results[0]?.outcome).toBe("updated");
  expect((await vehicle(id)).updated_at).toBe(now);
});

test("others have their turn whenever rows have taken so long, and only then", async () => {
  const rows = Array.from({ length: 9 }, () => rowOf(newVin(), {}, null));
  expect((await applied(rows)).pauses).toBe(1);
  // Before the second, fourth, sixth and eighth row, and at the end.
  expect((await applied(rows, {}, { tickMs: TURN_MS / 2 })).pauses).toBe(5);
});
