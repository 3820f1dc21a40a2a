import { describe, expect, test } from "bun:test";
import { keyListAt, refusalOf } from "../../../app/commands/key-table.ts";
import { printJson, printJsonList } from "../../../app/commands/output.ts";
import { type ListFormat, report, showList, showRecord } from "../../../app/commands/records.ts";
import { aligned, minuteOf, plural } from "../../../app/commands/table.ts";
import type { KeyRecord } from "../../../core/keys/key.ts";
import { dealerKeyRecord, holder, keyRecord, userKeyRecord } from "../../core/keys/key-records.ts";
import { runPart } from "../../support/command.ts";

const NOW = "2026-11-20T09:11:00.000Z";
const saying = (out: string, err = "") => ({ code: 0, out, err });

test("columns are as wide as their widest cell as it is shown, whatever is in it", () => {
  const rows = [
    ["NAME", "ID"],
    ["車両在庫", "1"],
    ["\u001b[31m", "2"],
    ["", "3", "more"],
    ["a", ""],
  ];
  expect(aligned(rows)).toBe(
    ["NAME      ID", "車両在庫  1", "\u{fffd}[31m     2", "          3   more", "a"].join("\n"),
  );
});

test("times are shown to the minute, and numbers of things in words", () => {
  expect([minuteOf(NOW), minuteOf(null)]).toEqual(["2026-11-20 09:11", "-"]);
  expect([0, 1, 2].map((count) => plural(count, "photo"))).toEqual(["0 photos", "1 photo", "2 photos"]);
});

describe("JSON", () => {
  test("has no characters that a terminal would obey, and keeps their values", async () => {
    const value = { name: "a\u009b31m\u{e0041}\nb", next: null };
    const { out } = await runPart(() => printJson(value));
    expect(out).toBe('{\n  "name": "a\\u009b31m\\udb40\\udc41\\nb",\n  "next": null\n}\n');
    expect(JSON.parse(out)).toEqual(value);
  });

  test("of a list is one array, in however many parts its records come", async () => {
    async function* parts(...counts: readonly number[]) {
      let id = 0;
      for (const count of counts) yield Array.from({ length: count }, () => ({ id: ++id }));
    }
    for (const counts of [[], [0], [1], [0, 2, 0, 1, 0]]) {
      const ids = Array.from({ length: counts.reduce((sum, count) => sum + count, 0) }, (_, at) => ({ id: at + 1 }));
      expect(await runPart(() => printJsonList(parts(...counts)))).toEqual(saying(`${JSON.stringify(ids, null, 2)}\n`));
    }
  });
});

describe("a list", () => {
  const format: ListFormat<number> = {
    plural: "numbers",
    columns: [["NUMBER", String]],
    present: (number) => ({ number }),
  };
  const shown = (listing: Parameters<typeof showList<number>>[1], json?: boolean) =>
    runPart(() => showList(format, listing, json));

  test("is shown whole, also if it comes in slices; otherwise how many there are is said", async () => {
    const whole = saying("NUMBER\n3\n2\n1\n");
    expect(await shown({ total: 3, items: [3, 2, 1] })).toEqual(whole);
    const long = { slices: [async () => [3, 2], async () => [1]] };
    expect(await shown({ total: 3, items: [], long })).toEqual(whole);
    expect(await shown({ total: 3, items: [3, 2] })).toEqual({
      ...saying("NUMBER\n3\n2\n"),
      err: "2 of 3 numbers; --all shows the rest.\n",
    });
    expect(JSON.parse((await shown({ total: 3, items: [], long }, true)).out)).toEqual(
      [3, 2, 1].map((number) => ({ number })),
    );
  });

  test("that is empty is said to be so, or is an empty array", async () => {
    expect(await shown({ total: 0, items: [] })).toEqual(saying("", "There are no numbers.\n"));
    expect(await shown({ total: 0, items: [] }, true)).toEqual(saying("[]\n"));
  });
});

describe("a record", () => {
  const record = { id: 7, email: null, active: false, permissions: [{ resource: "keys", action: "read" }], none: [] };

  test("is shown a field a line, or as JSON", async () => {
    expect(await runPart(() => showRecord(record))).toEqual(
      saying("id           7\nemail        -\nactive       false\npermissions  keys:read\nnone         -\n"),
    );
    expect(await runPart(() => showRecord(record, true))).toEqual(saying(`${JSON.stringify(record, null, 2)}\n`));
  });

  test("that was changed is told in words or as JSON, with a warning if nothing changed", async () => {
    const json = `${JSON.stringify({ id: 7 }, null, 2)}\n`;
    const told = (already: string | null, asJson?: boolean) =>
      runPart(() => report({ record: { id: 7 }, done: "Done.", already }, asJson));
    expect(await told(null)).toEqual(saying("Done.\n"));
    expect(await told("it was so")).toEqual(saying("", "warning: it was so\n"));
    expect(await told(null, true)).toEqual(saying(json));
    expect(await told("it was so", true)).toEqual(saying(json, "warning: it was so\n"));
  });
});

describe("the table of keys", () => {
  const cellOf = (heading: string, key: KeyRecord): string | undefined =>
    keyListAt(NOW).columns.find(([name]) => name === heading)?.[1](key);

  test("says what each key reaches", () => {
    for (const [key, reach] of [
      [keyRecord(), "everything"],
      [dealerKeyRecord(5), "dealer 5"],
      [dealerKeyRecord(null), "-"],
      [userKeyRecord(holder(), { userId: 8 }), "user 8"],
      [userKeyRecord(holder({ dealerId: 5 }), { userId: 8 }), "user 8 (dealer 5)"],
    ] as const)
      expect(cellOf("REACHES", key)).toBe(reach);
  });

  test("says whether each key works, and why not", () => {
    const inactive = holder({ active: false });
    const later = "2026-11-20T09:11:00.001Z";
    for (const [key, state, why] of [
      [keyRecord(), "active", null],
      [keyRecord({ expiresAt: later }), "active", null],
      [keyRecord({ expiresAt: NOW }), "expired", "has expired"],
      [keyRecord({ active: false, expiresAt: NOW }), "revoked", "is revoked"],
      [userKeyRecord(holder()), "active", null],
      [userKeyRecord(inactive, { userId: 8 }), "inactive", "belongs to user 8, who is inactive"],
      [userKeyRecord(inactive, { expiresAt: NOW }), "expired", "has expired"],
    ] as const)
      expect([cellOf("STATE", key), refusalOf(key, NOW)]).toEqual([state, why]);
  });
});
