import { expect, test } from "bun:test";
import { makeDeadlines } from "../../../adapters/system/deadlines.ts";

test("what is done outside of a request has no deadline, even if the request began it, and the request keeps its own", () => {
  const deadlines = makeDeadlines(60_000, true);
  const deadline = deadlines.deadlineOf(new Request("http://localhost/"), performance.now());
  const seen = deadlines.run(deadline, false, () => [
    deadlines.current(),
    deadlines.outside(() => deadlines.current()),
    deadlines.current(),
  ]);
  expect(seen).toEqual([deadline, undefined, deadline]);
});
