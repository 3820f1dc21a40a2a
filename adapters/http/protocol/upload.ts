import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { FileFormat } from "../../../core/imports/file/file.ts";
import { isGzip } from "../../../core/imports/file/signature.ts";
import type { Upload } from "../../../core/imports/imports.ts";
import { discard } from "./body.ts";
import { Problem } from "./problem.ts";

/** The formats of files, by media type. */
const FORMATS: Readonly<Record<string, FileFormat>> = {
  "text/csv": "csv",
  "text/tab-separated-values": "tsv",
  "application/x-ndjson": "ndjson",
  "application/json": "json",
  "application/xml": "xml",
  "text/xml": "xml",
};

/** The media types of files that are read. */
export const FILE_TYPES = Object.keys(FORMATS);

const SPREADSHEET = /spreadsheetml|ms-excel|opendocument\.spreadsheet/;
const PACKED: ReadonlySet<string> = new Set(["gzip", "x-gzip"]);
const ENCODINGS: ReadonlySet<string> = new Set(["", "identity", ...PACKED]);
/** So many bytes tell what is packed. */
const SIGNATURE_BYTES = 3;
/** Longer than any media type with its parameters. */
const MAX_TYPE = 200;

/** The file did not arrive whole, or its packing is broken: it says which. */
export class BrokenUpload extends Error {
  override readonly name = "BrokenUpload";
}

const WRONG_TYPE = new Problem(
  "unsupported_media_type",
  `The file's Content-Type must be one of ${FILE_TYPES.join(", ")}`,
);
const SAVE_AS_CSV = new Problem(
  "unsupported_media_type",
  "A spreadsheet's own format is not read; open the file in the spreadsheet and save it as CSV",
);
const WRONG_ENCODING = new Problem(
  "unsupported_media_type",
  "The file must be sent without a Content-Encoding, or with gzip",
);

/** The bytes of a body as they arrive. Of a body that is not wanted to its end, the rest is read and dropped. */
async function* bodyOf(request: Request, heard: (bytes: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (reader === undefined) return;
  let isOver = false;
  try {
    while (!isOver) {
      const { done, value } = await reader.read().catch((cause) => {
        isOver = true;
        throw new BrokenUpload("The file did not arrive whole", { cause });
      });
      if (done) isOver = true;
      else {
        heard(value);
        yield value;
      }
    }
  } finally {
    if (!isOver) await discard(reader);
  }
}

/** The same bytes, unpacked. */
async function* unpacked(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(packed, { objectMode: false });
  const gunzip = createGunzip();
  let sourceError: unknown = null;
  source.on("error", (error) => {
    sourceError = error;
    gunzip.destroy(error);
  });
  source.pipe(gunzip);
  try {
    for await (const bytes of gunzip) yield bytes as Uint8Array;
  } catch (cause) {
    if (sourceError !== null) throw sourceError;
    throw new BrokenUpload("The file cannot be unpacked: it is not whole gzip", { cause });
  } finally {
    gunzip.destroy();
    source.destroy();
  }
}

/** Unpacks a file that is packed, as its first bytes tell. One that was announced as packed must be. */
async function* plain(pieces: AsyncIterable<Uint8Array>, isAnnounced: boolean): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  let first: Uint8Array = new Uint8Array();
  while (first.length < SIGNATURE_BYTES) {
    const next = await iterator.next();
    if (next.done) break;
    first = first.length === 0 ? next.value : Buffer.concat([first, next.value]);
  }
  const isPacked = isGzip(first);
  if (isAnnounced && !isPacked) {
    await iterator.return?.();
    throw new BrokenUpload("The file cannot be unpacked: it is not gzip, as its Content-Encoding says");
  }
  const all = (async function* (): AsyncGenerator<Uint8Array> {
    try {
      if (first.length > 0) yield first;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
  yield* isPacked ? unpacked(all) : all;
}

/** The file that a request sends, or why it is not read. */
export const uploadOf = (request: Request): Upload | Problem => {
  const sent = (request.headers.get("content-type") ?? "").slice(0, MAX_TYPE).toLowerCase();
  const type = (sent.split(";")[0] ?? "").trim();
  const format = FORMATS[type];
  if (format === undefined) return SPREADSHEET.test(type) ? SAVE_AS_CSV : WRONG_TYPE;
  const encoding = (request.headers.get("content-encoding") ?? "").trim().toLowerCase();
  if (!ENCODINGS.has(encoding)) return WRONG_ENCODING;
  const hash = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  const heard = (some: Uint8Array): void => {
    bytes += some.length;
    hash.update(some);
  };
  return {
    name: null,
    format,
    pieces: plain(bodyOf(request, heard), PACKED.has(encoding)),
    sent: () => ({ bytes, sha256: hash.digest("hex") }),
  };
};
