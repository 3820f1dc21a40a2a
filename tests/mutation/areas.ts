import type { OperatorSet } from "./operators.ts";

/** A part of the program that guards something, how it is broken, and the tests that must notice. */
export interface Area {
  readonly name: string;
  readonly operators: OperatorSet;
  /** Files and folders. */
  readonly files: readonly string[];
  /** The declarations that guard, where a file has others as well. */
  readonly within?: readonly string[];
  /**
   * What `bun test` is given: file names and, behind `-t`, the name of a test. The next line runs for what lived through
   * those before: quick tests first.
   */
  readonly tests: readonly (readonly string[])[];
}

const contracts = (...names: readonly string[]): string[] => names.map((name) => `tests/contracts/${name}.test.ts`);
const http = (...names: readonly string[]): string[] => names.map((name) => `tests/http/${name}.test.ts`);
const portal = (...names: readonly string[]): string[] => names.map((name) => `tests/portal/${name}.test.ts`);

const SQL = { operators: "statements" } as const;

/** THE TABLE: what is broken, and which tests must fail. */
export const AREAS: readonly Area[] = [
  {
    name: "rules of access",
    operators: "rules",
    files: ["core/access"],
    tests: [["tests/core/access"], ["tests/core"]],
  },
  {
    ...SQL,
    name: "statements on vehicles",
    files: ["adapters/sql/vehicles"],
    tests: [
      contracts("vehicle-repository", "vehicle-list", "vehicle-documents", "long-pages", "dealer-scope"),
      http("vehicles", "isolation", "conditional", "paging", "long-answers"),
      [...contracts("sqlite-plans"), "tests/commands/seed.test.ts"],
    ],
  },
  {
    ...SQL,
    name: "statements on dealers",
    files: ["adapters/sql/dealers"],
    tests: [
      contracts("dealer-repository", "dealer-scope", "kept-counts", "rebinding"),
      http("dealers", "statistics", "isolation", "conditional", "paging"),
    ],
  },
  {
    ...SQL,
    name: "statements on images",
    files: ["adapters/sql/images"],
    tests: [contracts("image-repository", "dealer-scope"), http("images", "isolation", "paging")],
  },
  {
    ...SQL,
    name: "statements on keys",
    files: ["adapters/sql/keys", "adapters/sql/access"],
    tests: [
      contracts("key-repository", "key-list", "credentials", "credential-cache", "sight", "access-changes"),
      contracts("rebinding", "endings", "first-keys", "hourly-limits", "crossing-changes", "usage", "as-seen"),
      http("keys", "key-changes", "key-rotation", "key-secrets", "visibility", "rebinding", "quotas", "usage"),
    ],
  },
  {
    ...SQL,
    name: "statements on users",
    files: ["adapters/sql/users"],
    tests: [
      contracts("user-repository", "sight", "last-super-admin", "endings", "account-copies", "crossing-changes"),
      http("users", "visibility", "last-super-admin", "email-conflicts"),
      portal("accounts"),
    ],
  },
  {
    ...SQL,
    name: "statements on the audit log",
    files: ["adapters/sql/audit"],
    tests: [contracts("audit-log", "audit-sight", "denials", "moments"), http("denials", "paging", "visibility")],
  },
  {
    ...SQL,
    name: "statements on usage",
    files: ["adapters/sql/usage"],
    tests: [contracts("usage", "usage-processes", "rebinding", "sight"), http("usage", "portal-routes")],
  },
  {
    ...SQL,
    name: "statements of signing in",
    files: ["adapters/sql/sign-in"],
    tests: [
      contracts("sessions", "as-seen", "invitations", "account-copies", "hourly-limits", "sign-in-races"),
      portal("sign-in", "sign-in-sessions", "sign-in-second-factor", "sign-in-lockout", "sign-in-passwords"),
      portal("invitations", "accounts", "reauthentication", "own-sign-in", "secret-key"),
    ],
  },
  {
    name: "ceilings of the portal",
    operators: "ceilings",
    files: ["adapters/portal/permissions", "adapters/portal/keys", "adapters/portal/users"],
    tests: [["tests/adapters/portal"], ["tests/portal/journeys.test.ts", "-t", "few permissions"]],
  },
  {
    name: "origins",
    operators: "origins",
    files: ["adapters/http/server/entry-point.ts", "adapters/http/protocol/headers.ts"],
    within: ["crossOrigin", "originOf", "openness", "sharedApiHeaders"],
    tests: [http("protocol"), portal("attacks", "sign-in", "own-denials"), http("routes", "configuration")],
  },
  {
    name: "cookies",
    operators: "cookies",
    files: ["adapters/sign-in/cookies.ts"],
    tests: [["tests/adapters/sign-in/cookies.test.ts"], portal("sign-in", "attacks", "sign-in-sessions")],
  },
];
