import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import { folderStorage } from "../adapters/photos/folder.ts";
import { photoMaker } from "../adapters/photos/maker.ts";
import { bucketStorage } from "../adapters/photos/s3.ts";
import type { PhotoStorage } from "../core/photos/photo-storage.ts";
import type { PhotoWork } from "../core/photos/photo-work.ts";
import { UploadTurns } from "../core/photos/turns.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { isPostgresUrl } from "./database-url.ts";
import type { PhotoParts } from "./features/shared.ts";
import type { PhotoStorageConfig } from "./photo-config.ts";

/** The photos that the service holds. */
interface OpenPhotos extends PhotoParts {
  /** Says at which address the service listens. Photos have addresses there, unless another one is configured. */
  serveAt(url: string): void;
  close(): void;
}

/** The folder of photos, which is made if it is not there. */
export const readyFolder = (folder: string): string => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new ConfigError(
      "IMAGE_STORAGE",
      `names a folder that cannot be made (${reason}): ${folder}`,
      "./data/images",
    );
  }
};

/**
 * Photos are decoded on the threads that also read and write files, of which there are as many as processors. One stays
 * free, or storing and delivering photos would wait for those that are being made.
 */
const DECODED_AT_ONCE = Math.max(1, availableParallelism() - 1);

interface OpenStorage {
  readonly storage: PhotoStorage;
  readonly close: () => void;
}

const opened = (config: Exclude<PhotoStorageConfig, { kind: "off" }>): OpenStorage => {
  if (config.kind === "bucket") return { storage: bucketStorage(config.access), close: () => {} };
  if (config.kind === "folder") return { storage: folderStorage(readyFolder(config.folder)), close: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "inventory-images-"));
  return { storage: folderStorage(folder), close: () => rmSync(folder, { recursive: true, force: true }) };
};

const workOn = (storage: PhotoStorage): PhotoWork => ({
  storage,
  maker: photoMaker(),
  turns: new UploadTurns(DECODED_AT_ONCE),
  hash: (bytes) => Bun.SHA256.hash(bytes, "hex"),
  newId: () => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex"),
});

/** Opens the storage of photos. The folder is made here and nowhere else. */
export const openPhotos = (
  {
    photos,
    databaseUrl,
    imageDeliveryBase,
    publicUrl,
  }: Pick<Config, "photos" | "databaseUrl" | "imageDeliveryBase" | "publicUrl">,
  log: Logger,
): OpenPhotos => {
  const { storage: config, isOwn, quotaMib } = photos;
  let ownUrl = publicUrl ?? "";
  const shared = {
    quotaMib,
    delivery: {
      isOwn,
      get base() {
        return imageDeliveryBase ?? `${ownUrl}/images`;
      },
    },
    serveAt(url: string): void {
      ownUrl = publicUrl ?? url;
      if (config.kind === "folder" && isPostgresUrl(databaseUrl))
        log.warn(
          { folder: config.folder },
          "photos are kept in a folder: instances elsewhere need the same one, or IMAGE_STORAGE=s3://BUCKET",
        );
    },
  };
  if (config.kind === "off") return { ...shared, work: null, offReason: config.reason, close: () => {} };
  const { storage, close } = opened(config);
  return { ...shared, work: workOn(storage), offReason: "", close };
};
