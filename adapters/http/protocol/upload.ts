import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { SteadyClock } from "../../../core/clock.ts";
import type { SentFormat } from "../../../core/imports/arriving-table.ts";
import { charsetNamed } from "../../../core/imports/file/charset-decoder.ts";
import { CHARSETS, type Charset } from "../../../core/imports/file/file.ts";
import { isGzip } from "../../../core/imports/file/signature.ts";
import type { Upload } from "../../../core/imports/reception.ts";
import { BrokenUpload } from "./broken-upload.ts";
import { incomingBody } from "./incoming-body.ts";
import { filePartOf } from "./multipart.ts";
import { Problem } from "./problem.ts";

/** The format of a file, by its media type. */
const FORMATS: ReadonlyMap<string, SentFormat> = new Map([
  ["text/csv", "csv"],
  ["text/tab-separated-values", "tsv"],
  ["application/x-ndjson", "ndjson"],
  ["application/json", "json"],
  ["application/xml", "xml"],
  ["text/xml", "xml"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
  ["application/vnd.ms-excel.sheet.macroenabled.12", "xlsx"],
]);

/** The media type of each format. */
export const FORMAT_TYPES: ReadonlyMap<SentFormat, string> = new Map(
  [...FORMATS].reverse().map(([type, format]) => [format, type]),
);

/** The format of a file, by its extension. It is for files in a form. */
const EXTENSIONS: ReadonlyMap<string, SentFormat> = new Map([
  ["csv", "csv"],
  ["txt", "csv"],
  ["tsv", "tsv"],
  ["tab", "tsv"],
  ["ndjson", "ndjson"],
  ["jsonl", "ndjson"],
  ["json", "json"],
  ["xml", "xml"],
  ["xlsx", "xlsx"],
  ["xlsm", "xlsx"],
]);
const EXTENSION = /\.([a-z]{1,10})(?:\.gz)?$/i;
const OTHER_WORKBOOKS: ReadonlySet<string> = new Set(["xls", "xlsb", "ods"]);
const FORM = "multipart/form-data";

/** The media types of files that are read, and of a form that contains a file. */
export const FILE_TYPES = [...FORMATS.keys(), FORM];

const SPREADSHEET = /spreadsheetml|ms-excel|opendocument\.spreadsheet/;
const GZIP_ENCODINGS: ReadonlySet<string> = new Set(["gzip", "x-gzip"]);
const ENCODINGS: ReadonlySet<string> = new Set(["", "identity", ...GZIP_ENCODINGS]);
/** The number of bytes by which gzip is recognised. */
const SIGNATURE_BYTES = 3;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i;
/** The maximum length of a media type that is parsed. No media type with its parameters is longer. */
const MAX_TYPE = 200;

const WRONG_TYPE = new Problem(
  "unsupported_media_type",
  `The file's Content-Type must be one of ${FILE_TYPES.join(", ")}`,
);
const SAVE_ANEW = new Problem(
  "unsupported_media_type",
  "Of the formats of spreadsheets, only .xlsx is read; open the file in the spreadsheet and save it as .xlsx or CSV",
);
const WRONG_ENCODING = new Problem(
  "unsupported_media_type",
  "The file must be sent without a Content-Encoding, or with gzip",
);

const WRONG_CHARSET = new Problem(
  "unsupported_media_type",
  `The charset of the file's Content-Type must be one of ${CHARSETS.join(", ")}; without one it is found out`,
);
const PACKED_FORM = new Problem(
  "unsupported_media_type",
  "A form must be sent without a Content-Encoding; the file in it may be packed by gzip",
);

/** Decompresses gzip. */
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

/** Decompresses a file if its first bytes are those of gzip. If the file was declared as gzip, it must be gzip. */
async function* unpackedIfGzip(pieces: AsyncIterable<Uint8Array>, isAnnounced: boolean): AsyncGenerator<Uint8Array> {
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

/** A file in the form in which it was sent. */
interface SentFile {
  /** True if the file has its own name, like the part of a form; false if it is a request's body. */
  readonly isPart: boolean;
  readonly name: string | null;
  /** The media type with its parameters. */
  readonly type: string;
  readonly encoding: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

const mediaTypeOf = (type: string): string => (type.slice(0, MAX_TYPE).split(";")[0] ?? "").trim().toLowerCase();

/** The format of a file by its media type, or else by its name, as browsers know few media types. */
const formatOf = ({ isPart, name, type }: SentFile): SentFormat | Problem => {
  const mediaType = mediaTypeOf(type);
  const known = FORMATS.get(mediaType);
  if (known !== undefined) return known;
  const extension = name === null ? "" : (EXTENSION.exec(name)?.[1]?.toLowerCase() ?? "");
  const named = EXTENSIONS.get(extension);
  if (named !== undefined) return named;
  if (SPREADSHEET.test(mediaType) || OTHER_WORKBOOKS.has(extension)) return SAVE_ANEW;
  return isPart && (mediaType === "" || mediaType === "text/plain") ? "csv" : WRONG_TYPE;
};

/** The charset in a media type; `null` if there is none. */
const charsetOf = (type: string): Charset | null | Problem => {
  const [, name] = CHARSET.exec(type.slice(0, MAX_TYPE)) ?? [];
  return name === undefined ? null : (charsetNamed(name) ?? WRONG_CHARSET);
};

/** The upload of a file, or the reason why the file is refused. */
export const toUpload = (sent: SentFile): Upload | Problem => {
  const { name, type, bytes } = sent;
  const encoding = sent.encoding.trim().toLowerCase();
  const [format, charset] = [formatOf(sent), charsetOf(type)];
  if (format instanceof Problem) return format;
  if (charset instanceof Problem) return charset;
  if (!ENCODINGS.has(encoding)) return WRONG_ENCODING;
  const hash = new Bun.CryptoHasher("sha256");
  let length = 0;
  // The hash can be taken only once.
  let sha256: string | null = null;
  const measured = (async function* (): AsyncGenerator<Uint8Array> {
    for await (const some of bytes) {
      length += some.length;
      hash.update(some);
      yield some;
    }
  })();
  return {
    name,
    format,
    charset,
    pieces: unpackedIfGzip(measured, GZIP_ENCODINGS.has(encoding) || (name?.toLowerCase().endsWith(".gz") ?? false)),
    sent() {
      sha256 ??= hash.digest("hex");
      return { bytes: length, sha256 };
    },
  };
};

/** The upload of a file that was fetched from another server, or the reason why it is refused. */
export const fetchedUpload = (file: Omit<SentFile, "isPart">): Upload | Problem => toUpload({ ...file, isPart: true });

/**
 * Opens the file of a request, or says why it is refused. The file is the body, or the part `file` of a form, whose start
 * is read when it is opened, and not before. If it is malformed, BrokenUpload is thrown; reading `pieces` may throw it,
 * too.
 */
export const requestUpload = (request: Request, clock: SteadyClock): Problem | (() => Promise<Upload | Problem>) => {
  const type = request.headers.get("content-type") ?? "";
  const encoding = request.headers.get("content-encoding") ?? "";
  const body = incomingBody(request, clock);
  if (mediaTypeOf(type) !== FORM) {
    const upload = toUpload({ isPart: false, name: null, type, encoding, bytes: body });
    return upload instanceof Problem ? upload : async () => upload;
  }
  if (encoding !== "") return PACKED_FORM;
  return async () => {
    const part = await filePartOf(type.slice(0, MAX_TYPE), body);
    return toUpload({ ...part, isPart: true, name: part.fileName });
  };
};
