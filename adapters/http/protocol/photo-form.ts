import { PHOTO_FIELDS, type SentPhoto } from "../../../core/photos/photo-input.ts";
import { boundaryOf, headersIn, parameterOf } from "./multipart.ts";

const LINE_END = "\r\n";
const HEAD_END = "\r\n\r\n";
const CLOSING = "--";
const FILE = "file";
const MAX_PARTS = 20;
const MAX_SHOWN_NAME = 40;
const MAX_FIELD_BYTES = 4096;
/** To take longer headers apart would keep all other requests waiting. */
const MAX_HEAD_BYTES = 8 * 1024;

interface Part {
  readonly name: string;
  readonly content: Buffer;
}

/** The fault of a form, as a sentence about the field `file`, or about the field that it names. */
export class FormFault {
  constructor(
    readonly path: string,
    readonly message: string,
  ) {}
}

const NOT_WHOLE = new FormFault(FILE, "did not arrive whole: the form has no end");

/** The parts of a form, in their order. */
const partsIn = (form: Buffer, boundary: string): readonly Part[] | FormFault => {
  const mark = `${LINE_END}${CLOSING}${boundary}`;
  const parts: Part[] = [];
  const first = form.indexOf(mark.slice(LINE_END.length));
  if (first === -1) return NOT_WHOLE;
  for (let at = first + mark.length - LINE_END.length; ; ) {
    if (form.toString("latin1", at, at + CLOSING.length) === CLOSING) return parts;
    const headEnd = form.indexOf(HEAD_END, at);
    if (headEnd === -1) return NOT_WHOLE;
    if (headEnd - at > MAX_HEAD_BYTES)
      return new FormFault(FILE, "comes in a form that has a part with too long headers");
    const headers = headersIn(form.subarray(at, headEnd));
    const name = parameterOf(headers.get("content-disposition") ?? "", "name") ?? "";
    const start = headEnd + HEAD_END.length;
    // Of an empty part, the line end before the boundary is the one behind its headers.
    const end = form.indexOf(mark, start - LINE_END.length);
    if (end === -1) return NOT_WHOLE;
    parts.push({ name, content: form.subarray(start, Math.max(start, end)) });
    if (parts.length > MAX_PARTS) return new FormFault(FILE, `is one of more than ${MAX_PARTS} parts of the form`);
    at = end + mark.length;
  }
};

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The text of a field; `null` if it is none. */
const textOf = (content: Buffer): string | null => {
  try {
    return content.length > MAX_FIELD_BYTES ? null : utf8.decode(content);
  } catch {
    return null;
  }
};

/**
 * The photo in a form: its part `file`, and the other fields of its image. Each that is known may occur once. Throws BrokenUpload if
 * the media type names no boundary.
 */
export const photoInForm = (contentType: string, form: Buffer): SentPhoto | FormFault => {
  const parts = partsIn(form, boundaryOf(contentType));
  if (parts instanceof FormFault) return parts;
  const fields = new Map<string, string>();
  let bytes: Buffer | null = null;
  for (const { name, content } of parts) {
    const shown = name.slice(0, MAX_SHOWN_NAME).toWellFormed();
    if (name === FILE) {
      if (bytes !== null) return new FormFault(FILE, "is there twice: send each photo in a request of its own");
      bytes = content;
      continue;
    }
    // A field that is not known keeps its name alone, so that it is refused together with others that are invalid.
    const isKnown = PHOTO_FIELDS.includes(name);
    const text = isKnown ? textOf(content) : "";
    if (text === null || (isKnown && fields.has(name))) return new FormFault(name, "must be one text in UTF-8");
    fields.set(shown, text);
  }
  return bytes === null
    ? new FormFault(FILE, "is required: the part of the form with the photo")
    : { bytes, fields: Object.fromEntries(fields) };
};
