import { expect, setDefaultTimeout, test } from "bun:test";
import { alter, PATIENCE_MS, testProgram } from "../support/program.ts";

setDefaultTimeout(PATIENCE_MS);

for (const SEARCH of ["on", "off"])
  test(`figures that are wrong are named by verify-index and mended by reindex, with search ${SEARCH}`, async () => {
    const place = testProgram();
    const run = (line: string) => place.runWith({ SEARCH }, ...line.split(" "));
    expect(await run("seed --dealers 2 --vehicles 30")).toMatchObject({ code: 0 });
    expect(await run("verify-index")).toMatchObject({
      code: 0,
      out: expect.stringContaining("The daily figures of all dealers are right."),
    });
    alter(
      place.database,
      "UPDATE daily_figures SET added = added + 7 WHERE day = (SELECT MIN(day) FROM daily_figures) AND dealer_id = (SELECT dealer_id FROM daily_figures ORDER BY day LIMIT 1)",
    );
    const { code, err } = await run("verify-index");
    expect(code).toBe(1);
    expect(err).toContain("1 daily figure kept wrongly (such as added of dealer");
    expect(err).toContain("run the command reindex");
    expect(await run("reindex")).toMatchObject({
      code: 0,
      out: expect.stringContaining("The daily figures of all dealers are computed anew."),
    });
    expect(await run("verify-index --json")).toMatchObject({
      code: 0,
      out: expect.stringContaining('"wrong_figures": 0'),
    });
  });
