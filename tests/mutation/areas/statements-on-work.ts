import { type Area, SQL } from "./area.ts";
import { contracts, http, OF_OTHERS, onSqlite } from "./tests.ts";

/** Statements on what is brought in, sent out or done later. */
export const STATEMENTS_ON_WORK: readonly Area[] = [
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
];
