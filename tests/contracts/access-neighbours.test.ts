import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeInvitationRepository } from "../../adapters/sql/sign-in/invitations.ts";
import { makeOffboardingRepository } from "../../adapters/sql/users/offboarding.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { makeLeaveRepository } from "../../adapters/sql/users/undo-offboarding.ts";
import type { Visibility } from "../../core/access/visibility.ts";
import type { KeyRecord } from "../../core/keys/key.ts";
import { DEFAULT_QUOTAS } from "../../core/quotas.ts";
import { userLeft } from "../../core/users/offboarding.ts";
import { userReturned } from "../../core/users/undo-offboarding.ts";
import type { UserRecord } from "../../core/users/user.ts";
import { superAdminKey } from "../core/callers.ts";
import { changedRows, type NamedRows } from "../support/changed-rows.ts";
import { ENGINES } from "../support/engines.ts";
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
} from "../support/records.ts";
import { signInChangeOf } from "../support/user-changes.ts";

setDefaultTimeout(300_000);

const EVERYTHING = "everything";
const PAGE = { limit: 100, offset: 0 };
const QUOTAS = { ...DEFAULT_QUOTAS, keysPerDealer: 2, keysPerUser: 2 };

for (const engine of ENGINES)
  describe(`keys and users beside others on ${engine.name}`, () => {
    let db: SqlDatabase;
    let keys: ReturnType<typeof makeKeyRepository>;
    let users: ReturnType<typeof makeUserRepository>;
    let north: number;
    let south: number;
    /** The names of secrets by their hashes. */
    const named = new Map<string, string>();

    beforeEach(async () => {
      db = await engine.open();
      keys = makeKeyRepository(db, () => {}, QUOTAS);
      users = makeUserRepository(db, () => {});
      const newDealer = async () => (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      [north, south] = [await newDealer(), await newDealer()];
    });
    afterEach(() => db.close());

    const secretOf = (name: string) => {
      const secret = newSecret();
      named.set(secret.hash, name);
      return secret;
    };
    const addKey = async (name: string, fields: Parameters<typeof keyFields>[0]): Promise<KeyRecord> => {
      const secret = secretOf(`${name} 1`);
      return made(await keys.insert({ key: keyFields({ ...fields, name }), secret, now: MOMENT, by: OPERATOR }));
    };
    const addUser = async (name: string, dealerId: number): Promise<UserRecord> =>
      made(await users.insert(userFields({ name, dealerId }), MOMENT, OPERATOR));

    const state = async (): Promise<NamedRows> => {
      const rows = [
        ...(await db.selectFrom("api_keys").selectAll().execute()).map((row) => [`key ${row.id}`, row] as const),
        ...(await db.selectFrom("key_secrets").selectAll().execute()).map(
          (row) => [`secret ${named.get(row.hash)}`, row] as const,
        ),
        ...(await db.selectFrom("dealer_keys").selectAll().execute()).map(
          (row) => [`dealer of key ${row.key_id}`, row] as const,
        ),
        ...(await db.selectFrom("past_bindings").selectAll().execute()).map(
          (row) => [`past of key ${row.key_id}`, row] as const,
        ),
        ...(await db.selectFrom("users").selectAll().execute()).map((row) => [`user ${row.id}`, row] as const),
        ...(await db.selectFrom("offboardings").selectAll().execute()).map(
          (row) => [`leave of user ${row.user_id}`, row] as const,
        ),
      ];
      return new Map(rows.map(([name, row]) => [name, JSON.stringify(row)]));
    };
    /** Which rows a step changed, added or deleted. */
    const changedBy = (step: () => Promise<unknown>): Promise<readonly string[]> => changedRows(state, step);

    test("keys are counted for their own dealer, and change, get new secrets, lose old ones and go alone", async () => {
      await keys.setBootstrap(keyFields(), secretOf("first 1"), MOMENT);
      const beside = await addKey("beside", { dealerId: north });
      const previousEndsAt = momentAfter(500);
      await changeStoredKey(keys, beside, { does: "rotate", secret: secretOf("beside 2"), previousEndsAt });
      await addKey("far", { dealerId: south });
      const own = await addKey("own", { dealerId: north });
      const change = (step: Parameters<typeof changeStoredKey>[2]) => () =>
        changeStoredKey(keys, own, { now: momentAfter(100), ...step });

      expect(await changedBy(change({ does: "rotate", secret: secretOf("own 2"), previousEndsAt }))).toEqual([
        `key ${own.id}`,
        ...["secret own 1", "secret own 2"],
      ]);
      const listed = (await keys.list({ visibility: EVERYTHING, filter: {}, page: PAGE })).items;
      expect(listed.map(({ name, oldSecret }) => [name, oldSecret?.endsAt])).toEqual([
        ["own", previousEndsAt],
        ["far", undefined],
        ["beside", previousEndsAt],
        [keyFields().name, undefined],
      ]);
      expect(await changedBy(change({ does: "end-grace" }))).toEqual([`key ${own.id}`, "secret own 1"]);
      const fields = keyFields({ name: "moved", dealerId: south });
      expect(await changedBy(change({ does: "change", fields, secret: secretOf("own 3") }))).toEqual([
        ...[`dealer of key ${own.id}`, `key ${own.id}`, `past of key ${own.id}`],
        ...["secret own 1", "secret own 2", "secret own 3"],
      ]);
      const [first] = await db.selectFrom("api_keys").select("id").where("bootstrap", "=", 1).execute();
      const setFirst = () => keys.setBootstrap(keyFields(), secretOf("first 2"), momentAfter(200));
      expect(await changedBy(setFirst)).toEqual([`key ${first?.id}`, "secret first 1", "secret first 2"]);
      expect(await changedBy(change({ does: "remove" }))).toEqual([
        ...[`dealer of key ${own.id}`, `key ${own.id}`, `past of key ${own.id}`],
        ...["secret own 2", "secret own 3"],
      ]);
    });

    test("users change, leave and return with their own keys alone, and only for those who see them", async () => {
      const [kim, robin] = [await addUser("Kim", north), await addUser("Robin", north)];
      const [ofKim, ofRobin] = [await addKey("kim", { userId: kim.id }), await addKey("robin", { userId: robin.id })];
      const by = OPERATOR;
      const rotate = (user: UserRecord, held: readonly KeyRecord[]) => ({
        fields: { ...user, name: "Renamed" },
        rotations: held.map((key) => ({ key, secret: secretOf("robin 2") })),
      });
      const context = { id: robin.id, visibility: { dealerId: north }, now: momentAfter(1), by };
      expect(await changedBy(() => users.change({ ...context, withKeys: true }, rotate))).toEqual([
        `key ${ofRobin.id}`,
        ...["secret robin 1", "secret robin 2", `user ${robin.id}`],
      ]);

      const leave = ({ id }: UserRecord) => {
        const leaving = { ...context, id, newOwnerId: null };
        return makeOffboardingRepository(db, () => {}).offboard(leaving, (present) =>
          userLeft(superAdminKey(), leaving, present),
        );
      };
      expect(await changedBy(() => leave(kim))).toEqual([
        `key ${ofKim.id}`,
        ...[`leave of user ${kim.id}`, `user ${kim.id}`],
      ]);
      await leave(robin);

      const leaves = makeLeaveRepository(db, () => {});
      const last = async (visibility: Visibility) =>
        (await leaves.lastOf(robin.id, visibility))?.keys.map(({ id }) => id);
      expect([await last({ dealerId: south }), await last({ dealerId: north })]).toEqual([undefined, [ofRobin.id]]);
      const decidedOn: number[] = [];
      const undo = (visibility: Visibility) =>
        leaves.undo({ ...context, visibility }, (present) => {
          decidedOn.push(...present.keys.map(({ id }) => id));
          return userReturned(superAdminKey(), context.now, present);
        });
      expect(await changedBy(async () => expect(await undo({ dealerId: south })).toBeNull())).toEqual([]);
      expect(await changedBy(() => undo({ dealerId: north }))).toEqual([
        `key ${ofRobin.id}`,
        ...[`leave of user ${robin.id}`, `user ${robin.id}`],
      ]);
      expect(decidedOn).toEqual([ofRobin.id]);
    });

    test("users are named, sorted, searched and invited one by one", async () => {
      const [robin, lee, kim] = [
        await addUser("Robin", north),
        await addUser("Lee", south),
        await addUser("Kim", north),
      ];
      const listed = async (visibility: Visibility, search?: string) => {
        const filter = search === undefined ? {} : { search };
        const order = { by: "name", ascending: true } as const;
        return (await users.list({ visibility, filter, page: PAGE, order })).items;
      };
      const namesOf = async (...found: Parameters<typeof listed>) => (await listed(...found)).map(({ name }) => name);
      expect(await namesOf(EVERYTHING)).toEqual(["Kim", "Lee", "Robin"]);
      for (const visibility of [EVERYTHING, { dealerId: north }] as const)
        expect(await namesOf(visibility, "kim")).toEqual(["Kim"]);
      const names = (visibility: Visibility) => users.names([robin.id, lee.id], visibility);
      expect([...(await names(EVERYTHING)).values()].sort()).toEqual(["Lee", "Robin"]);
      expect([...(await names({ dealerId: north })).values()]).toEqual(["Robin"]);

      const invitations = makeInvitationRepository(db, () => {});
      for (const one of [lee, kim])
        await invitations.invite({ ...signInChangeOf(one), tokenHash: one.name, expiresAt: momentAfter(1000) });
      await invitations.use({ tokenHash: "Lee", passwordHash: "hash", first: null, now: MOMENT });
      expect((await listed(EVERYTHING)).map(({ invited }) => invited)).toEqual([true, false, false]);
      const context = { id: kim.id, visibility: EVERYTHING, withKeys: false, now: MOMENT, by: OPERATOR } as const;
      const change = await users.change(context, (user) => ({
        fields: { ...user, name: "Kimberly" },
        rotations: null,
      }));
      expect(change).toMatchObject({ user: { name: "Kimberly", invited: true } });
    });
  });
