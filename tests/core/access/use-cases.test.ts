import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { boundDealerOf } from "../../../core/access/authority.ts";
import { admit } from "../../../core/access/decide.ts";
import type { Binding, Operation } from "../../../core/access/policy.ts";
import type { Principal } from "../../../core/access/principal.ts";
import type { FailureCause, Outcome } from "../../../core/failure.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import { everyItem, type Listing } from "../../../core/page.ts";
import { type Permission, permissionSet } from "../../../core/permissions.ts";
import { allBut, dealerKey, superAdminKey, userKey } from "../callers.ts";
import {
  causeOf,
  createDealerRecords,
  type DealerRecords,
  newKeyBody,
  newUserBody,
  openUseCases,
  pathsOf,
  succeeded,
  type UseCases,
} from "../use-cases.ts";
import { ATTEMPTS, INVALID_ATTEMPTS } from "./operations.ts";
import { SPECIFIED, type SpecifiedRule } from "./specified-policy.ts";

let core: UseCases;
let own: DealerRecords;
let other: DealerRecords;

beforeAll(async () => {
  core = await openUseCases();
  own = await createDealerRecords(core);
  other = await createDealerRecords(core);
});
afterAll(() => core.db.close());

const BOUND_CALLERS: Readonly<Record<string, () => Principal>> = {
  "a dealer's key": () => dealerKey(own.dealerId),
  "a dealer admin's key": () => userKey("dealer_admin", own.dealerId, { userId: own.userId }),
  "the key of a dealer's user": () => userKey("user", own.dealerId, { userId: own.userId }),
};

const SUPER_ADMINS: Readonly<Record<string, () => Principal>> = {
  "a super-admin key": superAdminKey,
  "the key of a super-admin user": () => userKey("super_admin", null),
};

/** Records that do not exist. */
const NOWHERE: DealerRecords = {
  dealerId: 9e9,
  vehicleId: 9e9,
  removedId: 9e9,
  sourceId: 9e9,
  scheduleId: 9e9,
  imageId: 9e9,
  importId: 9e9,
  waitingImportId: 9e9,
  mappingId: 9e9,
  feedId: 9e9,
  webhookId: 9e9,
  deliveryId: 9e9,
  keyId: 9e9,
  userId: 9e9,
  changeId: "nowhere",
};

/** How many rows were written since the database was opened, also those of changes that were rolled back. */
const written = async (): Promise<unknown> =>
  core.db.all({ text: "SELECT total_changes() AS rows", bind: () => [] }, {});

/** The outcome of an attempt that must write nothing, not even for a moment. */
const writingNothing = async (attempt: () => unknown): Promise<unknown> => {
  const before = await written();
  const outcome = await attempt();
  expect(await written()).toEqual(before);
  return outcome;
};

let unchanged: DealerRecords | undefined;
/** The outcome of an attempt on records that no attempt before has changed. */
const onFreshRecords = async (attempt: (estate: DealerRecords) => unknown): Promise<unknown> => {
  const estate = unchanged ?? (await createDealerRecords(core));
  const before = await written();
  const outcome = await attempt(estate);
  unchanged = Bun.deepEquals(await written(), before) ? estate : undefined;
  return outcome;
};

/** What these need depends on the body, not on the policy: the same as each of their changes alone. */
const BY_BODY: Readonly<Partial<Record<Operation, Permission>>> = { "vehicle.bulk": "vehicles:write" };
const needsOf = ({ operation, needs }: SpecifiedRule): Permission | null => BY_BODY[operation] ?? needs;

/** Callers to whom the policy refuses some operations, each for another reason. */
const REFUSED_CALLERS: Readonly<Record<string, () => Principal>> = {
  "a super-admin key without any permission": () => superAdminKey({ permissions: 0 }),
  "a dealer's key without any permission": () => dealerKey(own.dealerId, { permissions: 0 }),
  "a dealer's key that may not read vehicles": () => dealerKey(own.dealerId, { permissions: allBut("vehicles:read") }),
  "a dealer's key with every permission": () => dealerKey(own.dealerId),
  "a dealer's public key with every permission": () => dealerKey(own.dealerId, { isPublic: true }),
};

describe("every use case asks the policy for its own operation", () => {
  for (const [name, caller] of Object.entries(REFUSED_CALLERS))
    test(`${name} is refused as the policy says, whatever it sends, and changes nothing`, async () => {
      for (const { operation } of SPECIFIED) {
        const refused = admit(caller(), operation);
        if (refused === null) continue;
        for (const attempt of [ATTEMPTS[operation], INVALID_ATTEMPTS[operation]])
          if (attempt !== undefined)
            expect([operation, await writingNothing(() => attempt(core, caller(), own))]).toEqual([operation, refused]);
      }
    });

  for (const rule of SPECIFIED) {
    const { operation, alsoNeeds } = rule;
    const needed = [needsOf(rule) ?? [], alsoNeeds ?? []].flat();
    test(`${operation} with only ${needed.join(" and ") || "no permission"} is not refused for a missing permission`, async () => {
      const caller = superAdminKey({ permissions: permissionSet(needed) });
      const outcome = await onFreshRecords((estate) => ATTEMPTS[operation](core, caller, estate));
      expect(causeOf(outcome)?.kind).not.toBe("permission-missing");
    });
  }

  for (const needs of ["vehicles:write", "vehicles:delete"] as const)
    test(`vehicle.bulk is refused without ${needs} where its changes need it alone, and changes nothing`, async () => {
      const change = needs === "vehicles:delete" ? { remove: true } : { changes: { price: 1 } };
      const caller = dealerKey(own.dealerId, { permissions: allBut(needs) });
      for (const input of [
        { ids: [own.vehicleId], ...change },
        { pirce: 1, ...change },
      ])
        expect(causeOf(await writingNothing(() => core.bulk.change(caller, { input, mayGoOn: () => true })))).toEqual({
          kind: "permission-missing",
          needs,
        });
    });
});

describe("an invalid body", () => {
  for (const { operation, bound } of SPECIFIED) {
    const attempt = INVALID_ATTEMPTS[operation];
    if (attempt === undefined) continue;

    test(`of ${operation} is refused before the record is looked up, and changes nothing`, async () => {
      const isClosed = bound === "never" || bound === "super-admins";
      const caller = isClosed ? superAdminKey() : dealerKey(own.dealerId);
      for (const estate of [own, other, NOWHERE])
        expect(pathsOf(await writingNothing(() => attempt(core, caller, estate)))).toContain("pirce");
    });
  }
});

type Refused = Extract<Binding, "own" | "never" | "visibility" | "super-admins">;

const REFUSALS: Readonly<Record<Refused, (operation: Operation) => FailureCause>> = {
  own: (operation) => ({ kind: "foreign", subject: /^(vehicle|image)\./.test(operation) ? "vehicle" : "dealer" }),
  never: () => ({ kind: "never-for-bound-keys" }),
  "super-admins": () => ({ kind: "escalation", reason: "Only a super-admin may do this" }),
  visibility: (operation) => {
    if (operation === "import.confirm") return { kind: "not-found", subject: "import", id: other.waitingImportId };
    if (operation.startsWith("mapping.")) return { kind: "not-found", subject: "mapping", id: other.mappingId };
    if (operation.startsWith("import.")) return { kind: "not-found", subject: "import", id: other.importId };
    if (operation.startsWith("source.")) return { kind: "not-found", subject: "source", id: other.sourceId };
    if (operation.startsWith("feed.")) return { kind: "not-found", subject: "feed", id: other.feedId };
    if (operation.startsWith("webhook.")) return { kind: "not-found", subject: "webhook", id: other.webhookId };
    if (operation === "schedule.create") return { kind: "not-found", subject: "vehicle", id: other.vehicleId };
    if (operation.startsWith("schedule.")) return { kind: "not-found", subject: "schedule", id: other.scheduleId };
    if (operation === "vehicle.revert") return { kind: "not-found", subject: "change", id: other.changeId };
    if (operation.startsWith("vehicle.")) return { kind: "not-found", subject: "vehicle", id: other.removedId };
    return operation.startsWith("key.")
      ? { kind: "not-found", subject: "key", id: other.keyId }
      : { kind: "not-found", subject: "user", id: other.userId };
  },
};

/** A list or an export of what the caller sees leaves the rest out, and a change of many says so of each. */
const isRefused = (operation: Operation, bound: Binding): bound is Refused =>
  bound in REFUSALS && !(bound === "visibility" && /\.(list|export|bulk)$/.test(operation));

describe("another dealer's records", () => {
  for (const [name, caller] of Object.entries(BOUND_CALLERS))
    for (const { operation, bound } of SPECIFIED)
      if (isRefused(operation, bound))
        test(`${operation} of ${name} with every permission is refused, and nothing changes`, async () => {
          const outcome = await writingNothing(() => ATTEMPTS[operation](core, caller(), other));
          expect(causeOf(outcome)).toEqual(REFUSALS[bound](operation));
        });

  for (const [name, caller] of Object.entries(BOUND_CALLERS))
    test(`vehicle.bulk of ${name} with every permission finds none, and nothing changes`, async () => {
      expect(await writingNothing(() => ATTEMPTS["vehicle.bulk"](core, caller(), other))).toMatchObject({
        results: [{ id: other.vehicleId, outcome: "not_found" }],
      });
    });

  for (const { operation } of SPECIFIED)
    test(`${operation} of a super-admin user with every permission succeeds, whoever owns the record`, async () => {
      const caller = userKey("super_admin", null);
      expect(causeOf(await onFreshRecords((estate) => ATTEMPTS[operation](core, caller, estate)))).toBeNull();
    });

  for (const { operation } of SPECIFIED)
    if (/^(vehicle|image|dealer)\./.test(operation))
      test(`${operation} of a user without a dealer succeeds, whoever owns the record`, async () => {
        const caller = userKey("user", null);
        expect(causeOf(await onFreshRecords((estate) => ATTEMPTS[operation](core, caller, estate)))).toBeNull();
      });
});

/** The records of all pages of a list. */
const everyRecord = async <Item>(
  list: (page: { readonly limit: number; readonly offset: number }) => MaybePromise<Outcome<Listing<Item>>>,
): Promise<Item[]> => {
  const records: Item[] = [];
  for (;;) {
    const listing = succeeded(await list({ limit: 1000, offset: records.length }));
    const more = await everyItem(listing);
    records.push(...more);
    if (more.length === 0 || records.length >= listing.total) return records;
  }
};

/** The dealers whose records appear in a caller's lists of keys and users and in the audit log. */
const dealersShown = async (caller: Principal): Promise<Record<string, (number | null)[]>> => ({
  keys: (await everyRecord((page) => core.keys.list(caller, page))).map(boundDealerOf),
  users: (await everyRecord((page) => core.users.list(caller, page))).map(({ dealerId }) => dealerId),
  audit: (await everyRecord((page) => core.audit.list(caller, page))).map(({ dealer_id }) => dealer_id),
});

describe("lists of keys, users and the audit log", () => {
  for (const [name, caller] of Object.entries(BOUND_CALLERS))
    test(`show ${name} nothing of another dealer, even on request`, async () => {
      for (const dealers of Object.values(await dealersShown(caller())))
        expect(dealers.filter((dealerId) => dealerId !== own.dealerId)).toEqual([]);
      for (const operation of ["key.list", "user.list"] as const)
        expect(await ATTEMPTS[operation](core, caller(), other)).toMatchObject({ total: 0, items: [] });
      expect(await ATTEMPTS["key.export"](core, caller(), other)).toMatchObject({ total: 0 });
    });

  for (const [name, caller] of Object.entries({ ...BOUND_CALLERS, ...SUPER_ADMINS }))
    test(`show ${name} everything it may see`, async () => {
      const { keys, users, audit } = await dealersShown(caller());
      if (caller().role !== "user") expect(keys).toContain(own.dealerId);
      expect(users).toContain(own.dealerId);
      expect(audit).toContain(own.dealerId);
    });

  test("show a regular user its own keys and none of its colleagues' or dealer's", async () => {
    const { dealerId, userId } = await createDealerRecords(core);
    const caller = userKey("user", dealerId, { userId });
    const { record } = succeeded(await core.keys.create(caller, newKeyBody({ user_id: userId })));
    expect(succeeded(await core.keys.list(caller, {})).items.map(({ id }) => id)).toEqual([record.id]);
  });

  test("show the key of a user without a dealer only its own actions", async () => {
    const caller = userKey("user", null, { keyId: 777_777, userId: 888_888 });
    const user = succeeded(await core.users.create(caller, newUserBody("made-by-777777@harbor.example.com")));
    expect(succeeded(await core.audit.list(caller, {})).items).toMatchObject([
      { actor: { type: "key", id: 777_777 }, action: "user.created", resource_id: user.id },
    ]);
  });
});

describe("its own dealer's records", () => {
  for (const { operation, bound } of SPECIFIED)
    if (bound !== "never" && bound !== "super-admins")
      test(`${operation} of a dealer's key with every permission succeeds`, async () => {
        const attempt = (estate: DealerRecords) => ATTEMPTS[operation](core, dealerKey(estate.dealerId), estate);
        expect(causeOf(await onFreshRecords(attempt))).toBeNull();
      });
});
