import { describe, expect, test } from "bun:test";
import { CommandError } from "../../../app/commands/exit.ts";
import { countsText, failedRowLines, laterWarnings, requireSuccess } from "../../../app/commands/import-result.ts";
import { NO_COUNTS } from "../../../core/imports/import.ts";

const issue = (path: string, message: string, code = "invalid") => ({ path, message, code });

test("the results of an import are those that some row had, or nothing", () => {
  expect(countsText({ counts: NO_COUNTS })).toBe("nothing");
  expect(countsText({ counts: { ...NO_COUNTS, missing: null } })).toBe("nothing");
  expect(countsText({ counts: { ...NO_COUNTS, created: 3, failed: 1 } })).toBe("created 3, failed 1");
});

test("a warning that was there when the import began is not said again; what rows were warned of is", () => {
  const [known, other, elsewhere] = [
    issue("Odo", "a", "guessed"),
    issue("Odo", "b", "unit"),
    issue("", "c", "guessed"),
  ] as const;
  const rows = [
    { ...issue("Price", "is in cents"), count: 1, line: 7 },
    { ...issue("", "is a total"), count: 2, line: 9 },
  ];
  expect(laterWarnings({ warnings: [known] }, { warnings: [known, other, elsewhere], row_warnings: rows })).toEqual([
    "Odo b",
    "c",
    "Price in line 7: is in cents",
    "in 2 rows, such as line 9: is a total",
  ]);
});

test("failed rows are told with their lines and reasons, and so many more are counted", () => {
  const rows = [{ line: 3, errors: [issue("Year", "must be a year"), issue("", "is no vehicle")] }];
  const told = "line 3: Year must be a year; is no vehicle";
  expect(failedRowLines(rows, 1)).toEqual([told]);
  expect(failedRowLines(rows, 3)).toEqual([told, "… and 2 more rows"]);
});

describe("an import ends", () => {
  const done = { id: 5, state: "completed", counts: NO_COUNTS, error: null, warnings: [] } as const;
  /** The exit code and the message with which an import ends; `null` if it is a success. */
  const endOf = (fields: Partial<Parameters<typeof requireSuccess>[0]>): readonly [number, string] | null => {
    try {
      requireSuccess({ ...done, ...fields });
    } catch (error) {
      if (error instanceof CommandError) return [error.exitCode, error.message];
      throw error;
    }
    return null;
  };
  const failed = (count: number) => ({ ...NO_COUNTS, created: 1, failed: count });
  const guessed = [issue("Odo", "was converted", "unit_converted")];

  test("well without failed rows and warnings that tell of an assumption", () => {
    expect(endOf({})).toBeNull();
    expect(endOf({ counts: { ...NO_COUNTS, created: 1, missing: 3, removed: 3 } })).toBeNull();
    expect(endOf({ warnings: [issue("Colour of the moon", "is not read", "heading_unknown")] })).toBeNull();
  });

  test("with 3 if rows failed, and says whether the others are written", () => {
    expect(endOf({ counts: failed(1), warnings: guessed })).toEqual([3, "1 row failed"]);
    expect(endOf({ counts: failed(2) })).toEqual([3, "2 rows failed"]);
    const refused = { code: "rows_failed", message: "some rows failed" } as const;
    expect(endOf({ state: "failed", error: refused, counts: failed(2) })).toEqual([
      3,
      "2 rows failed, so that nothing was written",
    ]);
  });

  test("with 1 if it failed, was stopped or waits for somebody, whatever its rows", () => {
    const lost = { code: "rights_lost", message: "the rights are lost" } as const;
    expect(endOf({ state: "failed", error: lost, counts: failed(1) })).toEqual([1, "the rights are lost"]);
    expect(endOf({ state: "cancelled", counts: failed(1) })).toEqual([
      1,
      "somebody stopped the import; what was done stays",
    ]);
    expect(endOf({ state: "needs_confirmation", counts: { ...failed(1), missing: 9 } })).toEqual([
      1,
      "9 vehicles are missing, which somebody must confirm (POST /api/imports/5/confirm); the rows are done",
    ]);
  });

  test("with 4 if warnings tell of an assumption", () => {
    expect(endOf({ warnings: guessed })).toEqual([4, "done, with the warnings above"]);
  });
});
