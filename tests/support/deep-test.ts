import { test } from "bun:test";
import { DEEP } from "./depth.ts";

/** A test of the deep run alone: what it proves is proved in the gate by one like it, or at a lower level. */
export const deepTest = (name: string, work: () => Promise<void> | void): void => {
  if (DEEP) test(name, work);
};
