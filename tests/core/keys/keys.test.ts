import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { storedCredentials } from "../../../adapters/sql/access/credentials.ts";
import { makeKeyRepository } from "../../../adapters/sql/keys/repository.ts";
import { secrets } from "../../../adapters/system/secrets.ts";
import type { Principal } from "../../../core/access/principal.ts";
import { keyChanges } from "../../../core/keys/key.ts";
import type { KeyFields, KeyRepository } from "../../../core/keys/key-repository.ts";
import { makeKeys } from "../../../core/keys/keys.ts";
import { DEFAULT_PERMISSIONS, permissionSet } from "../../../core/permissions.ts";
import { DEFAULT_QUOTAS } from "../../../core/quotas.ts";
import { dealerKey, superAdminKey } from "../callers.ts";
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
const READ = { resource: "vehicles", action: "read" } as const;
const NOBODY = 9_999_999;

let core: UseCases;
let dealer: number;
/** A user of the dealer, who may do nothing. */
let user: number;
beforeAll(async () => {
  core = await openUseCases();
  dealer = succeeded(await core.dealers.create(admin, newDealerBody())).id;
  const powerless = newUserBody("robin@harbor.example.com", { dealer_id: dealer, permissions: [] });
  user = succeeded(await core.users.create(admin, powerless)).id;
});
afterAll(() => core.db.close());

const ofDealer = (fields: Partial<Principal> = {}): Principal => dealerKey(dealer, fields);

interface Limits {
  readonly maxKeyDays?: number;
  readonly keysPerDealer?: number;
}

/** The use cases of keys, and what they ask of the repository, which answers. */
const begin = ({ maxKeyDays, keysPerDealer }: Limits = {}) => {
  const asked = { fields: [] as KeyFields[], contexts: [] as Parameters<KeyRepository["change"]>[0][] };
  const quotas = { ...DEFAULT_QUOTAS, ...(keysPerDealer !== undefined && { keysPerDealer }) };
  const stored = makeKeyRepository(core.db, core.cache.clear, quotas);
  const cases = makeKeys({
    keys: {
      ...stored,
      insert(insertion) {
        asked.fields.push(insertion.key);
        return stored.insert(insertion);
      },
      change(context, decide) {
        asked.contexts.push(context);
        return stored.change(context, decide);
      },
    },
    users: core.repositories.users,
    dealers: core.repositories.dealers,
    secrets,
    clock: core.clock,
    ...(maxKeyDays !== undefined && { maxKeyDays }),
  });
  return { ...cases, asked };
};

const newKey = async (fields: object = {}): Promise<number> =>
  succeeded(await core.keys.create(admin, newKeyBody({ dealer_id: dealer, ...fields }))).record.id;

/** The key that a secret is of; `null` if it is of none. */
const keyOf = async (secret: string | null): Promise<number | null> => {
  const hash = secret === null ? null : secrets.recognise(secret);
  const credential = hash === null ? null : await storedCredentials(core.db).find(hash);
  return credential?.principal.keyId ?? null;
};

describe("a new key", () => {
  const create = async (fields: object, by: Principal = admin, limits: Limits = {}) => {
    const { create: made, asked } = begin(limits);
    const outcome = await made(by, newKeyBody({ ...fields }));
    return { outcome, fields: asked.fields[0] };
  };
  /** What is stored of a new key, which is what was asked for. */
  const stored = async (fields: object, by: Principal = admin, limits: Limits = {}) => {
    const { outcome, fields: asked } = await create(fields, by, limits);
    const { id } = succeeded(outcome).record;
    expect<unknown>(await core.storedKeys.find(id, "everything")).toMatchObject({ ...asked });
    return asked;
  };
  const plain = (): KeyFields => ({
    name: "Showroom website",
    description: null,
    appType: "web",
    appId: "showroom-site",
    association: "dealer",
    dealerId: dealer,
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
  });

  test("is stored with what was sent, and with nothing else", async () => {
    expect(await stored({ dealer_id: dealer })).toStrictEqual(plain());
    const sent = {
      dealer_id: dealer,
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
    expect(await stored(sent)).toStrictEqual({
      ...plain(),
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
    const ofUser = { ...plain(), association: "user", dealerId: null, userId: user, ownPermissions: 0 } as const;
    for (const by of [admin, ofDealer()]) expect(await stored({ user_id: user }, by)).toStrictEqual(ofUser);
    expect(await stored({}, ofDealer())).toStrictEqual(plain());
  });

  test("expires as late as the operator lets keys live, unless it is to end before", async () => {
    const expiryOf = async (fields: object) =>
      (await stored({ dealer_id: dealer, ...fields }, admin, { maxKeyDays: 2 }))?.expiresAt;
    expect(await expiryOf({})).toBe(core.clock.after(2 * 24 * 60 * 60));
    const sooner = core.clock.after(60);
    expect(await expiryOf({ expires_at: sooner })).toBe(sooner);
  });

  test("is refused with all of its faults, and what it names is missing only to those who see all", async () => {
    const faultsOf = async (fields: object, by?: Principal) => pathsOf((await create(fields, by)).outcome);
    const missing = { name: "", dealer_id: NOBODY, permissions: "all" };
    expect(await faultsOf(missing)).toEqual(["dealer_id", "name", "permissions"]);
    expect(await faultsOf(missing, ofDealer())).toEqual(["name", "permissions"]);
    expect(await faultsOf({ name: "", user_id: NOBODY })).toEqual(["name", "user_id"]);
    expect(await faultsOf({ name: "", user_id: user })).toEqual(["name"]);
    expect(await faultsOf({ name: "", user_id: NOBODY }, ofDealer())).toEqual(["name"]);
    const forApps = { public: true, app_type: "mobile", dealer_id: NOBODY };
    expect(await faultsOf(forApps)).toEqual(["app_type", "dealer_id"]);
  });

  test("is not wider than its maker's networks, and needs recent proof where its rights do", async () => {
    const refused = async (fields: object, by: Principal) => {
      const { outcome, fields: inserted } = await create({ dealer_id: dealer, ...fields }, by);
      expect(inserted).toBeUndefined();
      return causeOf(outcome)?.kind;
    };
    const fromOffice = ofDealer({ allowedNetworks: ["192.0.2.0/24"] });
    expect(await refused({}, fromOffice)).toBe("escalation");
    expect(await stored({ allowed_networks: ["192.0.2.7/32"] }, fromOffice)).toBeDefined();
    const unproved = superAdminKey({ via: "portal", provedRecently: false });
    expect(await refused({ permissions: [{ resource: "users", action: "write" }] }, unproved)).toBe("proof-too-old");
  });

  test("that cannot be stored is refused, and the secret of one that is stored is its own", async () => {
    const full = await create({ dealer_id: dealer }, admin, { keysPerDealer: 0 });
    expect(causeOf(full.outcome)?.kind).toBe("quota-exceeded");
    expect(pathsOf((await create({ dealer_id: NOBODY })).outcome)).toEqual(["dealer_id"]);
    const { record, apiKey } = succeeded((await create({ dealer_id: dealer })).outcome);
    expect(await keyOf(apiKey)).toBe(record.id);
  });
});

describe("a change of a key", () => {
  const put = async (body: object, by: Principal = admin, id?: number) => {
    const { change, asked } = begin();
    const changed = id ?? (await newKey());
    const outcome = await change(by, changed, body);
    return { id: changed, outcome, context: asked.contexts[0] };
  };

  test("asks for the user that it names, and for none otherwise", async () => {
    expect((await put({ name: "Renamed" })).context?.user).toBeNull();
    expect((await put({ user_id: null })).context?.user).toBeNull();
    const { outcome, context } = await put({ user_id: user }, ofDealer());
    expect(context?.user).toEqual({ id: user, visibility: { dealerId: dealer } });
    expect(succeeded(outcome).record.userId).toBe(user);
  });

  test("that ends an ended key again records the higher rank, and no other change does", async () => {
    const endedBy = async (body: object) => {
      const id = await newKey();
      succeeded(await core.keys.revoke(ofDealer(), id));
      succeeded((await put(body, admin, id)).outcome);
      return (await core.storedKeys.find(id, "everything"))?.endedBy;
    };
    expect([await endedBy({ active: false }), await endedBy({ active: 0 })]).toEqual(["super_admin", "super_admin"]);
    expect([await endedBy({ name: "Renamed" }), await endedBy({ active: true })]).toEqual(["dealer_admin", null]);
  });

  test("brings a new secret if it asks for one", async () => {
    for (const rotate of [true, 1]) {
      const { id, outcome } = await put({ name: "Renamed", rotate });
      expect(await keyOf(succeeded(outcome).apiKey)).toBe(id);
    }
    for (const body of [{}, { rotate: false }])
      expect(succeeded((await put({ name: "Renamed", ...body })).outcome).apiKey).toBeNull();
  });

  test("is refused with all of its faults, and what it names is missing only to those who see all", async () => {
    const missing = { name: "", user_id: NOBODY };
    expect(pathsOf((await put(missing)).outcome)).toEqual(["name", "user_id"]);
    expect(pathsOf((await put(missing, ofDealer())).outcome)).toEqual(["name"]);
  });
});

test("a new secret is answered with its key, if there is one", async () => {
  const id = await newKey();
  for (const body of [{ grace_seconds: 60 }, undefined]) {
    const { record, apiKey } = succeeded(await core.keys.rotate(admin, id, body));
    expect(record).toEqual(succeeded(await core.keys.get(admin, id)));
    expect(await keyOf(apiKey)).toBe(id);
  }
  expect(causeOf(await core.keys.rotate(admin, NOBODY, undefined))).toMatchObject({ kind: "not-found", id: NOBODY });
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
