import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { Sql, SqlDatabase } from "../../adapters/sql/query/database.ts";
import { vehicleSpellings } from "../../adapters/sql/search/spellings.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { verifySpellings, verifyVehicleWords } from "../../adapters/sql/search/verification.ts";
import { searchWords } from "../../adapters/sql/search/words.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
import { dealerFields, MOMENT, momentAfter, OPERATOR } from "../support/records.ts";
import { NOBODY, wordsFixture } from "../support/words-fixture.ts";

setDefaultTimeout(300_000);

/** Words that no service makes: whoever makes a record's words anew replaces them. */
const DAMAGED = " gnu";

for (const engine of ENGINES)
  describe(`words and spellings on ${engine.name}`, () => {
    let db: SqlDatabase;
    let other: SqlDatabase;
    let place: ReturnType<typeof wordsFixture>;
    let dealers: ReturnType<typeof makeDealerRepository>;
    beforeEach(async () => {
      [db, other] = await openTwice(engine);
      place = wordsFixture(db);
      dealers = makeDealerRepository(db);
      await place.addDealers();
    });
    afterEach(async () => {
      await db.close();
      await other.close();
    });

    const rows = async <Row>(text: string): Promise<readonly Row[]> => {
      let found: readonly Row[] = [];
      await db.migrate(async (statement) => {
        found = (await statement(text)) as readonly Row[];
      });
      return found;
    };
    const isDamaged = async (id: number): Promise<boolean> =>
      (await rows(`SELECT 1 FROM vehicle_words WHERE vehicle_id = ${id} AND words = '${DAMAGED}'`)).length > 0;
    const damage = (id: number) =>
      place.run("UPDATE vehicle_words SET words = :words WHERE vehicle_id = :id", { words: DAMAGED, id });

    test("are made anew for the vehicles that changed, and for no others", async () => {
      const ids: number[] = [];
      for (let number = 0; number < 4; number++) ids.push((await place.add(1, { model: `m${number}` })).id);
      await place.words.fill(NOBODY);
      for (const id of ids) await damage(id);
      const [first = 0, second = 0, third = 0, fourth = 0] = ids;
      await place.change(first, { trim: "changed" });
      expect(await Promise.all(ids.map(isDamaged))).toEqual([false, true, true, true]);
      await db.write((tx) => place.words.keep(tx, second, third));
      expect(await Promise.all(ids.map(isDamaged))).toEqual([false, false, false, true]);
      expect(await place.find("m3")).toEqual(engine.name === "SQLite" ? [fourth] : []);
    });

    test("are not stored once another process has turned them off", async () => {
      await place.run("UPDATE search_state SET kept = 0");
      const { id } = await place.add(1);
      await place.change(id, { trim: "changed" });
      await db.write((tx) => place.words.keep(tx, id, id));
      expect(await rows("SELECT vehicle_id FROM vehicle_words")).toEqual([]);
    });

    const wordsOfDealer = async (id: number) =>
      (await rows<{ words: string | null }>(`SELECT words FROM dealer_words WHERE dealer_id = ${id}`))[0]?.words;
    const changeDealer = (id: number, city: string) =>
      dealers.update({ id, scope: null, changes: { city }, now: momentAfter(1), versions: null, by: OPERATOR });

    test("of a dealer are made with its change; those that are missing of others are left to the timer", async () => {
      const { id: third } = await dealers.insert(dealerFields(), OPERATOR);
      await place.run("UPDATE dealers SET name = 'Renamed' WHERE id IN (1, 2)");
      await place.run("UPDATE dealer_words SET words = :words WHERE dealer_id = :third", { words: DAMAGED, third });
      await changeDealer(1, "Aix");
      expect(await wordsOfDealer(1)).toContain(" aix");
      expect(await wordsOfDealer(2)).toBeNull();
      await searchWords(db).fill();
      expect(await wordsOfDealer(2)).toContain(" renamed");
      // Only missing words are made.
      expect(await wordsOfDealer(third)).toBe(DAMAGED);
    });

    /** The number of transactions that some work on the database makes. */
    const writesOf = async (work: (on: SqlDatabase) => Promise<unknown>): Promise<number> => {
      let writes = 0;
      await work({
        ...db,
        write(inside) {
          writes++;
          return db.write(inside);
        },
      });
      return writes;
    };

    test("cost no transaction while none are missing", async () => {
      const fill = (on: SqlDatabase) => searchWords(on).fill();
      expect(await writesOf(fill)).toBe(0);
      await place.run("UPDATE dealers SET name = 'Renamed' WHERE id = 1");
      expect([await writesOf(fill), await wordsOfDealer(1)]).toEqual([1, expect.stringContaining(" renamed")]);
    });

    test("of no vehicle, or of a vehicle for a dealer that has not got it, are not made again and again", async () => {
      const [first, second] = [(await place.add(1)).id, (await place.add(1)).id];
      await place.words.fill(NOBODY);
      // As an earlier version made them.
      for (const id of [first, second]) await damage(id);
      await place.run("UPDATE vehicle_words SET dealer_id = 2 WHERE vehicle_id = :first", { first });
      await place.run("INSERT INTO vehicle_words (vehicle_id, dealer_id, words) VALUES (999999, 1, :words)", {
        words: DAMAGED,
      });
      const fill = (on: SqlDatabase) => vehicleWordsIn(on).fill(NOBODY);
      expect(await writesOf(fill)).toBe(1);
      expect(await isDamaged(second)).toBe(false);
      expect(await writesOf(fill)).toBe(0);
    });

    test("of more vehicles than are read at once are verified, each once", async () => {
      // Without a service no words are made for them.
      await place.run(
        `INSERT INTO vehicles (dealer_id, make, model, year, price_cents, status, featured, make_folded, model_folded,
          created_at, updated_at)
          WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 501)
          SELECT 1, 'Tatra', 'T', 2020, 100, 'available', 0, 'tatra', 't', :at, :at FROM numbers`,
        { at: MOMENT },
      );
      expect(await verifyVehicleWords(db, NOBODY)).toMatchObject({ vehicles: 501, wrong: 501 });
      await place.words.fill(NOBODY);
      expect(await verifyVehicleWords(db, NOBODY)).toMatchObject({ vehicles: 501, wrong: 0, misindexed: 0 });
    });

    test("that the index has lost are found by the verification, also while others are not in the index yet", async () => {
      if (engine.name !== "SQLite") return;
      const { id } = await place.add(1, { trim: "lost" });
      await place.words.fill(NOBODY);
      await place.add(1, { trim: "fresh" });
      await place.run("DELETE FROM vehicle_index WHERE rowid = :id", { id });
      expect(await verifyVehicleWords(db, NOBODY)).toMatchObject({ misindexed: 1, examples: [id] });
    });

    test("that lie with another dealer are missing for a vehicle that comes into the index, and are made", async () => {
      if (engine.name !== "SQLite") return;
      const { id } = await place.add(1, { trim: "astray" });
      await place.run("UPDATE vehicle_words SET dealer_id = 2 WHERE vehicle_id = :id", { id });
      await place.words.fill(NOBODY);
      expect(await place.find("astray", 1)).toEqual([id]);
    });

    test("of a value that one field has are missing for it, though they are stored for another field that has it", async () => {
      await place.add(1, { trim: "Élan", exterior_color: "Élan", interior_color: "Noir" });
      await place.add(1, { trim: "Sport" });
      expect(await verifySpellings(db)).toEqual([]);
      await place.run("DELETE FROM vehicle_spellings WHERE field = 'trim' AND value = 'Élan'");
      expect(await verifySpellings(db)).toEqual([{ field: "trim", value: "Élan" }]);
    });

    test("that are long come into the index part by part: a part or a merge of few small pages in each turn", async () => {
      if (engine.name !== "SQLite") return;
      const text = Array.from({ length: 2900 }, (_, n) => n.toString(36).padStart(5, "x")).join(" ");
      const ids: number[] = [];
      for (let n = 0; n < 12; n++) ids.push((await place.add(1, { description: text })).id);
      await place.words.start({ progress: NOBODY, failed: NOBODY });
      await place.words.stop();
      const turns: number[] = [];
      let turn = 0;
      let isCounting = true;
      const count = (): void => {
        turn++;
        if (isCounting) setImmediate(count);
      };
      count();
      await db.write(async (tx) => {
        const watched: Sql = {
          all(statement, values) {
            if (statement.text.includes(" vehicle_index ")) turns.push(turn);
            return tx.all(statement, values);
          },
        };
        for (let round = 0; round < 3; round++) await place.words.keep(watched, ...ids);
      });
      isCounting = false;
      expect(turns.length).toBeGreaterThan(60);
      expect(new Set(turns).size).toBe(turns.length);
      expect(await rows("SELECT k, v FROM vehicle_index_config WHERE k IN ('pgsz', 'usermerge') ORDER BY k")).toEqual([
        { k: "pgsz", v: 1024 },
        { k: "usermerge", v: 8 },
      ]);
      expect(await place.right()).toEqual([0, 0, 0]);
    });

    test("of makes and models that change while they are put right keep the change", async () => {
      if (engine.name !== "PostgreSQL") return;
      const [first, second] = [(await place.add(1, { make: "Škoda" })).id, (await place.add(1, { model: "Été" })).id];
      // As the version before folded them.
      await place.run("UPDATE vehicles SET make_folded = lower(make), model_folded = lower(model)");
      const changing = wordsFixture(other);
      const between = (tx: Sql): Sql => ({
        async all(statement, values) {
          if (statement.text.startsWith("UPDATE vehicles SET make_folded"))
            await changing.change(
              values.id === first ? first : second,
              values.id === first ? { make: "Tatra" } : { model: "T" },
            );
          return tx.all(statement, values);
        },
      });
      for (const id of [first, second]) await db.write((tx) => vehicleSpellings(db).repair(between(tx), [id]));
      expect(await verifySpellings(db)).toEqual([]);
      expect(await rows("SELECT make_folded, model_folded FROM vehicles ORDER BY id")).toEqual([
        { make_folded: "tatra", model_folded: "camry" },
        { make_folded: "toyota", model_folded: "t" },
      ]);
    });

    test("are merged into this schema's index, whatever another schema has by its name", async () => {
      if (engine.name !== "PostgreSQL") return;
      await rows("CREATE SCHEMA another");
      await rows("CREATE TABLE another.vehicle_index (id INTEGER)");
      const { id } = await place.add(1);
      await place.change(id, { trim: "merged" });
      await place.words.fill(NOBODY);
      expect(await place.find("merged")).toEqual([id]);
    });
  });
