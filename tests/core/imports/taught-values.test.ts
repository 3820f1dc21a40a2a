import { describe, expect, test } from "bun:test";
import type { Cell } from "../../../core/imports/file/file.ts";
import { columnsOf } from "../../../core/imports/headings/columns.ts";
import { foldHeading } from "../../../core/imports/headings/fold-heading.ts";
import { KNOWN_VALUES, TAUGHT_FIELDS, type TaughtField } from "../../../core/imports/values/known-values.ts";
import { issuesOfValues, type OwnValues, ownValuesIn, withOwnValues } from "../../../core/imports/values/own-values.ts";
import {
  answeredValues,
  type CountedValue,
  guessOf,
  type UnknownValue,
  valueKnower,
  withUnknownValues,
} from "../../../core/imports/values/unknown-values.ts";
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

  test("are the request's for all spellings of a word, where the mapping has another one", () => {
    const said = withOwnValues(
      { fuel_type: { Super: "Gasoline", Strom: "Electric" } },
      { fuel_type: { "SUPER!": "LPG" } },
    );
    expect(said).toEqual({ fuel_type: { "SUPER!": "LPG", Strom: "Electric" } });
    const fuel = (text: string) => valuesOf({ Make: "Kia", Fuel: text }, said).fields.fuel_type;
    expect(["Super", "super", "SUPER!", "strom"].map(fuel)).toEqual(["LPG", "LPG", "LPG", "Electric"]);
  });

  test("are short: what is longer, with its signs as well, means nothing", () => {
    const fuel = (text: string) =>
      valuesOf({ Make: "Kia", Fuel: text }, { fuel_type: { Super: "LPG" } }).fields.fuel_type;
    expect([fuel("super".padEnd(100, "!")), fuel("super".padEnd(101, "!"))]).toEqual(["LPG", "super".padEnd(101, "!")]);
  });

  const many = Object.fromEntries(Array.from({ length: 201 }, (_, place) => [`w${place}`, "x"]));
  test("are as many and as long as is said, and no more", () => {
    const longest = { condition: { ["w".repeat(100)]: "x".repeat(100) } };
    const most = { condition: Object.fromEntries(Object.entries(many).slice(1)) };
    const empty = JSON.stringify({ condition: { a: "" } }).length;
    expect([issuesOfValues(longest), issuesOfValues(most)]).toEqual([[], []]);
    const inAll = (length: number) => issuesOfValues({ condition: { a: "x".repeat(length - empty) } });
    expect([inAll(20_000), inAll(20_001)]).toMatchObject([[{ path: "values.condition.a" }], [{ path: "values" }]]);
  });

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
    ["that are too long", { condition: { ["w".repeat(101)]: "new" } }, [`values.condition.${"w".repeat(60)}…`]],
    [
      "in no object",
      { condition: null, status: "sold", fuel_type: ["LPG"] },
      ["condition", "status", "fuel_type"].map((field) => `values.${field}`),
    ],
    ["in a list", [], ["values"]],
    ["in nothing", null, ["values"]],
    ["in a text", "status", ["values"]],
    ["that are too long in all", { condition: { a: "x".repeat(20_000) } }, ["values"]],
  ];
  for (const [name, values, paths] of REFUSED)
    test(`are refused by field and word: ${name}`, () => {
      expect(issuesOfValues(values).map(({ path }) => path)).toEqual([...paths]);
    });

  test("are refused in a request unless they are JSON", () => {
    expect(ownValuesIn("{")).toMatchObject({ cause: { issues: [{ path: "values" }] } });
    expect(ownValuesIn('{"status": {"Hof": "yard", "Weg": "gone"}}')).toMatchObject({
      cause: { issues: [{ path: "values.status.Hof" }, { path: "values.status.Weg" }] },
    });
    expect(ownValuesIn('{"status": {"Hof": "available"}}')).toEqual({ status: { Hof: "available" } });
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
      ["exterior_color", "Metallic, rot", "Red"],
      ["exterior_color", "x".repeat(100), null],
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
        ["drivetrain", "A.W.D."],
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
    expect(guessOf("exterior_color", "***")).toBeNull();
  });

  test("is not listed if no database stores it: one such value would stop the imports of everybody", () => {
    for (const text of ["Sonne\0", "Sonne\ud800", "\udc00"]) {
      const { fields, unknown, skipped } = valuesOf({ VIN: "A1", Make: "Kia", Model: "Rio", Fuel: text });
      expect([fields.fuel_type, unknown, skipped]).toEqual([text, undefined, undefined]);
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
    const of = (field: TaughtField, count: number) => distinct.filter((one) => one.field === field).slice(0, count);
    const counts = (more: readonly UnknownValue[], known: readonly CountedValue[]) => {
      const all = withUnknownValues(known, more);
      return [all.filter(({ field }) => field === "status").length, all.length];
    };
    // The next rows go on from what is listed.
    const first = withUnknownValues([], [...of("status", 29), ...of("condition", 30)]);
    expect(counts(of("status", 50), first)).toEqual([30, 60]);
    expect(counts([...of("fuel_type", 50), ...of("body_style", 50)], first)).toEqual([29, 100]);
  });

  test("is answered with its heading and guess, by field, the most frequent first", () => {
    const values: readonly CountedValue[] = [
      { field: "fuel_type", value: "Sonne", count: 1 },
      { field: "status", value: "Hof", count: 1 },
      { field: "fuel_type", value: "Benzin", count: 2 },
    ];
    expect(answeredValues(values, (field) => `the ${field}`)).toEqual([
      { field: "status", heading: "the status", value: "Hof", count: 1, guess: null },
      { field: "fuel_type", heading: "the fuel_type", value: "Benzin", count: 2, guess: "Gasoline" },
      { field: "fuel_type", heading: "the fuel_type", value: "Sonne", count: 1, guess: null },
    ]);
  });

  test("has one guess: no word of the table stands for two values of a field", () => {
    for (const field of TAUGHT_FIELDS) {
      const words = Object.values<readonly string[]>(KNOWN_VALUES[field]).flat().map(foldHeading);
      expect(words.filter((word, place) => words.indexOf(word) !== place)).toEqual([]);
      // A shorter word says too little where it stands among others.
      expect(words.filter((word) => word.length < 3)).toEqual([]);
      // A word that is read already is never listed.
      if (field === "status" || field === "condition") expect(words.filter((word) => knows(field, word))).toEqual([]);
    }
  });
});
