import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeMappingRepository } from "../../adapters/sql/imports/mappings.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import { makeImportWork } from "../../adapters/sql/imports/work.ts";
import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { sealedSecrets, WrongSecretKey } from "../../adapters/sql/sign-in/sealed-secrets.ts";
import { makeSourceRepository } from "../../adapters/sql/sources/repository.ts";
import { SEALED_CREDENTIALS } from "../../adapters/sql/sources/stored.ts";
import { makeSourceWork } from "../../adapters/sql/sources/work.ts";
import { sealingOf } from "../../adapters/system/sealing.ts";
import { timeZoneOf } from "../../adapters/system/time-zones.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import type { Credentials } from "../../core/egress/credentials.ts";
import type { Egress } from "../../core/egress/egress.ts";
import { makeImports } from "../../core/imports/imports.ts";
import { makeImportRun } from "../../core/imports/run.ts";
import { type Claim, LEASE_SECONDS, LeaseLost } from "../../core/jobs/job.ts";
import type { Sealing } from "../../core/sealing.ts";
import { makeSourceRun } from "../../core/sources/run.ts";
import { makeSources } from "../../core/sources/sources.ts";
import { newSourceBody, succeeded, uploadOf } from "../core/use-cases.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
import { dealerFields } from "../support/records.ts";
import { UNLIMITED, UNLIMITED_IMPORTS } from "../support/unlimited.ts";

setDefaultTimeout(300_000);

const FILE = "VIN,Year,Make,Model,Price\nA1,2020,Kia,Rio,9000\n";
const keyOf = (n: number) => new Uint8Array(32).fill(n);
const AUTH = { type: "basic", user: "lot", password: "quite secret" } as const;

/**
 * One instance. Its sites answer with a file once `until` is over, and `started` follows the start of an
 * import.
 */
const instanceOf = (
  db: SqlDatabase,
  clock: FakeClock,
  {
    sealing = sealingOf(keyOf(1), []),
    until = async () => {},
    file = () => FILE,
    etag,
    started = async () => {},
  }: {
    sealing?: Sealing;
    until?: () => Promise<void>;
    file?: () => string;
    etag?: string;
    started?: (instance: { readonly runImports: () => Promise<void> }) => Promise<void>;
  } = {},
) => {
  const sent: (Credentials | null | undefined)[] = [];
  const egress: Egress = {
    refusal: () => null,
    post: () => Promise.reject(new Error("a source posts nothing")),
    async get({ credentials }) {
      sent.push(credentials);
      await until();
      const body = (async function* () {
        yield new TextEncoder().encode(file());
      })();
      return { status: 200, headers: etag === undefined ? {} : { etag }, body, discard: () => {} };
    },
  };
  const warned: string[] = [];
  const warnOfSource = ({ problem }: { readonly problem: string }): void => void warned.push(problem);
  const importing = makeImportWork(db, {
    clock,
    words: vehicleWordsIn(db),
    pause: nextTurn,
    warnOfSource,
  });
  const mappings = makeMappingRepository(db);
  const imports = makeImports({
    ...UNLIMITED_IMPORTS,
    mappings,
    imports: makeImportRepository(db, clock),
    work: importing,
    clock,
    nudge: () => {},
    pause: nextTurn,
  });
  const parts = { clock, sealing: async () => sealing };
  const sources = makeSources({
    sources: makeSourceRepository(db, parts),
    clock,
    timeZone: timeZoneOf,
    egress,
    nudge: () => {},
  });
  const work = makeSourceWork(db, parts);
  const jobs = makeJobs(db, clock);
  const images = { max: 100, issuesOf: () => [] };
  const importRun = makeImportRun({ ...UNLIMITED, work: importing, clock, pause: async () => {}, images });
  const runImports = async (): Promise<void> => {
    for (let claim = await jobs.claim("any", "import"); claim !== null; claim = await jobs.claim("any", "import"))
      await importRun.run(claim, () => false);
  };
  const start: typeof imports.start = async (...arrived) => {
    const begun = await imports.start(...arrived);
    await started({ runImports });
    return begun;
  };
  const { run } = makeSourceRun({
    work,
    egress,
    uploadOf: () => uploadOf(file()),
    imports: { ...imports, start },
    clock,
    warn: warnOfSource,
    explain: () => {},
  });
  return { sources, imports, run, runImports, sent, warned, jobs };
};
type Instance = ReturnType<typeof instanceOf>;

const claimed = async ({ jobs }: Instance, owner: string): Promise<Claim> => {
  const claim = await jobs.claim(owner, "source");
  if (claim === null) throw new Error(`there is no job for the ${owner} instance`);
  return claim;
};

const counted = async ({ imports }: Instance): Promise<number> => succeeded(await imports.list(OPERATOR, {})).total;

for (const engine of ENGINES)
  describe(`import sources of two instances on ${engine.name}`, () => {
    const open = async () => {
      const [db, elsewhere] = await openTwice(engine);
      const clock = fakeClock(Date.parse("2026-11-20T09:11:00.000Z"));
      const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const add = async ({ sources }: Instance) =>
        succeeded(await sources.create(OPERATOR, newSourceBody({ dealer_id: dealer, auth: AUTH })));
      return { db, elsewhere, clock, add, close: () => Promise.all([db.close(), elsewhere.close()]) };
    };

    test("are fetched by one instance at each tick", async () => {
      const { db, elsewhere, clock, add, close } = await open();
      const [one, other] = [instanceOf(db, clock), instanceOf(elsewhere, clock)];
      const { id } = await add(one);
      for (let day = 0; day < 3; day++) {
        clock.advance(24 * 60 * 60 * 1000);
        await Promise.all([one, other, one, other].map(({ sources }) => sources.tickAll()));
        for (let claim = await other.jobs.claim("other", "source"); claim !== null; ) {
          await other.run(claim);
          claim = await one.jobs.claim("one", "source");
        }
        expect(await counted(one)).toBe(day + 1);
      }
      expect(succeeded(await one.sources.get(OPERATOR, id)).runs).toHaveLength(3);
      await close();
    });

    test("of one dealer are fetched one at a time, without delaying other dealers'", async () => {
      const { db, clock, add, close } = await open();
      const one = instanceOf(db, clock);
      const other = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const [first, second] = [await add(one), await add(one)];
      const third = succeeded(await one.sources.create(OPERATOR, newSourceBody({ dealer_id: other })));
      for (const { id } of [first, second, third]) succeeded(await one.sources.run(OPERATOR, id));
      const claim = await claimed(one, "one");
      expect([claim.subjectId, (await claimed(one, "one")).subjectId]).toEqual([first.id, third.id]);
      expect(await one.jobs.claim("one", "source")).toBeNull();
      await one.run(claim);
      expect((await claimed(one, "one")).subjectId).toBe(second.id);
      await close();
    });

    test("that are due at one moment are all fetched, each for its own tick, and no others", async () => {
      const { db, clock, add, close } = await open();
      const one = instanceOf(db, clock);
      const other = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const first = await add(one);
      const [second] = [
        succeeded(await one.sources.create(OPERATOR, newSourceBody({ dealer_id: other }))),
        succeeded(await one.sources.create(OPERATOR, newSourceBody({ dealer_id: other, schedule: "30 3 * * *" }))),
      ];
      const fetched = async (): Promise<number[]> => {
        await one.sources.tickAll();
        const ids: number[] = [];
        for (let claim = await one.jobs.claim("one", "source"); claim !== null; ) {
          ids.push(claim.subjectId);
          await one.run(claim);
          claim = await one.jobs.claim("one", "source");
        }
        return ids.sort((a, b) => a - b);
      };
      const due = first.next_run_at ?? "";
      clock.advance(Date.parse(due) - clock.nowMs() - 1);
      expect(await fetched()).toEqual([]);
      clock.advance(1);
      expect(await fetched()).toEqual([first.id, second.id]);
      // A slow process that saw the same tick.
      const sealing = async () => sealingOf(keyOf(1), []);
      await makeSourceRepository(db, { clock, sealing }).tick(first.id, due, null);
      expect(await fetched()).toEqual([]);
      expect(succeeded(await one.sources.get(OPERATOR, first.id)).next_run_at).not.toBeNull();
      await close();
    });

    test("whose ticks were missed while no instance ran are fetched once", async () => {
      const { db, clock, add, close } = await open();
      const one = instanceOf(db, clock);
      const { id } = await add(one);
      clock.advance(10 * 24 * 60 * 60 * 1000);
      await one.sources.tickAll();
      await one.sources.tickAll();
      await one.run(await claimed(one, "one"));
      expect(await one.jobs.claim("one", "source")).toBeNull();
      expect(succeeded(await one.sources.get(OPERATOR, id)).next_run_at).toBe("2026-12-01T02:30:00.000Z");
      await close();
    });

    test("are fetched without results if the instance paused and another one took over", async () => {
      const { db, elsewhere, clock, add, close } = await open();
      const other = instanceOf(elsewhere, clock);
      const one = instanceOf(db, clock, {
        async until() {
          expect(await other.jobs.claim("other", "source")).toBeNull();
          clock.advance((LEASE_SECONDS + 1) * 1000);
          await other.run(await claimed(other, "other"));
        },
      });
      const { id } = await add(one);
      succeeded(await one.sources.run(OPERATOR, id));
      expect(await one.run(await claimed(one, "one")).catch((error: unknown) => error)).toBeInstanceOf(LeaseLost);
      expect(succeeded(await one.sources.get(OPERATOR, id)).runs).toHaveLength(1);
      expect(await counted(one)).toBe(1);
      await close();
    });

    test("have sealed credentials, which are sealed again with a new key", async () => {
      const { db, clock, add, close } = await open();
      const one = instanceOf(db, clock);
      const { id } = await add(one);
      const stored = async () => {
        const rows = await db.all<{ auth: string }>({ text: "SELECT auth FROM import_sources", bind: () => [] }, {});
        return rows.map(({ auth }) => auth).join();
      };
      const before = await stored();
      expect(before).not.toContain(AUTH.password);

      const unlocked = (sealing: Sealing) =>
        sealedSecrets(db, sealing, { openLegacy: async () => null, columns: [SEALED_CREDENTIALS] }).unlock(true);
      await unlocked(sealingOf(keyOf(1), []));
      expect(await unlocked(sealingOf(keyOf(2), [])).catch((error: unknown) => error)).toBeInstanceOf(WrongSecretKey);
      await unlocked(sealingOf(keyOf(2), [keyOf(1)]));
      expect(await stored()).not.toBe(before);
      for (const [key, problem] of [
        [1, expect.stringContaining("send them again")],
        [2, null],
      ] as const) {
        const instance = instanceOf(db, clock, { sealing: sealingOf(keyOf(key), []) });
        succeeded(await instance.sources.run(OPERATOR, id));
        await instance.run(await claimed(instance, "any"));
        expect(succeeded(await instance.sources.get(OPERATOR, id)).runs[0]).toMatchObject({ problem });
        expect(instance.sent).toEqual(problem === null ? [AUTH] : []);
      }
      await close();
    });

    for (const isShort of [true, false])
      test(`count an import that failed ${isShort ? "before its run was stored" : "after its run was stored"}: 3 failures warn, 7 days switch off`, async () => {
        const { db, clock, add, close } = await open();
        let file = FILE.replace("2020", "20x0");
        const one = instanceOf(db, clock, {
          file: () => file,
          ...(isShort && { started: ({ runImports }) => runImports() }),
        });
        const addOther = async () => {
          const other = await add(one);
          return succeeded(await one.sources.update(OPERATOR, other.id, { active: false }));
        };
        const before = await addOther();
        const { id } = await add(one);
        const others = [before, await addOther()];
        const change = async (fields: object) => succeeded(await one.sources.update(OPERATOR, id, fields));
        const ran = async () => {
          succeeded(await one.sources.run(OPERATOR, id));
          await one.run(await claimed(one, "one"));
          await one.runImports();
          return succeeded(await one.sources.get(OPERATOR, id));
        };
        await change({ options: { mode: "snapshot" } });
        clock.advance(1000);
        const since = clock.now();
        for (let time = 1; time <= 8; time++) {
          const { active, failing_since, runs } = await ran();
          expect([active, failing_since]).toEqual([time < 8, since]);
          expect(runs[0]?.problem).toContain("No row of the snapshot is good");
          expect(one.warned).toHaveLength(time < 3 ? 0 : time < 8 ? 1 : 2);
          clock.advance(24 * 60 * 60 * 1000);
        }
        expect(succeeded(await one.sources.get(OPERATOR, id)).next_run_at).toBeNull();
        await change({ active: true });
        file = FILE;
        const { active, failing_since, runs } = await ran();
        expect([active, failing_since, runs[0]?.problem]).toEqual([true, null, null]);
        for (const other of others) expect(succeeded(await one.sources.get(OPERATOR, other.id))).toEqual(other);
        await close();
      });

    test("are changed, fetched, run, switched off and deleted without affecting others of the same dealer", async () => {
      const { db, clock, add, close } = await open();
      const one = instanceOf(db, clock, { etag: '"one"' });
      const sources: number[] = [];
      for (let count = 0; count < 3; count++) sources.push((await add(one)).id);
      const run = async (id: number, fetching = one): Promise<void> => {
        succeeded(await fetching.sources.run(OPERATOR, id));
        await fetching.run(await claimed(fetching, "one"));
      };
      for (const id of sources) await run(id);
      await one.runImports();
      const [, meant = 0] = sources;
      const text = `SELECT * FROM import_sources WHERE id <> ${meant} ORDER BY id`;
      const stored = () => db.all<Record<string, unknown>>({ text, bind: () => [] }, {});
      const before = await stored();
      expect(before.map(({ etag }) => etag)).toEqual(['"one"', '"one"']);
      succeeded(
        await one.sources.update(OPERATOR, meant, { url: "https://files.example.com/another.csv", auth: AUTH }),
      );
      expect(await stored()).toEqual(before);
      await run(meant, instanceOf(db, clock, { etag: '"another"' }));
      expect(await stored()).toEqual(before);
      // Without its credentials it fails, until it is switched off after seven days.
      for (let time = 0; time < 2; time++) {
        await run(meant, instanceOf(db, clock, { sealing: sealingOf(keyOf(2), []) }));
        clock.advance(7 * 24 * 60 * 60 * 1000);
      }
      expect(succeeded(await one.sources.get(OPERATOR, meant))).toMatchObject({ active: false });
      expect(await stored()).toEqual(before);
      succeeded(await one.sources.remove(OPERATOR, meant));
      expect(await stored()).toEqual(before);
      await close();
    });

    test("are not failing because of an import from before their last change", async () => {
      const { db, clock, add, close } = await open();
      const one = instanceOf(db, clock, { file: () => FILE.replace("2020", "20x0") });
      const { id } = await add(one);
      succeeded(await one.sources.update(OPERATOR, id, { options: { mode: "snapshot" } }));
      succeeded(await one.sources.run(OPERATOR, id));
      await one.run(await claimed(one, "one"));
      clock.advance(1000);
      succeeded(await one.sources.update(OPERATOR, id, { options: { mode: "upsert" } }));
      await one.runImports();
      const problem = expect.stringContaining("No row");
      const source = succeeded(await one.sources.get(OPERATOR, id));
      expect(source).toMatchObject({ failing_since: null, runs: [{ problem }] });
      await close();
    });

    test("are not fetched for ever if each fetch is interrupted", async () => {
      const { db, clock, add, close } = await open();
      const one = instanceOf(db, clock, { until: () => Promise.reject(new Error("killed")) });
      const { id } = await add(one);
      succeeded(await one.sources.run(OPERATOR, id));
      let times = 0;
      for (let claim = await one.jobs.claim("one", "source"); claim !== null; times++) {
        await one.run(claim).catch(() => {});
        clock.advance((LEASE_SECONDS + 1) * 1000);
        claim = await one.jobs.claim("one", "source");
      }
      expect(times).toBe(6);
      expect(succeeded(await one.sources.get(OPERATOR, id)).runs[0]).toMatchObject({
        problem: expect.stringContaining("interrupted"),
      });
      await close();
    });
  });
