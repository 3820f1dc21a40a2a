import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { compileAhead } from "../../app/compile-ahead.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test("checks are compiled one after the other, with pauses, until none is left", () => {
  let left = 3;
  let asked = 0;
  compileAhead(() => {
    asked++;
    return left-- > 0;
  });
  expect(asked).toBe(0);
  jest.advanceTimersByTime(10);
  expect(asked).toBe(1);
  jest.advanceTimersByTime(10_000);
  expect(asked).toBe(4);
});
