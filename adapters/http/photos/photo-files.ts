import { ownAddressIn } from "../../../core/images/own-address.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { fileOf, type PhotoFormat } from "../../../core/photos/photo.ts";
import type { PhotoDelivery } from "../../../core/photos/photo-delivery.ts";
import { StorageAway, type StoredFile } from "../../../core/photos/photo-storage.ts";
import { accepts } from "../protocol/accept.ts";
import { byteRange } from "../protocol/byte-range.ts";
import { matchesTag } from "../protocol/etag.ts";
import type { Headers } from "../protocol/headers.ts";
import { pathOf } from "../protocol/request-path.ts";
import { withBytes } from "../protocol/response-facts.ts";
import type { OpenAnswer } from "../server/open-answers.ts";
import type { OpenPage } from "../server/open-pages.ts";

/** The paths of delivered photos: `/images/<account_hash>/<image_id>/<variant>`. */
const PHOTO_PATH = "/images/*";
const START = "/images/";

const TYPES = { jpg: "image/jpeg", webp: "image/webp" } as const satisfies Record<PhotoFormat, string>;

/** The headers of every answer: a page of any origin may show the photo, and nothing in it is ever run. */
const COMMON = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
} as const;
const FOR_A_YEAR = "public, max-age=31536000, immutable";

const textAnswer = (status: number, text: string, headers: Headers): Response =>
  new Response(text, { status, headers: { ...headers, "content-type": "text/plain; charset=utf-8" } });

const notFound = (headers: Headers): Response =>
  textAnswer(404, "Not found\n", { ...headers, "cache-control": "public, max-age=60" });

const away = (headers: Headers): Response =>
  textAnswer(503, "The storage of photos is out of reach; try again soon\n", {
    ...headers,
    "cache-control": "no-store",
    "retry-after": "5",
  });

const withoutTag = ({ etag: _tag, vary: _vary, ...headers }: Headers): Headers => headers;

/** Some bytes of a file. Their number is noted, as looking for it in the answer would make the runtime read the file. */
const part = (file: StoredFile, { from, to }: { readonly from: number; readonly to: number }, init: ResponseInit) =>
  withBytes(new Response(file.content(from, to) as Blob | Uint8Array<ArrayBuffer>, init), to - from);

/** Which `Accept` headers name WebP. Clients have few of them. */
const webpIn = new Map<string | null, boolean>();
const MAX_ACCEPTS = 200;
const MAX_ACCEPT = 500;
const takesWebp = (accept: string | null): boolean => {
  const known = webpIn.get(accept);
  if (known !== undefined) return known;
  const takes = accepts(accept, ["image/webp"]);
  if (webpIn.size < MAX_ACCEPTS && (accept ?? "").length < MAX_ACCEPT) webpIn.set(accept, takes);
  return takes;
};

/** An answer, or the 503 for a storage that is out of reach. */
const unlessAway = (answer: () => MaybePromise<Response>, headers: Headers): MaybePromise<Response> => {
  const failed = (error: unknown): Response => {
    if (error instanceof StorageAway) return away(withoutTag(headers));
    throw error;
  };
  try {
    const made = answer();
    return made instanceof Promise ? made.catch(failed) : made;
  } catch (error) {
    return failed(error);
  }
};

/** The answer with a file, or with the part of it that is asked for. */
const fileAnswer = (
  request: Request,
  headers: Headers,
  { file, format, isPublic, tag }: { file: StoredFile; format: PhotoFormat; isPublic: boolean; tag: string },
): Response => {
  headers["content-type"] = TYPES[format];
  const whole = { from: 0, to: file.bytes };
  if (!isPublic) return part(file, whole, { headers });
  headers["accept-ranges"] = "bytes";
  const range = byteRange(request.headers, { tag, bytes: file.bytes });
  if (range === null) return part(file, whole, { headers });
  if (range === "none")
    return textAnswer(416, "The photo has no such bytes\n", {
      ...headers,
      "content-range": `bytes */${file.bytes}`,
    });
  headers["content-range"] = `bytes ${range.from}-${range.to - 1}/${file.bytes}`;
  return part(file, range, { status: 206, headers });
};

/**
 * Sends photos to whoever knows their addresses; see interface 2.3. What is known without the database and the disk is
 * answered in the same turn.
 */
const photoFiles =
  (delivery: PhotoDelivery): OpenAnswer =>
  ({ request }, headers) => {
    // They are of this answer alone. Copying them would take as long as looking for the file.
    Object.assign(headers, COMMON);
    const path = pathOf(request.url).slice(START.length);
    const address = ownAddressIn(`photo:${path}`);
    if (address === null) return notFound(headers);
    return andThen(delivery.isShown(address), (isShown) => {
      if (!isShown) return notFound(headers);
      const variant = path.slice(path.lastIndexOf("/") + 1);
      const format: PhotoFormat = takesWebp(request.headers.get("accept")) ? "webp" : "jpg";
      const tag = `"${address.photoId}-${variant}-${format}"`;
      headers["cache-control"] = FOR_A_YEAR;
      headers.vary = "Accept";
      headers.etag = tag;
      const known = request.headers.get("if-none-match");
      if (known !== null && matchesTag(known, tag)) return new Response(null, { status: 304, headers });
      const open = (): MaybePromise<Response> =>
        andThen(delivery.open(address.photoId, fileOf(variant, format)), (file) =>
          file === null
            ? notFound(withoutTag(headers))
            : fileAnswer(request, headers, { file, format, isPublic: variant === "public", tag }),
        );
      return unlessAway(open, headers);
    });
  };

/** The page that delivers photos. CDNs and websites ask as often as they like. */
export const photoPage = (delivery: PhotoDelivery): OpenPage => ({
  path: PHOTO_PATH,
  answer: photoFiles(delivery),
  limit: null,
});
