import { existsSync, rmSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compare } from "./compare.ts";
import { buildProgram } from "./contenders.ts";
import { leaveServerCore } from "./cores.ts";
import { compareGrowth } from "./growth.ts";
import { thisMachine } from "./machine.ts";
import { readOptions, USAGE } from "./options.ts";
import { printProgress } from "./output.ts";

const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "vehicle-inventory-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  try {
    // PostgreSQL does not run as root. Another user needs access to its folder.
    await chmod(folder, 0o755);
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

// Ends with `exit`, which also ends the servers and deletes the folder.
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => {
    printProgress(`ended by ${signal}: nothing was published`);
    process.exit(1);
  });

try {
  if (!existsSync("/proc/self/stat")) throw new Error("CPU time is read from /proc: run this on Linux");
  const options = readOptions(process.argv.slice(2));
  const machine = thisMachine();
  leaveServerCore();
  buildProgram();
  await inFolder((folder) => (options.growth ? compareGrowth : compare)(options, machine, folder));
  process.exit(0);
} catch (error) {
  printProgress(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exit(1);
}
