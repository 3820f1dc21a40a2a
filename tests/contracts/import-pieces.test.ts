import { describe, expect, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeMappingRepository } from "../../adapters/sql/imports/mappings.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import { makeImportWork } from "../../adapters/sql/imports/work.ts";
import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { nextTurn } from "../../adapters/system/turns.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { PIECE_BYTES } from "../../core/imports/import-repository.ts";
import { makeImports } from "../../core/imports/imports.ts";
import { makeImportRun } from "../../core/imports/run.ts";
import { succeeded, uploadOf } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, made } from "../support/records.ts";

const ROWS = 12;
/** Cells without anything in them, which take their time to be read. */
const EMPTY_CELLS = 200_000;

for (const engine of ENGINES)
  describe(`imports of long rows with little in them on ${engine.name}`, () => {
    test("let others come between the pieces of the file, though all rows are one batch", async () => {
      const db = await engine.open();
      const clock = fakeClock(Date.parse("2026-11-20T09:11:00.000Z"));
      const work = makeImportWork(db, { clock, words: vehicleWordsIn(db), mostImages: 100, pause: nextTurn });
      const stored = { imports: makeImportRepository(db, clock), mappings: makeMappingRepository(db) };
      const imports = makeImports({ ...stored, work, clock, nudge: () => {} });
      let pauses = 0;
      const pause = async (): Promise<void> => {
        pauses++;
      };
      const { run } = makeImportRun({ work, clock, pause, images: { most: 100, issuesOf: () => [] } });
      const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const lines = Array.from({ length: ROWS }, (_, n) => `V${n},Kia,Rio,2020,${n + 1}${",".repeat(EMPTY_CELLS)}`);
      const text = `VIN,Make,Model,Year,Price\n${lines.join("\n")}\n`;
      const arrived = succeeded(await imports.receive(OPERATOR, { dealer_id: dealer }, uploadOf(text)));
      const { id } = succeeded(await imports.start(OPERATOR, arrived));
      await run(made(await makeJobs(db, clock).claim("one", "import")), () => false);
      expect(succeeded(await imports.get(OPERATOR, id))).toMatchObject({
        state: "completed",
        counts: { created: ROWS },
      });
      expect(pauses).toBeGreaterThanOrEqual(text.length / PIECE_BYTES);
      await db.close();
    });
  });
