import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderStorage } from "../../../adapters/photos/folder.ts";
import { copyPhotos, type PhotoCopy, verifyPhotos } from "../../../core/photos/photo-copies.ts";

const hash = (bytes: Uint8Array): string => Bun.SHA256.hash(bytes, "hex");
const listener = { hash, reached: () => {} };
const PHOTO = "ab".repeat(16);
const CONTENT = new TextEncoder().encode("content of somebody else");

for (const [what, photoId, file] of [
  ["an id", "ab/../../../beside", "public.jpg"],
  ["a file", PHOTO, "../../../beside/public.jpg"],
] as const)
  for (const trusts of ["content", "presence"] as const)
    test(`a database that names ${what} outside of the folder has nothing written or removed there (by ${trusts})`, async () => {
      const root = mkdtempSync(join(tmpdir(), "inventory-copies-"));
      for (const folder of [
        "backup/images/ab",
        `backup/images/ab/${PHOTO}`,
        "backup/beside",
        "own/images/ab",
        "own/beside",
      ])
        mkdirSync(join(root, folder), { recursive: true });
      for (const folder of ["backup/beside", `backup/images/ab/../../beside`])
        writeFileSync(join(root, folder, "public.jpg"), CONTENT);
      writeFileSync(join(root, "own/beside/kept"), "");
      const from = folderStorage(join(root, "backup/images"));
      const copy: PhotoCopy = { from, to: folderStorage(join(root, "own/images")), trusts };
      const photos = [{ photoId, vehicleId: 1, files: { [file]: hash(CONTENT) } }];
      const faults = [{ photoId, vehicleId: 1, fault: "damaged" }];
      const done = await copyPhotos(photos, copy, listener).catch((error) => error);
      expect([existsSync(join(root, "own/beside/kept")), existsSync(join(root, "own/beside/public.jpg"))]).toEqual([
        true,
        false,
      ]);
      expect(done).toMatchObject({ copied: 0, faults });
      expect(await verifyPhotos(photos, from, listener)).toMatchObject({ faults });
      rmSync(root, { recursive: true });
    });
