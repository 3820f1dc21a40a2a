import { expect, test } from "bun:test";
import { keptRows } from "../../../../adapters/sql/query/kept-rows.ts";

const MANY = 1000;
const DOCUMENT = "x".repeat(100_000);
/** The number of rows that are kept at most. */
const FITTING = 105;

interface Row {
  readonly document: string;
}

/** Kept rows, the ids that were read, and the functions that a database would call. */
const keeping = () => {
  const reads: number[] = [];
  let version: number | null = 1;
  let changed: (id: number) => void = () => {};
  const find = keptRows<Row>(
    {
      watchRows(_, listener) {
        changed = listener;
        return () => version;
      },
    },
    "vehicle_documents",
  );
  return {
    reads,
    ask(id: number, isInScope = true): void {
      find(
        id,
        () => isInScope,
        () => {
          reads.push(id);
          return { document: DOCUMENT };
        },
      );
    },
    change: (id: number) => changed(id),
    setVersion(next: number | null): void {
      version = next;
    },
  };
};

test("a row is read once while it stays the same, and again once it or another process has changed", () => {
  const kept = keeping();
  for (const _ of [1, 2, 3]) for (const id of [1, 2]) kept.ask(id);
  expect(kept.reads).toEqual([1, 2]);
  kept.change(1);
  for (const id of [1, 2]) kept.ask(id);
  expect(kept.reads).toEqual([1, 2, 1]);
  kept.setVersion(2);
  for (const id of [1, 2]) kept.ask(id);
  expect(kept.reads).toEqual([1, 2, 1, 1, 2]);
});

test("a row that is kept is not given to a caller who may not see it", () => {
  const kept = keeping();
  kept.ask(1);
  kept.ask(1, false);
  expect(kept.reads).toEqual([1, 1]);
});

test("nothing is kept, and nothing kept is given, while nothing may be remembered", () => {
  const kept = keeping();
  kept.ask(1);
  kept.setVersion(null);
  for (const id of [1, 2]) kept.ask(id);
  kept.setVersion(1);
  for (const id of [1, 2]) kept.ask(id);
  expect(kept.reads).toEqual([1, 1, 2, 2]);
});

test("as many rows as fit stay, whatever the order in which they are asked for", () => {
  const kept = keeping();
  for (const _ of [1, 2, 3]) for (let id = 1; id <= FITTING; id++) kept.ask(id);
  expect(kept.reads).toHaveLength(FITTING);
});

test("rows that are asked for often stay, and the others go before they take more than 10.6 million characters", () => {
  const kept = keeping();
  for (let id = 1; id <= MANY; id++) for (const asked of [0, id]) kept.ask(asked);
  expect(kept.reads.filter((id) => id === 0)).toHaveLength(1);
  expect(kept.reads).toHaveLength(MANY + 1);
  const before = kept.reads.length;
  for (let id = MANY; id > MANY - FITTING; id--) kept.ask(id);
  const stillKept = FITTING - (kept.reads.length - before);
  expect(stillKept * DOCUMENT.length).toBeGreaterThan(9_000_000);
  expect(stillKept * DOCUMENT.length).toBeLessThan(10_600_000);
});

test("no room is lost by rows that change", () => {
  const kept = keeping();
  for (let id = 1; id <= MANY; id++) {
    kept.ask(id);
    kept.change(id);
  }
  for (const _ of [1, 2]) for (let id = 1; id <= FITTING; id++) kept.ask(id);
  expect(kept.reads).toHaveLength(MANY + FITTING);
});

test("all of them go if all were asked for again and there is no room", () => {
  const kept = keeping();
  for (let id = 1; id <= MANY; id++) for (const _ of [1, 2]) kept.ask(id);
  expect(kept.reads).toHaveLength(MANY);
  kept.ask(1);
  expect(kept.reads).toHaveLength(MANY + 1);
});

test("a row that has stayed for another turn is forgotten, too, when it changes", () => {
  const kept = keeping();
  for (let id = 1; id <= 140; id++) for (const asked of [0, id]) kept.ask(asked);
  kept.change(0);
  kept.ask(0);
  expect(kept.reads.filter((id) => id === 0)).toHaveLength(2);
});
