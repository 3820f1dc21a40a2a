import type { OperatorSet } from "./operators.ts";

/** A part of the program that enforces something, how to break it, and the tests that must notice. */
export interface Area {
  readonly name: string;
  readonly operators: OperatorSet;
  /** Files and folders. */
  readonly files: readonly string[];
  /** The declarations that matter, if a file has others too. */
  readonly within?: readonly string[];
  /**
   * Arguments for `bun test`: file names, and a test name after `-t`. Each line runs for the mutants that survived
   * those before it, so fast tests come first.
   */
  readonly tests: readonly (readonly string[])[];
  /** True if none of its mutants may be left to the deep run. */
  readonly isVital?: true;
}

const ofAccess = (name: string): string => `tests/core/access/${name}.test.ts`;
const contracts = (...names: readonly string[]): string[] => names.map((name) => `tests/contracts/${name}.test.ts`);
const commands = (...names: readonly string[]): string[] => names.map((name) => `tests/commands/${name}.test.ts`);
const ofCommands = (...names: readonly string[]): string[] => names.map((name) => `tests/app/commands/${name}.test.ts`);
const http = (...names: readonly string[]): string[] => names.map((name) => `tests/http/${name}.test.ts`);
const portal = (...names: readonly string[]): string[] => names.map((name) => `tests/portal/${name}.test.ts`);

/** Those of these tests that are on SQLite alone. */
const onSqlite = (tests: readonly string[]): readonly string[] => [...tests, "-t", "SQLite"];

/** Every operation on the records of another dealer. */
const OF_OTHERS = ["tests/core/access/use-cases.test.ts"] as const;

const SQL = { operators: "statements" } as const;

const AS_WRITTEN: readonly Area[] = [
  {
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
  },
  {
    ...SQL,
    name: "statements on vehicles",
    files: ["adapters/sql/vehicles"],
    tests: [
      contracts("vehicle-repository", "vehicle-list", "vehicle-documents", "long-pages", "dealer-scope"),
      [
        ...contracts("inventory-states", "vehicle-history", "vehicle-spellings", "spelling-weight"),
        ...http("duplicates", "sold-prices"),
      ],
      http("vehicles", "isolation", "conditional", "paging", "long-answers"),
      [...contracts("sqlite-plans", "near", "long-words", "vehicle-fields"), "tests/commands/seed.test.ts"],
      http("lists", "bulk", "batch", "finding"),
    ],
  },
  {
    ...SQL,
    name: "statements on removed vehicles",
    files: ["adapters/sql/removed"],
    tests: [contracts("removed-vehicles", "updated-at"), http("removed", "binding")],
  },
  {
    ...SQL,
    name: "statements on dealers",
    files: ["adapters/sql/dealers"],
    tests: [
      contracts("dealer-repository", "dealer-scope", "dealer-figures", "refused-keys", "audit-log"),
      contracts("sqlite-plans", "photo-repository", "stored-counts", "rebinding", "search"),
      http("dealers", "statistics", "isolation", "conditional", "paging"),
    ],
  },
  {
    ...SQL,
    name: "statements on images",
    files: ["adapters/sql/images"],
    tests: [contracts("image-repository", "photo-repository", "dealer-scope"), http("images", "isolation", "paging")],
  },
  {
    ...SQL,
    name: "statements on keys",
    files: ["adapters/sql/keys", "adapters/sql/access"],
    tests: [
      contracts(
        "access-neighbours",
        "key-lives",
        "key-repository",
        "key-list",
        "credentials",
        "first-keys",
        "visibility",
        "access-changes",
        "scope-of-changes",
      ),
      contracts("rebinding", "refused-keys", "usage", "today", "webhook-work", "scheduled-changes"),
    ],
  },
  {
    ...SQL,
    name: "statements on users",
    files: ["adapters/sql/users"],
    tests: [
      contracts(
        "access-neighbours",
        "user-repository",
        "visibility",
        "last-super-admin",
        "account-copies",
        "stale-offboarding",
        "scope-of-changes",
      ),
    ],
  },
  {
    ...SQL,
    name: "statements on imports",
    files: ["adapters/sql/imports"],
    tests: [
      onSqlite(http("import-mappings")),
      contracts("import-work", "import-repository", "import-vehicles", "import-bases", "scope-of-changes"),
      http("imports/rows", "imports/runs", "imports/snapshots", "imports/merge"),
      http("imports/files", "imports/arriving", "sources/runs", "export-import"),
      contracts("crossing-jobs", "import-takeover", "import-turns", "long-imports"),
      http("quotas", "isolation"),
      OF_OTHERS,
    ],
  },
  {
    ...SQL,
    name: "statements on sources of imports",
    files: ["adapters/sql/sources"],
    tests: [
      http("sources/resource", "sources/runs"),
      contracts("source-neighbours", "sources", "scope-of-changes"),
      http("sources/snapshots", "sources/slow", "quotas", "isolation"),
      OF_OTHERS,
    ],
  },
  {
    ...SQL,
    name: "statements on feeds",
    files: ["adapters/sql/feeds"],
    tests: [
      http("feeds/resource", "feeds/addresses", "feeds/sending", "feeds/readiness", "vehicle-readiness"),
      contracts("feed-neighbours", "feed-states", "feed-fetches", "inspections-in-turn", "scope-of-changes"),
      http("feeds/rights", "feeds/belonging", "quotas", "isolation"),
      OF_OTHERS,
    ],
  },
  {
    ...SQL,
    name: "statements on the feed of changes",
    files: ["adapters/sql/change-feed"],
    tests: [contracts("change-feed"), http("changes", "change-feed-model", "isolation"), OF_OTHERS],
  },
  {
    ...SQL,
    name: "statements on webhooks",
    files: ["adapters/sql/webhooks"],
    tests: [
      contracts("webhook-neighbours", "webhook-work", "scope-of-changes"),
      http("webhooks/sending", "isolation"),
      OF_OTHERS,
    ],
  },
  {
    ...SQL,
    name: "statements on scheduled changes",
    files: ["adapters/sql/scheduled-changes"],
    tests: [contracts("schedule-neighbours", "scheduled-changes"), http("isolation")],
  },
  {
    ...SQL,
    name: "statements on photos that imports fetch",
    files: ["adapters/sql/fetched-photos"],
    tests: [contracts("fetched-photos"), http("imports/fetched-photos")],
  },
  {
    ...SQL,
    name: "statements on advice and on figures of dealers",
    files: ["adapters/sql/advice", "adapters/sql/dealer-figures"],
    tests: [contracts("advice", "dealer-figures", "dealer-scope")],
  },
  {
    ...SQL,
    name: "statements on photos",
    files: ["adapters/sql/photos"],
    tests: [contracts("photo-repository"), http("photos", "isolation")],
  },
  {
    ...SQL,
    name: "statements on repeats",
    files: ["adapters/sql/repeats"],
    tests: [contracts("repeats"), http("repeats")],
  },
  {
    ...SQL,
    name: "statements on jobs",
    files: ["adapters/sql/jobs"],
    tests: [contracts("jobs"), contracts("crossing-jobs", "import-takeover"), http("imports/runs", "sources/runs")],
  },
  {
    ...SQL,
    name: "statements on the readiness of listings",
    files: ["adapters/sql/readiness"],
    tests: [
      http("health", "vehicle-readiness"),
      contracts("lots", "quality-in-turn", "inspections-in-turn"),
      OF_OTHERS,
    ],
  },
  {
    ...SQL,
    name: "statements on the search for words",
    files: ["adapters/sql/search"],
    tests: [
      contracts("search-isolation", "search-upkeep", "inventory-states", "vehicle-spellings", "spelling-weight"),
      contracts("search", "vehicle-words", "suggestions", "sqlite-plans"),
      [...http("finding", "search-states"), "tests/commands/search-index.test.ts"],
    ],
  },
  {
    ...SQL,
    name: "statements on recent changes",
    files: ["adapters/sql/recent-changes"],
    tests: [
      contracts("recent-changes", "reversals", "dealer-scope"),
      http("recent-changes", "reverting", "reverted-pairs"),
    ],
  },
  {
    ...SQL,
    name: "statements on the history of vehicles",
    files: ["adapters/sql/history"],
    tests: [
      contracts("vehicle-history", "vehicle-history-model", "dealer-scope"),
      http("vehicle-history", "isolation"),
    ],
  },
  {
    ...SQL,
    name: "statements on facets",
    files: ["adapters/sql/facets"],
    tests: [contracts("facets"), http("facets")],
  },
  {
    ...SQL,
    name: "statements on suggestions",
    files: ["adapters/sql/suggestions"],
    tests: [contracts("suggestions"), http("suggestions")],
  },
  {
    ...SQL,
    name: "statements on reports and exports",
    files: ["adapters/sql/report", "adapters/sql/export", "adapters/sql/today"],
    tests: [
      contracts("today", "daily-figures", "export", "dealer-scope", "record-exports"),
      http("report", "today", "export", "record-exports"),
    ],
  },
  {
    ...SQL,
    name: "statements on the audit log",
    files: ["adapters/sql/audit"],
    tests: [
      contracts("audit-log", "audit-visibility", "denials", "updated-at", "audit-plans"),
      [...contracts("reversals"), "-t", "forgotten"],
      http("denials", "paging", "visibility", "audit-fields", "audit-export"),
    ],
  },
  {
    ...SQL,
    name: "statements on usage",
    files: ["adapters/sql/usage"],
    tests: [contracts("usage", "usage-processes", "rebinding", "visibility"), http("usage", "portal-routes")],
  },
  {
    ...SQL,
    name: "statements of signing in",
    isVital: true,
    files: ["adapters/sql/sign-in"],
    tests: [
      contracts(
        "accounts",
        "attempts",
        "sessions",
        "sign-in-changes",
        "invitations",
        "account-copies",
        "hourly-limits",
        "sign-in-races",
      ),
      contracts("challenges", "sealed-secrets", "scope-of-changes"),
      portal("sign-in", "sign-in-sessions", "sign-in-second-factor", "sign-in-lockout", "sign-in-passwords"),
      portal("invitations", "accounts", "reauthentication", "own-sign-in", "secret-key"),
    ],
  },
  {
    name: "rules of signing in",
    isVital: true,
    operators: "rules",
    files: ["core/sign-in"],
    tests: [
      ["tests/core/sign-in"],
      portal("sign-in", "sign-in-lockout", "sign-in-second-factor", "sign-in-passwords", "sign-in-sessions"),
      portal("invitations", "own-sign-in", "reauthentication", "sign-in-record", "sign-in-secrecy", "invitation-mail"),
      [...portal("accounts", "attacks", "forgeries"), ...contracts("sign-in-races", "sessions", "invitations")],
      http("quotas"),
    ],
  },
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
  {
    name: "scheduled changes",
    operators: "turns",
    files: ["core/scheduled-changes"],
    tests: [
      ["tests/core/scheduled-changes"],
      onSqlite([...contracts("scheduled-changes"), ...http("scheduled-changes")]),
      OF_OTHERS,
    ],
  },
  {
    name: "reverting and taking back",
    operators: "turns",
    files: ["core/recent-changes", "core/removed"],
    tests: [
      ["tests/core/recent-changes", "tests/core/removed"],
      http("reverting", "reverted-pairs", "recent-changes", "removed"),
      onSqlite(contracts("reversals")),
      OF_OTHERS,
    ],
  },
  {
    name: "repeats",
    operators: "turns",
    files: ["core/repeats"],
    tests: [["tests/core/repeats"], onSqlite(contracts("repeats")), contracts("repeats"), http("repeats")],
  },
  {
    name: "mended rows and values of imports",
    operators: "turns",
    files: [
      "core/imports/corrections.ts",
      "core/imports/decide-reading.ts",
      "core/imports/failed-cells.ts",
      "core/imports/mended-cells.ts",
      "core/imports/mending.ts",
      "core/imports/merge.ts",
      "core/imports/values/own-values.ts",
      "core/imports/values/unknown-values.ts",
    ],
    tests: [
      ["merge", "failed-cells", "mended-cells", "taught-values", "decide-reading"].map(
        (name) => `tests/core/imports/${name}.test.ts`,
      ),
      ["mending", "run"].map((name) => `tests/core/imports/${name}.test.ts`),
      onSqlite(http("imports/merge", "imports/mending")),
      OF_OTHERS,
    ],
  },
  {
    name: "trying messages of webhooks again",
    operators: "turns",
    files: ["core/webhooks/after-attempt.ts", "core/webhooks/places.ts"],
    tests: [["tests/core/webhooks"], http("webhooks/sending")],
  },
  {
    name: "problems of listings that are set for all",
    operators: "turns",
    files: ["core/readiness/quality-fix.ts", "core/readiness/swapped-date.ts"],
    tests: [["tests/core/readiness"], http("quality-fix")],
  },
  {
    name: "sending what a walk kept",
    operators: "turns",
    files: ["adapters/portal/walk/send-action.ts", "adapters/portal/walk/walk-state.ts"],
    tests: [["walk", "walk-sending", "walk-state"].map((name) => `tests/adapters/portal/${name}.test.ts`)],
  },
  {
    name: "ceilings of the portal",
    operators: "ceilings",
    files: ["adapters/portal/permissions", "adapters/portal/keys", "adapters/portal/users"],
    tests: [["tests/adapters/portal"], ["tests/portal/journeys.test.ts", "-t", "only the admin's own permissions"]],
  },
  {
    name: "origins",
    isVital: true,
    operators: "origins",
    files: ["adapters/http/server/entry-point.ts", "adapters/http/protocol/headers.ts"],
    within: ["crossOriginProblem", "originOf", "corsHeaders", "sharedApiHeaders"],
    tests: [http("protocol"), portal("attacks", "sign-in", "own-denials"), http("routes", "configuration")],
  },
  {
    name: "cookies",
    isVital: true,
    operators: "cookies",
    files: ["adapters/sign-in/cookies.ts"],
    tests: [
      ["tests/adapters/sign-in/cookies.test.ts", "tests/adapters/sign-in/made-by-better-auth.test.ts"],
      portal("sign-in", "attacks", "sign-in-sessions"),
    ],
  },
  {
    name: "fair turns",
    operators: "turns",
    files: ["core/access/turns.ts", "adapters/sql/query/fair-queue.ts"],
    tests: [["tests/core/access/turns.test.ts", "tests/adapters/sql/query/fair-queue.test.ts"]],
  },
  {
    name: "turns of connections",
    operators: "turns",
    files: ["adapters/sql/postgres/fair-turns.ts"],
    tests: [["tests/adapters/sql/postgres/fair-turns.test.ts"]],
  },
  {
    name: "turns and durability of writes",
    isVital: true,
    operators: "durability",
    files: ["adapters/sql/sqlite/write-queue.ts"],
    tests: [
      ["tests/adapters/sql/sqlite/write-queue.test.ts"],
      ["tests/adapters/sql/sqlite/counted-statements.test.ts", "tests/adapters/sql/sqlite/committed-reads.test.ts"],
      ["tests/adapters/sql/sqlite/checkpoints.test.ts"],
    ],
  },
  {
    name: "turns of long reads",
    operators: "turns",
    files: ["adapters/sql/sqlite/reading-threads.ts"],
    tests: [["tests/adapters/sql/sqlite/reading-threads.test.ts"]],
  },
  {
    name: "turns of jobs",
    operators: "turns",
    files: ["adapters/sql/jobs/runner.ts"],
    tests: [["tests/adapters/sql/jobs/runner.test.ts"], contracts("job-turns", "job-leases")],
  },
  {
    name: "durable files",
    isVital: true,
    operators: "durability",
    files: ["adapters/sql/sqlite/durable-files.ts", "adapters/sql/sqlite/settings.ts"],
    tests: [
      ["tests/adapters/sql/sqlite/durable-files.test.ts", "tests/adapters/sql/sqlite/settings.test.ts"],
      ["tests/commands/backup.test.ts", "tests/commands/restore.test.ts"],
      ["tests/adapters/sql/sqlite"],
    ],
  },
  {
    name: "requests to others",
    isVital: true,
    operators: "egress",
    files: ["core/egress", "adapters/egress"],
    tests: [["tests/core/egress"], ["tests/adapters/egress"]],
  },
  {
    name: "matching of imports",
    isVital: true,
    operators: "turns",
    files: [
      "core/imports/matching.ts",
      "core/imports/candidates.ts",
      "core/imports/seen-rows.ts",
      "core/imports/doubtful-rows.ts",
      "core/imports/missing.ts",
      "core/imports/batch-reading.ts",
      "core/imports/row-decision.ts",
      "core/imports/row-plan.ts",
      "core/imports/rows.ts",
      "core/imports/after-step.ts",
      "core/imports/run.ts",
    ],
    tests: [
      ["matching", "seen-rows", "after-step", "row-decision", "row-plan", "doubtful-rows"].map(
        (name) => `tests/core/imports/${name}.test.ts`,
      ),
      ["tests/core/imports/rows.test.ts", "tests/core/imports/run.test.ts"],
      onSqlite([...contracts("import-vehicles", "import-work"), ...http("imports/rows", "imports/snapshots")]),
      contracts("import-vehicles", "import-work"),
      http("imports/rows", "imports/snapshots", "imports/runs", "export-import"),
    ],
  },
  {
    name: "rate limits",
    operators: "turns",
    files: ["adapters/rate-limit"],
    tests: [
      ["counts", "timeout", "late-answers"].map((name) => `tests/adapters/rate-limit/${name}.test.ts`),
      [...contracts("rate-limiter"), "tests/adapters/rate-limit/redis.test.ts"],
      ["tests/adapters/rate-limit"],
      http("rate-limits"),
    ],
  },
  {
    name: "commands on keys, users and records",
    operators: "turns",
    files: [
      "completion.ts",
      "dealers.ts",
      "end.ts",
      "exit.ts",
      "images.ts",
      "key-table.ts",
      "keys.ts",
      "options.ts",
      "outcome.ts",
      "output.ts",
      "program.ts",
      "records.ts",
      "table.ts",
      "users-invite.ts",
      "users.ts",
    ].map((name) => `app/commands/${name}`),
    // The first ones run in the tests' process; for the last ones the program is made anew.
    tests: [
      ofCommands("completion", "ends", "lists", "options", "program"),
      commands("wrong-input", "users", "keys"),
      commands("users-list", "users-invite", "photos"),
    ],
  },
  {
    name: "commands that keep, move and fill databases",
    operators: "turns",
    files: [
      ...[
        "backup.ts",
        "check-config.ts",
        "copy.ts",
        "database.ts",
        "export.ts",
        "import-result.ts",
        "import.ts",
        "migrate.ts",
        "photo-storages.ts",
        "progress.ts",
        "restore.ts",
        "search-words.ts",
        "seed.ts",
        "serve.ts",
        "sqlite-files.ts",
      ].map((name) => `app/commands/${name}`),
      ...["compile-ahead.ts", "seed/batches.ts", "seed/picturing.ts", "seed/times.ts", "welcome.ts"].map(
        (name) => `app/${name}`,
      ),
    ],
    tests: [
      [
        ...ofCommands("files", "import-result", "photo-storages", "program"),
        ...["compile-ahead", "seed/picturing", "seed/seed", "welcome"].map((name) => `tests/app/${name}.test.ts`),
      ],
      commands("wrong-input", "copy", "export"),
      commands("import", "photos", "backup", "restore"),
      commands("search-index", "seed"),
      [...commands("command-line", "users-invite"), "tests/instances/stopping.test.ts", "tests/app"],
    ],
  },
];

/**
 * The contracts on SQLite alone come first: they cost least and kill most. What is left meets what is as written, and at
 * last every route on PostgreSQL.
 */
const ofStatements = (tests: Area["tests"]): Area["tests"] => {
  const named = [...new Set(tests.flat())].filter((word) => word.startsWith("tests/contracts/"));
  return [onSqlite(named), ...tests, http("on-postgresql")];
};

/** What to break, and which tests must fail. */
export const AREAS: readonly Area[] = AS_WRITTEN.map((area) =>
  area.operators === "statements" ? { ...area, tests: ofStatements(area.tests) } : area,
);
