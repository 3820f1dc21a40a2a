import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { param, sqlStatement } from "../../adapters/sql/query/statement.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { type VehicleWords, vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { verifyVehicleWords } from "../../adapters/sql/search/verification.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { searchRefusal } from "../../core/search/readiness.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import type { VehicleFields, VehicleUpdate } from "../../core/vehicles/vehicle-repository.ts";
import { vehicleWords } from "../../migrations/0019-vehicle-words.ts";
import { storedSpellings } from "../../migrations/0025-stored-spellings.ts";
import { migrateWithout } from "../support/earlier-schema.ts";
import { connect, ENGINES, openTwice } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const DEALERS = [1, 2] as const;
const LISTENER = { progress() {}, failed: (error: unknown) => Promise.reject(error) };
const NOBODY = () => {};

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
    { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
  ),
  maxLength: 14,
});
const storable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
const texts = words.filter(storable);

const LIKE: Readonly<Record<string, string>> = { æ: "ae", ø: "o", ł: "l", đ: "d", ı: "i", ς: "σ" };

/**
 * A model in plain code: everything except letters and digits separates; a joined form has runs that single joining signs
 * connect. It is independent of the service's code.
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
  ].flatMap((text) =>
    modelled(`${text ?? ""}`).flatMap(({ parts, joined }) => [...parts, ...(joined ? [joined] : [])]),
  );

const isFoundByModel = (vehicle: Vehicle, q: string, own = wordsOfModel(vehicle)): boolean => {
  const begins = (asked: string): boolean => own.some((word) => word.startsWith(asked));
  return modelled(q).every(({ parts, joined }) => parts.every(begins) || (joined !== null && begins(joined)));
};

const wordsFixture = (db: SqlDatabase, words: VehicleWords = vehicleWordsIn(db)) => {
  const vehicles = makeVehicleRepository(db, words);
  const run = async (text: string, values: Readonly<Record<string, string | number>> = {}) => {
    const parts = text.split(/:(\w+)/);
    const query = sql.join(
      parts.map((part, place) => (place % 2 === 0 ? sql.raw(part) : param(part))),
      sql``,
    );
    return db.writeOne(sqlStatement(db, sql<object>`${query}`), values);
  };
  return {
    vehicles,
    words,
    run,
    addDealers: async () => {
      for (const _ of DEALERS) await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
    },
    add: async (dealer: number, fields: Partial<VehicleFields> = {}) =>
      made(await vehicles.insert(vehicleFields(dealer, { title: null, ...fields }), OPERATOR)).parse(),
    change: (id: number, changes: VehicleUpdate, scope: number | null = null) =>
      vehicles.update({ id, scope, changes, now: momentAfter(1), versions: null, by: OPERATOR }),
    remove: (id: number) => vehicles.remove({ id, scope: null, versions: null, now: MOMENT, by: OPERATOR }),
    /** The ids of the vehicles that are found within a scope. */
    find: async (q: string, scope: number | null = null) => {
      const page = { limit: 1000, offset: 0 };
      const listed = await vehicles.list({ scope, filter: { q }, page, from: null });
      expect(listed.total).toBe(listed.vehicles.parse().length);
      return listed.vehicles.parse().map(({ id }) => id);
    },
    /** What the verification reports: wrong, stray and misindexed words. */
    faults: async () => {
      const { wrong, stray, misindexed } = await verifyVehicleWords(db, NOBODY);
      return [wrong, stray, misindexed];
    },
  };
};
type WordsFixture = ReturnType<typeof wordsFixture>;

/** A query of beginnings of a text's words, or of its joined forms. */
const askedOf = (text: string, cuts: readonly number[]): string =>
  modelled(text)
    .map(({ parts, joined }, place) =>
      [...(joined ?? parts[0] ?? "")].slice(0, (cuts[place % cuts.length] ?? 0) + 1).join(""),
    )
    .slice(0, 8)
    .join(" ");

for (const engine of ENGINES)
  describe(`the search words of vehicles on ${engine.name}`, () => {
    let db: SqlDatabase;
    let fixture: WordsFixture;
    const stored: Vehicle[] = [];

    beforeAll(async () => {
      db = await engine.open();
      fixture = wordsFixture(db);
      await fixture.addDealers();
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
      for (const { dealer_id, ...draft } of drafts) stored.push(await fixture.add(dealer_id, draft));
      // Half of them are in the index already.
      await fixture.words.fill(NOBODY);
      for (const vehicle of stored.filter((_, number) => number % 2 === 0)) {
        const changed = await fixture.change(vehicle.id, { condition: "Überholt", features: "Schiebedach,F-150" });
        stored[stored.indexOf(vehicle)] = made(changed).parse();
      }
    });
    afterAll(() => db.close());

    test("find exactly what plain code finds, for any query, within a dealer and over all", async () => {
      const queries = fc.oneof(
        texts,
        fc
          .tuple(fc.nat(149), fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }))
          .map(([number, cuts]) => askedOf(wordsOfModel(stored[number] as Vehicle).join(" "), cuts)),
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
          expect((await fixture.find(q, scope)).sort((one, other) => one - other)).toEqual(
            expected.map(({ id }) => id),
          );
        }),
        { numRuns: 1000 },
      );
      expect(hits).toBeGreaterThan(1000);
    });

    test("pass the verification", async () => expect(await fixture.faults()).toEqual([0, 0, 0]));

    test("have no query syntax: signs, operators and column names are words or separators", async () => {
      const { id } = await fixture.add(1, { description: "near words rowid not zulu OR xray" });
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
          expect([q, (await fixture.find(q, scope)).includes(id)]).toEqual([q, isThere]);
        }
      for (const q of ["zul%u", "zu_u", "*ulu", "%ulu", "ulu", "zu*u", "zulu AND xra_"])
        expect([q, (await fixture.find(q)).includes(id)]).toEqual([q, false]);
      await fixture.remove(id);
    });

    test("cover the longest texts to their end, however many letters one sign stands for", async () => {
      const numbered = (count: number, sign: string) =>
        Array.from({ length: count }, (_, number) => `w${number}`).join(sign);
      for (const sign of [" ", "-", ","]) {
        const description = numbered(3400, sign).slice(0, 20_000);
        const { id } = await fixture.add(2, { description, features: numbered(900, ",").slice(0, 5000) });
        const last = /\d+$/.exec(description)?.[0] ?? "";
        for (const scope of [null, 2]) {
          expect(await fixture.find(`w${last}`, scope)).toEqual([id]);
          expect(await fixture.find("w0 w1700", scope)).toEqual([id]);
        }
        await fixture.words.fill(NOBODY);
        expect(await fixture.find(`w${last}`)).toEqual([id]);
        await fixture.remove(id);
      }
      for (const letter of ["\uFDFA", "ẞ", "𝐀", "가", "½", "\u0301"]) {
        const description = `${`${letter.repeat(11)}${letter}-`.repeat(1600)}`.slice(0, 19_000);
        const { id } = await fixture.add(2, { description, trim: "kiosk" });
        await fixture.words.fill(NOBODY);
        expect(await fixture.find("kiosk")).toEqual([id]);
        expect(await fixture.find("kiosk", 2)).toEqual([id]);
        await fixture.remove(id);
      }
      const distinct = Array.from({ length: 1400 }, (_, number) => `${number}${"\uFDFA".repeat(9)}`).join("-");
      const { id } = await fixture.add(2, { description: distinct, trim: "kiosk" });
      await fixture.words.fill(NOBODY);
      for (const scope of [null, 2]) expect(await fixture.find("kiosk", scope)).toEqual([id]);
      await fixture.remove(id);
    });

    test("of many long texts are computed and indexed in many turns of the event loop", async () => {
      const description = Array.from({ length: 3400 }, (_, number) => `w${number}`)
        .join(" ")
        .slice(0, 20_000);
      const ids: number[] = [];
      for (let count = 0; count < 40; count++) ids.push((await fixture.add(1, { description })).id);
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
      // Four of them fill one turn. PostgreSQL updates its index itself.
      expect(await turnsOf(() => fixture.words.fill(NOBODY))).toBeGreaterThan(engine.name === "SQLite" ? 8 : 0);
      expect(await turnsOf(() => db.write((tx) => fixture.words.keep(tx, ...ids)))).toBeGreaterThan(8);
      expect(await fixture.faults()).toEqual([0, 0, 0]);
      for (const id of ids) await fixture.remove(id);
    });

    test("follow each change of text, dealer and price and each removal at once", async () => {
      const { id } = await fixture.add(1, { trim: "quagga", vin: "4T1G11AK5LU123456", stock_number: "A-10.42" });
      const everybody = async (q: string) => [
        await fixture.find(q),
        await fixture.find(q, 1),
        await fixture.find(q, 2),
      ];
      for (const _ of ["fresh", "settled"]) {
        for (const q of ["quag", "123456", "lu123456", "4t1g11ak5lu123456", "a10.42", "a1042", "1042", "A-10"].filter(
          (one) => one !== "1042",
        ))
          expect([q, await everybody(q)]).toEqual([q, [[id], [id], []]]);
        expect(await everybody("23456")).toEqual([[], [], []]);
        await fixture.words.fill(NOBODY);
      }
      await fixture.change(id, { trim: "okapi" });
      expect(await everybody("quagga")).toEqual([[], [], []]);
      expect(await everybody("okapi")).toEqual([[id], [id], []]);
      await fixture.change(id, { dealer_id: 2, make: "Tatra" });
      expect(await everybody("okapi tatra")).toEqual([[id], [], [id]]);
      await fixture.words.fill(NOBODY);
      await fixture.change(id, { dealer_id: 1 });
      await fixture.change(id, { price: 7, mileage: 3 });
      expect(await everybody("okapi tatra")).toEqual([[id], [id], []]);
      expect(await fixture.faults()).toEqual([0, 0, 0]);
      await fixture.remove(id);
      expect(await everybody("okapi")).toEqual([[], [], []]);
      await fixture.words.fill(NOBODY);
      expect(await everybody("okapi")).toEqual([[], [], []]);
      expect(await fixture.faults()).toEqual([0, 0, 0]);
    });

    test("that an instance of the previous version left out are filled in by the timer", async () => {
      const { id } = await fixture.add(1, { trim: "wombat" });
      const other = await fixture.add(1, { trim: "wombat" });
      await fixture.words.fill(NOBODY);
      await fixture.run("UPDATE vehicles SET trim = :trim WHERE id = :id", { trim: "numbat", id });
      await fixture.run(
        `INSERT INTO vehicles (dealer_id, make, model, year, price_cents, status, featured, trim, make_folded, model_folded,
          created_at, updated_at) SELECT dealer_id, make, model, year, price_cents, status, featured, :trim, make_folded,
          model_folded, created_at, updated_at FROM vehicles WHERE id = :id`,
        { trim: "numbat", id },
      );
      expect(await fixture.find("wombat")).toEqual([other.id]);
      await fixture.words.fill(NOBODY);
      expect((await fixture.find("numbat")).length).toBe(2);
      expect((await fixture.find("numbat", 1)).length).toBe(2);
      expect(await fixture.faults()).toEqual([0, 0, 0]);
    });

    test("are reported as wrong by the verification when they are damaged, and repaired by a rebuild", async () => {
      const { id } = await fixture.add(1, { trim: "tapir" });
      await fixture.words.fill(NOBODY);
      await fixture.run("UPDATE vehicle_words SET words = ' gnu' WHERE vehicle_id = :id", { id });
      expect(await fixture.faults()).toEqual([1, 0, 0]);
      await fixture.words.remake(NOBODY);
      expect(await fixture.faults()).toEqual([0, 0, 0]);
      await fixture.run("INSERT INTO vehicle_words (vehicle_id, dealer_id, words) VALUES (999999, 1, ' gnu')");
      expect(await fixture.faults()).toEqual([0, 1, 0]);
      if (db.engine === "sqlite") {
        await fixture.run("DELETE FROM vehicle_index WHERE rowid = :id", { id });
        expect(await fixture.faults()).toEqual([0, 1, 1]);
      }
      await fixture.words.remake(NOBODY);
      expect(await fixture.faults()).toEqual([0, 0, 0]);
      expect(await fixture.find("tapir")).toEqual([id]);
      expect(await fixture.find("gnu")).toEqual([]);
    });
  });

for (const engine of ENGINES)
  describe(`the search words of existing vehicles on ${engine.name}`, () => {
    /** A database that had these vehicles before its update. */
    const updated = async (count: number) => {
      const url = await engine.url();
      const db = connect(url);
      await migrateWithout(db, vehicleWords, storedSpellings);
      const before = wordsFixture(db);
      await before.addDealers();
      for (let number = 1; number <= count; number++)
        await before.run(
          `INSERT INTO vehicles (dealer_id, make, model, year, price_cents, status, featured, make_folded, model_folded,
            created_at, updated_at) VALUES (:dealer, 'Tatra', :model, 2020, 100, 'available', 0, 'tatra', :model, :at, :at)`,
          { dealer: (number % 2) + 1, model: `t${number}`, at: momentAfter(number) },
        );
      await migrateToLatest(db);
      return { db, url, fixture: wordsFixture(db) };
    };
    const readyState = (fixture: WordsFixture) =>
      eventually(
        () => fixture.words.progress(),
        ({ state }) => state === "ready",
        60_000,
      );

    test("are computed in the background during changes; until then only searches are refused", async () => {
      const { db, fixture } = await updated(260);
      expect(searchRefusal(fixture.words, { q: "tatra" })?.cause).toEqual({ kind: "search-not-ready" });
      expect(searchRefusal(fixture.words, {})).toBeNull();
      const told: number[] = [];
      await fixture.words.start({ ...LISTENER, progress: ({ percent }) => void told.push(percent) });
      // Meanwhile vehicles are changed, added and removed.
      await fixture.change(250, { model: "changed" });
      const { id } = await fixture.add(1, { model: "fresh" });
      await fixture.remove(251);
      await readyState(fixture);
      expect(searchRefusal(fixture.words, { q: "tatra" })).toBeNull();
      expect(told.at(-1)).toBe(100);
      expect(told).toEqual(told.toSorted((one, other) => one - other));
      await fixture.words.stop();
      expect(await fixture.faults()).toEqual([0, 0, 0]);
      expect((await fixture.find("tatra")).length).toBe(259);
      expect(await fixture.find("changed")).toEqual([250]);
      expect(await fixture.find("fresh")).toEqual([id]);
      expect(await fixture.find("t251")).toEqual([]);
      await db.close();
    });

    test("are continued where they stopped, also by two processes at once", async () => {
      const { db, url, fixture } = await updated(400);
      await fixture.words.start(LISTENER);
      await fixture.words.stop();
      expect(fixture.words.progress().state).toBe("filling");
      const others = [await engine.open(url), await engine.open(url)];
      const fixtures = others.map((other) => wordsFixture(other));
      for (const { words } of fixtures) await words.start(LISTENER);
      for (const each of fixtures) await readyState(each);
      for (const { words } of fixtures) await words.stop();
      expect(await fixture.faults()).toEqual([0, 0, 0]);
      expect((await fixture.find("tatra 2020")).length).toBe(400);
      for (const other of [db, ...others]) await other.close();
    });

    test("are deleted when search is switched off, and computed again when it is switched on", async () => {
      const db = await engine.open();
      const on = wordsFixture(db);
      await on.addDealers();
      for (let number = 0; number < 120; number++) await on.add(1, { model: `t${number}` });
      await on.words.fill(NOBODY);
      const off = wordsFixture(db, vehicleWordsIn(db, false));
      await off.words.start(LISTENER);
      expect(off.words.progress()).toEqual({ state: "off", percent: 0 });
      expect(searchRefusal(off.words, { q: "t1" })?.cause).toMatchObject({ kind: "invalid", issues: [{ path: "q" }] });
      const left = sqlStatement(db, sql<{ n: number }>`SELECT COUNT(*) AS n FROM vehicle_words`);
      const count = async () => (await db.all(left, {}))[0]?.n;
      await eventually(count, (n) => n === 0, 60_000);
      await off.add(2, { model: "t500" });
      await off.change(1, { model: "t501" });
      await on.change(2, { model: "t502" });
      expect(await count()).toBe(0);
      await off.words.stop();
      const again = wordsFixture(db);
      await again.words.start(LISTENER);
      await readyState(again);
      await again.words.stop();
      expect(await again.faults()).toEqual([0, 0, 0]);
      expect(await again.find("t50")).toHaveLength(4);
      await db.close();
    });
  });

for (const engine of ENGINES)
  test(`the search words of vehicles stay exact on ${engine.name} under 12 writers while two processes fill the index`, async () => {
    const pair = await openTwice(engine);
    const fixtures = pair.map((db) => wordsFixture(db));
    const [first] = fixtures as [WordsFixture, WordsFixture];
    await first.addDealers();
    const ids = await Promise.all(
      Array.from({ length: 60 }, async (_, number) => (await first.add(1, { trim: `k${number}` })).id),
    );
    for (const { words } of fixtures) await words.start(LISTENER);
    const last = new Map<number, string>();
    await Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        const { change, add, remove, find } = fixtures[writer % 2] as WordsFixture;
        for (let round = 0; round < 15; round++) {
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
    for (const { words } of fixtures) await words.stop();
    await first.words.fill(NOBODY).catch(() => {});
    for (const [id, trim] of last) expect(await first.find(trim)).toContain(id);
    expect(await wordsFixture(pair[0]).faults()).toEqual([0, 0, 0]);
    await Promise.all(pair.map((db) => db.close()));
  });
