import { describe, expect, test } from "bun:test";
import {
  isInGrace,
  KeyChanges,
  keyChanges,
  NewKey,
  newKey,
  type OldSecret,
  presentKey,
  Rotation,
  rotation,
} from "../../../core/keys/key.ts";
import { permissionSet } from "../../../core/permissions.ts";
import {
  EMAIL,
  type FieldRule,
  FLAG_OR_BIT,
  ID,
  PERMISSION_LIST,
  requiredTextOf,
  testBody,
  textOf,
  wholeNumberOf,
  wordOf,
} from "../field-rules.ts";
import { newKeyBody, pathsOf } from "../use-cases.ts";
import { dealerKeyRecord, holder, keyRecord, userKeyRecord } from "./key-records.ts";

const FIELDS: Readonly<Record<string, FieldRule>> = {
  name: requiredTextOf(100),
  app_type: wordOf("web", "desktop", "mobile"),
  app_id: {
    accepts: ["a", "showroom-site", "com.example.App_2", "x".repeat(64)],
    refuses: ["", "x".repeat(65), "a b", "a/b", "ä", "a\n", 5, [], {}],
  },
  description: textOf(0, 20_000),
  dealer_id: ID,
  user_id: ID,
  association: wordOf("dealer", "user", "none"),
  expires_at: textOf(1, 40),
  permissions: PERMISSION_LIST,
  rate_limit: wholeNumberOf(1, 2_147_483_647),
  public: FLAG_OR_BIT,
  allowed_origins: {
    accepts: [
      null,
      ["https://www.harbor.example.com"],
      ["https://harbor.example.com:8443"],
      ["https://[2001:db8::1]", "http://localhost:3000", "http://127.0.0.1", "http://[::1]:8080"],
      Array.from({ length: 20 }, (_, number) => `https://page-${number}.example.com`),
    ],
    refuses: [
      [],
      Array.from({ length: 21 }, (_, number) => `https://page-${number}.example.com`),
      "https://www.harbor.example.com",
      ["http://www.harbor.example.com"],
      ["https://www.harbor.example.com/"],
      ["https://www.harbor.example.com/page"],
      ["https://user@harbor.example.com"],
      ["https://"],
      ["*"],
      ["null"],
      ["http://localhost.example.com"],
      ["https://harbor.example.com\n"],
      [5],
      {},
    ],
  },
  owner_email: { accepts: [null, ...EMAIL.accepts], refuses: EMAIL.refuses.filter((value) => value !== null) },
  allowed_networks: {
    accepts: [
      null,
      ["203.0.113.0/24"],
      ["10.0.0.0/8", "192.0.2.7/32", "2001:db8::/32", "fd00::/8"],
      Array.from({ length: 50 }, (_, number) => `10.${number}.0.0/16`),
    ],
    refuses: [
      [],
      Array.from({ length: 51 }, (_, number) => `10.${number}.0.0/16`),
      "203.0.113.0/24",
      ["203.0.113.7/24"],
      ["2001:db8::1/32"],
      ["0.0.0.0/0"],
      ["::/0"],
      ["203.0.113.7"],
      ["203.0.113.0/33"],
      ["203.0.113.0/-1"],
      ["203.0.113.0/024"],
      ["example.com/24"],
      ["203.0.113.0/24 "],
      [5],
      {},
    ],
  },
  active: FLAG_OR_BIT,
};

const READ_ONLY = [
  "id",
  "api_key",
  "key_start",
  "bound_dealer_id",
  "effective_rate_limit",
  "last_used_at",
  "created_at",
  "updated_at",
  "dealer_name",
  "bound_dealer_name",
  "user_name",
  "user_active",
];
const REQUIRED = ["name", "app_type", "app_id"];
const NOT_NULL = ["association", "permissions", "public", "active"];

testBody("a new key", {
  parse: (input) => newKey.parse(input),
  schema: NewKey,
  base: newKeyBody(),
  fields: FIELDS,
  required: REQUIRED,
  notNull: NOT_NULL,
  readOnly: READ_ONLY,
});

testBody("a change of a key", {
  parse: (input) => keyChanges.parse(input),
  schema: KeyChanges,
  base: {},
  fields: { ...FIELDS, confirm_lockout: FLAG_OR_BIT, rotate: FLAG_OR_BIT },
  required: [],
  notNull: [...REQUIRED, ...NOT_NULL, "confirm_lockout", "rotate"],
  readOnly: READ_ONLY,
});

testBody("a rotation", {
  parse: (input) => rotation.parse(input),
  schema: Rotation,
  base: {},
  fields: { grace_seconds: wholeNumberOf(0, 2_592_000) },
  required: [],
  notNull: ["grace_seconds"],
  readOnly: [],
});

test("every invalid part of a list of permissions is named by its position", () => {
  const permissions = [
    { resource: "vehicles", action: "read" },
    { resource: "planes", action: "read" },
    { resource: "keys", action: "fly" },
  ];
  expect(pathsOf(keyChanges.parse({ permissions }))).toEqual(["permissions.1.resource", "permissions.2.action"]);
});

const NOW = "2026-11-20T09:00:00.000Z";

describe("a key in an answer", () => {
  const read = permissionSet(["vehicles:read"]);
  const pairs = [{ resource: "vehicles", action: "read" }];

  test("has exactly the documented fields, and nothing of its secret", () => {
    expect(Object.keys(presentKey(keyRecord(), NOW))).toEqual([
      "id",
      "name",
      "description",
      "app_type",
      "app_id",
      "key_start",
      "association",
      "dealer_id",
      "user_id",
      "bound_dealer_id",
      "permissions",
      "rate_limit",
      "effective_rate_limit",
      "public",
      "allowed_origins",
      "allowed_networks",
      "owner_email",
      "active",
      "disabled_reason",
      "idle_ends_at",
      "expires_at",
      "last_used_at",
      "grace_until",
      "grace_key_start",
      "grace_last_used_at",
      "grace_uses_today",
      "created_at",
      "updated_at",
    ]);
  });

  for (const [name, key, expected] of [
    ["without a dealer or user", keyRecord({ ownPermissions: read }), { bound_dealer_id: null, permissions: pairs }],
    [
      "of a dealer",
      dealerKeyRecord(7, { ownPermissions: read }),
      { dealer_id: 7, bound_dealer_id: 7, permissions: pairs },
    ],
    [
      "of a dealer's user",
      userKeyRecord(holder({ dealerId: 7, permissions: read })),
      { dealer_id: null, user_id: 1, bound_dealer_id: 7, permissions: pairs },
    ],
    ["whose user is gone", userKeyRecord(null, { ownPermissions: read }), { bound_dealer_id: null, permissions: [] }],
  ] as const)
    test(`${name} states the dealer it is bound to, and its permissions`, () => {
      expect<object>(presentKey(key, NOW)).toMatchObject(expected);
    });

  for (const [appType, rateLimit, effective] of [
    ["web", null, 100],
    ["desktop", null, 300],
    ["mobile", null, 200],
    ["web", 7, 7],
  ] as const)
    test(`of a ${appType} application with ${rateLimit ?? "no"} limit of its own may make ${effective} requests a minute`, () => {
      expect(presentKey(keyRecord({ appType, rateLimit }), NOW)).toMatchObject({
        rate_limit: rateLimit,
        effective_rate_limit: effective,
      });
    });

  const OLD: OldSecret = {
    start: "vis_web_showroom-site_Zz9y",
    endsAt: "2026-11-21T09:00:00.000Z",
    lastUsedAt: "2026-11-20T08:00:00.000Z",
    uses: 5,
    usesDay: "2026-11-20T00:00:00.000Z",
  };
  const NONE = { grace_until: null, grace_key_start: null, grace_last_used_at: null, grace_uses_today: null };
  for (const [name, key, at, grace] of [
    [
      "names the old secret while it works, and its uses of today",
      { oldSecret: OLD },
      NOW,
      {
        grace_until: OLD.endsAt,
        grace_key_start: OLD.start,
        grace_last_used_at: OLD.lastUsedAt,
        grace_uses_today: 5,
      },
    ],
    [
      "counts no uses of another day",
      { oldSecret: OLD },
      "2026-11-21T08:59:59.999Z",
      { grace_until: OLD.endsAt, grace_uses_today: 0 },
    ],
    ["does not name it once it has ended", { oldSecret: OLD }, OLD.endsAt, NONE],
    [
      "lets it work no longer than the key",
      { oldSecret: OLD, expiresAt: "2026-11-21T08:00:00.000Z" },
      NOW,
      { grace_until: "2026-11-21T08:00:00.000Z" },
    ],
    ["does not name it once the key has expired", { oldSecret: OLD, expiresAt: "2026-11-20T09:00:00.000Z" }, NOW, NONE],
    ["names none where no secret is old", {}, NOW, NONE],
  ] as const)
    test(name, () => {
      expect<object>(presentKey(keyRecord(key), at)).toMatchObject(grace);
      expect(isInGrace(keyRecord(key), at)).toBe(grace.grace_until !== null);
    });
});
