import { inGate } from "./depth.ts";

/**
 * Variables for each program that the tests start: it ends before compiling its code a second time is worth it, which
 * was a sixth of what commands and starts took, and keeps memory that is free, which was a twentieth. The deep run has
 * the program as it is delivered.
 */
export const BRIEFLY: Readonly<Record<string, string>> = inGate(
  { BUN_JSC_useDFGJIT: "0", MIMALLOC_PURGE_DELAY: "-1" },
  {},
);
