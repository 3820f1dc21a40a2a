import { accepts } from "./accept.ts";
import type { Headers } from "./headers.ts";

/** A file that is served unchanged. */
export interface StaticFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** A requested file with its name, and the other headers of the answer. */
interface StaticAnswer {
  readonly request: Request;
  readonly headers: Headers;
  readonly name: string;
  readonly file: StaticFile;
}

/** A name always stands for the same content, as file names contain the hash of the content. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * Serves files whose names contain the hash of their content. Each file is compressed once, for clients that accept
 * that.
 */
export const staticFiles = () => {
  const compressed = new Map<string, Uint8Array<ArrayBuffer>>();

  const gzip = (name: string, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
    const known = compressed.get(name);
    if (known !== undefined) return known;
    const made = Bun.gzipSync(bytes, { level: 9 });
    compressed.set(name, made);
    return made;
  };

  return ({ request, headers, name, file: { bytes, type } }: StaticAnswer): Response => {
    const compress = accepts(request.headers.get("accept-encoding"), ["gzip", "*"]);
    return new Response(compress ? gzip(name, bytes) : bytes, {
      headers: {
        ...headers,
        "cache-control": IMMUTABLE,
        "content-type": type,
        vary: "Accept-Encoding",
        ...(compress && { "content-encoding": "gzip" }),
      },
    });
  };
};
