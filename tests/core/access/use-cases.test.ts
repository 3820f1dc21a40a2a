import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { boundDealerOf } from "../../../core/access/authority.ts";
import { permissionSet } from "../../../core/access/permissions.ts";
import type { Binding, Operation } from "../../../core/access/policy.ts";
import type { Principal } from "../../../core/access/principal.ts";
import { Failure, type FailureCause, type Outcome } from "../../../core/failure.ts";
import { everyItem, type Listing } from "../../../core/page.ts";
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
import { SPECIFIED } from "./specified-policy.ts";

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
  imageId: 9e9,
  importId: 9e9,
  waitingImportId: 9e9,
  mappingId: 9e9,
  feedId: 9e9,
  keyId: 9e9,
  userId: 9e9,
};

/** All records, as a super-admin sees them. */
const everything = async () => {
  const admin = superAdminKey();
  return {
    vehicles: await core.vehicles.list(admin, { limit: 1000 }),
    removed: await core.removed.list(admin, { limit: 1000 }),
    images: await core.images.list(admin, other.vehicleId, {}),
    dealers: await core.dealers.list(admin, { limit: 1000 }),
    sources: await core.sources.list(admin, { limit: 1000 }),
    keys: await core.keys.list(admin, { limit: 1000 }),
    // The newest are enough to see a change, and few enough to be compared.
    audit: await core.audit.list(admin, { limit: 100 }),
    imports: await core.imports.list(admin, { limit: 1000 }),
    mappings: await core.mappings.list(admin, { limit: 1000 }),
    feeds: await core.feeds.list(admin, { limit: 1000 }),
    users: await core.users.list(admin, { limit: 1000 }),
  };
};

describe("every use case checks the caller's rights itself", () => {
  for (const { operation, needs } of SPECIFIED) {
    const missing = new Failure({ kind: "permission-missing", needs });

    test(`${operation} is refused without ${needs} and changes nothing`, async () => {
      const before = await everything();
      for (const caller of [superAdminKey(), dealerKey(own.dealerId)])
        expect(await ATTEMPTS[operation](core, { ...caller, permissions: allBut(needs) }, own)).toEqual(missing);
      expect(await everything()).toEqual(before);
    });

    test(`${operation} with only ${needs} is not refused for a missing permission`, async () => {
      const caller = superAdminKey({ permissions: permissionSet([needs]) });
      const outcome = await ATTEMPTS[operation](core, caller, await createDealerRecords(core));
      expect(causeOf(outcome)?.kind).not.toBe("permission-missing");
    });
  }
});

describe("an invalid body", () => {
  const TAKING_BODIES = SPECIFIED.flatMap((rule) => {
    const attempt = INVALID_ATTEMPTS[rule.operation];
    return attempt === undefined ? [] : [{ ...rule, attempt }];
  });

  for (const { operation, needs, bound, attempt } of TAKING_BODIES) {
    test(`of ${operation} is not reported without ${needs}`, async () => {
      const caller = superAdminKey({ permissions: allBut(needs) });
      expect(causeOf(await attempt(core, caller, own))).toEqual({ kind: "permission-missing", needs });
    });

    test(`of ${operation} is refused before the record is looked up, and changes nothing`, async () => {
      const before = await everything();
      const caller = bound === "never" ? superAdminKey() : dealerKey(own.dealerId);
      for (const estate of [own, other, NOWHERE])
        expect(pathsOf(await attempt(core, caller, estate))).toContain("pirce");
      expect(await everything()).toEqual(before);
    });
  }
});

type Refused = Extract<Binding, "own" | "never" | "visibility">;

const REFUSALS: Readonly<Record<Refused, (operation: Operation) => FailureCause>> = {
  own: (operation) => ({ kind: "foreign", subject: /^(vehicle|image)\./.test(operation) ? "vehicle" : "dealer" }),
  never: () => ({ kind: "never-for-bound-keys" }),
  visibility: (operation) => {
    if (operation === "import.confirm") return { kind: "not-found", subject: "import", id: other.waitingImportId };
    if (operation.startsWith("mapping.")) return { kind: "not-found", subject: "mapping", id: other.mappingId };
    if (operation.startsWith("import.")) return { kind: "not-found", subject: "import", id: other.importId };
    if (operation.startsWith("source.")) return { kind: "not-found", subject: "source", id: other.sourceId };
    if (operation.startsWith("feed.")) return { kind: "not-found", subject: "feed", id: other.feedId };
    if (operation.startsWith("vehicle.")) return { kind: "not-found", subject: "vehicle", id: other.removedId };
    return operation.startsWith("key.")
      ? { kind: "not-found", subject: "key", id: other.keyId }
      : { kind: "not-found", subject: "user", id: other.userId };
  },
};

/** A list or an export of what the caller sees leaves the rest out. */
const isRefused = (operation: Operation, bound: Binding): bound is Refused =>
  bound in REFUSALS && !(bound === "visibility" && /\.(list|export)$/.test(operation));

describe("another dealer's records", () => {
  for (const [name, caller] of Object.entries(BOUND_CALLERS))
    for (const { operation, bound } of SPECIFIED)
      if (isRefused(operation, bound))
        test(`${operation} of ${name} with every permission is refused, and nothing changes`, async () => {
          const before = await everything();
          expect(causeOf(await ATTEMPTS[operation](core, caller(), other))).toEqual(REFUSALS[bound](operation));
          expect(await everything()).toEqual(before);
        });

  for (const [name, caller] of Object.entries(SUPER_ADMINS))
    for (const { operation } of SPECIFIED)
      test(`${operation} of ${name} with every permission succeeds, whoever owns the record`, async () => {
        expect(causeOf(await ATTEMPTS[operation](core, caller(), await createDealerRecords(core)))).toBeNull();
      });

  for (const { operation } of SPECIFIED)
    if (/^(vehicle|image|dealer)\./.test(operation))
      test(`${operation} of a user without a dealer succeeds, whoever owns the record`, async () => {
        expect(
          causeOf(await ATTEMPTS[operation](core, userKey("user", null), await createDealerRecords(core))),
        ).toBeNull();
      });
});

/** The records of all pages of a list. */
const everyRecord = async <Item>(
  list: (page: { readonly limit: number; readonly offset: number }) => Promise<Outcome<Listing<Item>>>,
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
    if (bound !== "never")
      for (const [name, caller] of [
        ["a dealer's key", (estate: DealerRecords) => dealerKey(estate.dealerId)],
        ["a dealer admin's key", (estate: DealerRecords) => userKey("dealer_admin", estate.dealerId)],
      ] as const)
        test(`${operation} of ${name} with every permission succeeds`, async () => {
          const estate = await createDealerRecords(core);
          expect(causeOf(await ATTEMPTS[operation](core, caller(estate), estate))).toBeNull();
        });
});
