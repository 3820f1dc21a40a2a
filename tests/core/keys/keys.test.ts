import { describe, expect, test } from "bun:test";
import { secrets } from "../../../adapters/system/secrets.ts";
import type { Principal } from "../../../core/access/principal.ts";
import { Failure } from "../../../core/failure.ts";
import { type Holder, type KeyRecord, keyChanges } from "../../../core/keys/key.ts";
import {
  type ChangedKey,
  type KeyDecision,
  type KeyFields,
  type KeyRepository,
  UNKNOWN_HOLDER,
} from "../../../core/keys/key-repository.ts";
import { makeKeys } from "../../../core/keys/keys.ts";
import { DEFAULT_PERMISSIONS, permissionSet } from "../../../core/permissions.ts";
import { fakeClock } from "../../support/clock.ts";
import { dealerKey, superAdminKey } from "../callers.ts";
import { causeOf, newKeyBody, pathsOf, succeeded } from "../use-cases.ts";
import { dealerKeyRecord, holder, keyRecord } from "./key-records.ts";

const clock = fakeClock();
const admin = superAdminKey();
const ofSeven = dealerKey(7);
const READ = { resource: "vehicles", action: "read" } as const;

interface Stored {
  /** The key that is changed, or `null` for none that the caller sees. */
  readonly key?: KeyRecord | null;
  /** The only user that there is has the id 5. */
  readonly user?: Holder;
  readonly inserting?: Failure | typeof UNKNOWN_HOLDER;
  readonly isWithoutSecret?: true;
}

/** The use cases of keys, and what they ask of the repository. There is one dealer, 7. */
const begin = (
  { key = keyRecord(), user = holder(), inserting, isWithoutSecret }: Stored = {},
  maxKeyDays?: number,
) => {
  const asked = {
    fields: [] as KeyFields[],
    contexts: [] as Parameters<KeyRepository["change"]>[0][],
    decided: [] as (KeyDecision | null)[],
  };
  const keys: Pick<KeyRepository, "insert" | "change"> = {
    async insert({ key: fields }) {
      asked.fields.push(fields);
      return inserting ?? keyRecord(fields);
    },
    async change(context, decide) {
      asked.contexts.push(context);
      if (key === null) return null;
      const decided = decide(key, context.user?.id === 5 ? user : null);
      if (decided instanceof Failure) return decided;
      asked.decided.push(decided);
      const secret = decided !== null && "secret" in decided ? (decided.secret ?? null) : null;
      return { record: key, apiKey: isWithoutSecret ? null : (secret?.key ?? null) } satisfies ChangedKey;
    },
  };
  const cases = makeKeys({
    keys: keys as KeyRepository,
    users: { find: async (id) => (id === 5 ? user : null) },
    dealers: { names: async (ids) => new Map(ids.filter((id) => id === 7).map((id) => [id, "Harbor Motors"])) },
    secrets: { ...secrets, issue: () => ({ key: "new", hash: "hash", start: "start" }) },
    clock,
    ...(maxKeyDays !== undefined && { maxKeyDays }),
  });
  return { ...cases, asked };
};

describe("a new key", () => {
  const create = async (fields: object, by: Principal = admin, stored: Stored = {}, maxKeyDays?: number) => {
    const { create: made, asked } = begin(stored, maxKeyDays);
    const outcome = await made(by, newKeyBody({ ...fields }));
    return { outcome, fields: asked.fields[0] };
  };
  const plain: KeyFields = {
    name: "Showroom website",
    description: null,
    appType: "web",
    appId: "showroom-site",
    association: "dealer",
    dealerId: 7,
    userId: null,
    ownPermissions: DEFAULT_PERMISSIONS.web,
    rateLimit: null,
    isPublic: false,
    allowedOrigins: null,
    allowedNetworks: null,
    ownerEmail: null,
    active: true,
    endedBy: null,
    disabledReason: null,
    expiresAt: null,
  };

  test("is stored with what was sent, and with nothing else", async () => {
    expect((await create({ dealer_id: 7 })).fields).toStrictEqual(plain);
    const sent = {
      dealer_id: 7,
      description: "On the website",
      permissions: [READ],
      rate_limit: 9,
      public: 1,
      allowed_origins: ["https://www.harbor.example.com"],
      allowed_networks: ["192.0.2.0/24"],
      owner_email: "owner@harbor.example.com",
      active: false,
      expires_at: "2030-01-01T00:00:00Z",
    };
    expect((await create(sent)).fields).toStrictEqual({
      ...plain,
      description: "On the website",
      ownPermissions: permissionSet(["vehicles:read"]),
      rateLimit: 9,
      isPublic: true,
      allowedOrigins: sent.allowed_origins,
      allowedNetworks: sent.allowed_networks,
      ownerEmail: sent.owner_email,
      active: false,
      endedBy: "super_admin",
      expiresAt: "2030-01-01T00:00:00.000Z",
    });
  });

  test("of a user is tied to no dealer, whoever makes it, and of a bound caller to the caller's", async () => {
    const ofUser = { ...plain, association: "user", dealerId: null, userId: 5, ownPermissions: 0 } as const;
    for (const by of [admin, ofSeven]) {
      const stored = { user: holder({ dealerId: 7, permissions: 0 }) };
      expect((await create({ user_id: 5 }, by, stored)).fields).toStrictEqual(ofUser);
    }
    expect((await create({}, ofSeven)).fields).toStrictEqual(plain);
  });

  test("expires as late as the operator lets keys live, unless it is to end before", async () => {
    const latest = clock.after(2 * 24 * 60 * 60);
    expect((await create({ dealer_id: 7 }, admin, {}, 2)).fields?.expiresAt).toBe(latest);
    const sooner = clock.after(60);
    expect((await create({ dealer_id: 7, expires_at: sooner }, admin, {}, 2)).fields?.expiresAt).toBe(sooner);
  });

  test("is refused with all of its faults, and what it names is missing only to those who see all", async () => {
    const missing = { name: "", dealer_id: 9, permissions: "all" };
    expect(pathsOf((await create(missing)).outcome)).toEqual(["dealer_id", "name", "permissions"]);
    expect(pathsOf((await create(missing, ofSeven)).outcome)).toEqual(["name", "permissions"]);
    expect(pathsOf((await create({ name: "", user_id: 6 })).outcome)).toEqual(["name", "user_id"]);
    expect(pathsOf((await create({ name: "", user_id: 5 })).outcome)).toEqual(["name"]);
    expect(pathsOf((await create({ name: "", user_id: 6 }, ofSeven)).outcome)).toEqual(["name"]);
    expect(pathsOf((await create({ public: true, app_type: "mobile", dealer_id: 9 })).outcome)).toEqual([
      "app_type",
      "dealer_id",
    ]);
  });

  test("is not wider than its maker's networks, and needs recent proof where its rights do", async () => {
    const refused = async (fields: object, by: Principal) => {
      const { outcome, fields: inserted } = await create({ dealer_id: 7, ...fields }, by);
      expect(inserted).toBeUndefined();
      return causeOf(outcome)?.kind;
    };
    const fromOffice = dealerKey(7, { allowedNetworks: ["192.0.2.0/24"] });
    expect(await refused({}, fromOffice)).toBe("escalation");
    expect((await create({ allowed_networks: ["192.0.2.7/32"] }, fromOffice)).fields).toBeDefined();
    const unproved = superAdminKey({ via: "portal", provedRecently: false });
    expect(await refused({ permissions: [{ resource: "users", action: "write" }] }, unproved)).toBe("proof-too-old");
  });

  test("that cannot be stored is refused, and its secret is not answered", async () => {
    const full = new Failure({ kind: "last-super-admin" });
    expect<unknown>((await create({ dealer_id: 7 }, admin, { inserting: full })).outcome).toBe(full);
    expect(pathsOf((await create({ dealer_id: 7 }, admin, { inserting: UNKNOWN_HOLDER })).outcome)).toEqual([
      "dealer_id",
    ]);
    expect(succeeded((await create({ dealer_id: 7 })).outcome).apiKey).toBe("new");
  });
});

describe("a change of a key", () => {
  const ended = (fields: Partial<KeyRecord> = {}) =>
    dealerKeyRecord(7, { active: false, endedBy: "dealer_admin", ...fields });
  const put = async (body: object, stored: Stored = {}, by: Principal = admin) => {
    const { change, asked } = begin(stored);
    const outcome = await change(by, 1, body);
    const [decided] = asked.decided;
    return { outcome, context: asked.contexts[0], decided: decided?.does === "change" ? decided : null };
  };

  test("asks for the user that it names, and for none otherwise", async () => {
    expect((await put({ name: "Renamed" })).context?.user).toBeNull();
    expect((await put({ user_id: null })).context?.user).toBeNull();
    expect((await put({ user_id: 5 }, {}, ofSeven)).context?.user).toEqual({ id: 5, visibility: { dealerId: 7 } });
  });

  test("that ends an ended key again records the higher rank, and no other change does", async () => {
    const endedBy = async (body: object) => (await put(body, { key: ended() })).decided?.fields.endedBy;
    expect([await endedBy({ active: false }), await endedBy({ active: 0 })]).toEqual(["super_admin", "super_admin"]);
    expect([await endedBy({ name: "Renamed" }), await endedBy({ active: true })]).toEqual(["dealer_admin", null]);
  });

  test("brings a new secret if it asks for one", async () => {
    const secretAfter = async (body: object) => {
      const { outcome, decided } = await put({ name: "Renamed", ...body });
      return [decided?.secret?.key, succeeded(outcome).apiKey];
    };
    expect([await secretAfter({ rotate: true }), await secretAfter({ rotate: 1 })]).toEqual([
      ["new", "new"],
      ["new", "new"],
    ]);
    for (const body of [{}, { rotate: false }]) expect(await secretAfter(body)).toEqual([undefined, null]);
  });

  test("is refused with all of its faults, and what it names is missing only to those who see all", async () => {
    const missing = { name: "", user_id: 6 };
    expect(pathsOf((await put(missing)).outcome)).toEqual(["name", "user_id"]);
    expect(pathsOf((await put(missing, {}, ofSeven)).outcome)).toEqual(["name"]);
  });
});

describe("a new secret", () => {
  test("is answered with its key, or else there is none", async () => {
    expect(succeeded(await begin().rotate(admin, 1, { grace_seconds: 60 }))).toEqual({
      record: keyRecord(),
      apiKey: "new",
    });
    expect(causeOf(await begin({ key: null }).rotate(admin, 1, undefined))).toMatchObject({ kind: "not-found", id: 1 });
    expect(async () => begin({ isWithoutSecret: true }).rotate(admin, 1, undefined)).toThrow("no new secret");
  });
});

describe("the fields of a key", () => {
  const faultsOf = (body: object) => pathsOf(keyChanges.parse(body)) ?? [];

  test("take origins and networks that are some, and lists of at least one", () => {
    for (const [field, good, bad] of [
      ["allowed_networks", ["192.0.2.0/24", "2001:db8::/32"], ["192.0.2.1/24"]],
      [
        "allowed_origins",
        ["https://www.harbor.example.com", "http://localhost:3000"],
        ["https://harbor.example.com/a"],
      ],
    ] as const) {
      expect([faultsOf({ [field]: good }), faultsOf({ [field]: null })]).toEqual([[], []]);
      expect(faultsOf({ [field]: bad })).toEqual([`${field}.0`]);
      expect(faultsOf({ [field]: [] })).toEqual([field]);
    }
    const longest = `https://${"a".repeat(292)}`;
    expect(faultsOf({ allowed_origins: [longest] })).toEqual([]);
    expect(faultsOf({ allowed_origins: [`${longest}a`] })).toEqual(["allowed_origins.0"]);
  });
});
