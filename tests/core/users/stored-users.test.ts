import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { makeUserRepository } from "../../../adapters/sql/users/repository.ts";
import { secrets } from "../../../adapters/system/secrets.ts";
import type { Principal } from "../../../core/access/principal.ts";
import { permissionSet, ROLE_PERMISSIONS } from "../../../core/permissions.ts";
import { DEFAULT_QUOTAS } from "../../../core/quotas.ts";
import type { UserQuery } from "../../../core/users/user.ts";
import type { UserFields, UserRepository } from "../../../core/users/user-repository.ts";
import { makeUsers } from "../../../core/users/users.ts";
import { dealerKey, superAdminKey, userKey } from "../callers.ts";
import {
  causeOf,
  newDealerBody,
  newKeyBody,
  newUserBody,
  openUseCases,
  pathsOf,
  succeeded,
  type UseCases,
} from "../use-cases.ts";

const admin = superAdminKey();
const NOBODY = 9_999_999;

let core: UseCases;
let dealer: number;
/** A user of the dealer with one key, and their address. */
let kim: number;
let taken: string;
beforeAll(async () => {
  core = await openUseCases();
  dealer = succeeded(await core.dealers.create(admin, newDealerBody())).id;
});
afterAll(() => core.db.close());

let people = 0;
const unused = (): string => `robin-${++people}@harbor.example.com`;
beforeEach(async () => {
  taken = unused();
  kim = succeeded(await core.users.create(admin, newUserBody(taken, { dealer_id: dealer }))).id;
  succeeded(await core.keys.create(admin, newKeyBody({ user_id: kim })));
});

/** The use cases of users, and what they ask of the repository, which answers. */
const begin = (usersPerDealer = DEFAULT_QUOTAS.usersPerDealer) => {
  const asked = {
    inserted: [] as UserFields[],
    contexts: [] as Parameters<UserRepository["change"]>[0][],
    lists: [] as Parameters<UserRepository["list"]>[0][],
  };
  const stored = makeUserRepository(core.db, core.cache.clear, { ...DEFAULT_QUOTAS, usersPerDealer });
  const users: UserRepository = {
    ...stored,
    list(query) {
      asked.lists.push(query);
      return stored.list(query);
    },
    insert(fields, now, by) {
      asked.inserted.push(fields);
      return stored.insert(fields, now, by);
    },
    change(context, decide) {
      asked.contexts.push(context);
      return stored.change(context, decide);
    },
  };
  return { ...makeUsers({ users, dealers: core.repositories.dealers, secrets, clock: core.clock }), asked };
};

const unknownDealer = { issues: [{ path: "dealer_id", message: `dealer ${NOBODY} does not exist` }] };

describe("a new user", () => {
  const create = async (fields: object, by: Principal = admin, usersPerDealer?: number) => {
    const { create: made, asked } = begin(usersPerDealer);
    const outcome = await made(by, newUserBody(unused(), { ...fields }));
    return { outcome, fields: asked.inserted[0] };
  };
  /** What is stored of a new user, which is what was asked for. */
  const stored = async (fields: object, by?: Principal) => {
    const { outcome, fields: asked } = await create(fields, by);
    const { id } = succeeded(outcome);
    expect<unknown>(await core.repositories.users.find(id, "everything")).toMatchObject({ ...asked });
    return asked;
  };

  test("is stored with what was sent, and with nothing else", async () => {
    const plain = {
      name: "Robin Example",
      email: expect.stringContaining("robin-") as string,
      role: "user",
      dealerId: null,
      permissions: ROLE_PERMISSIONS.user,
      active: true,
      endedBy: null,
    } as const;
    expect(await stored({})).toStrictEqual(plain);
    const sent = { dealer_id: dealer, permissions: [{ resource: "audit", action: "read" }], active: false };
    const full = {
      dealerId: dealer,
      permissions: permissionSet(["audit:read"]),
      active: false,
      endedBy: "super_admin",
    } as const;
    expect(await stored(sent)).toStrictEqual({ ...plain, ...full });
    expect(await stored({}, dealerKey(dealer))).toStrictEqual({ ...plain, dealerId: dealer });
  });

  test("is refused with all faults, and a dealer is missing only to those who see all users", async () => {
    const missing = { name: "", dealer_id: NOBODY };
    expect(pathsOf((await create(missing)).outcome)).toEqual(["dealer_id", "name"]);
    expect(pathsOf((await create(missing, dealerKey(dealer))).outcome)).toEqual(["name"]);
  });

  test("is refused where recent proof is needed, and where they cannot be stored", async () => {
    const unproved = userKey("super_admin", null, { via: "portal", provedRecently: false });
    const { outcome, fields } = await create({ role: "super_admin" }, unproved);
    expect([causeOf(outcome)?.kind, fields]).toEqual(["proof-too-old", undefined]);
    expect(causeOf((await create({ email: taken })).outcome)?.kind).toBe("email-taken");
    expect(causeOf((await create({ dealer_id: NOBODY })).outcome)).toMatchObject(unknownDealer);
    expect(causeOf((await create({ dealer_id: dealer }, admin, 0)).outcome)?.kind).toBe("quota-exceeded");
  });
});

describe("a change of a user", () => {
  const put = async (body: object, by: Principal = admin, usersPerDealer?: number) => {
    const { change, asked } = begin(usersPerDealer);
    const outcome = await change(by, kim, body);
    return { outcome, context: asked.contexts[0] };
  };

  test("brings new secrets for the keys if it asks for them, and else does not read the keys", async () => {
    for (const rotate_keys of [true, 1]) {
      const { context, outcome } = await put({ name: "Robin", rotate_keys });
      expect([context?.withKeys, succeeded(outcome).keys?.length]).toEqual([true, 1]);
    }
    for (const body of [{ name: "Robin" }, { name: "Robin", rotate_keys: false }]) {
      const { context, outcome } = await put(body);
      expect([context?.withKeys, succeeded(outcome).keys]).toEqual([false, null]);
    }
    const { deactivate, asked } = begin();
    expect(succeeded(await deactivate(admin, kim)).active).toBe(false);
    expect(asked.contexts[0]?.withKeys).toBe(false);
  });

  test("that ends an ended user again records the higher rank, and no other change does", async () => {
    const endedBy = async (body: object) => {
      succeeded(await core.users.update(admin, kim, { active: true }));
      succeeded(await core.users.deactivate(dealerKey(dealer), kim));
      succeeded((await put(body)).outcome);
      return (await core.repositories.users.find(kim, "everything"))?.endedBy;
    };
    expect([await endedBy({ active: false }), await endedBy({ active: 0 })]).toEqual(["super_admin", "super_admin"]);
    expect([await endedBy({ name: "Robin" }), await endedBy({ active: true })]).toEqual(["dealer_admin", null]);
  });

  test("is refused with all faults, where it cannot be stored, and of nobody who is there", async () => {
    const missing = { name: "", dealer_id: NOBODY };
    expect(pathsOf((await put(missing)).outcome)).toEqual(["dealer_id", "name"]);
    expect(pathsOf((await put(missing, dealerKey(dealer))).outcome)).toEqual(["name"]);
    const { email } = succeeded(await core.users.create(admin, newUserBody(unused())));
    expect(causeOf((await put({ email })).outcome)?.kind).toBe("email-taken");
    expect(causeOf((await put({ dealer_id: NOBODY })).outcome)).toMatchObject(unknownDealer);
    const other = succeeded(await core.dealers.create(admin, newDealerBody("Hill Motors"))).id;
    expect(causeOf((await put({ dealer_id: other }, admin, 0)).outcome)?.kind).toBe("quota-exceeded");
    const nobody = { kind: "not-found", subject: "user", id: NOBODY };
    expect(causeOf(await begin().update(admin, NOBODY, { name: "Robin" }))).toMatchObject(nobody);
    expect(causeOf(await begin().get(admin, NOBODY))).toMatchObject(nobody);
    expect(succeeded(await begin().get(admin, kim)).id).toBe(kim);
  });

  test("that leaves no super-admin is refused", async () => {
    const { id } = succeeded(await core.users.create(admin, newUserBody(unused(), { role: "super_admin" })));
    expect(causeOf(await begin().update(admin, id, { active: false }))?.kind).toBe("last-super-admin");
  });

  test("of the own address is one of the caller, if the caller is a user", async () => {
    const email = unused();
    const { changeOwnEmail } = begin();
    expect(succeeded(await changeOwnEmail(userKey("user", dealer, { userId: kim }), email))).toMatchObject({
      id: kim,
      email,
    });
    expect(causeOf(await begin().changeOwnEmail(admin, email))).toMatchObject({ kind: "not-found", id: 0 });
  });
});

test("a list of users is asked for by what was sent, and by nothing else", async () => {
  const listed = async (query: UserQuery) => {
    const { list, asked } = begin();
    const ids = succeeded(await list(admin, query)).items.map(({ id }) => id);
    return { filter: asked.lists[0]?.filter, ids };
  };
  const all = await listed({});
  expect(all.filter).toStrictEqual({});
  expect(all.ids).toContain(kim);
  const dealer_id = succeeded(await core.dealers.create(admin, newDealerBody("Hill Motors"))).id;
  const { id } = succeeded(await core.users.create(admin, newUserBody(unused(), { dealer_id, active: false })));
  expect(await listed({ dealer_id, role: "user", active: false, q: "robin" })).toStrictEqual({
    filter: { dealerId: dealer_id, role: "user", active: false, search: "robin" },
    ids: [id],
  });
});
