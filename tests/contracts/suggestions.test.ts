import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { Sql, SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeSuggestionRepository } from "../../adapters/sql/suggestions/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { Suggestion } from "../../core/suggestions/suggestion.ts";
import { makeSuggestions } from "../../core/suggestions/suggestions.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { dealerKey, superAdminKey } from "../core/callers.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { addVehicles } from "../support/many-vehicles.ts";
import { dealerFields, made, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const DEALERS = [1, 2] as const;
const MAKES = ["Toyota", "TOYOTA", "Tatra", "Škoda", "skoda", "Mercedes-Benz", "Лада"];
const MODELS = ["Camry", "Corolla", "F-150", "Octavia Combi", "Нива"];
const STOCK = ["T100", "A-10.42", "a1042", "Ж/7", "100-T", "C3"];
const VINS = ["4T1G11AK5LU123456", "WAUZZZ8K9BA123457", "T1", "tam-100"];

const plain = (text: string): string => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
const wordsOf = (text: string): string[] =>
  plain(text)
    .split(/[^\p{L}\p{N}\-./']+/u)
    .flatMap((run) => [...run.split(/[-./']/), run.replaceAll(/[-./']/g, "")]);
const begins = (asked: string, ...texts: (string | null)[]): boolean => {
  const words = texts.flatMap((text) => wordsOf(text ?? ""));
  const isBegun = (part: string): boolean => words.some((word) => word.startsWith(part));
  const parts = plain(asked).split(/[-./']/);
  return parts.every(isBegun) || isBegun(parts.join(""));
};

const signless = (text: string): string => plain(text).replaceAll(/[^\p{L}\p{N}]/gu, "");
/** True if a stock number ends with a word of three characters with a digit, or with two digits. */
const ends = (asked: string, stockNumber: string | null): boolean => {
  const word = signless(asked);
  const isEnd = (/\p{N}/u.test(word) && word.length >= 3) || /^\p{N}{2}$/u.test(word);
  return isEnd && signless(stockNumber ?? "").endsWith(word);
};

/** Suggestions computed in plain code from the vehicles, one by one. */
const modelled = (vehicles: readonly Vehicle[], q: string, limit: number): Suggestion[] => {
  const asked = q.split(" ");
  const last = asked.at(-1) ?? "";
  const found = vehicles.filter((vehicle) =>
    asked.slice(0, -1).every((word) => {
      const { make, model, vin, stock_number, title, year } = vehicle;
      const texts = [make, model, vin, vin?.slice(-6) ?? null, vin?.slice(-8) ?? null, stock_number, title, `${year}`];
      return begins(word, ...texts) || ends(word, stock_number);
    }),
  );
  const counts = new Map<string, { kind: Suggestion["kind"]; spellings: Map<string, number> }>();
  const add = (kind: Suggestion["kind"], text: string, key: string): void => {
    const entry = counts.get(`${kind} ${key}`) ?? { kind, spellings: new Map<string, number>() };
    entry.spellings.set(text, (entry.spellings.get(text) ?? 0) + 1);
    counts.set(`${kind} ${key}`, entry);
  };
  for (const { make, model, stock_number, vin } of found) {
    if (begins(last, make)) add("make", make, plain(make));
    if (begins(last, make, model)) add("model", `${make} ${model}`, plain(`${make} ${model}`));
    if (stock_number !== null && begins(last, stock_number)) add("stock_number", stock_number, stock_number);
    if (vin !== null && begins(last, vin, vin.slice(-6), vin.slice(-8))) add("vin", vin, vin);
  }
  const kinds = ["make", "model", "stock_number", "vin"];
  const order = (one: string, other: string): number => (one < other ? -1 : 1);
  return [...counts.values()]
    .map(({ kind, spellings }) => {
      const [[text] = [""]] = [...spellings].sort(([one, n], [other, m]) => m - n || order(one, other));
      return { text, kind, count: [...spellings.values()].reduce((sum, n) => sum + n, 0) };
    })
    .sort(
      (one, other) =>
        other.count - one.count || kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || order(one.text, other.text),
    )
    .slice(0, limit);
};

for (const engine of ENGINES)
  describe(`suggestions on ${engine.name}`, () => {
    let db: SqlDatabase;
    const stored: Vehicle[] = [];
    const of = async (q: string, limit: number, scope: number | null) =>
      makeSuggestions({
        suggestions: makeSuggestionRepository(db),
        search: { progress: () => ({ state: "ready", percent: 100 }) },
      }).list(scope === null ? superAdminKey() : dealerKey(scope), { q, limit });

    beforeAll(async () => {
      db = await engine.open();
      const vehicles = makeVehicleRepository(db);
      for (const _ of DEALERS) await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      const drafts = fc.sample(
        fc.record({
          dealer: fc.constantFrom(...DEALERS),
          make: fc.constantFrom(...MAKES),
          model: fc.constantFrom(...MODELS),
          stock_number: fc.option(fc.constantFrom(...STOCK)),
          vin: fc.option(fc.constantFrom(...VINS)),
          status: fc.constantFrom("available", "sold"),
        }),
        { numRuns: 80, seed: 5 },
      );
      for (const { dealer, ...draft } of drafts)
        stored.push(made(await vehicles.insert(vehicleFields(dealer, { title: null, ...draft }), OPERATOR)).parse());
    });
    afterAll(() => db.close());

    test("are exactly those that plain code counts, from the caller's vehicles only", async () => {
      const word = fc
        .tuple(
          fc.constantFrom(
            ...MAKES,
            ...MODELS.flatMap((model) => model.split(" ")),
            ...STOCK,
            ...VINS,
            "123456",
            "ak5lu1",
            "2024",
          ),
          fc.integer({ min: 1, max: 17 }),
        )
        .map(([text, length]) => text.slice(0, length).replace(/[-./']$/, ""));
      let hits = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(word, { minLength: 1, maxLength: 3 }),
          fc.integer({ min: 1, max: 20 }),
          fc.constantFrom(null, ...DEALERS),
          async (words, limit, scope) => {
            const q = words.join(" ");
            const reach = stored.filter((vehicle) => scope === null || vehicle.dealer_id === scope);
            const expected = modelled(reach, q, limit);
            hits += expected.length;
            expect<unknown>(await of(q, limit, scope)).toEqual(expected);
          },
        ),
        { numRuns: inGate(80, 400) },
      );
      expect(hits).toBeGreaterThan(inGate(75, 500));
    });

    test("are counted by the database if each vehicle has its own make and model", async () => {
      const dealer = made(await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      await addVehicles(
        db,
        Array.from({ length: 1100 }, (_, number) =>
          vehicleFields(dealer, { make: `Éx ${number % 1050}`, model: `Own ${number}`, title: null }),
        ),
      );
      let most = 0;
      const counting = (sql: Sql): Sql => ({
        async all(statement, values) {
          const rows = await sql.all(statement, values);
          const kinds = Map.groupBy(rows as readonly { kind?: string }[], ({ kind }) => kind);
          most = Math.max(most, ...[...kinds.values()].map(({ length }) => length));
          return rows;
        },
      });
      const suggested = await makeSuggestionRepository({
        ...db,
        ...counting(db),
        longReads: { ...db.longReads, ...counting(db.longReads) },
      }).values({
        scope: dealer,
        q: "ex",
        limit: 2,
      });
      expect(suggested).toMatchObject({
        make: [
          { text: "Éx 0", count: 2 },
          { text: "Éx 1", count: 2 },
        ],
        model: [
          { text: "Éx 0 Own 0", count: 1 },
          { text: "Éx 0 Own 1050", count: 1 },
        ],
      });
      expect(most).toBeLessThanOrEqual(1000);
    });

    test("come from values with a word that begins with the query, without reading values that only contain it", async () => {
      const dealer = made(await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      // Makes are read most frequent first, and then by their text.
      const others = Array.from({ length: 1100 }, (_, n) => ({ make: `Q${n}`, stock_number: `A1${n}` }));
      const meant = ["B 10", "B-11", "1"].map((stock_number) => ({ make: "Q0", stock_number }));
      await addVehicles(
        db,
        [...others, ...meant, { make: "Z 1" }].map((fields) =>
          vehicleFields(dealer, { ...fields, trim: "1 Series", title: null }),
        ),
      );
      const found = (await of("1", 10, dealer)) as readonly Suggestion[];
      expect(found.map(({ text }) => text)).toEqual(["Z 1", "Z 1 Camry", "1", "B 10", "B-11"]);
    });
  });
