import type { Area } from "./area.ts";
import { contracts, http, onSqlite } from "./tests.ts";

/** What decides which vehicle a row of an import is. */
export const MATCHING_OF_IMPORTS: Area = {
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
};
