import { test } from "bun:test";
import { CAN_ADVANCE_CLOCK } from "./service.ts";

const REASON = "proved in process only, because the clock of a program cannot be moved";

/** A test that moves the clock of a service. It says why it does not run against the compiled program. */
export const testMovingClock = (name: string, run: () => Promise<void>): void =>
  CAN_ADVANCE_CLOCK ? test(name, run) : test.skip(`${name} (${REASON})`, run);
