import { expect, test } from "bun:test";
import { join } from "node:path";
import { startHanging } from "../run/hanging-run.ts";
import { eventually } from "../support/eventually.ts";

test("a killed mutation run leaves no test running", async () => {
  const { child, running } = await startHanging(join(import.meta.dir, "hanging-trial.ts"));
  expect(running()).toEqual([true, true]);
  child.kill("SIGKILL");
  await child.exited;
  expect(await eventually(running, (all) => !all.includes(true))).toEqual([false, false]);
});
