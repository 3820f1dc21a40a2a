import { StorageAway } from "../../core/photos/photo-storage.ts";

/** How long the storage may take for one file. */
const STORAGE_MS = 5000;

/** The result of work on the storage. Throws StorageAway if it takes too long. */
export const inTime = async <Result>(work: Promise<Result>, ms = STORAGE_MS): Promise<Result> => {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StorageAway(`the storage of photos did not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
