import { describe, expect, test } from "bun:test";
import { emptyFile, queryOf } from "../../adapters/portal/imports/import-draft.ts";
import {
  type ScheduleName,
  scheduleInWords,
  scheduleOf,
  typedSchedule,
} from "../../adapters/portal/sources/schedule.ts";
import { bodyOfSource, draftOfSource, issuesOfSource } from "../../adapters/portal/sources/source-draft.ts";
import { cronOf } from "../../core/cron/cron.ts";
import { ImportQuery } from "../../core/imports/import.ts";
import { answeredOptions, type Source, type SourceOptions } from "../../core/sources/source.ts";
import { succeeded } from "../core/use-cases.ts";

const NOTHING_TAUGHT = { columns: {}, values: {} };

const AT = "2026-11-20T09:11:00.000Z";

const sourceWith = (options: SourceOptions, fields: Partial<Source> = {}): Source => ({
  ...{ id: 1, name: "Nightly file", dealer_id: 7, url: "https://files.example.com/lot.csv" },
  ...{ schedule: "30 2 * * *", timezone: "Europe/Berlin", auth: { type: "basic", user: "lot" }, active: true },
  ...{ next_run_at: AT, failing_since: null, runs: [], field_owners: {}, created_at: AT, updated_at: AT },
  options: succeeded(answeredOptions(options)),
  ...fields,
});

describe("the form of a source", () => {
  // [schedule, its rhythm, in words].
  const SCHEDULES: readonly (readonly [schedule: string, every: ScheduleName, words: string])[] = [
    ["30 2 * * *", "daily", "Every day at 02:30"],
    ["5 14 * * mon-fri", "weekdays", "Monday to Friday at 14:05"],
    ["0 */6 * * *", "sixHours", "Every 6 hours"],
    ["0 * * * *", "hourly", "Every hour"],
    ["*/15 * * * *", "quarters", "Every 15 minutes"],
    ["0 8-18/2 1,15 * *", "own", "0 8-18/2 1,15 * *"],
    ["30 2 * * sun", "own", "30 2 * * sun"],
  ];
  for (const [schedule, every, words] of SCHEDULES)
    test(`keeps the schedule ${schedule}, and describes it as "${words}"`, () => {
      const typed = typedSchedule(schedule);
      expect([typed.every, scheduleInWords(schedule)]).toEqual([every, words]);
      expect(scheduleOf(typed)).toBe(schedule);
      expect(cronOf(schedule)).toBeObject();
    });

  test("sends back what it read, with every option that there is, and no credentials", () => {
    const options: SourceOptions = {
      ...{ mode: "snapshot", missing: "report", max_missing_percent: 35, match: "vin", on_error: "reject" },
      ...{
        empty: "clear",
        images: "append",
        fetch_images: true,
        decimal: "comma",
        charset: "windows-1252",
        delimiter: "semicolon",
      },
      ...{ mapping: 12, dry_run: true, columns: { "Lot price": "price", Notes: null } },
      ...{ merge: "off", date_order: "dmy", units: "keep", currency: "ignore", heading_row: 4, sheet: "Stock" },
    };
    const field_owners = { price: "hand", description: "file" } as const;
    const source = sourceWith(options, { field_owners });
    const { name, url, schedule, timezone, active } = source;
    expect<object>(bodyOfSource(draftOfSource(source))).toEqual({
      ...{ name, url, schedule, timezone, active, field_owners, options },
    });
    expect(issuesOfSource(draftOfSource(source))).toEqual([]);
    // An option that the form forgets would be lost with the first change of a name. The dealer is the source's; what
    // words mean is said in the dealer's mapping.
    const { dealer_id: _, dealer_by: __, values: ___, ...known } = ImportQuery.properties;
    expect(Object.keys(options).sort()).toEqual(Object.keys(known).sort());
  });

  test("sends new credentials, or none, if the user chooses so", () => {
    const typed = { user: "new", password: "word", header: "X-Key", value: "secret" };
    const sent = (auth: "keep" | "none" | "basic" | "header", draft = draftOfSource(sourceWith({}))): unknown =>
      (bodyOfSource({ ...draft, ...typed, auth }) as { auth?: unknown }).auth;
    expect(sent("keep")).toBeUndefined();
    expect(sent("none")).toBeNull();
    expect(sent("basic")).toEqual({ type: "basic", user: "new", password: "word" });
    expect(sent("header")).toEqual({ type: "header", name: "X-Key", value: "secret" });
  });

  test("says which fields are missing before anything is sent", () => {
    const draft = { ...draftOfSource(sourceWith({})), time: "" };
    const missing = (auth: "basic" | "header") => issuesOfSource({ ...draft, auth }).map(({ path }) => path);
    expect(missing("basic")).toEqual(["time", "user", "password"]);
    expect(missing("header")).toEqual(["time", "header", "value"]);
  });
});

test("the form of an import asks for its photos only if that is chosen", () => {
  const draft = emptyFile(7);
  expect(queryOf(draft, NOTHING_TAUGHT)).not.toHaveProperty("fetch_images");
  expect(queryOf({ ...draft, fetch_images: true }, NOTHING_TAUGHT)).toMatchObject({ fetch_images: "true" });
});
