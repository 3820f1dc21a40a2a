import { BrokenUpload } from "./broken-upload.ts";

/** The name of the part that contains the file. */
const PART_NAME = "file";
/** The maximum length of the preamble, and of the headers of a part. */
const HEAD_BYTES = 8 * 1024;
const LINE_END = "\r\n";
const HEAD_END = Buffer.from("\r\n\r\n");
const CLOSING = "--";
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const BOUNDARY_FORM = /^[\w'()+,./:=? -]*[\w'()+,./:=?-]$/;

/** The part of a form that contains the file. */
export interface FilePart {
  /** The last part of the file's path; `null` if the form has no name for it. */
  readonly fileName: string | null;
  /** The media type with its parameters, or an empty text. */
  readonly type: string;
  readonly encoding: string;
  /** The content. It must be read once, and to its end. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The boundary that a media type names. */
export const boundaryOf = (contentType: string): string => {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain ?? "";
  if (!BOUNDARY_FORM.test(boundary)) throw new BrokenUpload("The Content-Type multipart/form-data names no boundary");
  return boundary;
};

/** Searches a body for marks. It holds at most one chunk and the rest of the one before. */
class BodyScanner {
  // The first boundary has no line end before it, so one is added.
  private buffered: Buffer = Buffer.from(LINE_END);

  constructor(private readonly source: AsyncIterator<Uint8Array>) {}

  /** Reads up to a mark and consumes the mark. Throws `fault` if the text before the mark is too long. */
  async readUntil(mark: Buffer, fault: string): Promise<Buffer> {
    for (;;) {
      const at = this.buffered.indexOf(mark);
      if (at >= 0 && at <= HEAD_BYTES) return this.take(at, mark.length);
      if (this.buffered.length > HEAD_BYTES || !(await this.more())) throw new BrokenUpload(fault);
    }
  }

  /** The text up to a mark in chunks, without a limit of length. */
  async *piecesUntil(mark: Buffer, fault: string): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.buffered.indexOf(mark);
      if (at >= 0) {
        if (at > 0) yield this.take(at, mark.length);
        else this.take(0, mark.length);
        return;
      }
      const sure = this.buffered.length - mark.length;
      if (sure > 0) yield this.take(sure, 0);
      if (!(await this.more())) throw new BrokenUpload(fault);
    }
  }

  /** The next two characters. They are not consumed. */
  async peekTwo(fault: string): Promise<string> {
    while (this.buffered.length < 2) if (!(await this.more())) throw new BrokenUpload(fault);
    return this.buffered.toString("latin1", 0, 2);
  }

  private take(length: number, mark: number): Buffer {
    const taken = this.buffered.subarray(0, length);
    this.buffered = this.buffered.subarray(length + mark);
    return taken;
  }

  private async more(): Promise<boolean> {
    const next = await this.source.next();
    if (next.done) return false;
    this.buffered = Buffer.concat([this.buffered, next.value]);
    return true;
  }
}

const NOT_WHOLE = "The file did not arrive whole: the form has no end";
const NO_PART = `The form has no part "${PART_NAME}"`;

/** A parameter of a header, with or without quotes. */
export const parameterOf = (header: string, name: string): string | null => {
  for (const [, found = "", quoted, plain] of header.matchAll(/;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g))
    if (found.toLowerCase() === name) return quoted?.replaceAll(/\\(["\\])/g, "$1") ?? plain ?? "";
  return null;
};

const MAX_NAME_LENGTH = 255;
const EXTENDED = /^utf-8'[\w-]*'(.*)$/i;

/** The name in `filename*`, which is percent-encoded UTF-8. */
const extendedName = (header: string): string | null => {
  try {
    const [, escaped] = EXTENDED.exec(parameterOf(header, "filename*") ?? "") ?? [];
    return escaped === undefined ? null : decodeURIComponent(escaped);
  } catch {
    return null;
  }
};

const fileNameIn = (header: string): string | null => {
  const path = extendedName(header) ?? parameterOf(header, "filename") ?? "";
  const name = (path.split(/[/\\]/).at(-1) ?? "").replaceAll("\0", "").trim();
  return name === "" ? null : name.slice(0, MAX_NAME_LENGTH).toWellFormed();
};

/** The headers of a part, by lower-case names. */
export const headersIn = (head: Buffer): ReadonlyMap<string, string> =>
  new Map(
    head
      .toString("utf8")
      .split(LINE_END)
      .flatMap((line) => {
        const colon = line.indexOf(":");
        return colon > 0 ? [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const] : [];
      }),
  );

/**
 * The file of a form (RFC 7578). Its bytes are read while they arrive. The form must have no other part, as the service
 * would ignore it. Throws BrokenUpload for any other form; reading `bytes` may throw it, too.
 */
export const filePartOf = async (contentType: string, body: AsyncIterable<Uint8Array>): Promise<FilePart> => {
  const source = body[Symbol.asyncIterator]();
  try {
    const mark = Buffer.from(`${LINE_END}${CLOSING}${boundaryOf(contentType)}`);
    const window = new BodyScanner(source);
    await window.readUntil(mark, NO_PART);
    if ((await window.peekTwo(NO_PART)) === CLOSING) throw new BrokenUpload(NO_PART);
    const headers = headersIn(await window.readUntil(HEAD_END, "The form has a part whose headers do not end"));
    const disposition = headers.get("content-disposition") ?? "";
    const name = parameterOf(disposition, "name");
    if (name !== PART_NAME) throw new BrokenUpload(otherPart(name));
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield* window.piecesUntil(mark, NOT_WHOLE);
        if ((await window.peekTwo(NOT_WHOLE)) !== CLOSING) throw new BrokenUpload(otherPart(null));
      } finally {
        await source.return?.();
      }
    };
    return {
      fileName: fileNameIn(disposition),
      type: headers.get("content-type") ?? "",
      encoding: headers.get("content-encoding") ?? "",
      bytes: bytes(),
    };
  } catch (error) {
    await source.return?.();
    throw error;
  }
};

const MAX_SHOWN_NAME = 40;

const otherPart = (name: string | null): string =>
  `The form may have the part "${PART_NAME}" alone${
    name === null ? "" : `, and not "${name.slice(0, MAX_SHOWN_NAME).toWellFormed()}"`
  }; options are parameters of the address`;
