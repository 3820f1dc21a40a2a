import { join } from "node:path";

/** The program's entry file. */
const MAIN = join(import.meta.dir, "../../app/main.ts");

/** The command that runs the program from its sources, as `bun start` does. */
export const SOURCES: readonly string[] = [process.execPath, MAIN];
