import { describe, expect, test } from "bun:test";
import { timestampAt } from "../../../core/clock.ts";
import { afterImport, type SourceImport } from "../../../core/sources/outcome.ts";
import type { StoredSource } from "../../../core/sources/source-repository.ts";
import { fakeClock } from "../../support/clock.ts";

const NOW_MS = Date.parse("2026-11-20T09:11:00.000Z");
const clock = fakeClock(NOW_MS);
const ago = (minutes: number) => timestampAt(NOW_MS - minutes * 60_000);

/** The run whose file an import was made of; `null`: there was no file. */
const runOf = (import_id: number | null) => ({
  at: ago(5),
  import_id,
  status: 200,
  bytes: 10,
  problem: null,
  warnings: [],
});

/** It was changed half an hour ago, and has failed twice since. */
const SOURCE: StoredSource = {
  id: 1,
  dealerId: 1,
  name: "Nightly file",
  url: "https://files.example.com/lot.csv",
  schedule: "30 2 * * *",
  timezone: "UTC",
  options: {},
  field_owners: {},
  active: true,
  auth: null,
  endedBy: null,
  nextAt: null,
  etag: '"newest"',
  failures: 2,
  failingSince: ago(20),
  runs: [runOf(null), runOf(8), runOf(7)],
  updatedAt: ago(30),
};

const ended = (id: number, state: SourceImport["state"], createdAt = ago(6)): SourceImport => ({
  id,
  state,
  createdAt,
  error: state === "failed" ? { code: "no_good_row", message: "No row is good" } : null,
  warnings: [],
});

const UNTOLD = { etag: '"newest"', failures: 2, failingSince: ago(20), event: null };

describe("the outcome of an import for its source", () => {
  test("records a failure and clears the etag if the import is the newest and failed", () => {
    const told = afterImport(SOURCE, ended(8, "failed"), clock);
    expect(told).toMatchObject({ etag: null, failures: 3, failingSince: ago(20), event: "source.failing" });
    expect(told?.runs.map(({ problem }) => problem)).toEqual([null, "No row is good", null]);
  });

  for (const state of ["completed", "previewed", "needs_confirmation"] as const)
    test(`resets the failures if the import is the newest and ${state}`, () => {
      const told = { etag: '"newest"', failures: 0, failingSince: null, event: null };
      expect(afterImport(SOURCE, ended(8, state), clock)).toEqual({ runs: SOURCE.runs, ...told });
    });

  for (const [state, problem] of [
    ["failed", "No row is good"],
    ["completed", null],
  ] as const)
    test(`changes only its own run if there is a newer one: ${state}`, () => {
      expect(afterImport(SOURCE, ended(7, state), clock)).toEqual({
        runs: [runOf(null), runOf(8), { ...runOf(7), problem }],
        ...UNTOLD,
      });
    });

  for (const state of ["failed", "completed"] as const)
    test(`changes only its own run if the source has changed since the import was created: ${state}`, () => {
      expect(afterImport(SOURCE, ended(8, state, ago(31)), clock)).toMatchObject(UNTOLD);
    });

  test("tells in its run what it assumed or left undone, and not what is no assumption", () => {
    const undone = { path: "", code: "missing_not_determined", message: "it is not known" };
    const assumed = { path: "In", code: "date_order_assumed", message: "can be read in two ways" };
    const unknown = { path: "Notes", code: "heading_unknown", message: "is not a known heading" };
    const made = { ...ended(8, "completed"), warnings: [undone, unknown, assumed] };
    const told = afterImport(SOURCE, made, clock);
    expect(told?.runs.map(({ warnings }) => warnings)).toEqual([[], [undone, assumed], []]);
    expect(told).toMatchObject({ failures: 0, failingSince: null, event: null });
  });

  for (const [about, made] of [
    ["goes on", ended(8, "running")],
    ["was cancelled", ended(8, "cancelled")],
    ["is in no run that is kept", ended(6, "failed")],
  ] as const)
    test(`is nothing if the import ${about}`, () => {
      expect(afterImport(SOURCE, made, clock)).toBeNull();
    });
});
