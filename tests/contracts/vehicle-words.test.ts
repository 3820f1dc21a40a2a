import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { sqlStatement } from "../../adapters/sql/query/statement.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { searchRefusal } from "../../core/search/progress.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { vehicleWords } from "../../migrations/0019-vehicle-words.ts";
import { storedSpellings } from "../../migrations/0025-stored-spellings.ts";
import { spellingUse } from "../../migrations/0035-spelling-use.ts";
import { nameForms } from "../../migrations/0043-name-forms.ts";
import { stockNumberEnds } from "../../migrations/0056-stock-number-ends.ts";
import { anyCharacter } from "../support/any-character.ts";
import { inGate } from "../support/depth.ts";
import { migrateWithout } from "../support/earlier-schema.ts";
import { connect, ENGINES, openTwice } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { MOMENT, made, vehicleFields } from "../support/records.ts";
import { NOBODY, type WordsPlace as Place, wordsFixture } from "../support/words-fixture.ts";

setDefaultTimeout(300_000);

const DEALERS = [1, 2] as const;
const LISTENER = { progress() {}, failed: (error: unknown) => Promise.reject(error) };

/** Alphabets whose letters have cases, accents, forms or relatives, and signs that databases give a meaning. */
const LETTERS = [
  ..."aAbBfFoO01258",
  ..."ÅåéÉñßẞæÆøØłŁđıİſ",
  ..."σςΣάΑйЙёЁяЯ",
  ..."אבשׁقفىي٣日本가각กำक्षि",
  "e\u0301",
  "\uFDFA",
  "Ⅷ",
  "½",
  "ﬁ",
  "Ｆ",
  "𝐀",
  "😀",
] as const;
const SIGNS = [..." -./'_%*\"^$&|!:()<>~\\,;\n\t+=#@?[]{}`’"] as const;

const words = fc.string({
  unit: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...LETTERS) },
    { weight: 3, arbitrary: fc.constantFrom(...SIGNS) },
    { weight: 1, arbitrary: anyCharacter },
  ),
  maxLength: 14,
});
const storable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
const texts = words.filter(storable);

const LIKE: Readonly<Record<string, string>> = { æ: "ae", ø: "o", ł: "l", đ: "d", ı: "i", ς: "σ" };

/**
 * A model in plain code: what is neither letter nor digit separates; a joined form holds runs that single joining signs
 * hold together. Written apart from the service's own way.
 */
const modelled = (text: string): { parts: string[]; joined: string | null }[] => {
  let plain = "";
  for (const letter of text.normalize("NFKD")) {
    if (/\p{M}/u.test(letter)) continue;
    const small = letter.toLowerCase().toUpperCase().toLowerCase();
    for (const one of small.normalize("NFKD")) if (!/\p{M}/u.test(one)) plain += LIKE[one] ?? one;
  }
  const letters = [...plain];
  const isLetter = (place: number): boolean => /[\p{L}\p{N}]/u.test(letters[place] ?? "");
  const runs: string[][] = [];
  for (const [place, letter] of letters.entries()) {
    if (!isLetter(place)) continue;
    const isTied = /[-./']/.test(letters[place - 1] ?? "") && isLetter(place - 2);
    if (isLetter(place - 1)) (runs.at(-1) as string[]).push((runs.at(-1) as string[]).pop() + letter);
    else if (isTied) (runs.at(-1) as string[]).push(letter);
    else runs.push([letter]);
  }
  return runs.map((parts) => ({ parts, joined: parts.length > 1 ? parts.join("") : null }));
};

/** Neighbouring words of a text, in pairs. */
const pairsOf = (text: string | null): [string, string][] => {
  const words = modelled(text ?? "").map(({ parts, joined }) => joined ?? parts[0] ?? "");
  return words.slice(1).map((word, place) => [words[place] ?? "", word]);
};
/** True if letters and digits meet between two words, of which the first is no year. */
const meets = ([one, other]: [string, string]): boolean => {
  const isDigit = (letter: string | undefined): boolean => /\p{N}/u.test(letter ?? "");
  return !/^(19|20)[0-9]{2}$/.test(one) && isDigit([...one].at(-1)) !== isDigit([...other][0]);
};

const wordsOfModel = (vehicle: Vehicle): string[] =>
  [
    vehicle.year,
    vehicle.make,
    vehicle.model,
    vehicle.trim,
    vehicle.title,
    vehicle.stock_number,
    vehicle.vin,
    vehicle.vin?.slice(-6),
    vehicle.vin?.slice(-8),
    vehicle.body_style,
    vehicle.fuel_type,
    vehicle.transmission,
    vehicle.drivetrain,
    vehicle.engine,
    vehicle.exterior_color,
    vehicle.interior_color,
    vehicle.condition,
    vehicle.features,
    vehicle.description,
  ]
    .flatMap((text) =>
      modelled(`${text ?? ""}`).flatMap(({ parts, joined }) => [...parts, ...(joined ? [joined] : [])]),
    )
    .concat(
      [vehicle.make, vehicle.model, vehicle.trim].flatMap((text) => pairsOf(text).map((pair) => pair.join(""))),
      pairsOf(vehicle.title)
        .filter(meets)
        .map((pair) => pair.join("")),
    );

const isFoundByModel = (vehicle: Vehicle, q: string, own = wordsOfModel(vehicle)): boolean => {
  const begins = (asked: string): boolean => own.some((word) => word.startsWith(asked));
  const asked = modelled(q);
  const number = modelled(vehicle.stock_number ?? "")
    .map(({ parts, joined }) => joined ?? parts[0])
    .join("");
  const ends = (word: string): boolean => {
    const length = [...word].length;
    const isAsked = /^\p{N}{2}$/u.test(word) ? asked.length > 1 : length > 2 && /\p{N}/u.test(word);
    return isAsked && number.endsWith(word);
  };
  return asked.every(({ parts, joined }, place) => {
    const before = asked[place - 1];
    const pair: [string, string] = [before?.parts[0] ?? "", parts[0] ?? ""];
    const isPair = before?.joined === null && joined === null && meets(pair);
    return (
      parts.every(begins) ||
      (joined !== null && begins(joined)) ||
      (isPair && begins(pair.join(""))) ||
      ends(joined ?? parts[0] ?? "")
    );
  });
};

/** A query of words that begin those of a text, or of its joined forms, each cut somewhere. */
const askedOf = (text: string, cuts: readonly number[]): string =>
  modelled(text)
    .map(({ parts, joined }, place) =>
      [...(joined ?? parts[0] ?? "")].slice(0, (cuts[place % cuts.length] ?? 0) + 1).join(""),
    )
    .slice(0, 8)
    .join(" ");

for (const engine of ENGINES)
  describe(`words of vehicles on ${engine.name}`, () => {
    let db: SqlDatabase;
    let place: Place;
    const stored: Vehicle[] = [];

    beforeAll(async () => {
      db = await engine.open();
      place = wordsFixture(db);
      await place.addDealers();
      const drafts = fc.sample(
        fc.record({
          dealer_id: fc.constantFrom(...DEALERS),
          make: texts.map((text) => `M ${text}`.slice(0, 100)),
          trim: fc.option(texts),
          title: fc.option(texts),
          stock_number: fc.option(texts),
          vin: fc.option(fc.stringMatching(/^[A-Za-z0-9-]{1,32}$/)),
          exterior_color: fc.option(texts),
          description: fc.option(fc.array(texts, { maxLength: 6 }).map((some) => some.join(" "))),
        }),
        { numRuns: 150, seed: 11 },
      );
      for (const { dealer_id, ...draft } of drafts) stored.push(await place.add(dealer_id, draft));
      // Half of them are in the index, half are not yet.
      await place.words.fill(NOBODY);
      for (const vehicle of stored.filter((_, number) => number % 2 === 0)) {
        const changed = await place.change(vehicle.id, { condition: "Überholt", features: "Schiebedach,F-150" });
        stored[stored.indexOf(vehicle)] = made(changed).parse();
      }
    });
    afterAll(() => db.close());

    test("find for any query, within a dealer and over all, exactly what plain code finds", async () => {
      const queries = fc.oneof(
        texts,
        fc
          .tuple(fc.nat(149), fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }))
          .map(([number, cuts]) => askedOf(wordsOfModel(stored[number] as Vehicle).join(" "), cuts)),
        fc
          .tuple(fc.nat(149), fc.integer({ min: 1, max: 4 }), fc.constantFrom("", "m "))
          .map(([number, length, before]) => `${before}${(stored[number]?.stock_number ?? "").slice(-length)}`),
        fc.constantFrom("f-150", "f150", "f 150", "150", "UBERHOLT", "schieb 150", "m", "%", '"', "m OR x"),
      );
      const own = new Map(stored.map((vehicle) => [vehicle.id, wordsOfModel(vehicle)]));
      let hits = 0;
      await fc.assert(
        fc.asyncProperty(queries, fc.constantFrom(null, ...DEALERS), async (q, scope) => {
          const asked = modelled(q);
          fc.pre(asked.length > 0 && asked.length <= 8);
          const expected = stored.filter(
            (vehicle) =>
              (scope === null || vehicle.dealer_id === scope) && isFoundByModel(vehicle, q, own.get(vehicle.id)),
          );
          hits += expected.length;
          expect((await place.find(q, scope)).sort((one, other) => one - other)).toEqual(expected.map(({ id }) => id));
        }),
        { numRuns: inGate(200, 1000) },
      );
      expect(hits).toBeGreaterThan(inGate(200, 1000));
    });

    test("are right, as the verification says", async () => expect(await place.right()).toEqual([0, 0, 0]));

    test("have no syntax: signs, operators and names of columns are words or separate them", async () => {
      const { id } = await place.add(1, { description: "near words rowid not zulu OR xray" });
      for (const q of [
        'zulu"',
        "zulu*",
        "^zulu",
        "(zulu",
        "zulu)",
        "-zulu",
        "+zulu",
        "zulu:*",
        "!zulu",
        "zulu & xray",
        "zulu | nothing_else",
        "words : zulu",
        "zulu <-> xray",
        "zulu\\",
        "'zulu'",
        "zulu''",
        "NEAR(zulu xray)",
        "zulu OR xray",
        "zulu NOT xray",
        "{words}: zulu",
        "rowid zulu",
        "zulu; DROP TABLE vehicles",
        "zulu $1",
        "zulu ?",
      ])
        for (const scope of [null, 1]) {
          const isThere = isFoundByModel(
            {
              ...(stored[0] as Vehicle),
              ...vehicleFields(1),
              description: "near words rowid not zulu OR xray",
            } as Vehicle,
            q,
          );
          expect([q, (await place.find(q, scope)).includes(id)]).toEqual([q, isThere]);
        }
      for (const q of ["zul%u", "zu_u", "*ulu", "%ulu", "ulu", "zu*u", "zulu AND xra_"])
        expect([q, (await place.find(q)).includes(id)]).toEqual([q, false]);
      await place.remove(id);
    });

    test("are found whole to the end of the longest texts, however many letters stand for others", async () => {
      const numbered = (count: number, sign: string) =>
        Array.from({ length: count }, (_, number) => `w${number}`).join(sign);
      for (const sign of [" ", "-", ","]) {
        const description = numbered(3400, sign).slice(0, 20_000);
        const { id } = await place.add(2, { description, features: numbered(900, ",").slice(0, 5000) });
        const last = /\d+$/.exec(description)?.[0] ?? "";
        for (const scope of [null, 2]) {
          expect(await place.find(`w${last}`, scope)).toEqual([id]);
          expect(await place.find("w0 w1700", scope)).toEqual([id]);
        }
        await place.words.fill(NOBODY);
        expect(await place.find(`w${last}`)).toEqual([id]);
        await place.remove(id);
      }
      for (const letter of ["\uFDFA", "ẞ", "𝐀", "가", "½", "\u0301"]) {
        const description = `${`${letter.repeat(11)}${letter}-`.repeat(1600)}`.slice(0, 19_000);
        const { id } = await place.add(2, { description, trim: "kiosk" });
        await place.words.fill(NOBODY);
        expect(await place.find("kiosk")).toEqual([id]);
        expect(await place.find("kiosk", 2)).toEqual([id]);
        await place.remove(id);
      }
      const distinct = Array.from({ length: 1400 }, (_, number) => `${number}${"\uFDFA".repeat(9)}`).join("-");
      const { id } = await place.add(2, { description: distinct, trim: "kiosk" });
      await place.words.fill(NOBODY);
      for (const scope of [null, 2]) expect(await place.find("kiosk", scope)).toEqual([id]);
      await place.remove(id);
    });

    test("of many long texts are made and indexed in many turns of the event loop", async () => {
      const MANY = 20;
      const description = Array.from({ length: 3400 }, (_, number) => `w${number}`)
        .join(" ")
        .slice(0, 20_000);
      const ids: number[] = [];
      for (let count = 0; count < MANY; count++) ids.push((await place.add(1, { description })).id);
      const turnsOf = async (work: () => Promise<unknown>): Promise<number> => {
        let turns = 0;
        const beat = (): void => {
          turns++;
          beating = setImmediate(beat);
        };
        let beating = setImmediate(beat);
        await work();
        clearImmediate(beating);
        return turns;
      };
      // Four of them are as much as one turn takes. PostgreSQL keeps its index itself.
      expect(await turnsOf(() => place.words.fill(NOBODY))).toBeGreaterThan(engine.name === "SQLite" ? MANY / 5 : 0);
      expect(await turnsOf(() => db.write((tx) => place.words.keep(tx, ...ids)))).toBeGreaterThan(MANY / 5);
      expect(await place.right()).toEqual([0, 0, 0]);
      for (const id of ids) await place.remove(id);
    });

    test("follow each change at once: text, dealer, price, removal", async () => {
      const { id } = await place.add(1, { trim: "quagga", vin: "4T1G11AK5LU123456", stock_number: "A-10.42" });
      const everybody = async (q: string) => [await place.find(q), await place.find(q, 1), await place.find(q, 2)];
      for (const _ of ["fresh", "settled"]) {
        for (const q of ["quag", "123456", "lu123456", "4t1g11ak5lu123456", "a10.42", "a1042", "1042", "A-10"].filter(
          (one) => one !== "1042",
        ))
          expect([q, await everybody(q)]).toEqual([q, [[id], [id], []]]);
        expect(await everybody("23456")).toEqual([[], [], []]);
        await place.words.fill(NOBODY);
      }
      await place.change(id, { trim: "okapi" });
      expect(await everybody("quagga")).toEqual([[], [], []]);
      expect(await everybody("okapi")).toEqual([[id], [id], []]);
      await place.change(id, { dealer_id: 2, make: "Tatra" });
      expect(await everybody("okapi tatra")).toEqual([[id], [], [id]]);
      await place.words.fill(NOBODY);
      await place.change(id, { dealer_id: 1 });
      await place.change(id, { price: 7, mileage: 3 });
      expect(await everybody("okapi tatra")).toEqual([[id], [id], []]);
      expect(await place.right()).toEqual([0, 0, 0]);
      await place.remove(id);
      expect(await everybody("okapi")).toEqual([[], [], []]);
      await place.words.fill(NOBODY);
      expect(await everybody("okapi")).toEqual([[], [], []]);
      expect(await place.right()).toEqual([0, 0, 0]);
    });

    test("find stock numbers by their ends: three characters or more with a digit, two digits beside another word", async () => {
      const { id } = await place.add(1, { make: "Zaz", stock_number: "K-7319W57", mileage: 91_999 });
      const found = ["9w57", "W57", "zaz 57", "zaz 9w57", "K7319W57"];
      const missed = ["57", "9w5", "zaz w5", "999", "zaz 99", "zaz 91999"];
      for (const _ of ["fresh", "settled"]) {
        for (const q of [...found, ...missed])
          for (const scope of [null, 1])
            expect([q, (await place.find(q, scope)).includes(id)]).toEqual([q, found.includes(q)]);
        await place.words.fill(NOBODY);
      }
      await place.change(id, { stock_number: "K673" });
      for (const scope of [null, 1]) {
        expect(await place.find("zaz 73", scope)).toEqual([id]);
        expect(await place.find("73", scope)).not.toContain(id);
        expect(await place.find("zaz 9w57", scope)).toEqual([]);
      }
      await place.change(id, { stock_number: null });
      expect(await place.find("zaz 73")).toEqual([]);
      await place.remove(id);
    });

    test("that an earlier version made without the ends of stock numbers are made anew, also while it still runs", async () => {
      const { id } = await place.add(1, { trim: "dingo", stock_number: "H4711" });
      for (const _ of ["before the update", "beside it"]) {
        await place.words.fill(NOBODY);
        await place.run("UPDATE vehicle_words SET words = substr(words, 8) WHERE vehicle_id = :id", { id });
        for (const scope of [null, 1]) expect(await place.find("dingo", scope)).toEqual([id]);
        expect(await place.right()).not.toEqual([0, 0, 0]);
        await place.words.fill(NOBODY);
        for (const scope of [null, 1]) expect(await place.find("dingo 711", scope)).toEqual([id]);
        expect(await place.right()).toEqual([0, 0, 0]);
      }
      await place.remove(id);
    });

    test("that an instance of the version before left out are made by the timer", async () => {
      const { id } = await place.add(1, { trim: "wombat" });
      const other = await place.add(1, { trim: "wombat" });
      await place.words.fill(NOBODY);
      await place.run("UPDATE vehicles SET trim = :trim WHERE id = :id", { trim: "numbat", id });
      await place.run(
        `INSERT INTO vehicles (dealer_id, make, model, year, price_cents, status, featured, trim, make_folded, model_folded,
          created_at, updated_at) SELECT dealer_id, make, model, year, price_cents, status, featured, :trim, make_folded,
          model_folded, created_at, updated_at FROM vehicles WHERE id = :id`,
        { trim: "numbat", id },
      );
      expect(await place.find("wombat")).toEqual([other.id]);
      await place.words.fill(NOBODY);
      expect((await place.find("numbat")).length).toBe(2);
      expect((await place.find("numbat", 1)).length).toBe(2);
      expect(await place.right()).toEqual([0, 0, 0]);
    });

    test("that are damaged are found by the verification, and mended by making all anew", async () => {
      const { id } = await place.add(1, { trim: "tapir" });
      await place.words.fill(NOBODY);
      await place.run("UPDATE vehicle_words SET words = ' gnu' WHERE vehicle_id = :id", { id });
      expect(await place.right()).toEqual([1, 0, 0]);
      await place.words.remake(NOBODY);
      expect(await place.right()).toEqual([0, 0, 0]);
      await place.run("INSERT INTO vehicle_words (vehicle_id, dealer_id, words) VALUES (999999, 1, ' gnu')");
      expect(await place.right()).toEqual([0, 1, 0]);
      if (db.engine === "sqlite") {
        await place.run("DELETE FROM vehicle_index WHERE rowid = :id", { id });
        expect(await place.right()).toEqual([0, 1, 1]);
      }
      await place.words.remake(NOBODY);
      expect(await place.right()).toEqual([0, 0, 0]);
      expect(await place.find("tapir")).toEqual([id]);
      expect(await place.find("gnu")).toEqual([]);
    });
  });

for (const engine of ENGINES)
  describe(`words of vehicles from before on ${engine.name}`, () => {
    /** A database that was updated with these vehicles in it. */
    const updated = async (count: number) => {
      const url = await engine.url();
      const db = connect(url);
      await migrateWithout(db, vehicleWords, storedSpellings, spellingUse, nameForms, stockNumberEnds);
      const before = wordsFixture(db);
      await before.addDealers();
      await before.run(
        `INSERT INTO vehicles (dealer_id, make, model, year, price_cents, status, featured, make_folded, model_folded,
          created_at, updated_at)
          WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
          SELECT n % 2 + 1, 'Tatra', 't' || n, 2020, 100, 'available', 0, 'tatra', 't' || n, CAST(:at AS TEXT), CAST(:at AS TEXT)
          FROM numbers`,
        { at: MOMENT },
      );
      await migrateToLatest(db);
      return { db, url, place: wordsFixture(db) };
    };
    const readyState = (place: Place) =>
      eventually(
        () => place.words.progress(),
        ({ state }) => state === "ready",
      );

    test("are made in the background, while changes go on; until then a search is refused and nothing else", async () => {
      const { db, place } = await updated(260);
      expect(searchRefusal(place.words, { q: "tatra" })?.cause).toEqual({ kind: "search-not-ready" });
      expect(searchRefusal(place.words, {})).toBeNull();
      const told: number[] = [];
      await place.words.start({ ...LISTENER, progress: ({ percent }) => void told.push(percent) });
      // While it goes on, vehicles change, come and go.
      await place.change(250, { model: "changed" });
      const { id } = await place.add(1, { model: "fresh" });
      await place.remove(251);
      await readyState(place);
      expect(searchRefusal(place.words, { q: "tatra" })).toBeNull();
      expect(told.at(-1)).toBe(100);
      expect(told).toEqual(told.toSorted((one, other) => one - other));
      await place.words.stop();
      expect(await place.right()).toEqual([0, 0, 0]);
      expect((await place.find("tatra")).length).toBe(259);
      expect(await place.find("changed")).toEqual([250]);
      expect(await place.find("fresh")).toEqual([id]);
      expect(await place.find("t251")).toEqual([]);
      await db.close();
    });

    test("are resumed where they were left, by two processes at once, whoever is first", async () => {
      const { db, url, place } = await updated(400);
      await place.words.start(LISTENER);
      await place.words.stop();
      expect(place.words.progress().state).toBe("filling");
      const others = [await engine.open(url), await engine.open(url)];
      const places = others.map((other) => wordsFixture(other));
      for (const { words } of places) await words.start(LISTENER);
      for (const each of places) await readyState(each);
      for (const { words } of places) await words.stop();
      expect(await place.right()).toEqual([0, 0, 0]);
      expect((await place.find("tatra 2020")).length).toBe(400);
      for (const other of [db, ...others]) await other.close();
    });

    test("go when search is switched off, cost writes nothing then, and come again when it is switched on", async () => {
      const db = await engine.open();
      const on = wordsFixture(db);
      await on.addDealers();
      for (let number = 0; number < 60; number++) await on.add(1, { model: `t${number}` });
      await on.words.fill(NOBODY);
      const off = wordsFixture(db, vehicleWordsIn(db, false));
      await off.words.start(LISTENER);
      expect(off.words.progress()).toEqual({ state: "off", percent: 0 });
      expect(searchRefusal(off.words, { q: "t1" })?.cause).toMatchObject({ kind: "invalid", issues: [{ path: "q" }] });
      const left = sqlStatement(db, sql<{ n: number }>`SELECT COUNT(*) AS n FROM vehicle_words`);
      const count = async () => (await db.all(left, {}))[0]?.n;
      await eventually(count, (n) => n === 0);
      await off.add(2, { model: "t500" });
      await off.change(1, { model: "t501" });
      await on.change(2, { model: "t502" });
      expect(await count()).toBe(0);
      await off.words.stop();
      const again = wordsFixture(db);
      await again.words.start(LISTENER);
      await readyState(again);
      await again.words.stop();
      expect(await again.right()).toEqual([0, 0, 0]);
      expect(await again.find("t50")).toHaveLength(4);
      await db.close();
    });
  });

for (const engine of ENGINES)
  test(`words of vehicles stay exact on ${engine.name} under 12 writers while two processes keep the index`, async () => {
    const pair = await openTwice(engine);
    const places = pair.map((db) => wordsFixture(db));
    const [first] = places as [Place, Place];
    await first.addDealers();
    const ids = await Promise.all(
      Array.from({ length: 60 }, async (_, number) => (await first.add(1, { trim: `k${number}` })).id),
    );
    for (const { words } of places) await words.start(LISTENER);
    const last = new Map<number, string>();
    await Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        const { change, add, remove, find } = places[writer % 2] as Place;
        for (let round = 0; round < inGate(4, 15); round++) {
          const id = ids[(writer * 5 + (round % 5)) % ids.length] as number;
          const trim = `v${writer}x${round}`;
          await change(id, round % 3 === 0 ? { trim, dealer_id: 1 + (round % 2) } : { trim });
          last.set(id, trim);
          expect(await find(`${trim} 2`)).toEqual([id]);
          const { id: added } = await add(2, { trim: `n${writer}x${round}` });
          expect(await find(`n${writer}x${round}`, 2)).toEqual([added]);
          if (round % 2 === 0) await remove(added);
        }
      }),
    );
    for (const { words } of places) await words.stop();
    await first.words.fill(NOBODY).catch(() => {});
    for (const [id, trim] of last) expect(await first.find(trim)).toContain(id);
    expect(await wordsFixture(pair[0]).right()).toEqual([0, 0, 0]);
    await Promise.all(pair.map((db) => db.close()));
  });
