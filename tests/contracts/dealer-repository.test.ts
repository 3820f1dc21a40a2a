import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { storedCodes } from "../../adapters/sql/dealers/codes.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { param, sqlStatement } from "../../adapters/sql/query/statement.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { TakenCode } from "../../core/dealers/codes.ts";
import type { DealerFilter, DealerRepository, DealerUpdate } from "../../core/dealers/dealer-repository.ts";
import { placeOfZip } from "../../core/places/places.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

const NOBODY = 999_999;
const PAGE = { limit: 100, offset: 0 };

for (const engine of ENGINES)
  describe(`the dealer repository on ${engine.name}`, () => {
    let db: SqlDatabase;
    let dealers: DealerRepository;

    beforeAll(async () => {
      db = await engine.open();
      dealers = makeDealerRepository(db);
    });
    afterAll(() => db.close());

    test("reads every field back as it was stored", async () => {
      const fields = dealerFields({
        name: "  Žluť & Søn 🚗 ",
        website: "https://harbor.example.com",
        logo_url: "https://harbor.example.com/logo.png",
        description: "two\nlines",
        hours: { monday: "9:00-18:00", sunday: "closed" },
        social_media: { mastodon: "https://social.example.com/@harbor", __proto__x: "https://x.example.com" },
        active: 0,
        updated_at: momentAfter(1),
      });
      const stored = await dealers.insert(fields, OPERATOR);
      expect(stored).toEqual({ id: stored.id, ...fields });
      expect(await dealers.find(stored.id, null)).toEqual(stored);
      expect(await dealers.exists(stored.id)).toBe(true);
    });

    test("changes only the named fields and updated_at, and clears a field that becomes null", async () => {
      const stored = await dealers.insert(
        dealerFields({ hours: { monday: "9-5" }, website: "https://a.example.com" }),
        OPERATOR,
      );
      const now = momentAfter(1000);
      const changes = { hours: null, website: null, city: "Salem", social_media: {}, active: 0 } as const;
      const updated = made(
        await dealers.update({ id: stored.id, scope: null, changes, now, versions: null, by: OPERATOR }),
      );
      expect(updated).toEqual({ ...stored, ...changes, updated_at: now });
      expect(await dealers.find(stored.id, null)).toEqual(updated);
      const touched = made(
        await dealers.update({
          id: stored.id,
          scope: null,
          changes: {},
          now: momentAfter(2000),
          versions: null,
          by: OPERATOR,
        }),
      );
      expect(touched).toEqual({ ...updated, updated_at: momentAfter(2000) });
    });

    test("takes coordinates from the current ZIP code until they are set", async () => {
      const unset = { latitude: null, longitude: null };
      const stored = await dealers.insert(dealerFields({ ...unset, zip: "97201-1234" }), OPERATOR);
      const placed = async (changes: DealerUpdate): Promise<unknown> => {
        const of = { id: stored.id, scope: null, now: MOMENT, versions: null, by: OPERATOR };
        const { latitude, longitude } = made(await dealers.update({ ...of, changes }));
        expect(await dealers.find(stored.id, null)).toMatchObject({ latitude, longitude });
        return { latitude, longitude };
      };
      expect<unknown>(stored).toMatchObject({ ...placeOfZip("97201") });
      expect(await placed({ zip: "10001" })).toEqual({ ...placeOfZip("10001") });
      expect(await placed({ zip: "K1A 0B1" })).toEqual(unset);
      const set = { latitude: 45.523064, longitude: -0.1 };
      expect(await placed(set)).toEqual(set);
      expect(await placed({ zip: "10001" })).toEqual(set);
      expect(await placed(unset)).toEqual({ ...placeOfZip("10001") });
      const { items } = await dealers.list({ scope: stored.id, filter: {}, page: PAGE });
      expect<unknown>(items).toMatchObject([{ id: stored.id, ...placeOfZip("10001") }]);
    });

    test("a code is at one dealer only, and free once its dealer gives it up", async () => {
      const change = (id: number, codes: readonly string[]) =>
        dealers.update({ id, scope: null, changes: { codes }, now: MOMENT, versions: null, by: OPERATOR });
      const one = await dealers.insert(dealerFields({ codes: ["Only 1", "Only 2"] }), OPERATOR);
      const other = await dealers.insert(dealerFields({ codes: ["Only 3"] }), OPERATOR);
      expect(await dealers.find(one.id, null)).toEqual(one);
      expect(one.codes).toEqual(["Only 1", "Only 2"]);
      const codeOf = (error: unknown) => (error instanceof TakenCode ? error.code : error);
      expect(await change(other.id, ["new", "ONLY 2"]).catch(codeOf)).toBe("ONLY 2");
      const taken = dealerFields({ codes: ["another new", "ONLY 2"] });
      expect(await dealers.insert(taken, OPERATOR).catch(codeOf)).toBe("ONLY 2");
      expect((await dealers.find(other.id, null))?.codes).toEqual(["Only 3"]);
      expect(made(await change(one.id, ["only 1"])).codes).toEqual(["only 1"]);
      expect(made(await change(other.id, ["ONLY 2"])).codes).toEqual(["ONLY 2"]);
      const { items } = await dealers.list({ scope: other.id, filter: {}, page: PAGE });
      expect(items.map(({ codes }) => codes)).toEqual([["ONLY 2"]]);
    });

    test("a code that another dealer has got since it was looked for is taken, too", async () => {
      const { id } = await dealers.insert(dealerFields({ codes: ["Since"] }), OPERATOR);
      const again = sqlStatement(
        db,
        sql<object>`INSERT INTO dealer_codes (folded, dealer_id) VALUES ('since', ${param("id")})`,
      );
      const write = storedCodes(db).orTaken(db.writeOne(again, { id }), ["Since"]);
      expect(await write.catch((error: unknown) => error)).toBeInstanceOf(TakenCode);
    });

    test("of dealers that get one code at the same time, one has it", async () => {
      const [one, other] = [await dealers.insert(dealerFields(), OPERATOR), dealerFields({ codes: ["Raced"] })];
      const results = await Promise.allSettled([
        dealers.update({
          ...{ id: one.id, scope: null, changes: { codes: ["raced"] } },
          ...{ now: MOMENT, versions: null, by: OPERATOR },
        }),
        dealers.insert(other, OPERATOR),
        dealers.insert(other, OPERATOR),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
      for (const result of results) if (result.status === "rejected") expect(result.reason).toBeInstanceOf(TakenCode);
    });

    test("applies a change only to the named versions", async () => {
      const { id, updated_at } = await dealers.insert(dealerFields(), OPERATOR);
      const change = (versions: string[]) =>
        dealers.update({ id, scope: null, changes: { city: "Salem" }, now: MOMENT, versions, by: OPERATOR });
      expect(await change([])).toBeNull();
      expect(await change([momentAfter(-1)])).toBeNull();
      expect((await dealers.find(id, null))?.city).toBe("Portland");
      expect(made(await change([momentAfter(-1), updated_at])).city).toBe("Salem");
      expect(await change([updated_at])).toBeNull();
    });

    test("finds neither a missing dealer nor an inventory of it", async () => {
      expect(await dealers.find(NOBODY, null)).toBeNull();
      expect(await dealers.exists(NOBODY)).toBe(false);
      expect(
        await dealers.update({
          id: NOBODY,
          scope: null,
          changes: { city: "Salem" },
          now: MOMENT,
          versions: null,
          by: OPERATOR,
        }),
      ).toBeNull();
      expect(await dealers.inventory(NOBODY, null)).toBeNull();
    });

    describe("lists", () => {
      const CITY = "Åre";
      let ids: number[];

      beforeAll(async () => {
        ids = [];
        for (const fields of [
          { city: CITY, state: "Z", active: 1 },
          { city: "åRE", state: "z", active: 0 },
          { city: CITY, state: "Zz", active: 1, created_at: momentAfter(-1) },
        ] as const)
          ids.push((await dealers.insert(dealerFields(fields), OPERATOR)).id);
      });

      const CASES: { filter: DealerFilter; found: number[] }[] = [
        { filter: { city: "ÅRE" }, found: [1, 0, 2] },
        { filter: { city: CITY, state: "z" }, found: [1, 0] },
        { filter: { city: CITY, active: true }, found: [0, 2] },
        { filter: { city: CITY, active: false }, found: [1] },
        { filter: { state: "zZ" }, found: [2] },
        { filter: { city: "Åre%" }, found: [] },
        { filter: { city: "Åre " }, found: [] },
      ];
      for (const { filter, found } of CASES)
        test(`for ${JSON.stringify(filter)} find exactly the dealers it describes, newest first, then by id`, async () => {
          const listing = await dealers.list({ scope: null, filter, page: PAGE });
          expect(listing.items.map(({ id }) => id)).toEqual(found.map((index) => ids[index] as number));
          expect(listing.total).toBe(found.length);
        });

      test("find a dealer by the city and the state that it moved to, not by those it left", async () => {
        const { id } = await dealers.insert(dealerFields({ city: "Left", state: "Gone" }), OPERATOR);
        for (const [change, gone] of [
          [{ city: "Östersund" }, { city: "LEFT" }],
          [{ state: "Jämtland" }, { state: "GONE" }],
        ] as const) {
          await dealers.update({ id, scope: null, changes: change, now: momentAfter(1), versions: null, by: OPERATOR });
          expect(
            (await dealers.list({ scope: null, filter: change, page: PAGE })).items.map((dealer) => dealer.id),
          ).toEqual([id]);
          expect((await dealers.list({ scope: null, filter: gone, page: PAGE })).items).toEqual([]);
        }
      });

      test("are paged, and the total counts every match", async () => {
        const page = await dealers.list({ scope: null, filter: { city: CITY }, page: { limit: 1, offset: 1 } });
        expect(page.items.map(({ id }) => id)).toEqual([ids[0] as number]);
        expect(page.total).toBe(3);
      });

      test("within a dealer's scope contain only that dealer, whatever the filter", async () => {
        await dealers.list({ scope: null, filter: {}, page: PAGE });
        const [first, second] = ids as [number, number];
        expect((await dealers.list({ scope: first, filter: {}, page: PAGE })).items.map(({ id }) => id)).toEqual([
          first,
        ]);
        expect((await dealers.list({ scope: first, filter: {}, page: PAGE })).total).toBe(1);
        expect(
          (await dealers.list({ scope: second, filter: { city: CITY }, page: PAGE })).items.map(({ id }) => id),
        ).toEqual([second]);
        expect(await dealers.list({ scope: second, filter: { city: CITY, active: true }, page: PAGE })).toEqual({
          total: 0,
          items: [],
        });
      });
    });

    test("reads and changes only the scope's dealer", async () => {
      const own = await dealers.insert(dealerFields(), OPERATOR);
      const foreign = await dealers.insert(dealerFields(), OPERATOR);
      await dealers.update({
        id: foreign.id,
        scope: null,
        changes: { city: "Bend" },
        now: MOMENT,
        versions: null,
        by: OPERATOR,
      });
      const before = made(await dealers.find(foreign.id, null));
      expect(await dealers.find(foreign.id, own.id)).toBeNull();
      expect(await dealers.inventory(foreign.id, own.id)).toBeNull();
      expect(
        await dealers.update({
          id: foreign.id,
          scope: own.id,
          changes: { city: "Salem" },
          now: MOMENT,
          versions: null,
          by: OPERATOR,
        }),
      ).toBeNull();
      expect(
        await dealers.update({
          id: foreign.id,
          scope: own.id,
          changes: { city: "Salem" },
          now: MOMENT,
          versions: [before.updated_at],
          by: OPERATOR,
        }),
      ).toBeNull();
      expect(await dealers.find(foreign.id, null)).toEqual(before);

      expect(await dealers.names([foreign.id], own.id)).toEqual(new Map());

      expect(await dealers.find(own.id, own.id)).toEqual(own);
      expect(await dealers.names([own.id, NOBODY], null)).toEqual(new Map([[own.id, own.name]]));
      expect(
        made(
          await dealers.update({
            id: own.id,
            scope: own.id,
            changes: { city: "Salem" },
            now: MOMENT,
            versions: null,
            by: OPERATOR,
          }),
        ).city,
      ).toBe("Salem");
      expect(await dealers.inventory(own.id, own.id)).not.toBeNull();
    });

    test("counts an inventory's vehicles and cents by status, and names its newest and oldest vehicle", async () => {
      const { id } = await dealers.insert(dealerFields(), OPERATOR);
      const other = await dealers.insert(dealerFields(), OPERATOR);
      const none = { vehicles: 0, cents: 0 };
      expect(await dealers.inventory(id, null)).toEqual({
        byStatus: { available: none, sold: none, pending: none },
        listedMs: null,
        newest: null,
        oldest: null,
        photoBytes: 0,
      });
      const vehicles = makeVehicleRepository(db);
      const insert = async (dealerId: number, price: number, status: "available" | "sold" | "pending", ms: number) =>
        made(await vehicles.insert(vehicleFields(dealerId, { price, status, created_at: momentAfter(ms) }), OPERATOR))
          .id;
      const oldest = await insert(id, 0.1, "available", 0);
      await insert(id, 0.2, "available", 0);
      await insert(id, 100_000_000, "sold", 1);
      await insert(id, 7, "pending", 2);
      const newest = await insert(id, 8, "pending", 2);
      await insert(other.id, 5, "available", -9);
      await insert(other.id, 5, "available", 9);
      const inventory = made(await dealers.inventory(id, null));
      expect(inventory.byStatus).toEqual({
        available: { vehicles: 2, cents: 30 },
        sold: { vehicles: 1, cents: 10_000_000_000 },
        pending: { vehicles: 2, cents: 1500 },
      });
      const summary = { make: "Toyota", model: "Camry", year: 2024 };
      expect(inventory.oldest).toEqual({ id: oldest, ...summary, created_at: MOMENT });
      expect(inventory.newest).toEqual({ id: newest, ...summary, created_at: momentAfter(2) });
    });
  });
