import { BrokenUpload } from "../adapters/http/protocol/broken-upload.ts";
import { Problem } from "../adapters/http/protocol/problem.ts";
import { fetchedUpload } from "../adapters/http/protocol/upload.ts";
import { EgressFailure } from "../core/egress/egress.ts";
import type { Upload } from "../core/imports/reception.ts";
import type { FetchedFile } from "../core/sources/run.ts";

/**
 * Turns a fetched file into an upload, or returns a text that says why it cannot be read. Reading the upload may throw
 * EgressFailure.
 */
export const uploadOfFile = (file: FetchedFile): Upload | string => {
  const upload = fetchedUpload(file);
  if (upload instanceof Problem) return upload.sentence;
  const pieces = (async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* upload.pieces;
    } catch (error) {
      if (error instanceof BrokenUpload) throw new EgressFailure("answer_wrong", error.message, { cause: error });
      throw error;
    }
  })();
  return { ...upload, pieces };
};
