import type { Area } from "./area.ts";
import { contracts, http, OF_OTHERS, ofAccess, portal } from "./tests.ts";

/** What decides who may do what, and what is hidden. */
export const RULES_OF_ACCESS: Area = {
  name: "rules of access",
  isVital: true,
  operators: "rules",
  files: [
    "core/access",
    "core/permissions.ts",
    "core/audit/audit-entries-hide-other-dealers.ts",
    "core/history/history-hides-other-dealers.ts",
  ],
  tests: [
    ["policy", "decide", "visibility", "authorization"].map(ofAccess),
    ["tests/core/access/rules", "tests/core/permissions.test.ts", ofAccess("rate-limits")],
    ["tests/core/access", "tests/core/audit", "tests/core/history"],
    ["tests/core/keys", "tests/core/users", "tests/core/audit"],
  ],
};

/** What decides which keys and users there may be. */
export const RULES_OF_KEYS_AND_USERS: readonly Area[] = [
  {
    name: "rules of keys",
    isVital: true,
    operators: "rules",
    files: [
      "core/keys/credentials.ts",
      "core/keys/key-changes.ts",
      "core/keys/key-like.ts",
      "core/keys/key-plan.ts",
      "core/keys/keys.ts",
      "core/keys/life.ts",
      "core/keys/me.ts",
      "core/keys/networks.ts",
      "core/keys/origins.ts",
      "core/keys/public-keys.ts",
    ],
    tests: [
      [
        ...["credentials", "key-decisions", "key-plan", "keys", "life"].map(
          (name) => `tests/core/keys/${name}.test.ts`,
        ),
        "tests/adapters/http/protocol/keys-in-text.test.ts",
      ],
      ["tests/core/keys", "tests/core/access/rules", "tests/core/access/authorization.test.ts"],
      http("keys", "key-changes", "key-life", "key-networks", "public-keys", "key-secrets", "me", "rebinding", "log"),
      [...contracts("key-lives", "credentials"), ...http("key-rotation", "reactivation", "quotas", "delegation")],
    ],
  },
  {
    name: "rules of users",
    isVital: true,
    operators: "rules",
    files: ["core/users"],
    tests: [
      ["email-conflicts", "leaving", "stored-users", "user", "user-changes"].map(
        (name) => `tests/core/users/${name}.test.ts`,
      ),
      ["tests/core/users"],
      http("users", "email-conflicts", "last-super-admin", "delegation-of-users", "reactivation", "key-rotation"),
      [...portal("accounts", "forgeries", "reauthentication"), ...http("rotation-with-changes", "quotas")],
      OF_OTHERS,
    ],
  },
];
