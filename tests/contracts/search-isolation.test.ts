import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { sqlStatement } from "../../adapters/sql/query/statement.ts";
import { hasWords, withWords } from "../../adapters/sql/search/condition.ts";
import { wordsCondition, wordsOfRow } from "../../adapters/sql/search/vehicle-condition.ts";
import { searchedWords } from "../../core/search/words.ts";
import { ENGINES } from "../support/engines.ts";
import { recording } from "../support/recording.ts";
import { dealerFields, momentAfter, OPERATOR } from "../support/records.ts";
import { NOBODY, type WordsPlace, wordsFixture } from "../support/words-fixture.ts";

setDefaultTimeout(300_000);

const [OWN, OTHER] = [1, 2];

for (const engine of ENGINES) {
  describe(`conditions on the words of vehicles on ${engine.name}`, () => {
    let db: SqlDatabase;
    let place: WordsPlace;
    beforeAll(async () => {
      db = await engine.open();
      place = wordsFixture(db);
      await place.addDealers();
    });
    afterAll(() => db.close());

    /** The vehicles that a condition alone finds: no scope and no other filter narrows the statement. */
    const idsOf = async (condition: ReturnType<typeof wordsOfRow>, on: SqlDatabase, dealer?: number) => {
      const statement = sqlStatement(
        on,
        sql<{ id: number }>`SELECT id FROM vehicles WHERE ${condition.where()} ORDER BY id`,
      );
      const values = { ...condition.values, ...(dealer === undefined ? {} : { scope: dealer }) };
      return (await on.all(statement, values)).map(({ id }) => id);
    };
    const ofDealer = (dealer: number, q: string, on = db) => idsOf(wordsCondition(on, q, "scope"), on, dealer);
    const ofAll = (q: string, on = db) => idsOf(wordsCondition(on, q, null), on);
    const ofRows = (q: string, on = db) => idsOf(wordsOfRow(on, q), on);
    /** What each condition finds: that of each dealer, that of all, and that of one vehicle at a time. */
    const found = async (q: string) => ({
      own: await ofDealer(OWN, q),
      other: await ofDealer(OTHER, q),
      all: await ofAll(q),
      rows: await ofRows(q),
    });

    test("find for a dealer its own vehicles alone, though another's have the same words, changed and removed ones too", async () => {
      const first = await place.add(OWN, { trim: "shared early F-150" });
      const second = await place.add(OWN, { trim: "alone" });
      const third = await place.add(OTHER, { trim: "shared late" });
      // As they were changed, and once SQLite's index has them.
      for (const isIndexed of [false, true]) {
        if (isIndexed) await place.words.fill(NOBODY);
        const both = [first.id, third.id];
        expect(await found("shared")).toEqual({ own: [first.id], other: [third.id], all: both, rows: both });
        expect(await found("alone")).toEqual({ own: [second.id], other: [], all: [second.id], rows: [second.id] });
        for (const q of ["f150", "f-150"])
          expect(await found(q)).toEqual({ own: [first.id], other: [], all: [first.id], rows: [first.id] });
        expect(await found("shared alone")).toEqual({ own: [], other: [], all: [], rows: [] });
      }
      await place.change(first.id, { trim: "renamed" });
      expect(await found("shared")).toEqual({ own: [], other: [third.id], all: [third.id], rows: [third.id] });
      expect(await found("renamed")).toEqual({ own: [first.id], other: [], all: [first.id], rows: [first.id] });
      await place.change(third.id, { dealer_id: OWN });
      expect(await found("shared")).toEqual({ own: [third.id], other: [], all: [third.id], rows: [third.id] });
      await place.remove(third.id);
      expect(await found("shared late")).toEqual({ own: [], other: [], all: [], rows: [] });
      for (const { id } of [first, second]) await place.remove(id);
    });

    test("show a vehicle to neither dealer if its words lie with the other one, which making all anew mends", async () => {
      const { id } = await place.add(OWN, { trim: "astray" });
      const neighbour = await place.add(OTHER, { trim: "neighbour" });
      await place.run("UPDATE vehicle_words SET dealer_id = :dealer WHERE vehicle_id = :id", { dealer: OTHER, id });
      expect(await place.find("astray", OWN)).toEqual([]);
      expect(await place.find("astray", OTHER)).toEqual([]);
      expect(await ofRows("astray")).toEqual([]);
      expect(await place.right()).toEqual([1, 1, 0]);
      await place.words.remake(NOBODY);
      expect(await place.right()).toEqual([0, 0, 0]);
      expect(await found("astray")).toEqual({ own: [id], other: [], all: [id], rows: [id] });
      for (const one of [id, neighbour.id]) await place.remove(one);
    });

    test("read the words of a dealer, of a vehicle, or of those that the index has not yet, by their key", async () => {
      if (engine.name !== "SQLite") return;
      const watched = recording(db);
      const stepsOf = async () =>
        (await Promise.all(watched.ran().map((ran) => ran.plan())))
          .flat()
          .filter((step) => /(?:SEARCH|SCAN) (?:fresh|vehicle_words)\b/.test(step));
      await ofDealer(OWN, "shared", watched.db);
      expect(await stepsOf()).toEqual(["SEARCH vehicle_words USING PRIMARY KEY (dealer_id=?)"]);
      await ofRows("shared", watched.db);
      expect(await stepsOf()).toEqual(["SEARCH vehicle_words EXISTS USING PRIMARY KEY (dealer_id=? AND vehicle_id=?)"]);
      await ofAll("shared", watched.db);
      expect(await stepsOf()).toEqual([
        "SEARCH fresh USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH vehicle_words USING PRIMARY KEY (dealer_id=? AND vehicle_id=?)",
      ]);
    });
  });

  test(`a condition on the words of records finds those that have all of them, and no other, on ${engine.name}`, async () => {
    const db = await engine.open();
    const dealers = makeDealerRepository(db);
    const insert = async (name: string): Promise<number> =>
      (await dealers.insert(dealerFields({ name, city: "Aix" }), OPERATOR)).id;
    /** What the condition alone finds, each record's words read one by one and all read at once. */
    const found = async (q: string) => {
      const holds = hasWords(searchedWords(q), (text) => db.contains(sql`dealer_words.words`, text));
      const of = { table: "dealers", words: "dealer_words", id: "dealer_id" };
      const idsOf = async (few: boolean) => {
        const condition = withWords(of, few, holds);
        const rows = await db.selectFrom("dealers").select("id").where(condition).orderBy("id").execute();
        return rows.map(({ id }) => id);
      };
      return { few: await idsOf(true), all: await idsOf(false) };
    };
    const only = (...ids: number[]) => ({ few: ids, all: ids });
    const [first, second] = [await insert("Shared F-150"), await insert("Shared Boats")];
    expect(await found("shared")).toEqual(only(first, second));
    expect(await found("aix boats")).toEqual(only(second));
    for (const q of ["f-150", "f150", "f 150 shared"]) expect([q, await found(q)]).toEqual([q, only(first)]);
    for (const q of ["f-151", "shared 150 boats", "hared", "-"]) expect([q, await found(q)]).toEqual([q, only()]);
    const change = { id: second, scope: null, now: momentAfter(1), versions: null, by: OPERATOR } as const;
    await dealers.update({ ...change, changes: { name: "Renamed" } });
    expect(await found("shared")).toEqual(only(first));
    expect(await found("renamed aix")).toEqual(only(second));
    await db.close();
  });
}
