import type { SteadyClock } from "../../../core/clock.ts";
import { FILE_LIMITS } from "../../../core/imports/file/file.ts";
import { MIN_SPEED, Pace } from "../../../core/pace.ts";
import { discard } from "./body.ts";
import { BrokenUpload } from "./broken-upload.ts";

const KIBIBYTE = 1024;
const MEBIBYTE = KIBIBYTE * KIBIBYTE;
const MINUTE_MS = 60_000;
/**
 * The time for an upload. It is shorter than the time after which the record of a file that never arrived is deleted.
 */
const MAX_MINUTES = 15;
/** A compressed file is rarely larger than its content. The file may be inside a form. */
const MAX_BYTES = FILE_LIMITS.unpackedBytes + FILE_LIMITS.rowBytes;

const tooLarge = () =>
  new BrokenUpload(`The file is larger than ${FILE_LIMITS.unpackedBytes / MEBIBYTE} MiB as it is sent`, {
    code: "import_file_too_large",
  });
const tooSlow = () =>
  new BrokenUpload(
    `The file arrived at less than ${MIN_SPEED / KIBIBYTE} KiB a second; packed by gzip it arrives sooner`,
    { code: "upload_too_slow" },
  );
const tooLong = () =>
  new BrokenUpload(`The file did not arrive within ${MAX_MINUTES} minutes; packed by gzip it arrives sooner`, {
    code: "upload_too_slow",
  });

/**
 * The bytes of a file that a request sends, while they arrive. Throws BrokenUpload if the connection breaks, or if the
 * file is too large, too slow, or takes longer than 15 minutes. If the consumer stops early, the rest of the body is
 * read and discarded.
 */
export async function* incomingBody(request: Request, clock: SteadyClock): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (reader === undefined) return;
  const pace = new Pace(clock);
  const endsAt = clock.steadyMs() + MAX_MINUTES * MINUTE_MS;
  let bytes = 0;
  let isOver = false;
  try {
    while (!isOver) {
      // If a connection is silent for longer, the server closes it.
      pace.wait();
      const { done, value } = await reader.read().catch((cause) => {
        isOver = true;
        throw new BrokenUpload("The file did not arrive whole", { cause });
      });
      if (done) {
        isOver = true;
        continue;
      }
      pace.moved(value.length);
      bytes += value.length;
      if (bytes > MAX_BYTES) throw tooLarge();
      if (pace.isTooSlow()) throw tooSlow();
      if (clock.steadyMs() >= endsAt) throw tooLong();
      yield value;
    }
  } finally {
    if (!isOver) await discard(reader);
  }
}
