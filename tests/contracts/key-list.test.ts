import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeUsageStore } from "../../adapters/sql/usage/store.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import type { KeySort } from "../../core/keys/key.ts";
import type { KeyFilter, KeyRepository } from "../../core/keys/key-repository.ts";
import type { ListOrder } from "../../core/page.ts";
import { ENGINES } from "../support/engines.ts";
import {
  dealerFields,
  keyFields,
  made,
  momentAfter,
  newSecret,
  OPERATOR,
  userFields,
  words,
} from "../support/records.ts";

setDefaultTimeout(300_000);

const PAGE = { limit: 100, offset: 0 };
const NOW = momentAfter(1000);
/** Names of the keys in the order of their creation, a millisecond apart. */
const NAMES = ["beta", "Alpha", "Gamma", "beta", "Émile", "delta"] as const;

for (const engine of ENGINES)
  describe(`the list of keys on ${engine.name}`, () => {
    let db: SqlDatabase;
    let keys: KeyRepository;
    let dealer: number;
    let ids: number[];
    let starts: string[];

    beforeAll(async () => {
      db = await engine.open();
      keys = makeKeyRepository(db, () => {});
      dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const user = made(await makeUserRepository(db, () => {}).insert(userFields(), NOW, OPERATOR)).id;
      const fields: Parameters<typeof keyFields>[0][] = [
        { expiresAt: momentAfter(2000) },
        { expiresAt: NOW, dealerId: dealer },
        { active: false, expiresAt: momentAfter(500) },
        { dealerId: dealer, expiresAt: momentAfter(1001) },
        { userId: user, active: false },
        { userId: user },
      ];
      ids = [];
      starts = [];
      for (const [index, some] of fields.entries()) {
        const secret = newSecret();
        const name = NAMES[index] ?? "";
        const inserted = await keys.insert({
          key: keyFields({ ...some, name }),
          secret,
          now: momentAfter(index),
          by: OPERATOR,
        });
        ids.push(made(inserted).id);
        starts.push(secret.start);
      }
      const use = (index: number, ms: number) => ({
        keyId: ids[index] as number,
        at: momentAfter(ms),
        address: null,
        user_agent: null,
      });
      const uses = [use(0, 900), use(1, 950), use(3, 100)];
      await makeUsageStore(db).add("a process", { number: 1, hours: [], uses, denials: [], oldSecrets: [] }, NOW);
    });
    afterAll(() => db.close());

    const listed = async (filter: KeyFilter, order?: ListOrder<KeySort>, page = PAGE) => {
      const { items, total } = await keys.list({
        visibility: "everything",
        filter,
        page,
        ...(order !== undefined && { order }),
      });
      expect(total).toBeGreaterThanOrEqual(items.length);
      return items.map(({ id }) => ids.indexOf(id));
    };

    for (const [name, filter, found] of [
      ["active: what works, to the last millisecond", { status: { is: "active", at: NOW } }, [5, 3, 0]],
      ["expired: past its end and not revoked", { status: { is: "expired", at: NOW } }, [1]],
      ["revoked, expired or not", { status: { is: "revoked", at: NOW } }, [4, 2]],
      ["of a dealer", { association: "dealer" }, [3, 1]],
      ["of a user", { association: "user" }, [5, 4]],
      ["of nobody", { association: "none" }, [2, 0]],
      ["revoked, of a user", { status: { is: "revoked", at: NOW }, association: "user", active: false }, [4]],
      ["ending soon", { status: { is: "active", at: NOW }, expiresBefore: momentAfter(1500) }, [3]],
      [
        "ending before a moment, not at it",
        { status: { is: "active", at: NOW }, expiresBefore: momentAfter(2000) },
        [3],
      ],
      ["idle: neither used nor made since", { idleSince: momentAfter(5) }, [4, 2]],
      ["idle, by its last use", { idleSince: momentAfter(101) }, [5, 4, 3, 2]],
    ] as const)
      test(`has only keys ${name}`, async () => {
        expect(await listed(filter)).toEqual([...found]);
      });

    for (const [by, ascending, order] of [
      ["created", false, [5, 4, 3, 2, 1, 0]],
      ["created", true, [0, 1, 2, 3, 4, 5]],
      // Ignores case; equal names are ordered by id.
      ["name", true, [1, 0, 3, 5, 4, 2]],
      ["name", false, [2, 4, 5, 3, 0, 1]],
      // Keys that were never used, or never end, come last in both directions.
      ["last_used", true, [3, 0, 1, 2, 4, 5]],
      ["last_used", false, [1, 0, 3, 5, 4, 2]],
      ["expires", true, [2, 1, 3, 0, 4, 5]],
      ["expires", false, [0, 3, 1, 2, 5, 4]],
    ] as const)
      test(`is sorted by ${by}, ${ascending ? "ascending" : "descending"}, consistently over all pages`, async () => {
        expect(await listed({}, { by, ascending })).toEqual([...order]);
        const paged: number[] = [];
        for (let offset = 0; offset < ids.length; offset += 2)
          paged.push(...(await listed({}, { by, ascending }, { limit: 2, offset })));
        expect(paged).toEqual([...order]);
      });

    test("is newest first unless asked otherwise", async () => {
      expect(await listed({})).toEqual([5, 4, 3, 2, 1, 0]);
    });

    test("shows a dealer only its own keys, with the same sorting and filters", async () => {
      const { items, total } = await keys.list({
        visibility: { dealerId: dealer },
        filter: { status: { is: "active", at: NOW } },
        page: PAGE,
        order: {
          by: "name",
          ascending: true,
        },
      });
      expect([items.map(({ id }) => ids.indexOf(id)), total]).toEqual([[3], 1]);
    });

    test("can be searched by the beginning of a key, without regard to case", async () => {
      const start = starts[2] ?? "";
      expect(await listed({ search: words(start) })).toEqual([2]);
      expect(await listed({ search: words(start.toUpperCase()) })).toEqual([2]);
      expect(await listed({ search: words("VIS_WEB_showroom") })).toHaveLength(ids.length);
      // A wildcard stands for itself.
      expect(await listed({ search: words(start.replaceAll("_", "%")) })).toEqual([]);
      expect(await listed({ search: words(start.replace("_", "%_")) })).toEqual([]);
      expect(await listed({ search: words("_") })).toHaveLength(ids.length);
      for (const nothing of ["%", "vis%rooom", "v_zzz"]) expect(await listed({ search: words(nothing) })).toEqual([]);
    });
  });
