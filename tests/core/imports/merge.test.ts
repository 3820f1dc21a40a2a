import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { baseAfter, mergedImages, sourceOf } from "../../../core/imports/bases.ts";
import { type Base, isEqual, mergedField, mergedRow } from "../../../core/imports/merge.ts";
import { isSameValue } from "../../../core/imports/values/cell-readers.ts";
import { type Owner, ownerAmong } from "../../../core/settings/field-owners.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { MOMENT, vehicleFields } from "../../support/records.ts";

const NOTHING = undefined;

describe("a field after a file", () => {
  // Every case of (base, file, record): [last file, file, record, whose value if the file owns it, and if the hand does]
  const CASES = [
    [NOTHING, 1, 1, "both", "both"],
    [NOTHING, 1, 2, "file", "file"],
    [1, 1, 1, "both", "both"],
    [1, 1, 2, "record", "record"],
    [1, 2, 1, "file", "file"],
    [1, 2, 2, "both", "both"],
    [1, 2, 3, "file", "record"],
    // An emptied value is one like any other.
    [1, null, 1, "file", "file"],
    [1, null, 2, "file", "record"],
    [null, 1, null, "file", "file"],
    [null, null, 1, "record", "record"],
    [1, 1, null, "record", "record"],
    [null, 1, 2, "file", "record"],
  ] as const;
  for (const [base, file, record, ofFile, ofHand] of CASES)
    test(`that said ${base} and says ${file}, where the record has ${record}: ${ofFile}, or ${ofHand} if it is the hand's`, () => {
      const verdict = (owner: Owner) => mergedField({ base, file, record, owner });
      expect([verdict("file"), verdict("hand")]).toEqual([ofFile, ofHand]);
    });
});

const vehicle = (fields: Partial<Vehicle> = {}): Vehicle => ({
  ...vehicleFields(1, { make: "Honda", model: "Civic", year: 2020, price: 100, ...fields }),
  id: 1,
});

const merge = (file: object, record: Partial<Vehicle>, base: Base | null, owner = ownerAmong({})) => {
  const present = vehicle(record);
  return mergedRow({
    file: { ...file },
    vehicle: present,
    record: { ...present },
    base,
    ownerOf: owner,
    isSame: isSameValue,
  });
};

describe("a row", () => {
  test("takes what only the file changed, and tells what stays", () => {
    expect(
      merge(
        { price: 90, mileage: 500, description: "Old", trim: "EX" },
        { price: 100, mileage: 450, description: "Written by hand", trim: "Sport" },
        { price: 100, mileage: 500, description: "Older", trim: "LX" },
      ),
    ).toEqual({
      taken: { price: 90 },
      kept: [
        { field: "mileage", file: 500, ours: 450 },
        { field: "description", file: "Old", ours: "Written by hand" },
        { field: "trim", file: "EX", ours: "Sport" },
      ],
    });
  });

  test("of a first file is taken as it is", () => {
    expect(merge({ price: 90, description: "File" }, { description: "Hand" }, null)).toEqual({
      taken: { price: 90, description: "File" },
      kept: [],
    });
  });

  test("with a field that the last file did not have leaves what people wrote into it", () => {
    const base = { price: 100 };
    expect(merge({ description: "File" }, { description: "Hand" }, base).taken).toEqual({});
    expect(merge({ description: "File" }, { description: null }, base).taken).toEqual({ description: "File" });
    expect(merge({ title: "Nice" }, { title: "2020 Honda Civic" }, base).taken).toEqual({ title: "Nice" });
    expect(merge({ publish: 0 }, { publish: 1 }, base).taken).toEqual({ publish: 0 });
    expect(merge({ mileage: 7 }, { mileage: 5 }, base).taken).toEqual({ mileage: 7 });
  });

  test("takes no stage, date or price of a sale if its status is not taken", () => {
    const base = { status: "available", stage: "in_prep" };
    expect(merge({ status: "available", stage: "due_in" }, { status: "sold", sold_at: MOMENT }, base)).toEqual({
      taken: {},
      kept: [
        { field: "status", file: "available", ours: "sold" },
        { field: "stage", file: "due_in", ours: null },
      ],
    });
    expect(merge({ stage: "due_in" }, { status: "sold" }, { stage: null }).taken).toEqual({});
    expect(merge({ status: "pending", stage: "deposit" }, { status: "available" }, base).taken).toEqual({
      status: "pending",
      stage: "deposit",
    });
  });

  test("takes a stage of the status that the vehicle keeps, and one that is cleared", () => {
    const hand = ownerAmong({ status: "hand" });
    const base = { status: "available", stage: "in_prep" };
    expect(merge({ stage: "deposit" }, { status: "pending", stage: "in_prep" }, base, hand)).toEqual({
      taken: { stage: "deposit" },
      kept: [],
    });
    expect(merge({ stage: null }, { status: "available", stage: "in_prep" }, base).taken).toEqual({ stage: null });
    // Where no file said anything before, a stage of another status is not passed over: it is refused.
    expect(merge({ stage: "deposit" }, { status: "available" }, null).taken).toEqual({ stage: "deposit" });
  });

  test("takes nothing else of a sale that was taken back by hand, and all that is not of the sale", () => {
    const base = { status: "sold", sold_at: "2026-01-01T00:00:00.000Z", mileage: 5 };
    const file = { status: "sold", sold_at: MOMENT, sold_price: 90, mileage: 7 };
    expect(merge(file, { status: "available", sold_at: null, mileage: 5 }, base)).toStrictEqual({
      taken: { mileage: 7 },
      kept: [
        { field: "status", file: "sold", ours: "available" },
        { field: "sold_at", file: MOMENT, ours: null },
        { field: "sold_price", file: 90, ours: null },
      ],
    });
  });

  test("with a price that no file said before is taken, whoever owns it: what it was without a file is not known", () => {
    const hand = ownerAmong({ price: "hand", mileage: "hand" });
    expect(merge({ price: 90, mileage: 7 }, { price: 100, mileage: 5 }, { trim: "EX" }, hand).taken).toEqual({
      price: 90,
    });
  });

  test("is compared as files are read: words for the same are no correction", () => {
    expect(merge({ condition: "used" }, { condition: "Pre-Owned" }, { condition: "new" })).toEqual({
      taken: {},
      kept: [],
    });
  });
});

describe("the owner of a field", () => {
  test("is by default the hand for what people write better, and the file for all else", () => {
    const owner = ownerAmong({});
    for (const field of [
      "description",
      "title",
      "trim",
      "features",
      "images",
      "exterior_color",
      "interior_color",
      "publish",
      "featured",
    ])
      expect([field, owner(field)]).toEqual([field, "hand"]);
    for (const field of [
      "make",
      "vin",
      "price",
      "mileage",
      "status",
      "stage",
      "stock_number",
      "listed_at",
      "sold_at",
      "condition",
      "body_style",
    ])
      expect([field, owner(field)]).toEqual([field, "file"]);
  });

  test("is what the source says, else what the installation says", () => {
    const owner = ownerAmong({ price: "hand", title: "file" }, { title: "hand", trim: "file" });
    expect([owner("price"), owner("title"), owner("trim"), owner("mileage")]).toEqual(["hand", "hand", "file", "file"]);
  });
});

describe("what is kept of a file", () => {
  test("is its values and those of earlier files that it left out, and nothing new if it said the same", () => {
    expect(baseAfter(null, { price: 1 })).toEqual({ price: 1 });
    expect(baseAfter({ price: 1, trim: "EX" }, { price: 2 })).toEqual({ price: 2, trim: "EX" });
    expect(baseAfter({ price: 1, images: ["a", "b"] }, { price: 1, images: ["a", "b"] })).toBeNull();
    expect(baseAfter({ images: ["a", "b"] }, { images: ["b", "a"] })).toEqual({ images: ["b", "a"] });
  });

  test("belongs to the import source, else to the mapping, else to all uploads", () => {
    expect([
      sourceOf({ sourceId: 3, options: { mapping: 4 } }),
      sourceOf({ sourceId: null, options: { mapping: 4 } }),
      sourceOf({ sourceId: null, options: {} }),
    ]).toEqual(["source:3", "mapping:4", "uploads"]);
  });
});

describe("the images of a row", () => {
  const merging = { source: "uploads", isOn: true, formerlyCalled: () => [], ownerOf: ownerAmong({}) };
  const images = (
    file: string,
    record: string,
    base: Base | null,
    way: "replace" | "append" | "keep" = "replace",
    owner = merging,
  ) => {
    const present = [...record].map((address, id) => ({ id, address, isPrimary: id === 0 }));
    const { wanted, kept } = mergedImages({ images: [...file] }, present, { way, base, merging: owner });
    return [wanted?.join("") ?? null, kept.length];
  };
  // [file, record, last file, what happens to the images, how the vehicle has them then, how many values are told]
  for (const [file, record, before, way, then, told] of [
    ["ab", "ab", "ab", "replace", null, 0],
    ["ab", "ba", "ab", "replace", null, 1],
    ["abc", "ab", "ab", "replace", "abc", 0],
    ["abc", "ax", "ab", "replace", null, 1],
    ["ab", "", "ab", "replace", null, 1],
    ["ab", "x", null, "replace", "ab", 0],
    ["ab", "a", "ab", "append", null, 0],
    ["abc", "a", "ab", "append", "ac", 0],
    ["ab", "", "ab", "keep", null, 0],
    ["ab", "", "a", "keep", null, 0],
  ] as const)
    test(`${file} with ${way} for a vehicle with "${record}" after ${before}: ${then}`, () => {
      expect(images(file, record, before === null ? null : { images: [...before] }, way)).toEqual([then, told]);
    });

  test("that were added to others, or not taken, are no corrections for a file that replaces them", () => {
    const after = { images: ["e"], images_then: ["c", "b"] };
    expect(images("x", "cb", after)).toEqual(["x", 0]);
    expect(images("x", "c", after)).toEqual([null, 1]);
    const said = (file: string, record: string, way: "append" | "keep") =>
      mergedImages(
        { images: [...file] },
        [...record].map((address, id) => ({ id, address, isPrimary: false })),
        { way, base: null, merging },
      ).said;
    expect(said("b", "a", "append")).toEqual({ images: ["b"], images_then: ["a", "b"] });
    expect(said("b", "a", "keep")).toEqual({ images: ["b"], images_then: ["a"] });
    expect(said("b", "", "keep")).toEqual({ images: ["b"], images_then: null });
  });

  test("are the file's if it owns them, or if nothing is merged", () => {
    const base = { images: ["a"] };
    expect(images("b", "x", base, "replace", { ...merging, ownerOf: () => "file" })).toEqual(["b", 0]);
    expect(images("b", "x", base, "replace", { ...merging, isOn: false })).toEqual(["b", 0]);
  });
});

test("whatever files and people write, no correction is lost and nothing of the file is stale", () => {
  const value = fc.nat(3);
  const steps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant("file" as const), value }),
      fc.record({ kind: fc.constant("hand" as const), value }),
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(steps, fc.constantFrom<Owner>("file", "hand"), (all, owner) => {
      let [base, record]: [number | undefined, number] = [undefined, 0];
      // The last writer whose value must stand: a person, as long as the file stays the same or the hand owns the field.
      let [must, isHands] = [0, false];
      for (const step of all) {
        if (step.kind === "hand") {
          record = step.value;
          must = step.value;
          isHands = step.value !== base;
          continue;
        }
        const verdict = mergedField({ base, file: step.value, record, owner });
        if (verdict === "file") record = step.value;
        const isNews = base === undefined || base !== step.value;
        if (isNews && !(isHands && owner === "hand" && base !== undefined)) must = step.value;
        base = step.value;
        isHands = record !== base;
        expect(record).toBe(must);
      }
    }),
  );
});

test("a list is equal to a list of the same values, and to no text of them", () => {
  const values = ["a", "b"];
  expect([isEqual(values, [...values]), isEqual(values, ["a"]), isEqual(values, ["a", "c"])]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isEqual(values, "ab"), isEqual("ab", values), isEqual("ab", "ab")]).toEqual([false, false, true]);
});
