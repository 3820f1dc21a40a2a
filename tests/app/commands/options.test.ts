import { expect, test } from "bun:test";
import type { Argument, Option } from "commander";
import { CommandError } from "../../../app/commands/exit.ts";
import {
  checkedChoiceOption,
  fieldsOf,
  fileArgument,
  numberOption,
  permissionOption,
  readAs,
} from "../../../app/commands/options.ts";
import { ConfigError } from "../../../app/config-error.ts";

/** What an option or argument reads from these texts, one after the other; or why it refuses one. */
const readBy = ({ parseArg }: Argument | Option, ...texts: readonly string[]): unknown => {
  try {
    return texts.reduce<unknown>((before, text) => parseArg?.(text, before), undefined);
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === 2) return error.message;
    throw error;
  }
};

test("a number is whole, in plain digits and within its limits, which a refusal names", () => {
  const percent = numberOption("--percent <number>", "", { least: 0, most: 100 });
  for (const [text, number] of [
    ["0", 0],
    ["7", 7],
    ["100", 100],
  ] as const)
    expect(readBy(percent, text)).toBe(number);
  for (const text of ["101", "-1", "1e1", "01", "1.5", "", " 1", "0x1", "1".repeat(17)])
    expect(readBy(percent, text)).toBe("--percent: must be a whole number from 0 to 100");
  const id = numberOption("--id <id>", "");
  expect([readBy(id, "1"), readBy(id, String(Number.MAX_SAFE_INTEGER))]).toEqual([1, Number.MAX_SAFE_INTEGER]);
  for (const text of ["0", "9007199254740992"]) expect(readBy(id, text)).toBe("--id: must be a whole number from 1");
});

test("a choice is one of its words, or several where the option takes them", () => {
  const one = checkedChoiceOption("--format <word>", "", ["csv", "tsv"]);
  expect([readBy(one, "csv"), readBy(one, "csv", "tsv")]).toEqual(["csv", "tsv"]);
  expect(readBy(one, "xls")).toBe("--format: must be one of csv, tsv");
  const several = checkedChoiceOption("--status <words...>", "", ["sold", "pending"]);
  expect([readBy(several, "sold"), readBy(several, "sold", "pending")]).toEqual([["sold"], ["sold", "pending"]]);
  expect(readBy(several, "sold", "gone")).toBe("--status: must be one of sold, pending");
});

test("permissions are collected as pairs, and an unknown one is refused", () => {
  expect(readBy(permissionOption("none"), "vehicles:read", "keys:write")).toEqual([
    { resource: "vehicles", action: "read" },
    { resource: "keys", action: "write" },
  ]);
  expect(readBy(permissionOption("none"), "vehicles:read", "keys:fly")).toStartWith("--permission: must be one of ");
});

test("the path of a file is taken as it is, unless it is empty", () => {
  expect(readBy(fileArgument("a file"), " a file ")).toBe(" a file ");
  for (const text of ["", " "]) expect(readBy(fileArgument("a file"), text)).toBe("<file>: must be the path of a file");
});

test("what is wrong with an option is told with its own name instead of the variable's", () => {
  expect(readAs("--url", () => "https://example.com")).toBe("https://example.com");
  const failing = (error: Error) => () =>
    readAs("--url", () => {
      throw error;
    });
  expect(failing(new ConfigError("PUBLIC_URL", "must be an address", "https://example.com"))).toThrow(
    new CommandError("--url: must be an address", 2),
  );
  expect(failing(new Error("a defect"))).toThrow("a defect");
});

test("the fields of a record are the options that were given, by the names of the API", () => {
  const permission = [{ resource: "keys", action: "read" }] as const;
  expect(fieldsOf({ json: true, appType: "web", maxMissingPercent: 0, permission })).toStrictEqual({
    app_type: "web",
    max_missing_percent: 0,
    permissions: permission,
  });
  expect(fieldsOf({ name: "Hall" })).toStrictEqual({ name: "Hall" });
});
