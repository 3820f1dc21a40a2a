import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { copyDatabase } from "../../adapters/sql/schema/copy.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { searchWords } from "../../adapters/sql/search/words.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { makeBulk } from "../../adapters/sql/vehicles/bulk.ts";
import type { KeyRecord } from "../../core/keys/key.ts";
import type { KeySearch } from "../../core/keys/key-repository.ts";
import { everyItem } from "../../core/page.ts";
import type { UserRecord } from "../../core/users/user.ts";
import { searchWords as migration } from "../../migrations/0013-search-words.ts";
import { inGate } from "../support/depth.ts";
import { migrateBefore } from "../support/earlier-schema.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { changeStoredKey } from "../support/key-changes.ts";
import {
  dealerFields,
  keyFields,
  MOMENT,
  made,
  momentAfter,
  newSecret,
  OPERATOR,
  userFields,
  words,
} from "../support/records.ts";
import { changeStoredUser } from "../support/user-changes.ts";

setDefaultTimeout(300_000);

const PAGE = { limit: 1000, offset: 0 };

const searchFixture = (db: SqlDatabase) => {
  const dealers = makeDealerRepository(db);
  const users = makeUserRepository(db, () => {});
  const keys = makeKeyRepository(db, () => {});
  const idsOf = async (listing: Parameters<typeof everyItem<{ id: number }>>[0]): Promise<number[]> =>
    (await everyItem(listing)).map(({ id }) => id).sort((one, other) => one - other);
  return {
    dealers,
    users,
    keys,
    addDealer: async (fields: Parameters<typeof dealerFields>[0]) =>
      (await dealers.insert(dealerFields(fields), OPERATOR)).id,
    addUser: async (fields: Parameters<typeof userFields>[0]): Promise<UserRecord> =>
      made(await users.insert(userFields(fields), MOMENT, OPERATOR)),
    addKey: async (fields: Parameters<typeof keyFields>[0]): Promise<KeyRecord> =>
      made(await keys.insert({ key: keyFields(fields), secret: newSecret(), now: MOMENT, by: OPERATOR })),
    findDealers: async (search: string, scope: number | null = null) =>
      idsOf(await dealers.list({ scope, filter: { search }, page: PAGE })),
    findUsers: async (search: string) =>
      idsOf(await users.list({ visibility: "everything", filter: { search }, page: PAGE })),
    findKeys: async (search: KeySearch | string) =>
      idsOf(
        await keys.list({
          visibility: "everything",
          filter: { search: typeof search === "string" ? words(search) : search },
          page: PAGE,
        }),
      ),
  };
};

/** Statements as an instance of the previous version runs them, which keeps no search words. */
const run = (db: SqlDatabase, ...texts: readonly string[]): Promise<void> =>
  db.migrate(async (statement) => {
    for (const text of texts) await statement(text);
  });

/** A search in plain code, independent of the service's. */
const model = (q: string, texts: readonly string[]): boolean => {
  const plain = (text: string): string =>
    text
      .replace(/\p{M}/gu, "")
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replaceAll("ς", "σ")
      .replaceAll("ø", "o")
      .replaceAll("æ", "ae");
  const runs = (text: string): string[][] => {
    const found: string[][] = [];
    let parts: string[] = [];
    let sign = " ";
    for (const character of plain(text)) {
      if (!/[\p{L}\p{N}]/u.test(character)) sign = sign === "" ? character : " ";
      else {
        const last = parts.length - 1;
        if (sign === "") parts[last] += character;
        else if (parts.length > 0 && "-./'".includes(sign)) parts.push(character);
        else {
          parts = [character];
          found.push(parts);
        }
        sign = "";
      }
    }
    return found;
  };
  const all = texts.flatMap(runs).flatMap((parts) => [...parts, parts.join("")]);
  const begins = (word: string): boolean => all.some((one) => one.startsWith(word));
  const pieces = texts.flatMap((text) => plain(text).split(/\s/));
  const written = plain(q)
    .split(/\s/)
    .filter((piece) => /[%_*\\]/.test(piece));
  return (
    runs(q).every((parts) => parts.every(begins) || begins(parts.join(""))) &&
    written.every((piece) => pieces.some((one) => one.startsWith(piece)))
  );
};

const ALPHABETS = ["ab", "-./'", ' ,_%*"\\', "ÅåøØæß", "Σσς", "Ёеё", "가각", "1２½", "\u0301"].join("");
const fuzz = fc.string({ unit: fc.constantFrom(...ALPHABETS), minLength: 1, maxLength: 12 });

for (const engine of ENGINES)
  describe(`search on ${engine.name}`, () => {
    let db: SqlDatabase;
    let fixture: ReturnType<typeof searchFixture>;
    beforeAll(async () => {
      db = await engine.open();
      fixture = searchFixture(db);
    });
    afterAll(() => db.close());

    test("finds a dealer by the beginnings of words of its name, city, state, email, phone or id", async () => {
      const id = await fixture.addDealer({
        name: "Østre F-150 Søhne",
        city: "Łódź",
        state: "Ontario",
        email: "leif@oestre.example.com",
        phone: "555-0199",
        description: "hidden",
        address: "9 Elsewhere Street",
      });
      for (const q of [
        "ostre",
        "SOH ost",
        "f150",
        "f-150",
        "f 150",
        "150",
        "lod ont",
        "leif@oestre.example",
        "5550199",
        "0199",
        `${id} lodz`,
      ])
        expect([q, await fixture.findDealers(q)]).toEqual([q, [id]]);
      for (const q of ["stre", "hidden", "elsewhere", "ostre portland", "f15o", "ostr%", "ostr_", "*", '"'])
        expect([q, await fixture.findDealers(q)]).toEqual([q, []]);
      expect(await fixture.findDealers("ostre", id)).toEqual([id]);
      expect(await fixture.findDealers("ostre", id + 1)).toEqual([]);
    });

    test("finds a dealer by its current name, and not by a former one", async () => {
      const id = await fixture.addDealer({ name: "Before", city: "Aix" });
      const change = { id, scope: null, now: momentAfter(5), versions: null, by: OPERATOR } as const;
      await fixture.dealers.update({ ...change, changes: { name: "Afterwards" } });
      expect([await fixture.findDealers("before"), await fixture.findDealers("afterw aix")]).toEqual([[], [id]]);
      await fixture.dealers.update({ ...change, changes: { phone: "1" } });
      expect(await fixture.findDealers("afterw aix 1")).toEqual([id]);
    });

    test("finds a user by name and email, before and after a change", async () => {
      const user = await fixture.addUser({ name: "Zoë Q'orianka", email: "zed@zz.example.com" });
      for (const q of ["zoe", "qori", "q'or", "zed@zz", "exam zoe"])
        expect(await fixture.findUsers(q)).toContain(user.id);
      const fields = { ...user, name: "Yves" };
      await changeStoredUser(fixture.users, user, { fields, now: momentAfter(1) });
      expect([await fixture.findUsers("zoe"), await fixture.findUsers("yves zed")]).toEqual([[], [user.id]]);
    });

    test("finds a key by its own words, its beginning, and the names of its dealer and user", async () => {
      const dealerId = await fixture.addDealer({ name: "Quick Wheels", city: "Nowhere" });
      const user = await fixture.addUser({ name: "Ulla Unger", email: "uuzzyyxx@example.com" });
      const ofDealer = await fixture.addKey({ name: "Kiosk", dealerId, appId: "kiosk-app" });
      const ofUser = await fixture.addKey({ name: "Phone", dealerId: null, userId: user.id });
      expect(await fixture.findKeys("kiosk quick")).toEqual([ofDealer.id]);
      expect(await fixture.findKeys("wheels kioskapp")).toEqual([ofDealer.id]);
      expect(await fixture.findKeys("unger")).toEqual([ofUser.id]);
      expect(await fixture.findKeys(ofUser.keyStart)).toEqual([ofUser.id]);
      // Only the dealer's or user's name counts.
      expect(await fixture.findKeys("nowhere")).toEqual([]);
      expect(await fixture.findKeys("uuzzyyxx")).toEqual([]);
      // A caller who may not read the name does not find by it.
      const blind = { inDealerNames: false, inUserNames: false };
      expect(await fixture.findKeys({ q: "quick", ...blind })).toEqual([]);
      expect(await fixture.findKeys({ q: "unger", ...blind })).toEqual([]);
      expect(await fixture.findKeys({ q: "kiosk", ...blind })).toEqual([ofDealer.id]);

      const change = { scope: null, now: momentAfter(9), versions: null, by: OPERATOR } as const;
      await fixture.dealers.update({ id: dealerId, ...change, changes: { name: "Slow Wheels" } });
      expect([await fixture.findKeys("quick"), await fixture.findKeys("slow")]).toEqual([[], [ofDealer.id]]);
      const other = await fixture.addDealer({ name: "Other Owner" });
      const seen = ofDealer;
      const moved = made(
        await changeStoredKey(fixture.keys, seen, {
          does: "change",
          fields: { ...seen, dealerId: other },
          now: momentAfter(9),
        }),
      );
      expect([await fixture.findKeys("slow"), await fixture.findKeys("owner")]).toEqual([[], [ofDealer.id]]);
      const fields = { ...moved, association: "user", dealerId: null, userId: user.id } as const;
      made(await changeStoredKey(fixture.keys, moved, { does: "change", fields, now: momentAfter(99) }));
      expect([await fixture.findKeys("owner"), await fixture.findKeys("ulla")]).toEqual([[], [ofDealer.id, ofUser.id]]);
    });

    test("finds a key by its new name and beginning after a change, a rotation or both at once", async () => {
      const key = await fixture.addKey({ name: "Firstname", description: "depicted" });
      const change = { visibility: "everything", by: OPERATOR } as const;
      const fields = { ...key, name: "Secondname" };
      const renamed = made(
        await changeStoredKey(fixture.keys, key, { ...change, does: "change", fields, now: momentAfter(1) }),
      );
      expect([await fixture.findKeys("firstname"), await fixture.findKeys("secondname dep")]).toEqual([[], [key.id]]);
      const rotated = made(
        await changeStoredKey(fixture.keys, renamed, {
          ...change,
          does: "rotate",
          secret: newSecret(),
          now: momentAfter(2),
          previousEndsAt: momentAfter(2),
        }),
      );
      expect(await fixture.findKeys(`${rotated.keyStart} second`)).toEqual([key.id]);
      const secret = newSecret();
      const both = made(
        await changeStoredKey(fixture.keys, rotated, {
          ...change,
          does: "change",
          fields: { ...fields, name: "Thirdname" },
          now: momentAfter(3),
          secret,
        }),
      );
      expect(await fixture.findKeys(`${both.keyStart} thirdname`)).toEqual([key.id]);
      expect(both.keyStart).toBe(secret.start);
    });

    test("finds a key with a long description by its name, its app and the beginning of the description", async () => {
      const description = `Showroom ${Array.from({ length: 9000 }, (_, index) => String.fromCharCode(0xac00 + index)).join(" ")} conclusion`;
      const key = await fixture.addKey({ name: "Talkative", appId: "verbose-app", description });
      for (const q of ["talk verbose show", "verboseapp"])
        expect([q, await fixture.findKeys(q)]).toEqual([q, [key.id]]);
      expect(await fixture.findKeys("conclus talk")).toEqual([]);
    });

    test("finds exactly what a search in plain code finds, in texts of many alphabets", async () => {
      await fc.assert(
        fc.asyncProperty(fuzz, fuzz, fc.array(fuzz, { minLength: 1, maxLength: 6 }), async (name, city, queries) => {
          const id = await fixture.addDealer({ name, city, state: "-", email: "-", phone: "-" });
          for (const q of queries) {
            const expected = /[\p{L}\p{N}%_*\\]/u.test(q.normalize("NFKD")) && model(q, [name, city, String(id)]);
            expect([q, await fixture.findDealers(q, id)]).toEqual([q, expected ? [id] : []]);
          }
        }),
        { numRuns: inGate(40, 150) },
      );
    });

    test("finds seeded dealers", async () => {
      const bulk = makeBulk(db, { now: () => MOMENT }, OPERATOR);
      const ids = await bulk.addDealers(
        [dealerFields({ name: "Seeded Söhne" }), dealerFields({ name: "Seeded Two" })],
        false,
      );
      expect<unknown>(await fixture.findDealers("seeded")).toEqual(ids);
    });

    test("finds records written by an instance of the previous version as soon as their words are filled in", async () => {
      const dealerId = await fixture.addDealer({ name: "Old Name" });
      const user = await fixture.addUser({ name: "Old Person" });
      const key = await fixture.addKey({ name: "Old Key", dealerId });
      await run(
        db,
        `UPDATE dealers SET name = 'Newest' WHERE id = ${dealerId}`,
        `UPDATE users SET name = 'Newest' WHERE id = ${user.id}`,
        `UPDATE api_keys SET name = 'Newest', search_folded = 'x' WHERE id = ${key.id}`,
      );
      expect([await fixture.findDealers("newest"), await fixture.findDealers("old name")]).toEqual([[], []]);
      await searchWords(db).fill();
      expect(await fixture.findDealers("newest")).toEqual([dealerId]);
      expect(await fixture.findUsers("newest")).toEqual([user.id]);
      expect(await fixture.findKeys("newest")).toEqual([key.id]);
      await run(
        db,
        `DELETE FROM dealer_keys WHERE key_id = ${key.id}`,
        `UPDATE api_keys SET active = 0 WHERE id = ${key.id}`,
      );
      await run(db, `UPDATE dealers SET name = 'Unlinked' WHERE id = ${dealerId}`);
      await searchWords(db).fill();
      expect(await fixture.findKeys("unlinked")).toEqual([]);
      expect(await fixture.findKeys("newest")).toEqual([key.id]);
    });

    test("finds the same in a copy as in the original", async () => {
      const dealerId = await fixture.addDealer({ name: "Copied Cars" });
      const key = await fixture.addKey({ name: "Duplicate", dealerId });
      for (const into of ENGINES) {
        const target = await into.open();
        await copyDatabase(db, target, () => {});
        const there = searchFixture(target);
        expect(await there.findDealers("copied")).toEqual([dealerId]);
        expect(await there.findKeys("copied duplic")).toEqual([key.id]);
        await target.close();
      }
    });
  });

for (const engine of ENGINES)
  test(`records from before the update are found after it on ${engine.name}`, async () => {
    const db = connect(await engine.url());
    await migrateBefore(db, migration);
    const [dealer, user, key] = [
      `INSERT INTO dealers (id, name, address, city, state, zip, phone, email, active, city_folded, state_folded, created_at, updated_at)
        VALUES (1, 'Elder', 'a', 'b', 'c', 'd', 'e', 'f', 1, 'b', 'c', '${MOMENT}', '${MOMENT}')`,
      `INSERT INTO users (id, name, email, email_folded, role, permissions, active, created_at, updated_at)
        VALUES (1, 'Elderly', 'e@example.com', 'e@example.com', 'user', 0, 1, '${MOMENT}', '${MOMENT}')`,
      `INSERT INTO api_keys (id, name, app_type, app_id, key_start, association, permissions, active, bootstrap, search_folded, created_at, updated_at)
        VALUES (1, 'Eldest', 'web', 'x', 'vis_web_x', 'dealer', 0, 1, 0, 'x', '${MOMENT}', '${MOMENT}')`,
    ];
    await run(db, dealer, user, key, "INSERT INTO dealer_keys (dealer_id, key_id) VALUES (1, 1)");
    await migrateToLatest(db);
    const fixture = searchFixture(db);
    expect([
      await fixture.findDealers("elder"),
      await fixture.findUsers("elder"),
      await fixture.findKeys("eldest"),
    ]).toEqual([[1], [1], [1]]);
    expect(await fixture.findKeys({ q: "elder eldest", inDealerNames: true, inUserNames: false })).toEqual([1]);
    await db.close();
  });
