import { type Area, SQL } from "./area.ts";
import { contracts, http } from "./tests.ts";

/** Statements on what callers keep, and on who they are. */
export const STATEMENTS_ON_RECORDS: readonly Area[] = [
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
];
