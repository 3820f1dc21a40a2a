import { describe, expect, test } from "bun:test";
import { endBecauseOf } from "../../../app/commands/end.ts";
import { CommandError, readBoth, usageError } from "../../../app/commands/exit.ts";
import { resultOf } from "../../../app/commands/outcome.ts";
import { ConfigError } from "../../../app/config-error.ts";
import { DatabaseError } from "../../../app/database.ts";
import { Failure, type FailureCause } from "../../../core/failure.ts";
import type { Issue } from "../../../core/issues.ts";

/** What this work throws. */
const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};
/** The exit code and the message of the error that ends a command. */
const refusalBy = (work: () => unknown): readonly [number, string] => {
  const error = thrownBy(work);
  if (error instanceof CommandError) return [error.exitCode, error.message];
  throw error;
};

describe("the program ends", () => {
  test("with one line for an error that its user can correct, and a hint if the command line is wrong", () => {
    for (const error of [
      new ConfigError("PORT", "must be a port", "3000"),
      new DatabaseError("there is none"),
      new CommandError("it is full"),
    ])
      expect(endBecauseOf(error)).toEqual({ line: `vehicle-inventory: ${error.message}\n`, code: 1 });
    expect(endBecauseOf(new CommandError("some rows failed", 3))).toEqual({
      line: "vehicle-inventory: some rows failed\n",
      code: 3,
    });
    expect(endBecauseOf(usageError("--id: is required"))).toEqual({
      line: "vehicle-inventory: --id: is required\n(--help explains the commands and options)\n",
      code: 2,
    });
  });

  test("with all that is known of a defect, whatever was thrown", () => {
    const defect = Object.assign(new Error("a defect"), { exitCode: 2 });
    expect(endBecauseOf(defect)).toEqual({ line: `vehicle-inventory: ${defect.stack}\n`, code: 1 });
    expect(defect.stack).toContain("    at ");
    delete defect.stack;
    expect(endBecauseOf(defect).line).toBe("vehicle-inventory: a defect\n");
    for (const thrown of ["a text", null])
      expect(endBecauseOf(thrown)).toEqual({ line: `vehicle-inventory: ${thrown}\n`, code: 1 });
  });
});

test("two values are read together, and all that is wrong with them is told at once", () => {
  const wrong =
    (message: string, code = 2) =>
    (): never => {
      throw new CommandError(message, code);
    };
  const right = () => "right";
  const nothing = () => undefined;
  expect(readBoth(right, nothing)).toEqual(["right", undefined]);
  expect(refusalBy(() => readBoth(wrong("one"), right))).toEqual([2, "one"]);
  expect(refusalBy(() => readBoth(right, wrong("other", 1)))).toEqual([1, "other"]);
  expect(refusalBy(() => readBoth(wrong("one", 1), wrong("other")))).toEqual([1, "one\n  other"]);
  const defect = new Error("a defect");
  const broken = (): never => {
    throw defect;
  };
  expect(thrownBy(() => readBoth(wrong("one"), broken))).toBe(defect);
});

describe("the failure of a use case", () => {
  const refusalOf = (cause: FailureCause, names?: Readonly<Record<string, string>>) =>
    refusalBy(() => resultOf(new Failure(cause), names));
  const invalid = (...issues: readonly Issue[]): FailureCause => ({ kind: "invalid", issues, omitted: 0 });
  const ofField = (path: string): Issue => ({ path, message: "is wrong" });

  test("is a wrong command line if every fault is that of an option, each of which is named", () => {
    expect(refusalOf(invalid(ofField("expires_at"), ofField("permissions.0"), ofField("dealer_id")))).toEqual([
      2,
      "--expires-at: is wrong\n  --permission: is wrong\n  --dealer-id: is wrong",
    ]);
    expect(refusalOf(invalid(ofField("dealer_id"), ofField("permissions")), { dealer_id: "dealer" })).toEqual([
      2,
      "--dealer: is wrong\n  --permission: is wrong",
    ]);
  });

  test("is one of the command itself if it has another reason, too", () => {
    const whole = { path: "", message: "there is nothing to do" };
    expect(refusalOf(invalid(whole))).toEqual([1, "there is nothing to do"]);
    expect(refusalOf(invalid(ofField("name"), whole))).toEqual([1, "--name: is wrong\n  there is nothing to do"]);
    expect(refusalOf({ kind: "duplicate-vehicle", issues: [ofField("vin")] })).toEqual([1, "vin is wrong"]);
    expect(refusalOf({ kind: "not-found", subject: "user", id: 9 })).toEqual([1, "user 9 not found"]);
  });

  test("is none if there is a value, which is handed on", () => {
    const value = { id: 1 };
    expect(resultOf(value)).toBe(value);
  });
});
