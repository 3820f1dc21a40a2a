import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderStorage } from "../../../adapters/photos/folder.ts";
import { inTime } from "../../../adapters/photos/in-time.ts";
import { bucketStorage } from "../../../adapters/photos/s3.ts";
import { type KeptPhoto, type PhotoStorage, StorageAway } from "../../../core/photos/photo-storage.ts";
import { afterExit } from "../../support/after-exit.ts";
import { startS3 } from "../../support/s3.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";

const folder = scratchFolder("vehicle-inventory-storage-");
afterExit('rm -rf "$1"', folder);

/** No run of the tests takes as long: a time that is further away is not one in milliseconds, or not that of storing. */
const OF_THIS_RUN_MS = 24 * 60 * 60_000;
const idOf = (number: number): string => number.toString(16).padStart(32, "0");
const FILES = new Map([
  ["public.jpg", Buffer.from("a JPEG")],
  ["public.webp", Buffer.from("a WebP")],
]);
const all = async (storage: PhotoStorage): Promise<readonly KeptPhoto[]> => {
  const found: KeptPhoto[] = [];
  for await (const photo of storage.list()) found.push(photo);
  return found;
};

interface Storage {
  readonly storage: PhotoStorage;
  readonly close: () => Promise<void> | void;
}

let folders = 0;
const newFolder = (): string => {
  const made = join(folder, String(++folders));
  mkdirSync(made);
  return made;
};

for (const [name, open] of [
  ["a folder", (): Storage => ({ storage: folderStorage(newFolder()), close: () => {} })],
  [
    "a bucket",
    async (): Promise<Storage> => {
      const { access, close } = await startS3();
      return { storage: bucketStorage(access), close };
    },
  ],
  [
    "a part of a bucket",
    async (): Promise<Storage> => {
      const { access, close } = await startS3("cars/photos");
      return { storage: bucketStorage(access), close };
    },
  ],
] as const)
  describe(`photos in ${name}`, () => {
    let storage: PhotoStorage;
    let close: Storage["close"];
    beforeAll(async () => {
      ({ storage, close } = await open());
    });
    afterAll(() => close());

    test("are read as they were stored, in whole and in parts", async () => {
      await storage.put(idOf(1), FILES);
      expect(Buffer.from((await storage.read(idOf(1), "public.jpg")) ?? []).toString()).toBe("a JPEG");
      const file = await storage.open(idOf(1), "public.webp");
      expect(file?.bytes).toBe(6);
      const textOf = (from: number, to: number) => new Response(file?.content(from, to) as Blob).text();
      expect([await textOf(0, 6), await textOf(2, 4)]).toEqual(["a WebP", "We"]);
    });

    test("that were never stored are not there", async () => {
      expect([await storage.read(idOf(2), "public.jpg"), await storage.open(idOf(2), "public.jpg")]).toEqual([
        null,
        null,
      ]);
      await storage.put(idOf(3), FILES);
      expect(await storage.open(idOf(3), "thumbnail.jpg")).toBeNull();
    });

    test("are listed once each, until they are removed", async () => {
      // A file's time, which needs no clock of the test.
      const marker = join(newFolder(), "marker");
      writeFileSync(marker, "");
      const beforeMs = statSync(marker).mtimeMs;
      await storage.put(idOf(4), FILES);
      await storage.put(idOf(0xff_00_00_00), FILES);
      const before = (await all(storage)).map(({ photoId }) => photoId);
      expect(before).toContain(idOf(4));
      expect(before).toContain(idOf(0xff_00_00_00));
      expect(new Set(before).size).toBe(before.length);
      for (const { storedMs } of await all(storage)) expect(Math.abs(storedMs - beforeMs)).toBeLessThan(OF_THIS_RUN_MS);
      await storage.remove(idOf(4));
      await storage.remove(idOf(4));
      expect((await all(storage)).map(({ photoId }) => photoId)).toEqual(before.filter((id) => id !== idOf(4)));
      expect(await storage.open(idOf(4), "public.jpg")).toBeNull();
      await storage.check();
    });
  });

describe("a folder of photos", () => {
  test("that vanishes is out of reach, and is not made again", async () => {
    const root = newFolder();
    const storage = folderStorage(root);
    await storage.put(idOf(1), FILES);
    renameSync(root, `${root} away`);
    for (const work of [
      () => storage.put(idOf(2), FILES),
      () => storage.open(idOf(1), "public.jpg"),
      () => storage.read(idOf(1), "public.jpg"),
      () => all(storage),
      () => storage.check(),
    ])
      expect(work()).rejects.toBeInstanceOf(StorageAway);
    renameSync(`${root} away`, root);
    expect((await storage.open(idOf(1), "public.jpg"))?.bytes).toBe(6);
    await storage.check();
  });

  test("lists what is left of a photo that was never stored whole, and nothing of another form", async () => {
    const root = newFolder();
    const storage = folderStorage(root);
    const unfinished = `${idOf(7)}.0a1b2c3d.tmp`;
    for (const other of ["00", "notes", `00/${unfinished}`, "00/other", `00/${idOf(8)}x`]) mkdirSync(join(root, other));
    writeFileSync(join(root, "readme.txt"), "");
    const old = new Date("2026-11-01T00:00:00Z");
    utimesSync(join(root, "00", unfinished), old, old);
    expect(await all(storage)).toEqual([{ photoId: unfinished, storedMs: old.getTime() }]);
    await storage.remove(unfinished);
    expect(readdirSync(join(root, "00")).toSorted()).toEqual([`${idOf(8)}x`, "other"]);
  });

  test("has a photo with all its files, or not at all", async () => {
    const root = newFolder();
    const storage = folderStorage(root);
    // A name that cannot be a file stands for whatever goes wrong in the middle.
    const failing = new Map([...FILES, ["no/such/place", Buffer.from("")]]);
    expect(storage.put(idOf(5), failing)).rejects.toBeInstanceOf(StorageAway);
    await storage.put(idOf(6), FILES);
    expect(readdirSync(join(root, "00"))).toEqual([idOf(6)]);
    expect(readdirSync(join(root, "00", idOf(6))).toSorted()).toEqual(["public.jpg", "public.webp"]);
    rmSync(root, { recursive: true });
  });
});

describe("a bucket of photos", () => {
  test("that cannot be opened, or is not there, is out of reach", async () => {
    const { access, close } = await startS3();
    const wrong = bucketStorage({ ...access, accessKeyId: "wrong" });
    expect(wrong.put(idOf(1), FILES)).rejects.toBeInstanceOf(StorageAway);
    expect(wrong.check()).rejects.toBeInstanceOf(StorageAway);
    expect(bucketStorage({ ...access, bucket: "other" }).check()).rejects.toBeInstanceOf(StorageAway);
    const right = bucketStorage(access);
    await right.put(idOf(1), FILES);
    await close();
    expect(right.open(idOf(1), "public.jpg")).rejects.toBeInstanceOf(StorageAway);
  });
});

test("a storage that does not answer in time is out of reach", async () => {
  const never = new Promise<never>(() => {});
  expect(inTime(never, 1)).rejects.toBeInstanceOf(StorageAway);
  expect(await inTime(Promise.resolve("there"), 1000)).toBe("there");
});
