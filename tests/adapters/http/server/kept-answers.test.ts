import { describe, expect, test } from "bun:test";
import { LongBody } from "../../../../adapters/http/protocol/long-body.ts";
import { JsonText, ok, StampedJson } from "../../../../adapters/http/protocol/route.ts";
import { KeptAnswers } from "../../../../adapters/http/server/kept-answers.ts";

const NOON = "2026-11-20T12:00:00.000Z";
const textOf = (length: number): string => `{"timestamp":"${NOON}","text":"${"x".repeat(length)}"}`;
const TENTH = 100_000;

describe("kept answers", () => {
  test("are found by their whole name, with their tag and at any time", () => {
    const kept = new KeptAnswers();
    kept.keep("1 /a", "tag", ok({ note: '"timestamp":"no"', timestamp: NOON, last: 1 }));
    const body = kept.find("1 /a")?.answer.body;
    expect(body?.at("later")).toBe(JSON.stringify({ note: '"timestamp":"no"', timestamp: "later", last: 1 }));
    expect(kept.find("1 /a")?.tag).toBe("tag");
    expect([kept.find("1 /b"), kept.find("2 /a"), kept.find("")]).toEqual([null, null, null]);
  });

  test("take no more room than they may: the oldest go first, and one is replaced", () => {
    const kept = new KeptAnswers();
    const names = Array.from({ length: 60 }, (_, number) => `${number}`);
    for (const name of names) kept.keep(name, name, ok(new JsonText(textOf(TENTH))));
    const present = names.filter((name) => kept.find(name) !== null);
    expect(present).toEqual(names.slice(-41));
    for (let time = 0; time < 20; time++) kept.keep("59", "again", ok(new JsonText(textOf(TENTH))));
    expect(names.filter((name) => kept.find(name) !== null)).toEqual(present);
    expect(kept.find("59")?.tag).toBe("again");
    for (let number = 0; number < 50; number++) kept.keep("n".repeat(TENTH) + number, "", ok({ timestamp: NOON }));
    expect(names.filter((name) => kept.find(name) !== null)).toEqual([]);
  });

  test("are not those that are long, are made while they are sent, or do not say when they were made", () => {
    const kept = new KeptAnswers();
    const answers = [
      ok(new JsonText(textOf(2 * TENTH))),
      ok(new LongBody([], { start: "", end: "", separator: "" })),
      ok({ total: 1 }),
    ];
    for (const answer of answers) expect(kept.keep("name", "", answer)).toMatchObject({ status: 200 });
    expect(kept.find("name")).toBeNull();
    expect(StampedJson.of("{}")).toBeNull();
  });
});
