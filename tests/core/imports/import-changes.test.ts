import { expect, test } from "bun:test";
import { OPERATOR } from "../../../core/access/principal.ts";
import { firstProgress } from "../../../core/imports/after-step.ts";
import { IMPORT_STATES, type ImportState, NO_IMAGES, optionsOf } from "../../../core/imports/import.ts";
import { importConfirmed, importRemoved, importRun, importStopped } from "../../../core/imports/import-changes.ts";
import type { ResumableImport, StoredImport } from "../../../core/imports/import-repository.ts";
import { allBut, dealerKey, superAdminKey } from "../callers.ts";
import { causeOf, succeeded } from "../use-cases.ts";

const admin = superAdminKey();
const options = succeeded(optionsOf({ mode: "snapshot", missing: "remove", dry_run: true }, {}));
/** The progress of an import that has passed some rows. */
const progress = { ...firstProgress(options), done: 7 };

const stored = (state: ImportState): StoredImport => ({
  id: 9,
  dealerId: 1,
  sourceId: null,
  state,
  options,
  progress,
  images: NO_IMAGES,
  stops: false,
  by: OPERATOR,
  begunAt: "2026-01-01T00:00:00.000Z",
  file: { name: null, bytes: 1, format: "csv", encoding: "utf-8", delimiter: "comma", rows: 1 } as never,
  found: {} as never,
  columns: {} as never,
});
const present = (state: ImportState, fields: Partial<ResumableImport> = {}): ResumableImport => ({
  stored: stored(state),
  hasFile: true,
  waiting: 0,
  ...fields,
});
const statesThat = (does: (state: ImportState) => boolean): readonly ImportState[] => IMPORT_STATES.filter(does);
const isDone = (outcome: unknown): boolean => causeOf(outcome) === null;

test("only a dry run that is done is run from the beginning, and only a stopped import goes on after its last row", () => {
  expect(statesThat((state) => isDone(importRun(present(state), admin)))).toEqual(["previewed", "cancelled"]);
  expect(succeeded(importRun(present("cancelled"), admin))).toEqual({ options, progress });
  const real = { ...options, dry_run: false };
  expect(succeeded(importRun(present("previewed"), admin))).toEqual({ options: real, progress: firstProgress(real) });
});

test("only an import that waits for it is confirmed", () => {
  expect(statesThat((state) => isDone(importConfirmed(present(state), admin, 3)))).toEqual(["needs_confirmation"]);
  const confirmed = succeeded(importConfirmed(present("needs_confirmation"), admin, 3));
  expect(confirmed).toEqual({ options, progress: { ...progress, confirmed: 3 } });
});

test("a file that is gone refuses a run, not a confirmation; ten that wait refuse both", () => {
  const gone = { hasFile: false };
  expect(causeOf(importRun(present("cancelled", gone), admin))).toEqual({
    kind: "import-state",
    reason: "The file is kept for 24 hours only; send it again",
  });
  expect(isDone(importConfirmed(present("needs_confirmation", gone), admin, 3))).toBe(true);
  for (const waiting of [9, 10]) {
    expect(isDone(importRun(present("cancelled", { waiting }), admin))).toBe(waiting < 10);
    expect(isDone(importConfirmed(present("needs_confirmation", { waiting }), admin, 3))).toBe(waiting < 10);
  }
});

test("whoever may not delete vehicles resumes no import that removes missing ones, whatever its state", () => {
  const caller = dealerKey(1, { permissions: allBut("vehicles:delete") });
  for (const state of IMPORT_STATES)
    for (const decided of [importRun(present(state), caller), importConfirmed(present(state), caller, 3)])
      expect(causeOf(decided)?.kind).toBe("permission-missing");
});

test("a running import stops after its batch, one that waits at once, and one that has ended not at all", () => {
  const endings = Object.fromEntries(
    IMPORT_STATES.map((state) => [state, importStopped({ state, images: NO_IMAGES })]),
  );
  expect(endings).toEqual({
    queued: "cancel",
    running: "stop",
    previewed: "cancel",
    needs_confirmation: "cancel",
    completed: null,
    failed: null,
    cancelled: null,
  });
});

test("of an import whose rows are done, the photos that wait are left", () => {
  const images = { waiting: 2 };
  const endings = Object.fromEntries(IMPORT_STATES.map((state) => [state, importStopped({ state, images })]));
  expect(endings).toMatchObject({ completed: "leave-photos", needs_confirmation: "cancel", failed: null });
});

test("an import that waits or runs is not removed", () => {
  expect(statesThat((state) => !isDone(importRemoved({ id: 9, state })))).toEqual(["queued", "running"]);
  expect(succeeded(importRemoved({ id: 9, state: "failed" }))).toBe("remove");
});
