import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeMappingRepository } from "../../adapters/sql/imports/mappings.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import { makeImportWork } from "../../adapters/sql/imports/work.ts";
import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import type { ImportWork } from "../../core/imports/import-repository.ts";
import { makeImports } from "../../core/imports/imports.ts";
import { makeImportRun } from "../../core/imports/run.ts";
import { type Claim, LEASE_SECONDS, LeaseLost } from "../../core/jobs/job.ts";
import { succeeded, uploadOf } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
import { dealerFields } from "../support/records.ts";
import { UNLIMITED, UNLIMITED_IMPORTS } from "../support/unlimited.ts";

setDefaultTimeout(300_000);

const ROWS = 450;

for (const engine of ENGINES)
  describe(`an import of two instances on ${engine.name}`, () => {
    test("loses or doubles no row when an instance pauses and another one takes over", async () => {
      const [db, elsewhere] = await openTwice(engine);
      const clock = fakeClock(Date.parse("2026-11-20T09:11:00.000Z"));
      const instance = (at: SqlDatabase, beforeStep: () => Promise<void>) => {
        const written = makeImportWork(at, { clock, words: vehicleWordsIn(at), pause: nextTurn });
        const work: ImportWork = {
          ...written,
          async step(claim, doing) {
            await beforeStep();
            return written.step(claim, doing);
          },
        };
        const stored = { imports: makeImportRepository(at, clock), mappings: makeMappingRepository(at) };
        const imports = makeImports({ ...UNLIMITED_IMPORTS, ...stored, work, clock, nudge: () => {}, pause: nextTurn });
        const rules = { max: 100, issuesOf: () => [] };
        return {
          imports,
          jobs: makeJobs(at, clock),
          run: makeImportRun({ ...UNLIMITED, work, clock, pause: nextTurn, images: rules }).run,
        };
      };
      const claimed = async ({ jobs }: ReturnType<typeof instance>, owner: string): Promise<Claim> => {
        const claim = await jobs.claim(owner, "import");
        if (claim === null) throw new Error(`there is no job for the ${owner} instance`);
        return claim;
      };
      const other = instance(elsewhere, async () => {});
      let steps = 0;
      let hasEnded = false;
      const first = instance(db, async () => {
        if (++steps !== 2) return;
        expect(await other.jobs.claim("other", "import")).toBeNull();
        clock.advance((LEASE_SECONDS + 1) * 1000);
        await other.run(await claimed(other, "other"), () => false);
        hasEnded = true;
      });
      const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const lines = Array.from({ length: ROWS }, (_, n) => `V${n},Kia,Rio,2020,${n + 1}`);
      const file = uploadOf(`VIN,Make,Model,Year,Price\n${lines.join("\n")}\n`);
      const arrived = succeeded(await first.imports.receive(OPERATOR, { dealer_id: dealer }, file));
      const { id } = succeeded(await first.imports.start(OPERATOR, arrived));

      const lost = first.run(await claimed(first, "first"), () => false);
      expect(await lost.catch((error: unknown) => error)).toBeInstanceOf(LeaseLost);
      expect(hasEnded).toBe(true);
      expect(succeeded(await first.imports.get(OPERATOR, id))).toMatchObject({
        state: "completed",
        counts: { created: ROWS, failed: 0 },
        progress: { read: ROWS, total: ROWS },
      });
      const count = async (text: string) => (await db.all<{ n: number }>({ text, bind: () => [] }, {}))[0]?.n;
      expect(await count(`SELECT count(*) AS n FROM vehicles WHERE dealer_id = ${dealer}`)).toBe(ROWS);
      expect(await count(`SELECT count(*) AS n FROM audit_entries WHERE action = 'vehicle.created'`)).toBe(ROWS);
      await Promise.all([db.close(), elsewhere.close()]);
    });
  });
