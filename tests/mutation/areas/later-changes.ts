import type { Area } from "./area.ts";
import { contracts, http, OF_OTHERS, onSqlite } from "./tests.ts";

/** What changes something later, again, back or for all. */
export const LATER_CHANGES: readonly Area[] = [
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
];
