import type { Area } from "./area.ts";
import { contracts } from "./tests.ts";

/** What puts reads, writes and jobs in turn, and keeps what is written. */
export const TURNS: readonly Area[] = [
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
];
