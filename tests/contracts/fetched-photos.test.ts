import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeFetchWork } from "../../adapters/sql/fetched-photos/fetch-work.ts";
import { makeImageRepository } from "../../adapters/sql/images/repository.ts";
import { makeMappingRepository } from "../../adapters/sql/imports/mappings.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import { makeImportWork } from "../../adapters/sql/imports/work.ts";
import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import type { FetchWork } from "../../core/fetched-photos/fetch-work.ts";
import type { WaitingPhoto } from "../../core/imports/import-repository.ts";
import { makeImports } from "../../core/imports/imports.ts";
import { makeImportRun } from "../../core/imports/run.ts";
import { type Claim, LEASE_SECONDS, LeaseLost } from "../../core/jobs/job.ts";
import type { NewPhoto } from "../../core/photos/photo-repository.ts";
import { DEFAULT_SETTINGS } from "../../core/settings/installation.ts";
import { succeeded, uploadOf } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { dealerFields, MOMENT, made } from "../support/records.ts";
import { UNLIMITED_IMPORTS } from "../support/unlimited.ts";

setDefaultTimeout(300_000);

let photos = 0;
const newPhoto = (sha256?: string): NewPhoto => ({
  photoId: (++photos).toString(16).padStart(32, "f"),
  sha256: sha256 ?? `hash of ${photos}`,
  width: 640,
  height: 480,
  placeholder: "data:image/png;base64,AAAA",
  files: { "public.jpg": "hash of the file" },
  bytes: 1000,
});

for (const engine of ENGINES)
  describe(`photos that imports fetch on ${engine.name}`, () => {
    const clock = fakeClock(Date.parse(MOMENT));
    let db: TestDatabase;
    let work: FetchWork;
    const jobs = () => makeJobs(db, clock);
    const imports = () => makeImportRepository(db, clock);
    const importWork = () => makeImportWork(db, { clock, words: vehicleWordsIn(db), pause: nextTurn });

    beforeAll(async () => {
      db = await engine.open();
      work = makeFetchWork(db, clock);
    });
    afterAll(() => db.close());

    const newDealer = async (): Promise<number> => (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;

    /** An import of these rows, each a stock number with addresses, whose rows are done. */
    const imported = async (dealer_id: number, rows: Readonly<Record<string, readonly string[]>>): Promise<number> => {
      const uses = makeImports({
        ...{ ...UNLIMITED_IMPORTS, imports: imports(), mappings: makeMappingRepository(db), work: importWork(), clock },
        ...{ nudge: () => {}, pause: nextTurn },
      });
      const lines = Object.entries(rows).map(
        ([stock, addresses]) => `${stock},2020,Kia,Rio,9000,${addresses.join("|")}\n`,
      );
      const file = uploadOf(`Stock,Year,Make,Model,Price,Photos\n${lines.join("")}`);
      const received = succeeded(await uses.receive(OPERATOR, { dealer_id, fetch_images: true }, file));
      const { id } = succeeded(await uses.start(OPERATOR, received));
      const { run } = makeImportRun({
        ...{ work: importWork(), clock, pause: nextTurn, settings: { read: () => DEFAULT_SETTINGS } },
        images: { max: 100, issuesOf: () => [] },
      });
      await run(made(await jobs().claim("importer", "import")), () => false);
      return id;
    };
    const claimed = async (): Promise<Claim> => made(await jobs().claim(crypto.randomUUID(), "import-photos"));
    const imagesOf = async (id: number) =>
      (await imports().find(id, { scope: null, visibility: "everything" }))?.images;
    const addressesOf = async (vehicle: number): Promise<readonly string[]> => {
      const images = await makeImageRepository(db).list(vehicle, null, { limit: 100, offset: 0 });
      return (images?.items ?? []).map(({ image_url }) => image_url);
    };
    const numberOf = async (table: "photos" | "fetched_photos" | "import_photos"): Promise<number> =>
      (await db.selectFrom(table).select("dealer_id").execute()).length;
    const all = async (claim: Claim): Promise<readonly WaitingPhoto[]> => made(await work.next(claim));

    test("wait in the order of the rows, are given once, and are remembered for their dealer alone", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const id = await imported(dealer, { A: ["https://a.example.com/1"], B: ["https://a.example.com/1"] });
      expect(await imagesOf(id)).toEqual({ waiting: 2, fetched: 0, failed: 0, problem: null });
      const claim = await claimed();
      const [first, second] = (await all(claim)) as readonly [WaitingPhoto, WaitingPhoto];
      expect([first.place, second.place, first.dealerId, first.address]).toEqual([
        1,
        2,
        dealer,
        "https://a.example.com/1",
      ]);
      const photo = newPhoto();
      expect(await work.settle(claim, first, { kind: "made", photo })).toBe(true);
      // The same answer a second time, as after a lost connection, changes nothing.
      expect(await work.settle(claim, first, { kind: "made", photo: newPhoto() })).toBe(false);
      expect(await imagesOf(id)).toEqual({ waiting: 1, fetched: 1, failed: 0, problem: null });
      const [address = ""] = await addressesOf(first.vehicleId);
      expect(address).toContain(photo.photoId);
      const known = await work.known(id, second);
      expect(known).toEqual({ isWanted: true, photo: address, problem: null });
      expect(await work.settle(claim, second, { kind: "there", photo: address })).toBe(false);
      expect(await addressesOf(second.vehicleId)).toEqual([address]);
      expect(await work.next(claim)).toBeNull();
      expect(await jobs().claim("fetcher", "import-photos")).toBeNull();
      expect(await imagesOf(id)).toEqual({ waiting: 0, fetched: 2, failed: 0, problem: null });

      const theirs = await imported(other, { B: ["https://a.example.com/own"], C: ["https://a.example.com/1"] });
      const next = await claimed();
      const [own, foreign] = (await all(next)) as readonly [WaitingPhoto, WaitingPhoto];
      expect(await work.settle(next, own, { kind: "made", photo: newPhoto() })).toBe(true);
      expect(await work.known(theirs, foreign)).toEqual({ isWanted: true, photo: null, problem: null });
      expect(await work.photoWith(other, photo.sha256)).toBeNull();
      // A photo of another dealer is never given, whoever asks for it.
      expect(await work.settle(next, foreign, { kind: "there", photo: address })).toBe(false);
      expect(await addressesOf(foreign.vehicleId)).toEqual(["https://a.example.com/1"]);
      await work.settle(next, foreign, { kind: "unwanted" });
      expect(await work.next(next)).toBeNull();
    });

    test("that fail warn their rows and the import, and are known to have failed for the import's other rows", async () => {
      const dealer = await newDealer();
      const id = await imported(dealer, { A: ["https://a.example.com/2"], B: ["https://a.example.com/2"] });
      const claim = await claimed();
      const [first, second] = (await all(claim)) as readonly [WaitingPhoto, WaitingPhoto];
      await work.settle(claim, first, { kind: "failed", problem: "is no photo" });
      expect((await work.known(id, second)).problem).toBe("is no photo");
      expect((await all(claim)).map(({ place }) => place)).toEqual([2]);
      await work.settle(claim, second, { kind: "failed", problem: "is no photo" });
      const { items } = await imports().rows({ id, limit: 10, after: null });
      const warning = {
        path: "Photos",
        code: "photo_not_fetched",
        message: "https://a.example.com/2 stays an address: is no photo",
      };
      expect(items.map(({ warnings }) => warnings)).toEqual([[warning], [warning]]);
      const found = await imports().find(id, { scope: null, visibility: "everything" });
      expect([found?.counts.warnings, found?.row_warnings[0]?.count, found?.images?.failed]).toEqual([2, 2, 2]);
      expect(await work.next(claim)).toBeNull();
      expect(await numberOf("import_photos")).toBe(0);
    });

    test("that two imports wait for at the same addresses are each settled for their own import, row and address", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const [one, two, three] = [
        "https://a.example.com/21",
        "https://a.example.com/22",
        "https://a.example.com/24",
      ] as const;
      const rows = { P: [one, two, three], Q: [one] };
      const id = await imported(dealer, rows);
      const theirs = await imported(other, rows);
      const claims = [await claimed(), await claimed()];
      const claim = made(claims.find(({ subjectId }) => subjectId === id) ?? null);
      const waiting = await all(claim);
      expect(waiting.map(({ dealerId, place }) => [dealerId, place])).toEqual(
        [1, 1, 1, 2].map((place) => [dealer, place]),
      );
      const at = (place: number, address: string): WaitingPhoto =>
        made(waiting.find((photo) => photo.place === place && photo.address === address) ?? null);
      const left = async () =>
        (await db.selectFrom("import_photos").select(["import_id", "place", "address", "problem"]).execute())
          .map(({ import_id, place, address, problem }) => [import_id, place, address, problem].join(" "))
          .sort();
      const before = await left();
      expect(before).toHaveLength(8);
      const isGone = (photo: WaitingPhoto) => (line: string) =>
        !line.startsWith(`${id} ${photo.place} ${photo.address}`);

      const second = at(2, one);
      const resultOf = async (importId: number): Promise<object> => {
        const found = db.selectFrom("import_rows").select("result").where("import_id", "=", importId);
        return JSON.parse((await found.where("place", "=", 2).executeTakeFirstOrThrow()).result);
      };
      const unwarned = await resultOf(id);
      await work.settle(claim, second, { kind: "failed", problem: "is no photo" });
      expect(await resultOf(id)).toEqual({ ...unwarned, warnings: [expect.anything()] });
      await work.settle(claim, second, { kind: "failed", problem: "is none again" });
      await work.settle(claim, second, { kind: "unwanted" });
      const failed = [...before.filter(isGone(second)), `${id} 2 ${one} is no photo`].sort();
      expect(await left()).toEqual(failed);
      expect(await imagesOf(id)).toEqual({ waiting: 3, fetched: 0, failed: 1, problem: null });
      const rowsOf = async (of: number) => {
        const { items } = await imports().rows({ id: of, limit: 9, after: null });
        const counts = (await imports().find(of, { scope: null, visibility: "everything" }))?.counts;
        return [items.map(({ warnings, vehicle_id }) => [warnings.length, vehicle_id]), counts?.warnings];
      };
      const own = [
        [0, at(1, one).vehicleId],
        [1, second.vehicleId],
      ];
      expect(await rowsOf(id)).toEqual([own, 1]);
      expect(await rowsOf(theirs)).toEqual([
        [
          [0, expect.any(Number)],
          [0, expect.any(Number)],
        ],
        0,
      ]);
      const known = async (importId: number, photo: object) => work.known(importId, { ...second, ...photo });
      expect(await known(id, {})).toEqual({ isWanted: true, photo: null, problem: "is no photo" });
      expect((await known(theirs, {})).problem).toBeNull();
      expect((await known(id, { dealerId: other })).problem).toBeNull();
      // The other vehicle has this address, and no vehicle the next one.
      for (const address of [two, "https://a.example.com/23"])
        expect(await known(id, { address })).toEqual({ isWanted: false, photo: null, problem: null });

      await work.settle(claim, at(1, three), { kind: "failed", problem: "is no photo" });
      failed.splice(failed.indexOf(`${id} 1 ${three} `), 1, `${id} 1 ${three} is no photo`);
      expect(await left()).toEqual(failed.sort());
      const first = at(1, one);
      await work.settle(claim, first, { kind: "unwanted" });
      expect(await left()).toEqual(failed.filter(isGone(first)));
      const photo = newPhoto();
      expect(await work.settle(claim, at(1, two), { kind: "made", photo })).toBe(true);
      expect(await work.photoWith(dealer, photo.sha256)).toContain(photo.photoId);
      await db.updateTable("photos").set({ gone: 1 }).where("photo_id", "=", photo.photoId).execute();
      expect(await work.photoWith(dealer, photo.sha256)).toBeNull();
      // Nothing is fetched for an import whose file is not there.
      const next = made(claims.find(({ subjectId }) => subjectId === theirs) ?? null);
      await db.updateTable("imports").set({ file: null }).where("id", "=", theirs).execute();
      expect(await work.next(next)).toBeNull();
      expect(await work.next(claim)).toBeNull();
      await db.deleteFrom("import_photos").execute();
    });

    test("are another process's once the lease is over, and nothing is given twice", async () => {
      const dealer = await newDealer();
      await imported(dealer, { A: ["https://a.example.com/3"] });
      const lost = await claimed();
      const [waiting] = (await all(lost)) as readonly [WaitingPhoto];
      clock.advance(LEASE_SECONDS * 1000 + 1);
      const claim = await claimed();
      const before = await numberOf("photos");
      await expect(work.settle(lost, waiting, { kind: "made", photo: newPhoto() })).rejects.toThrow(LeaseLost);
      await expect(work.next(lost)).rejects.toThrow(LeaseLost);
      expect(await numberOf("photos")).toBe(before);
      expect(await work.settle(claim, waiting, { kind: "made", photo: newPhoto() })).toBe(true);
      expect(await work.next(claim)).toBeNull();
    });

    test("are not stored for a vehicle that is gone or of another dealer, nor if their bytes are there", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const vehicles = makeVehicleRepository(db, vehicleWordsIn(db));
      const id = await imported(dealer, {
        A: ["https://a.example.com/4"],
        B: ["https://a.example.com/5"],
        C: ["https://a.example.com/6", "https://a.example.com/7"],
      });
      const claim = await claimed();
      const [removed, moved, one, same] = (await all(claim)) as readonly [
        WaitingPhoto,
        WaitingPhoto,
        WaitingPhoto,
        WaitingPhoto,
      ];
      const change = { scope: null, versions: null, now: MOMENT, by: OPERATOR };
      await vehicles.remove({ ...change, id: removed.vehicleId });
      await vehicles.update({ ...change, id: moved.vehicleId, changes: { dealer_id: other } });
      const before = await numberOf("photos");
      for (const gone of [removed, moved]) {
        expect((await work.known(id, gone)).isWanted).toBe(false);
        expect(await work.settle(claim, gone, { kind: "made", photo: newPhoto() })).toBe(false);
      }
      expect(await numberOf("photos")).toBe(before);
      const photo = newPhoto();
      expect(await work.settle(claim, one, { kind: "made", photo })).toBe(true);
      expect(await work.settle(claim, same, { kind: "made", photo: newPhoto(photo.sha256) })).toBe(false);
      expect(await numberOf("photos")).toBe(before + 1);
      expect((await addressesOf(one.vehicleId)).length).toBe(1);
      expect(await imagesOf(id)).toEqual({ waiting: 0, fetched: 2, failed: 0, problem: null });
      expect(await work.next(claim)).toBeNull();
      // What is remembered of an address goes with its photo.
      const remembered = await numberOf("fetched_photos");
      await db.deleteFrom("photos").where("photo_id", "=", photo.photoId).execute();
      expect(await numberOf("fetched_photos")).toBe(remembered - 2);
    });

    test("end with the rights of the import's maker, and rest while the import is cancelled", async () => {
      const dealer = await newDealer();
      const id = await imported(dealer, { A: ["https://a.example.com/8"] });
      const claim = await claimed();
      const [waiting] = (await all(claim)) as readonly [WaitingPhoto];
      await db.updateTable("imports").set({ state: "cancelled" }).where("id", "=", id).execute();
      expect(await work.settle(claim, waiting, { kind: "made", photo: newPhoto() })).toBeNull();
      expect(await work.next(claim)).toBeNull();
      expect((await imagesOf(id))?.waiting).toBe(1);
      await work.addMissingJobs();
      expect(await jobs().claim("fetcher", "import-photos")).toBeNull();
      await db.updateTable("imports").set({ state: "completed", actor_key_id: 999_999 }).where("id", "=", id).execute();
      await work.addMissingJobs();
      const again = await claimed();
      expect(await work.settle(again, waiting, { kind: "made", photo: newPhoto() })).toBeNull();
      expect(await work.next(again)).toBeNull();
      expect(await imagesOf(id)).toMatchObject({
        waiting: 0,
        fetched: 0,
        problem: expect.stringContaining("may not change"),
      });
      expect(await addressesOf(waiting.vehicleId)).toEqual(["https://a.example.com/8"]);
    });
  });
