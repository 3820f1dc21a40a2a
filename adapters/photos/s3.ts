import { type PhotoStorage, StorageAway, StorageFull } from "../../core/photos/photo-storage.ts";
import { inTime } from "./in-time.ts";

/** A bucket, and what opens it. */
export interface BucketAccess {
  readonly bucket: string;
  /** The beginning of all names, without slashes at its ends; may be empty. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region?: string;
  readonly endpoint?: string;
}

const NAME = /^([0-9a-f]{32})\/[a-z]+\.[a-z]+$/;
const FULL: ReadonlySet<string> = new Set([
  "EntityTooLarge",
  "QuotaExceeded",
  "XMinioStorageFull",
  "InsufficientStorage",
]);
const ABSENT: ReadonlySet<string> = new Set(["NoSuchKey", "ENOENT", "NotFound"]);
const TYPES: Readonly<Record<string, string>> = { jpg: "image/jpeg", webp: "image/webp" };

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

const within = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await inTime(work);
  } catch (cause) {
    if (cause instanceof StorageAway) throw cause;
    const code = codeOf(cause);
    if (FULL.has(code)) throw new StorageFull("the bucket of photos is full", { cause });
    throw new StorageAway(`the bucket of photos cannot be used (${code || "no answer"})`, { cause });
  }
};

const ifThere = async <Result>(work: Promise<Result>): Promise<Result | null> => {
  try {
    return await work;
  } catch (error) {
    if (ABSENT.has(codeOf(error))) return null;
    throw error;
  }
};

/** Photos in a bucket of S3, or of what speaks its protocol: `<prefix>/<id>/<file>`. */
export const bucketStorage = ({ prefix, ...access }: BucketAccess): PhotoStorage => {
  const client = new Bun.S3Client(access);
  const start = prefix === "" ? "" : `${prefix}/`;
  const keyOf = (photoId: string, file: string): string => `${start}${photoId}/${file}`;

  const read = (photoId: string, file: string): Promise<Uint8Array | null> =>
    within(ifThere(client.file(keyOf(photoId, file)).bytes()));

  const pages = async function* (options: { readonly prefix: string }) {
    for (let startAfter: string | undefined; ; ) {
      const page = await within(client.list({ ...options, ...(startAfter !== undefined && { startAfter }) }));
      const contents = page.contents ?? [];
      yield contents;
      startAfter = contents.at(-1)?.key;
      if (!page.isTruncated || startAfter === undefined) return;
    }
  };

  return {
    async put(photoId, files) {
      await Promise.all(
        [...files].map(([name, bytes]) =>
          within(client.write(keyOf(photoId, name), bytes, { type: TYPES[name.split(".")[1] ?? ""] ?? "" })),
        ),
      );
    },
    read,
    async open(photoId, file) {
      const bytes = await read(photoId, file);
      return bytes && { bytes: bytes.length, content: (from, to) => bytes.subarray(from, to) };
    },
    async remove(photoId) {
      for await (const contents of pages({ prefix: `${start}${photoId}/` }))
        for (const { key } of contents) await within(ifThere(client.delete(key)));
    },
    async *list() {
      let last = "";
      for await (const contents of pages({ prefix: start }))
        for (const { key, lastModified } of contents) {
          const [, photoId] = NAME.exec(key.slice(start.length)) ?? [];
          if (photoId === undefined || photoId === last) continue;
          last = photoId;
          yield { photoId, storedMs: lastModified === undefined ? Date.now() : Date.parse(String(lastModified)) };
        }
    },
    async check() {
      // No photo has such a name, so that the list is empty.
      await within(client.list({ prefix: `${start}-` }));
    },
  };
};
