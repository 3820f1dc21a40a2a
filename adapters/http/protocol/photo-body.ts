import type { SteadyClock } from "../../../core/clock.ts";
import { PHOTO_LIMITS, PHOTO_TYPES } from "../../../core/photos/inspection.ts";
import type { SentPhoto } from "../../../core/photos/photo-input.ts";
import type { ArrivingPhoto } from "../../../core/photos/photos.ts";
import { BrokenUpload } from "./broken-upload.ts";
import { incomingBody } from "./incoming-body.ts";
import { FormFault, photoInForm } from "./photo-form.ts";
import { invalidInput, Problem } from "./problem.ts";

const KIBIBYTE = 1024;
const FORM = "multipart/form-data";
/** What a form may have around the file. */
const FORM_BYTES = 64 * KIBIBYTE;
/** What a body of unknown length begins with. */
const FIRST_BYTES = 64 * KIBIBYTE;
const MAX_TYPE = 200;
const JSON_TYPE = "application/json";

/** How long a connection may be silent while its photo arrives, and while it waits for its turn. */
const SILENT_SECONDS = 30;
const TURN_SECONDS = 240;

/** The media types of requests that bring a photo. */
export const PHOTO_BODY_TYPES = [...PHOTO_TYPES, FORM];

const TOO_LARGE = new Problem(
  "body_too_large",
  `The photo is larger than ${PHOTO_LIMITS.bytes / KIBIBYTE / KIBIBYTE} MiB`,
);
const ENCODED = new Problem("unsupported_media_type", "A photo must be sent without a Content-Encoding");

const mediaTypeOf = (type: string): string => (type.slice(0, MAX_TYPE).split(";")[0] ?? "").trim().toLowerCase();

/** True if the body of a request is a photo, or a form with one, and not JSON. */
export const bringsPhoto = ({ headers }: Request): boolean => {
  const type = headers.get("content-type");
  return type !== null && mediaTypeOf(type) !== JSON_TYPE;
};

/** A body that arrives piece by piece. What is announced is held once, what is not grows with it. */
class ArrivedBytes {
  private bytes: Buffer;
  private length = 0;

  constructor(announced: number | null) {
    this.bytes = Buffer.allocUnsafeSlow(announced ?? FIRST_BYTES);
  }

  add(piece: Uint8Array): void {
    if (this.length + piece.length > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.length + piece.length, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    this.bytes.set(piece, this.length);
    this.length += piece.length;
  }

  all(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}

/** The bytes of a body, or the reason why there are none. */
const bytesOf = async (
  request: Request,
  { most, announced }: { readonly most: number; readonly announced: number | null },
  clock: SteadyClock,
): Promise<Buffer | Problem> => {
  const arrived = new ArrivedBytes(announced);
  let length = 0;
  try {
    for await (const piece of incomingBody(request, clock)) {
      length += piece.length;
      if (length > most) return TOO_LARGE;
      arrived.add(piece);
    }
    return arrived.all();
  } catch (error) {
    if (!(error instanceof BrokenUpload)) throw error;
    return error.code === "upload_too_slow"
      ? new Problem(error.code, "The photo arrived too slowly")
      : invalidInput([{ path: "file", message: "did not arrive whole" }]);
  }
};

const sentIn = (type: string, body: Buffer): SentPhoto | Problem => {
  if (mediaTypeOf(type) !== FORM) return { bytes: body, fields: {} };
  try {
    const sent = photoInForm(type.slice(0, MAX_TYPE), body);
    return sent instanceof FormFault ? invalidInput([{ path: sent.path, message: sent.message }]) : sent;
  } catch (error) {
    if (error instanceof BrokenUpload)
      return invalidInput([{ path: "file", message: "is in a form without a boundary" }]);
    throw error;
  }
};

/** Told of what happens to a body. */
interface ArrivingListener {
  /** The body cannot be a photo. */
  readonly refuse: (problem: Problem) => void;
  /** The connection may be silent for so long from now on. */
  readonly waitFor: (seconds: number) => void;
  /** The whole body has arrived, and has this photo. */
  readonly note: (sent: SentPhoto) => void;
}

/** The photo that a request brings. `refuse` is called instead if its body cannot be one. */
export const arrivingPhoto = (
  request: Request,
  clock: SteadyClock,
  { refuse, waitFor, note }: ArrivingListener,
): ArrivingPhoto => {
  // Until its turn comes, nothing of the photo is read.
  waitFor(TURN_SECONDS);
  const type = request.headers.get("content-type") ?? "";
  const most = PHOTO_LIMITS.bytes + (mediaTypeOf(type) === FORM ? FORM_BYTES : 0);
  const announced = request.headers.get("content-length");
  const bytes = announced === null ? null : Number(announced);
  const read = async (): Promise<SentPhoto | Problem> => {
    const encoding = request.headers.get("content-encoding");
    if (encoding !== null && encoding.toLowerCase() !== "identity") return ENCODED;
    if (bytes !== null && bytes > most) return TOO_LARGE;
    const body = await bytesOf(request, { most, announced: bytes }, clock);
    if (body instanceof Problem) return body;
    const sent = sentIn(type, body);
    if (!(sent instanceof Problem)) note(sent);
    return !(sent instanceof Problem) && sent.bytes.length > PHOTO_LIMITS.bytes ? TOO_LARGE : sent;
  };
  return {
    bytes,
    async open() {
      waitFor(SILENT_SECONDS);
      const sent = await read();
      waitFor(TURN_SECONDS);
      if (!(sent instanceof Problem)) return sent;
      refuse(sent);
      return null;
    },
  };
};
