import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeMappingRepository } from "../../adapters/sql/imports/mappings.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import { makeImportWork } from "../../adapters/sql/imports/work.ts";
import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { makeSourceRepository } from "../../adapters/sql/sources/repository.ts";
import { makeSourceWork } from "../../adapters/sql/sources/work.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { sealingOf } from "../../adapters/system/sealing.ts";
import { timeZoneOf } from "../../adapters/system/time-zones.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { makeImports } from "../../core/imports/imports.ts";
import { type Claim, type JobKind, LeaseLost } from "../../core/jobs/job.ts";
import type { SourceResult } from "../../core/sources/source-repository.ts";
import { makeSources } from "../../core/sources/sources.ts";
import { newSourceBody, succeeded, uploadOf } from "../core/use-cases.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
import { dealerFields, made } from "../support/records.ts";
import { UNLIMITED_IMPORTS } from "../support/unlimited.ts";

setDefaultTimeout(300_000);

const ROUNDS = inGate(15, 60);
/** How many callers make the same request at once. */
const CONCURRENT = 4;

const instanceOf = (db: SqlDatabase) => {
  const clock = systemClock;
  const parts = { clock, sealing: async () => sealingOf(new Uint8Array(32).fill(1), []) };
  const stored = { imports: makeImportRepository(db, clock), mappings: makeMappingRepository(db) };
  const importWork = makeImportWork(db, { clock, words: vehicleWordsIn(db), pause: nextTurn });
  const repository = makeSourceRepository(db, parts);
  return {
    jobs: makeJobs(db, clock),
    imports: makeImports({
      ...UNLIMITED_IMPORTS,
      ...stored,
      work: importWork,
      clock,
      nudge: () => {},
      pause: nextTurn,
    }),
    importWork,
    sources: makeSources({
      sources: repository,
      clock,
      timeZone: timeZoneOf,
      egress: { refusal: () => null },
      nudge: () => {},
    }),
    sourceWork: makeSourceWork(db, parts),
  };
};

const FETCHED: SourceResult = {
  run: { at: systemClock.now(), import_id: null, status: 304, bytes: 0, problem: null, warnings: [] },
  etag: null,
  failures: 0,
  failingSince: null,
  retryAt: null,
  event: null,
};

const unlessLost = (error: unknown): null => {
  if (error instanceof LeaseLost) return null;
  throw error;
};

for (const engine of ENGINES)
  describe(`changes by users while background jobs work on the same record, on ${engine.name},`, () => {
    let databases: readonly SqlDatabase[];
    let here: ReturnType<typeof instanceOf>;
    let elsewhere: ReturnType<typeof instanceOf>;
    let dealer: number;

    beforeAll(async () => {
      const [db, other] = await openTwice(engine);
      databases = [db, other];
      [here, elsewhere] = [instanceOf(db), instanceOf(other)];
      dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
    });
    afterAll(() => Promise.all(databases.map((db) => db.close())));

    const claimed = async (kind: JobKind): Promise<Claim> => made(await here.jobs.claim("here", kind));
    const several = <Result>(ask: () => Promise<Result>): Promise<Result>[] => Array.from({ length: CONCURRENT }, ask);

    test("may request a source's runs while it is fetched, and all succeed", async () => {
      const { id } = succeeded(await here.sources.create(OPERATOR, newSourceBody({ dealer_id: dealer })));
      const ask = async () => succeeded(await elsewhere.sources.run(OPERATOR, id));
      await ask();
      for (let round = 0; round < ROUNDS; round++) {
        const claim = await claimed("source");
        const [open] = await Promise.all([here.sourceWork.open(claim), ...several(ask)]);
        await Promise.all([here.sourceWork.finish(claim, made(open), FETCHED), ...several(ask)]);
        await ask();
      }
      succeeded(await here.sources.remove(OPERATOR, id));
    });

    test("may delete a source while it is fetched, and leave no job behind", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { id } = succeeded(await here.sources.create(OPERATOR, newSourceBody({ dealer_id: dealer })));
        succeeded(await here.sources.run(OPERATOR, id));
        const claim = await claimed("source");
        expect(claim.subjectId).toBe(id);
        const seen = round % 2 === 0 ? null : made(await here.sourceWork.open(claim));
        await Promise.all([
          seen === null ? here.sourceWork.open(claim) : here.sourceWork.finish(claim, seen, FETCHED).catch(unlessLost),
          (async () => succeeded(await elsewhere.sources.remove(OPERATOR, id)))(),
        ]);
        expect(await here.jobs.claim("here", "source")).toBeNull();
      }
    });

    test("may cancel an import while it begins: either the import goes on or it is cancelled without a job left", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const file = uploadOf("VIN,Make,Model,Year\n1,Kia,Rio,2020\n");
        const arrived = succeeded(await here.imports.receive(OPERATOR, { dealer_id: dealer }, file));
        const { id } = succeeded(await here.imports.start(OPERATOR, arrived));
        const claim = await claimed("import");
        expect(claim.subjectId).toBe(id);
        const [begun] = await Promise.all([
          here.importWork.open(claim),
          ...several(async () => succeeded(await elsewhere.imports.cancel(OPERATOR, id))),
        ]);
        expect(succeeded(await here.imports.get(OPERATOR, id)).state).toBe(begun === null ? "cancelled" : "running");
        if (begun !== null) await here.importWork.step(claim, (step) => step.become({ state: "cancelled" }));
        expect(await here.jobs.claim("here", "import")).toBeNull();
      }
    });
  });
