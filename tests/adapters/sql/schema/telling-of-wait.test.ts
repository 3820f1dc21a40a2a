import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { tellingOfWait } from "../../../../adapters/sql/schema/migrate.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Work that begins and ends when the test says so, and how often its wait was told. */
const waitingWork = () => {
  const ended = Promise.withResolvers<void>();
  const told: string[] = [];
  let begin = (): void => {};
  const done = tellingOfWait(
    () => told.push("waits"),
    (begun) => {
      begin = begun;
      return ended.promise;
    },
  );
  return { told, begin: () => begin(), ...ended, done };
};

test("a wait is told once, after two seconds", async () => {
  const { told, resolve, done } = waitingWork();
  jest.advanceTimersByTime(1999);
  expect(told).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(told).toEqual(["waits"]);
  jest.advanceTimersByTime(60_000);
  resolve();
  await done;
  expect(told).toEqual(["waits"]);
});

test("nothing is told of work that has begun, however long it takes, nor of work that has failed", async () => {
  const long = waitingWork();
  const failing = waitingWork();
  jest.advanceTimersByTime(1999);
  long.begin();
  failing.reject(new Error("no database"));
  await expect(failing.done).rejects.toThrow("no database");
  jest.advanceTimersByTime(60_000);
  long.resolve();
  await long.done;
  expect([long.told, failing.told]).toEqual([[], []]);
});
