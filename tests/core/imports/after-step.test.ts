import { describe, expect, test } from "bun:test";
import { afterListing, afterPass, endedBeforeStep, firstProgress } from "../../../core/imports/after-step.ts";
import { type ImportOptions, optionsOf } from "../../../core/imports/import.ts";
import type { ImportProgress } from "../../../core/imports/import-repository.ts";
import { allBut, dealerKey, superAdminKey } from "../callers.ts";
import { succeeded } from "../use-cases.ts";

const FILE_ROWS = 4;
const found = { rows: FILE_ROWS };
const optionsWith = (sent: Partial<ImportOptions> = {}): ImportOptions => ({
  ...succeeded(optionsOf({}, {})),
  ...sent,
});
const snapshot = (sent: Partial<ImportOptions> = {}) => optionsWith({ mode: "snapshot", missing: "sold", ...sent });

/** The progress of an import that has passed each row of its file. */
const passed = (
  options: ImportOptions,
  { counts, ...fields }: Partial<Omit<ImportProgress, "counts">> & { counts?: Partial<ImportProgress["counts"]> } = {},
): ImportProgress => {
  const first = firstProgress(options);
  return { ...first, done: FILE_ROWS, ...fields, counts: { ...first.counts, ...counts } };
};

describe("an import begins", () => {
  test.each([
    ["to write", {}, "apply"],
    ["with a check, if it is a dry run", { dry_run: true }, "check"],
    ["with a check, if one bad row refuses all", { on_error: "reject" }, "check"],
  ] as const)("%s", (_, sent, pass) => {
    expect(firstProgress(optionsWith(sent))).toMatchObject({ pass, done: 0, position: null, confirmed: null });
  });
});

describe("before a step, an import", () => {
  const at = { stops: false, dealerId: 1, options: snapshot({ missing: "remove" }) };
  const lost = { state: "failed", error: { code: "rights_lost" } };

  test("goes on while whoever asked for it may make its changes", () => {
    for (const importer of [superAdminKey(), dealerKey(1)]) expect(endedBeforeStep(at, importer)).toBeNull();
  });

  test("fails if they may not change the dealer's vehicles, may not remove them, or are gone", () => {
    expect(endedBeforeStep(at, dealerKey(2))).toMatchObject(lost);
    expect(endedBeforeStep(at, dealerKey(1, { permissions: allBut("vehicles:delete") }))).toMatchObject(lost);
    expect(endedBeforeStep(at, null)).toMatchObject(lost);
  });

  test("is cancelled if somebody stopped it", () => {
    expect(endedBeforeStep({ ...at, stops: true }, dealerKey(1))).toEqual({ state: "cancelled" });
  });
});

describe("after the last row of a pass, an import", () => {
  test("fails if its file ended earlier", () => {
    const options = optionsWith();
    const progress = passed(options, { done: FILE_ROWS - 1 });
    expect(afterPass({ progress, options, found })).toMatchObject({ state: "failed", error: { code: "file_gone" } });
  });

  test("is completed, or shows what a dry run would do", () => {
    for (const dry_run of [true, false]) {
      const options = optionsWith({ dry_run });
      const progress = passed(options, { counts: { failed: 1 } });
      expect(afterPass({ progress, options, found })).toEqual({ state: dry_run ? "previewed" : "completed" });
    }
  });

  test("that one bad row refuses begins to write after a check without one, and says how many there are otherwise", () => {
    const options = optionsWith({ on_error: "reject" });
    const after = (failed: number) => afterPass({ progress: passed(options, { counts: { failed } }), options, found });
    const wrong = (message: RegExp) => ({
      state: "failed",
      error: { code: "rows_failed", message: expect.stringMatching(message) },
    });
    expect(after(0)).toEqual({ state: "running", progress: { ...firstProgress(options), pass: "apply" } });
    expect(after(1)).toMatchObject(wrong(/^1 of the rows is not good/));
    expect(after(2)).toMatchObject(wrong(/^2 of the rows are not good/));
    const written = passed(options, { pass: "apply", counts: { failed: 0 } });
    expect(afterPass({ progress: written, options, found })).toEqual({ state: "completed" });
  });

  test("of a snapshot looks for missing vehicles, unless no row is good", () => {
    for (const options of [snapshot(), snapshot({ dry_run: true })]) {
      const none = passed(options, { counts: { failed: FILE_ROWS } });
      expect(afterPass({ progress: none, options, found })).toMatchObject({ error: { code: "no_good_row" } });
      for (const outcome of ["created", "updated", "unchanged"] as const) {
        const progress = passed(options, { position: {} as never, counts: { [outcome]: 1 } });
        const looking = { ...progress, pass: "missing", position: null };
        expect(afterPass({ progress, options, found })).toEqual({ state: "running", progress: looking as never });
      }
    }
  });
});

describe("once its missing vehicles are stored, an import", () => {
  const listing = (options: ImportOptions, missing: number | null, fields: Partial<ImportProgress> = {}) => {
    const progress = passed(options, { there: 10, ...fields });
    return afterListing({ progress, options, stops: false }, missing);
  };

  test("is cancelled if somebody stopped it meanwhile", () => {
    const options = snapshot();
    expect(afterListing({ progress: passed(options), options, stops: true }, 1)).toEqual({ state: "cancelled" });
  });

  test("shows their number if it is a dry run, and ends with it if they are only reported", () => {
    const counts = { counts: { missing: 9 } };
    expect(listing(snapshot({ dry_run: true }), 9)).toMatchObject({ state: "previewed", progress: counts });
    expect(listing(snapshot({ missing: "report" }), 9)).toMatchObject({
      state: "completed",
      progress: { ...counts, isListed: true },
    });
  });

  test("handles few, and waits for a confirmation of many", () => {
    const options = snapshot({ max_missing_percent: 20 });
    expect(listing(options, 3)).toMatchObject({ state: "running", progress: { isListed: true } });
    expect(listing(options, 4)).toMatchObject({ state: "needs_confirmation", progress: { confirmed: null } });
    // 4 of 20 are a fifth. What an earlier version stored counts by its updated and unchanged rows.
    expect(listing(options, 4, { there: 16 }).state).toBe("running");
    for (const [updated, state] of [
      [15, "running"],
      [9, "needs_confirmation"],
    ] as const) {
      const { there: _, ...progress } = passed(options, { counts: { updated, unchanged: 1 } });
      expect(afterListing({ progress, options, stops: false }, 4).state).toBe(state);
    }
  });

  test("handles exactly as many as were confirmed, and asks again for another number", () => {
    const options = snapshot({ max_missing_percent: 20 });
    expect(listing(options, 9, { confirmed: 9 }).state).toBe("running");
    expect(listing(options, 3, { confirmed: 9 })).toMatchObject({
      state: "needs_confirmation",
      progress: { confirmed: null, counts: { missing: 3 } },
    });
  });

  test("that does not know which are missing says so, and handles none", () => {
    const unknown = { state: "running", progress: { counts: { missing: null }, isListed: true } };
    expect(listing(snapshot(), null)).toMatchObject(unknown);
    expect(listing(snapshot(), null, { confirmed: 0 })).toMatchObject(unknown);
  });
});
