import { test } from "bun:test";
import { DEEP } from "./depth.ts";

/**
 * A test that the gate does not repeat on the compiled program, because the build can break nothing of it that others of
 * its file do not see. The deep run repeats it.
 */
export const sourcesTest: (name: string, work: () => Promise<void> | void) => void =
  process.env.TEST_BINARY === undefined || DEEP ? test : () => {};
