import { expect, test } from "bun:test";
import { UnusableFile } from "../../../adapters/sql/sqlite/inspection.ts";
import { CommandError } from "../../../app/commands/exit.ts";
import { showProgress } from "../../../app/commands/progress.ts";
import { withFileErrors } from "../../../app/commands/sqlite-files.ts";
import { runPart } from "../../support/command.ts";

/** What is thrown instead of this error. */
const thrownFor = (thrown: unknown): unknown => {
  try {
    return withFileErrors("kept", () => {
      throw thrown;
    });
  } catch (error) {
    return error;
  }
};

test("what the user can correct about a file is told in one line; a defect stays one", () => {
  expect(withFileErrors("kept", () => 7)).toBe(7);
  expect(thrownFor(new UnusableFile("it is damaged"))).toEqual(new CommandError("it is damaged"));
  const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
  expect(thrownFor(full)).toEqual(new CommandError("the database cannot be kept: no space left"));
  for (const defect of [
    new Error("a defect"),
    Object.assign(new Error("a defect"), { code: 7 }),
    { code: "ENOSPC", message: "no error" },
    "a text",
  ])
    expect(thrownFor(defect)).toBe(defect);
});

test("progress is a line for every tenth that is reached, each once", async () => {
  const { err } = await runPart(() => {
    const progress = showProgress("rows", 200);
    for (const done of [0, 19, 20, 21, 59, 60, 199, 200]) progress.reach(done);
    progress.end();
  });
  expect(err).toBe(["10%", "29%", "30%", "99%", "100%", ""].map((percent) => percent && `rows ${percent}`).join("\n"));
});
