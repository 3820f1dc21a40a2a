import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeImageRepository } from "../../adapters/sql/images/repository.ts";
import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import { HELD_PER_PAGE, heldPhotos } from "../../adapters/sql/photos/held-photos.ts";
import { hashOfAddress, photosOfAddresses } from "../../adapters/sql/photos/photos-of-addresses.ts";
import { makePhotoRepository } from "../../adapters/sql/photos/repository.ts";
import { photoSweeps, SWEEPS } from "../../adapters/sql/photos/sweep.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { param, sqlStatement } from "../../adapters/sql/query/statement.ts";
import { makeRemovedRepository } from "../../adapters/sql/removed/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { Failure } from "../../core/failure.ts";
import type { StoredImage } from "../../core/images/image.ts";
import { imageAdded, imageChanged, imageRemoved } from "../../core/images/image-changes.ts";
import { ownAddressIn } from "../../core/images/own-address.ts";
import { type NewPhoto, NO_SUCH_IMAGE, PHOTO_GONE, type PhotoRepository } from "../../core/photos/photo-repository.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, OPERATOR, vehicleFields } from "../support/records.ts";

const MOST = 3;
let photos = 0;
const newPhoto = (): NewPhoto => ({
  photoId: (++photos).toString(16).padStart(32, "0"),
  sha256: `hash of ${photos}`,
  width: 640,
  height: 480,
  placeholder: "data:image/png;base64,AAAA",
  files: { "public.jpg": "hash of the file" },
  bytes: 1000,
});

/** An address elsewhere that contains the id of a photo where a stored address has it. */
const disguised = (photoId: string): string => `${"https://images.example.com/".padEnd(39, "x")}${photoId}`;

for (const engine of ENGINES)
  describe(`photos on ${engine.name}`, () => {
    let db: SqlDatabase;
    let repository: PhotoRepository;
    let north: number;
    let south: number;
    const clock = fakeClock(Date.parse(MOMENT));

    beforeAll(async () => {
      db = await engine.open();
      repository = makePhotoRepository(db);
      const dealers = makeDealerRepository(db);
      north = (await dealers.insert(dealerFields(), OPERATOR)).id;
      south = (await dealers.insert(dealerFields(), OPERATOR)).id;
    });
    afterAll(() => db.close());

    const change = { now: MOMENT, by: OPERATOR };
    const newVehicle = async (dealerId = north): Promise<number> =>
      made(await makeVehicleRepository(db).insert(vehicleFields(dealerId), OPERATOR)).id;
    const addTo = (
      vehicleId: number,
      photo: NewPhoto | null,
      sent: { sha256?: string; scope?: number; is_primary?: true } = {},
    ) => {
      const { sha256 = photo?.sha256 ?? "", scope = null, ...draft } = sent;
      return repository.change({ ...change, vehicleId, scope }, { sha256, photo }, (present, image_url) =>
        imageAdded(present, { ...draft, image_url }, MOST),
      );
    };
    const replaced = (image: StoredImage, photo: NewPhoto, scope = north) =>
      repository.change(
        { ...change, vehicleId: image.vehicle_id, scope },
        { sha256: photo.sha256, photo },
        (present, image_url) => imageChanged(present, image.id, { alt: "turned", image_url }),
      );
    const named = <Changed extends { named: StoredImage | null }>(result: Changed | Failure | symbol | null) => {
      if (result === null || typeof result === "symbol" || result instanceof Failure)
        throw new Error("nothing was changed");
      return { ...result, image: made(result.named) };
    };
    const added = async (vehicleId: number, photo = newPhoto()) => named(await addTo(vehicleId, photo));
    const addressOf = ({ image_url }: StoredImage) => made(ownAddressIn(image_url));
    const hashOf = async (image: StoredImage): Promise<string> => {
      const found = sqlStatement<{ sha256: string }>(
        db,
        sql`SELECT sha256 FROM photos WHERE photo_id = ${param("photo")}`,
      );
      return made(await db.first(found, { photo: addressOf(image).photoId })).sha256;
    };
    const adopt = (vehicleId: number, image_url: string) =>
      makeImageRepository(db).change({ ...change, vehicleId, scope: null }, (present) =>
        imageAdded(present, { image_url }, MOST),
      );
    const removeImage = ({ id, vehicle_id }: StoredImage) =>
      makeImageRepository(db).change({ ...change, vehicleId: vehicle_id, scope: null }, (present) =>
        imageRemoved(present, id),
      );
    const removeVehicle = (id: number) =>
      makeVehicleRepository(db).remove({ id, scope: null, versions: null, ...change });
    /** The photos that a sweep finds to be gone; something may happen before they are forgotten. */
    const sweep = async (meanwhile = async (): Promise<void> => {}): Promise<readonly string[]> => {
      const sweeps = photoSweeps(db, clock);
      await sweeps.add(SWEEPS.removed);
      const steps = sweeps.within(made(await makeJobs(db, clock).claim("sweeper", "photos")));
      while ((await steps.decideSome()) > 0);
      const gone = await steps.gone();
      await meanwhile();
      for (const photo of gone) await steps.forget(photo);
      await steps.end();
      return gone;
    };

    test("are named by an image with their facts, under the account of the dealer", async () => {
      const [one, other] = [await added(await newVehicle()), await added(await newVehicle())];
      expect(one.image).toMatchObject({ is_primary: true, display_order: 0, width: 640, height: 480, alt: null });
      expect(one.image.placeholder).toStartWith("data:");
      expect(addressOf(one.image).accountHash).toBe(addressOf(other.image).accountHash);
      const foreign = addressOf((await added(await newVehicle(south))).image);
      expect(foreign.accountHash).not.toBe(addressOf(one.image).accountHash);
      expect(await repository.isShown(addressOf(one.image))).toBe(true);
      expect(await repository.isShown({ ...addressOf(one.image), accountHash: foreign.accountHash })).toBe(false);
      expect(await repository.isShown({ ...foreign, photoId: "0".repeat(32) })).toBe(false);
    });

    test("are named by no image any more once they are to go, while their files are still there", async () => {
      const { image } = await added(await newVehicle());
      await removeImage(image);
      let adopted: unknown;
      await sweep(async () => {
        const held = heldPhotos(db);
        expect(await held.count()).toBe((await Array.fromAsync(held.all())).length);
        adopted = await adopt(await newVehicle(), image.image_url);
      });
      expect(adopted).toBeInstanceOf(Failure);
    });

    test("are listed once each with a vehicle of theirs and the hashes of their files, until they are gone", async () => {
      const held = heldPhotos(db);
      const listed = async () => {
        const found = await Array.fromAsync(held.all());
        expect(found.length).toBe(await held.count());
        return new Map(found.map((photo) => [photo.photoId, photo]));
      };
      const { image } = await added(await newVehicle());
      const { photoId } = addressOf(image);
      const vehicleId = image.vehicle_id;
      await adopt(await newVehicle(), image.image_url);
      expect((await listed()).get(photoId)).toEqual({
        photoId,
        vehicleId,
        files: { "public.jpg": "hash of the file" },
      });
      const { image: other } = await added(await newVehicle());
      await removeVehicle(other.vehicle_id);
      await sweep();
      expect((await listed()).get(addressOf(other).photoId)?.vehicleId).toBeNull();
      const { image: removed } = await added(await newVehicle());
      await removeImage(removed);
      expect(await held.isHeld(addressOf(removed).photoId)).toBe(true);
      await sweep();
      expect([await held.isHeld(addressOf(removed).photoId), (await listed()).has(addressOf(removed).photoId)]).toEqual(
        [false, false],
      );
    });

    test("with the same bytes are one image of a vehicle, which takes what was sent with them", async () => {
      const vehicle = await newVehicle();
      const [first, second] = [await added(vehicle), await added(vehicle)];
      const photo = newPhoto();
      const again = await addTo(vehicle, photo, { sha256: await hashOf(second.image), scope: north, is_primary: true });
      expect(again).toMatchObject({ isStored: false, isNew: false, named: { id: second.image.id, is_primary: true } });
      expect(first.image.id).not.toBe(second.image.id);
      expect(await addTo(vehicle, null, { sha256: "a hash that is not there" })).toBe(PHOTO_GONE);
      const elsewhere = await newVehicle();
      expect(await repository.vehicle(elsewhere, north, "any")).toEqual({
        dealerId: north,
        images: 0,
        hasPhoto: false,
      });
      expect(await repository.vehicle(vehicle, north, await hashOf(first.image))).toMatchObject({
        images: 2,
        hasPhoto: true,
      });
    });
    test("are out of reach for a scope of another dealer, and so is whether they are there", async () => {
      const vehicle = await newVehicle();
      const { image } = await added(vehicle);
      expect(await repository.vehicle(vehicle, south, "")).toBeNull();
      expect(await addTo(vehicle, newPhoto(), { scope: south })).toBeNull();
      expect(await repository.image(vehicle, image.id, south)).toBeNull();
      expect(await replaced(image, newPhoto(), south)).toBeNull();
      expect(await addTo(vehicle, null, { sha256: "any", scope: south })).toBeNull();
      const { image: second } = await added(vehicle);
      expect(await repository.image(vehicle, second.id, north)).toEqual(second);
      expect(await repository.image(await newVehicle(), second.id, north)).toBe(NO_SUCH_IMAGE);
      expect(await repository.image(vehicle, image.id, north)).toEqual(image);
    });

    test("leave nothing if the vehicle is full", async () => {
      const vehicle = await newVehicle();
      for (let number = 0; number < MOST; number++) await added(vehicle);
      const before = await repository.bytesOf(north);
      expect(await addTo(vehicle, newPhoto())).toBeInstanceOf(Failure);
      expect(await repository.bytesOf(north)).toBe(before);
    });

    test("replace the one that an image names, which then goes", async () => {
      const { image } = await added(await newVehicle());
      const after = named(await replaced(image, newPhoto()));
      expect(after.image).toMatchObject({ id: image.id, alt: "turned", width: 640 });
      expect(addressOf(after.image).photoId).not.toBe(addressOf(image).photoId);
      expect(await sweep()).toEqual([addressOf(image).photoId]);
    });

    test("are adopted by other vehicles of the dealer, and by no other dealer", async () => {
      const { image } = await added(await newVehicle());
      expect(await adopt(await newVehicle(), image.image_url)).toMatchObject({ named: { width: 640 } });
      const strange = await newVehicle(south);
      expect(await adopt(strange, image.image_url)).toBeInstanceOf(Failure);
      const { accountHash } = addressOf((await added(strange)).image);
      const foreign = `photo:${accountHash}/${addressOf(image).photoId}/public`;
      expect(await adopt(strange, foreign)).toBeInstanceOf(Failure);
      // An address elsewhere with the name of the photo in the same place gives no right to it.
      const elsewhere = `${"https://elsewhere.example.com/".padEnd(foreign.indexOf("/") + 1, "x")}${addressOf(image).photoId}`;
      expect(await adopt(strange, elsewhere)).not.toBeInstanceOf(Failure);
      expect(await adopt(strange, foreign)).toBeInstanceOf(Failure);
      expect(await adopt(strange, "photo:else")).toBeInstanceOf(Failure);
      // Nor does the dealer's own photo go by the account of another.
      const wrong = `photo:${accountHash}/${addressOf(image).photoId}/public`;
      expect(await adopt(await newVehicle(), wrong)).toBeInstanceOf(Failure);
      // A photo that counts for another dealer by now is still that of the vehicles that name it.
      const counted = db.updateTable("photos").set({ dealer_id: south });
      await counted.where("photo_id", "=", addressOf(image).photoId).execute();
      expect(await adopt(await newVehicle(), image.image_url)).toMatchObject({ named: { width: 640 } });
    });

    test("of an image that becomes an address elsewhere lose their facts", async () => {
      const vehicle = await newVehicle();
      const { image } = await added(vehicle);
      const changes = { image_url: "https://images.example.com/1.jpg" };
      const after = await makeImageRepository(db).change({ ...change, vehicleId: vehicle, scope: null }, (present) =>
        imageChanged(present, image.id, changes),
      );
      expect(named(after).image).toMatchObject({ ...changes, width: null, height: null, placeholder: null });
      expect(await sweep()).toEqual([addressOf(image).photoId]);
    });

    test("go along with a vehicle that moves to another dealer, under its account", async () => {
      const vehicle = await newVehicle();
      const { image } = await added(vehicle);
      const [bytesNorth, bytesSouth] = [await repository.bytesOf(north), await repository.bytesOf(south)];
      await makeVehicleRepository(db).update({
        id: vehicle,
        scope: null,
        changes: { dealer_id: south },
        versions: null,
        ...change,
      });
      const moved = (await repository.image(vehicle, image.id, south)) as StoredImage;
      expect(addressOf(moved).photoId).toBe(addressOf(image).photoId);
      expect(await repository.isShown(addressOf(image))).toBe(false);
      expect(await repository.isShown(addressOf(moved))).toBe(true);
      expect(await repository.bytesOf(north)).toBe(bytesNorth - 1000);
      expect(await repository.bytesOf(south)).toBe(bytesSouth + 1000);
      for (const [dealer, photoBytes] of [
        [north, bytesNorth - 1000],
        [south, bytesSouth + 1000],
      ] as const)
        expect(await makeDealerRepository(db).inventory(dealer, null)).toMatchObject({ photoBytes });
      expect(await sweep()).toEqual([]);
    });

    test("go when no image names them any more, and stay while one does", async () => {
      const [first, second] = [await added(await newVehicle()), await newVehicle()];
      const { image: adopted } = named(await adopt(second, first.image.image_url));
      await removeImage(first.image);
      expect(await sweep()).toEqual([]);
      expect(await photoSweeps(db, clock).isWaiting()).toBe(false);
      await removeImage(adopted);
      expect(await photoSweeps(db, clock).isWaiting()).toBe(true);
      expect(await sweep()).toEqual([addressOf(adopted).photoId]);
      expect(await photoSweeps(db, clock).isWaiting()).toBe(false);
      expect(await adopt(second, first.image.image_url)).toBeInstanceOf(Failure);
    });

    test("stay while their vehicle can be restored, are not shown meanwhile, and come back with it", async () => {
      const vehicle = await newVehicle();
      const { image } = await added(vehicle);
      await removeVehicle(vehicle);
      expect(await sweep()).toEqual([]);
      expect(await repository.isShown(addressOf(image))).toBe(false);
      await makeRemovedRepository(db).restore({
        id: vehicle,
        scope: null,
        since: "2026-01-01T00:00:00.000Z",
        ...change,
      });
      expect(await repository.isShown(addressOf(image))).toBe(true);
      expect(await sweep()).toEqual([]);
      expect(await repository.image(vehicle, image.id, north)).toEqual(image);
    });

    test("go when their vehicle is deleted for good", async () => {
      const vehicle = await newVehicle();
      const { image } = await added(vehicle);
      await removeVehicle(vehicle);
      expect(await sweep()).toEqual([]);
      await makeRemovedRepository(db).purge({ id: vehicle, scope: null, since: "2026-01-01T00:00:00.000Z", ...change });
      expect(await sweep()).toEqual([addressOf(image).photoId]);
    });

    test("are told from images whose addresses only contain their ids, and from those of other vehicles", async () => {
      const { image } = await added(await newVehicle());
      const { photoId } = addressOf(image);
      const sha256 = await hashOf(image);
      const vehicle = await newVehicle();
      await added(vehicle);
      expect(await repository.vehicle(vehicle, north, sha256)).toMatchObject({ images: 1, hasPhoto: false });
      await adopt(vehicle, disguised(photoId));
      expect(await repository.vehicle(vehicle, north, sha256)).toMatchObject({ images: 2, hasPhoto: false });
      expect(await addTo(vehicle, newPhoto(), { sha256 })).toMatchObject({
        isStored: true,
        named: { image_url: expect.stringContaining("photo:") },
      });
      // What only looks like one keeps no photo, and shows none.
      await removeImage(image);
      expect(await sweep()).toEqual([photoId]);
      expect(await repository.isShown(addressOf(image))).toBe(false);
    });

    test("of addresses elsewhere are those that the dealer fetched and still has, under its own account", async () => {
      const photosOf = photosOfAddresses(db);
      const find = async (dealer: number, ...names: readonly string[]) =>
        Object.fromEntries(
          await photosOf(
            db,
            dealer,
            names.map((name) => `https://a.example.com/${name}`),
          ),
        );
      const fetched = (dealer_id: number, name: string, image: StoredImage) =>
        db.write((tx) => {
          const address_hash = hashOfAddress(`https://a.example.com/${name}`);
          return tx
            .insertInto("fetched_photos")
            .values({ dealer_id, address_hash, photo_id: addressOf(image).photoId })
            .execute();
        });
      const set = (image: StoredImage, columns: { gone?: 1; dealer_id?: number }) =>
        db.write((tx) =>
          tx.updateTable("photos").set(columns).where("photo_id", "=", addressOf(image).photoId).execute(),
        );
      const [ours, shared, gone] = [
        ...[await added(await newVehicle()), await added(await newVehicle()), await added(await newVehicle())],
      ].map(({ image }) => image) as [StoredImage, StoredImage, StoredImage];
      const { image: theirs } = await added(await newVehicle(south));
      // The dealer has an image whose address only contains the id of the other dealer's photo.
      await adopt(ours.vehicle_id, disguised(addressOf(theirs).photoId));
      for (const [dealer, name, image] of [
        [north, "ours", ours],
        [south, "ours", theirs],
        [south, "only-theirs", ours],
        [north, "of-another", theirs],
        [north, "shared", shared],
        [north, "gone", gone],
      ] as const)
        await fetched(dealer, name, image);
      await set(gone, { gone: 1 });
      // The photo counts for another dealer by now, and a vehicle still names it.
      await set(shared, { dealer_id: south });
      const all = ["ours", "only-theirs", "of-another", "shared", "gone", "never"];
      expect(await find(north, ...all)).toEqual({
        "https://a.example.com/ours": ours.image_url,
        "https://a.example.com/shared": shared.image_url,
      });
      expect(await find(south, ...all)).toEqual({ "https://a.example.com/ours": theirs.image_url });
      expect([await find(north, "never"), await find(south, "of-another")]).toEqual([{}, {}]);
    });

    test("are swept each by what is noted of itself, however many wait", async () => {
      await sweep();
      const vehicle = await newVehicle();
      const elsewhere = await newVehicle();
      const { image: kept } = await added(vehicle);
      const { image: taken } = await added(vehicle);
      await adopt(elsewhere, kept.image_url);
      // One photo goes with its vehicle and can come back with it; the other had left it before.
      await removeImage(taken);
      await removeVehicle(vehicle);
      await removeImage({ ...kept, ...named(await adopt(elsewhere, kept.image_url)).image });
      const released = async () => {
        const rows = await db
          .selectFrom("released_photos")
          .selectAll()
          .where("vehicle_id", "in", [vehicle, elsewhere])
          .execute();
        return rows.map(({ photo_id, vehicle_id, held }) => [photo_id, vehicle_id, held]);
      };
      const many = Array.from({ length: 101 }, () => newPhoto().photoId.replace(/^0/, "e"));
      const [first = ""] = many;
      const { photoId: _, files, ...row } = newPhoto();
      const held = { photo_id: first, vehicle_id: elsewhere, held: 1 as const };
      await db.write(async (tx) => {
        const columns = {
          ...row,
          files: JSON.stringify(files),
          dealer_id: north,
          created_at: MOMENT,
          gone: 0 as const,
        };
        await tx
          .insertInto("photos")
          .values(many.map((photo_id) => ({ ...columns, photo_id })))
          .execute();
        const waiting = many.map((photo_id) => ({ photo_id, vehicle_id: -1, held: 0 as const }));
        await tx
          .insertInto("released_photos")
          .values([...waiting, held])
          .execute();
      });
      const { photoId: there } = addressOf((await added(elsewhere)).image);
      const sweeps = photoSweeps(db, clock);
      await sweeps.add(SWEEPS.removed);
      const steps = sweeps.within(made(await makeJobs(db, clock).claim("sweeper", "photos")));
      while ((await steps.decideSome()) > 0);
      expect(await released()).toEqual(
        expect.arrayContaining([
          [addressOf(kept).photoId, vehicle, 1],
          [first, elsewhere, 1],
        ]),
      );
      expect(await released()).toHaveLength(2);
      expect(await sweeps.isWaiting()).toBe(true);
      const gone = [addressOf(taken).photoId, ...many].sort();
      const left = async () =>
        (await db.selectFrom("photos").select("photo_id").where("gone", "=", 1).orderBy("photo_id").execute()).map(
          ({ photo_id }) => photo_id,
        );
      expect(await left()).toEqual(gone);
      await steps.forget(first);
      await steps.forget(there);
      expect(await left()).toEqual(gone.filter((photo) => photo !== first));
      expect(await heldPhotos(db).isHeld(there)).toBe(true);
      for (const photo of gone) await steps.forget(photo);
      await steps.end();
      await db.write((tx) => tx.deleteFrom("released_photos").where("photo_id", "=", first).execute());
    });

    test("are walked through in pages, each once", async () => {
      const held = heldPhotos(db);
      const before = await held.count();
      const first = newPhoto();
      const row = { ...first, files: "{}", dealer_id: north, created_at: MOMENT, gone: 0 as const };
      const rows = Array.from({ length: HELD_PER_PAGE + 1 }, () => ({ ...row, photo_id: newPhoto().photoId }));
      await db.write((tx) =>
        tx
          .insertInto("photos")
          .values(rows.map(({ photoId: _, ...photo }) => photo))
          .execute(),
      );
      const seen = new Set<string>();
      for await (const { photoId } of held.all()) {
        expect(seen.has(photoId)).toBe(false);
        seen.add(photoId);
      }
      expect(seen.size).toBe(before + HELD_PER_PAGE + 1);
    });

    test("that are known are told from those that are not", async () => {
      const { image } = await added(await newVehicle());
      const { photoId } = addressOf(image);
      const sweeps = photoSweeps(db, clock);
      await sweeps.add(SWEEPS.orphans);
      const steps = sweeps.within(made(await makeJobs(db, clock).claim("sweeper", "photos")));
      expect(await steps.known([photoId, "f".repeat(32)])).toEqual(new Set([photoId]));
      await steps.end();
    });
  });
