import { type Area, SQL } from "./area.ts";
import { contracts, http, OF_OTHERS } from "./tests.ts";

/** Statements on what is searched, counted, reported or looked back on. */
export const STATEMENTS_ON_VIEWS: readonly Area[] = [
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
];
