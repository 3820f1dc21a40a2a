import { describe, expect, test } from "bun:test";
import { findOrExplain } from "../../core/crossing-changes.ts";
import { type Failure, notFound } from "../../core/failure.ts";

/** A port that returns these answers in turn, then repeats the last one, and counts its calls. */
const answering = <Value>(...answers: readonly Value[]) => {
  const port = {
    asked: 0,
    ask: async (): Promise<Value> => {
      const answer = answers[Math.min(port.asked, answers.length - 1)];
      port.asked++;
      if (answer === undefined) throw new Error("there is no answer");
      return answer;
    },
  };
  return port;
};

const MISSING = notFound("vehicle", 12);

describe("a scoped statement", () => {
  test("that finds the record does not ask for a reason", async () => {
    const [attempt, reason] = [answering("found"), answering<Failure | null>(MISSING)];
    expect(await findOrExplain(attempt.ask, reason.ask)).toBe("found");
    expect([attempt.asked, reason.asked]).toEqual([1, 0]);
  });

  test("that misses returns the reason", async () => {
    const [attempt, reason] = [answering<string | null>(null), answering<Failure | null>(MISSING)];
    expect(await findOrExplain(attempt.ask, reason.ask)).toBe(MISSING);
    expect([attempt.asked, reason.asked]).toEqual([1, 1]);
  });

  test("is repeated if the reason for its miss is gone by then", async () => {
    const [attempt, reason] = [answering<string | null>(null, null, "found"), answering<Failure | null>(null)];
    expect(await findOrExplain(attempt.ask, reason.ask)).toBe("found");
    expect([attempt.asked, reason.asked]).toEqual([3, 2]);
  });

  test("gives up eventually", async () => {
    const [attempt, reason] = [answering<string | null>(null), answering<Failure | null>(null)];
    await expect(findOrExplain(attempt.ask, reason.ask)).rejects.toThrow(/kept changing hands/);
  });
});
