import { describe, expect, test } from "bun:test";
import { LongBody } from "../../../../adapters/http/protocol/long-body.ts";
import { type Answer, JsonText, ok, StampedJson } from "../../../../adapters/http/protocol/route.ts";
import { KeptAnswers } from "../../../../adapters/http/server/kept-answers.ts";

const NOON = "2026-11-20T12:00:00.000Z";
const textOf = (length: number): string => `{"timestamp":"${NOON}","text":"${"x".repeat(length)}"}`;
const TENTH = 100_000;

/** Gives an answer twice, so that it is kept. */
const keep = (kept: KeptAnswers, [name, tag]: readonly [string, string], answer: Answer): void => {
  for (let time = 0; time < 2; time++) kept.keep(name, tag, answer);
};

describe("kept answers", () => {
  test("are those that were given before, with the same tag", () => {
    const kept = new KeptAnswers();
    const answer = ok({ timestamp: NOON });
    kept.keep("1 /a", "one", answer);
    expect(kept.find("1 /a")).toBeNull();
    kept.keep("2 /a", "two", answer);
    expect(kept.find("2 /a")).toBeNull();
    kept.keep("1 /a", "one", answer);
    expect([kept.find("1 /a")?.tag, kept.find("2 /a")]).toEqual(["one", null]);
    for (let number = 0; number < 10_000; number++) kept.keep(`${number}`, `${number}`, answer);
    expect(kept.find("1 /a")?.tag).toBe("one");
    expect(kept.find("9999")).toBeNull();
  });

  test("are found by their whole name, with their tag and at any time", () => {
    const kept = new KeptAnswers();
    keep(kept, ["1 /a", "tag"], ok({ note: '"timestamp":"no"', timestamp: NOON, last: 1 }));
    const body = kept.find("1 /a")?.answer.body;
    expect(body?.at("later")).toBe(JSON.stringify({ note: '"timestamp":"no"', timestamp: "later", last: 1 }));
    expect(kept.find("1 /a")?.tag).toBe("tag");
    expect([kept.find("1 /b"), kept.find("2 /a"), kept.find("")]).toEqual([null, null, null]);
  });

  test("take no more room than they may: the oldest go first, and one is replaced", () => {
    const kept = new KeptAnswers();
    const names = Array.from({ length: 60 }, (_, number) => `${number}`);
    for (const name of names) keep(kept, [name, name], ok(new JsonText(textOf(TENTH))));
    const present = names.filter((name) => kept.find(name) !== null);
    expect(present).toEqual(names.slice(-41));
    for (let time = 0; time < 20; time++) keep(kept, ["59", "again"], ok(new JsonText(textOf(TENTH))));
    expect(names.filter((name) => kept.find(name) !== null)).toEqual(present);
    expect(kept.find("59")?.tag).toBe("again");
    for (let number = 0; number < 50; number++)
      keep(kept, ["n".repeat(TENTH) + number, "long"], ok({ timestamp: NOON }));
    expect(names.filter((name) => kept.find(name) !== null)).toEqual([]);
  });

  test("are not those that are long, are made while they are sent, or do not say when they were made", () => {
    const kept = new KeptAnswers();
    const answers = [
      ok(new JsonText(textOf(2 * TENTH))),
      ok(new LongBody([], { start: "", end: "", separator: "" })),
      ok({ total: 1 }),
    ];
    for (const answer of answers) keep(kept, ["name", "tag"], answer);
    expect(kept.find("name")).toBeNull();
    expect(StampedJson.of("{}")).toBeNull();
  });
});
