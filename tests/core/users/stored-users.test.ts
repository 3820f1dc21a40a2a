import { describe, expect, test } from "bun:test";
import { secrets } from "../../../adapters/system/secrets.ts";
import type { Principal } from "../../../core/access/principal.ts";
import { Failure } from "../../../core/failure.ts";
import { permissionSet, ROLE_PERMISSIONS } from "../../../core/permissions.ts";
import type { UserQuery, UserRecord } from "../../../core/users/user.ts";
import {
  EMAIL_TAKEN,
  LAST_SUPER_ADMIN,
  NO_SUCH_DEALER,
  type UserDecision,
  type UserFields,
  type UserRefusal,
  type UserRepository,
} from "../../../core/users/user-repository.ts";
import { makeUsers } from "../../../core/users/users.ts";
import { fakeClock } from "../../support/clock.ts";
import { dealerKey, superAdminKey, userKey } from "../callers.ts";
import { holder, userKeyRecord } from "../keys/key-records.ts";
import { causeOf, newUserBody, pathsOf, succeeded } from "../use-cases.ts";
import { person } from "./user-records.ts";

const clock = fakeClock();
const admin = superAdminKey();
const EMAIL = "robin@harbor.example.com";

type ChangeContext = Parameters<UserRepository["change"]>[0];

interface Stored {
  /** The only user, with the id 5. */
  readonly user?: UserRecord;
  readonly refusal?: UserRefusal;
}

/** The use cases of users, and what they ask of the repository. There is one dealer, 1. */
const begin = ({ user = person(), refusal }: Stored = {}) => {
  const asked = {
    inserted: [] as UserFields[],
    contexts: [] as ChangeContext[],
    decided: [] as UserDecision[],
    lists: [] as Parameters<UserRepository["list"]>[0][],
  };
  const users: UserRepository = {
    async list(query) {
      asked.lists.push(query);
      return { total: 0, items: [] };
    },
    find: async (id) => (id === 5 ? user : null),
    names: async () => new Map(),
    async insert(fields) {
      asked.inserted.push(fields);
      return refusal ?? person(fields);
    },
    async change(context, decide) {
      asked.contexts.push(context);
      if (context.id !== 5) return null;
      const decided = decide(user, context.withKeys ? [userKeyRecord(holder({ dealerId: 1 }), { userId: 5 })] : []);
      if (decided instanceof Failure) return decided;
      asked.decided.push(decided);
      return refusal ?? { user: person({ ...user, ...decided.fields }), keys: decided.rotations };
    },
  };
  const dealers = {
    names: async (ids: readonly number[]) => new Map(ids.filter((id) => id === 1).map((id) => [id, "Harbor"])),
  };
  return { ...makeUsers({ users, dealers, secrets, clock }), asked };
};

const FULL = new Failure({ kind: "own-account" });
const REFUSALS = [
  [EMAIL_TAKEN, "email-taken"],
  [LAST_SUPER_ADMIN, "last-super-admin"],
  [NO_SUCH_DEALER, "invalid"],
  [FULL, "own-account"],
] as const;

describe("a new user", () => {
  const create = async (fields: object, by: Principal = admin, stored: Stored = {}) => {
    const { create: made, asked } = begin(stored);
    const outcome = await made(by, newUserBody(EMAIL, { ...fields }));
    return { outcome, fields: asked.inserted[0] };
  };
  const plain: UserFields = {
    name: "Robin Example",
    email: EMAIL,
    role: "user",
    dealerId: null,
    permissions: ROLE_PERMISSIONS.user,
    active: true,
    endedBy: null,
  };

  test("is stored with what was sent, and with nothing else", async () => {
    expect((await create({})).fields).toStrictEqual(plain);
    const sent = { dealer_id: 1, permissions: [{ resource: "audit", action: "read" }], active: false };
    const full = {
      dealerId: 1,
      permissions: permissionSet(["audit:read"]),
      active: false,
      endedBy: "super_admin",
    } as const;
    expect((await create(sent)).fields).toStrictEqual({ ...plain, ...full });
    expect((await create({}, dealerKey(1))).fields).toStrictEqual({ ...plain, dealerId: 1 });
  });

  test("is refused with all faults, and a dealer is missing only to those who see all users", async () => {
    const missing = { name: "", dealer_id: 9 };
    expect(pathsOf((await create(missing)).outcome)).toEqual(["dealer_id", "name"]);
    expect(pathsOf((await create(missing, dealerKey(1))).outcome)).toEqual(["name"]);
  });

  test("is refused where recent proof is needed, and where the repository refuses", async () => {
    const unproved = userKey("super_admin", null, { via: "portal", provedRecently: false });
    const { outcome, fields } = await create({ role: "super_admin" }, unproved);
    expect([causeOf(outcome)?.kind, fields]).toEqual(["proof-too-old", undefined]);
    for (const [refusal, kind] of REFUSALS)
      expect(causeOf((await create({ dealer_id: 9 }, admin, { refusal })).outcome)?.kind).toBe(kind);
    const unknown = await create({ dealer_id: 9 }, admin, { refusal: NO_SUCH_DEALER });
    expect(causeOf(unknown.outcome)).toMatchObject({
      issues: [{ path: "dealer_id", message: "dealer 9 does not exist" }],
    });
  });
});

describe("a change of a user", () => {
  const put = async (body: object, by: Principal = admin, stored: Stored = {}) => {
    const { change, asked } = begin(stored);
    const outcome = await change(by, 5, body);
    return { outcome, context: asked.contexts[0], decided: asked.decided[0] };
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
    expect(succeeded(await deactivate(admin, 5)).active).toBe(false);
    expect(asked.contexts[0]?.withKeys).toBe(false);
  });

  test("that ends an ended user again records the higher rank, and no other change does", async () => {
    const user = person({ active: false, endedBy: "dealer_admin" });
    const endedBy = async (body: object) => (await put(body, admin, { user })).decided?.fields.endedBy;
    expect([await endedBy({ active: false }), await endedBy({ active: 0 })]).toEqual(["super_admin", "super_admin"]);
    expect([await endedBy({ name: "Robin" }), await endedBy({ active: true })]).toEqual(["dealer_admin", null]);
  });

  test("is refused with all faults, where the repository refuses, and of nobody who is there", async () => {
    const missing = { name: "", dealer_id: 9 };
    expect(pathsOf((await put(missing)).outcome)).toEqual(["dealer_id", "name"]);
    expect(pathsOf((await put(missing, dealerKey(1))).outcome)).toEqual(["name"]);
    for (const [refusal, kind] of REFUSALS)
      expect(causeOf((await put({ dealer_id: 9 }, admin, { refusal })).outcome)?.kind).toBe(kind);
    expect(causeOf((await put({ dealer_id: 9 }, admin, { refusal: NO_SUCH_DEALER })).outcome)).toMatchObject({
      issues: [{ message: "dealer 9 does not exist" }],
    });
    const nobody = { kind: "not-found", subject: "user", id: 6 };
    expect(causeOf(await begin().update(admin, 6, { name: "Robin" }))).toMatchObject(nobody);
    expect(causeOf(await begin().get(admin, 6))).toMatchObject(nobody);
    expect(succeeded(await begin().get(admin, 5)).id).toBe(5);
  });

  test("of the own address is one of the caller, if the caller is a user", async () => {
    const { changeOwnEmail } = begin();
    const kim = userKey("user", 1, { userId: 5 });
    expect(succeeded(await changeOwnEmail(kim, EMAIL)).email).toBe(EMAIL);
    expect(causeOf(await begin().changeOwnEmail(admin, EMAIL))).toMatchObject({ kind: "not-found", id: 0 });
  });
});

test("a list of users is asked for by what was sent, and by nothing else", async () => {
  const filterOf = async (query: UserQuery, by: Principal = admin) => {
    const { list, asked } = begin();
    succeeded(await list(by, query));
    return asked.lists[0]?.filter;
  };
  expect(await filterOf({})).toStrictEqual({});
  expect(await filterOf({ dealer_id: 1, role: "user", active: false, q: "kim" })).toStrictEqual({
    dealerId: 1,
    role: "user",
    active: false,
    search: "kim",
  });
});
