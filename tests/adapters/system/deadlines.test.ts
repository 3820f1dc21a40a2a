import { expect, test } from "bun:test";
import { makeDeadlines } from "../../../adapters/system/deadlines.ts";
import { fakeClock } from "../../support/clock.ts";

test("work that a request starts outside of itself has no deadline, and the request keeps its own", () => {
  const deadlines = makeDeadlines(60_000, fakeClock());
  const deadline = deadlines.deadlineOf(new Request("http://localhost/"));
  const seen = deadlines.run(deadline, () => [
    deadlines.current(),
    deadlines.withoutDeadline(() => deadlines.current()),
    deadlines.current(),
  ]);
  expect(seen).toEqual([deadline, undefined, deadline]);
});

test("after a part of a change was made its rest may begin, however late, but nothing may begin late before that", async () => {
  const deadlines = makeDeadlines(0, fakeClock());
  const leaving = new AbortController();
  const request = new Request("http://localhost/", { signal: leaving.signal });
  const deadline = deadlines.deadlineOf(request);
  leaving.abort();
  expect([deadline.isOver(), deadline.beginChange()]).toEqual([true, false]);
  deadline.changeMade();
  expect([deadline.isOver(), deadline.beginChange()]).toEqual([false, true]);
});
