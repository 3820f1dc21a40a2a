import { describe, expect, test } from "bun:test";
import type { Cell } from "../../../core/imports/file/file.ts";
import { columnsOf } from "../../../core/imports/headings/columns.ts";
import { foldHeading } from "../../../core/imports/headings/fold-heading.ts";
import { KNOWN_VALUES, TAUGHT_FIELDS, type TaughtField } from "../../../core/imports/values/known-values.ts";
import { issuesOfValues, type OwnValues, ownValuesIn, withOwnValues } from "../../../core/imports/values/own-values.ts";
import { guessOf, valueKnower, withUnknownValues } from "../../../core/imports/values/unknown-values.ts";
import { type RowValues, valuesReader } from "../../../core/imports/values/values.ts";

const valuesOf = (row: Readonly<Record<string, Cell>>, values: OwnValues = {}): RowValues => {
  const columns = columnsOf(Object.keys(row), {});
  if ("code" in columns) throw new Error(columns.message);
  return valuesReader(columns, { decimal: "auto", empty: "keep", values })(Object.values(row));
};

const knows = (field: TaughtField, text: string): boolean => valueKnower(field)(text);

describe("words of a file whose meaning somebody said", () => {
  test("are read as that, whatever their case, accents and signs, and others as they are", () => {
    const said: OwnValues = { fuel_type: { "Super-Benzin": "Gasoline" }, status: { Hof: "available" } };
    const of = (fuel: string, status: string) =>
      valuesOf({ Make: "Kia", Model: "Rio", Fuel: fuel, Status: status }, said);
    expect(of("super benzin", " HOF ").fields).toMatchObject({ fuel_type: "Gasoline", status: "available" });
    expect(of("Super Benzin", "Hof").unknown).toBeUndefined();
    expect(of("Sonne", "Lager").fields).not.toHaveProperty("status");
    expect(of("Sonne", "Lager").unknown).toEqual([
      { field: "fuel_type", value: "Sonne" },
      { field: "status", value: "Lager" },
    ]);
  });

  test("mean nothing in a file that the service wrote, nor by the names of the language", () => {
    const own = { id: 1, created_at: "2026-01-01T00:00:00.000Z", vin: "A1", fuel_type: "Benzin" };
    const read = valuesOf(own, { fuel_type: { Benzin: "Gasoline" } });
    expect([read.fields.fuel_type, read.unknown]).toEqual(["Benzin", undefined]);
    expect(valuesOf({ VIN: "A1", Fuel: "constructor" }, { fuel_type: { A: "B" } }).fields.fuel_type).toBe(
      "constructor",
    );
  });

  test("are those of the mapping, with the request's in their place", () => {
    expect(
      withOwnValues(
        { fuel_type: { A: "1", B: "2" }, condition: {} },
        { fuel_type: { B: "3" }, body_style: { C: "4" } },
      ),
    ).toEqual({ fuel_type: { A: "1", B: "3" }, body_style: { C: "4" } });
  });

  const many = Object.fromEntries(Array.from({ length: 201 }, (_, place) => [`w${place}`, "x"]));
  const REFUSED: readonly (readonly [name: string, values: unknown, paths: readonly string[]])[] = [
    ["of unknown fields", { price: { a: "b" }, vin: {} }, ["values.price", "values.vin"]],
    ["that mean no status", { status: { Hof: "yard", Weg: "sold" } }, ["values.status.Hof"]],
    [
      "that mean nothing, or too much",
      { condition: { a: " ", b: "x".repeat(101), c: 5 } },
      ["a", "b", "c"].map((word) => `values.condition.${word}`),
    ],
    [
      "that no database stores",
      { condition: { "a\0": "new", b: "new\0", "c\ud800": "new", d: "\udc00" } },
      ["a\0", "b", "c\ud800", "d"].map((word) => `values.condition.${word}`),
    ],
    ["without letters or digits", { condition: { "??": "new" } }, ["values.condition.??"]],
    ["twice with two meanings", { condition: { Neu: "new", "neu!": "used", NEU: "new" } }, ["values.condition.neu!"]],
    ["too many of them", { condition: many }, ["values.condition"]],
    ["in a list", [], ["values"]],
    ["that are too long in all", { condition: { a: "x".repeat(20_000) } }, ["values"]],
  ];
  for (const [name, values, paths] of REFUSED)
    test(`are refused by field and word: ${name}`, () => {
      expect(issuesOfValues(values).map(({ path }) => path)).toEqual([...paths]);
    });

  test("are refused in a request unless they are JSON", () => {
    expect(ownValuesIn("{")).toMatchObject({ cause: { issues: [{ path: "values" }] } });
    expect(ownValuesIn(undefined)).toEqual({});
  });
});

describe("a value that the service does not know", () => {
  test("is none of its own and none in English, and is guessed from the words of other languages", () => {
    const UNKNOWN: readonly (readonly [TaughtField, text: string, guess: string | null])[] = [
      ["fuel_type", "Benzin", "Gasoline"],
      ["fuel_type", "Gasóleo", "Diesel"],
      ["transmission", "Boîte automatique", "Automatic"],
      ["transmission", "Automatik 8-Gang", "Automatic"],
      ["drivetrain", "trazione anteriore", "FWD"],
      ["body_style", "Kombi", "Wagon"],
      ["exterior_color", "Rot metallic", "Red"],
      ["exterior_color", "Nardo", null],
      ["condition", "Jahreswagen", "used"],
      ["status", "im Zulauf", "pending"],
    ];
    for (const [field, text, guess] of UNKNOWN)
      expect([text, knows(field, text), guessOf(field, text)]).toEqual([text, false, guess]);
    const KNOWN: readonly (readonly [TaughtField, string])[] = [
      ...([
        ["fuel_type", "Diesel"],
        ["fuel_type", "Unleaded"],
        ["transmission", "CVT"],
        ["drivetrain", "4x4"],
      ] as const),
      ...([
        ["body_style", "4D Sedan"],
        ["exterior_color", "Alpine White"],
        ["exterior_color", "Grey"],
      ] as const),
      ...([
        ["condition", "gebraucht"],
        ["status", "verkauft"],
        ["status", "neu"],
        ["fuel_type", "x".repeat(101)],
      ] as const),
      ["exterior_color", "***"],
    ];
    for (const [field, text] of KNOWN) expect([text, knows(field, text)]).toEqual([text, true]);
  });

  test("is not listed if no database stores it: one such value would stop the imports of everybody", () => {
    for (const text of ["Sonne\0", "Sonne\ud800", "\udc00"]) {
      expect(valuesOf({ Make: "Kia", Fuel: text }).unknown).toBeUndefined();
      expect(valuesOf({ Make: "Kia", Fuel: text }).fields.fuel_type).toBe(text);
    }
  });

  test("is listed once for its spellings with its rows, up to 30 of a field and 100 of a file", () => {
    const counted = withUnknownValues(
      [{ field: "fuel_type", value: "Benzin", count: 4 }],
      [
        { field: "fuel_type", value: "BENZIN" },
        { field: "body_style", value: "benzin" },
      ],
    );
    expect(counted).toEqual([
      { field: "fuel_type", value: "Benzin", count: 5 },
      { field: "body_style", value: "benzin", count: 1 },
    ]);
    const distinct = TAUGHT_FIELDS.flatMap((field) =>
      Array.from({ length: 50 }, (_, place) => ({ field, value: `word ${place}` })),
    );
    const listed = withUnknownValues([], distinct);
    expect(listed).toHaveLength(100);
    expect(listed.filter(({ field }) => field === "status")).toHaveLength(30);
    expect(withUnknownValues(listed, [{ field: "status", value: "word 3" }])[3]).toMatchObject({ count: 2 });
  });

  test("has one guess: no word of the table stands for two values of a field", () => {
    for (const field of TAUGHT_FIELDS) {
      const words = Object.values<readonly string[]>(KNOWN_VALUES[field]).flat().map(foldHeading);
      expect(words.filter((word, place) => words.indexOf(word) !== place)).toEqual([]);
      // A word that is read already is never listed.
      if (field === "status" || field === "condition") expect(words.filter((word) => knows(field, word))).toEqual([]);
    }
  });
});
