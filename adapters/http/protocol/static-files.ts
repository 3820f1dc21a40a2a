import { accepts } from "./accept.ts";
import type { Headers } from "./headers.ts";

/** A file that is served as it is. */
export interface StaticFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** A file that a request asks for, by its name, and the headers that its answer has besides. */
interface StaticAnswer {
  readonly request: Request;
  readonly headers: Headers;
  readonly name: string;
  readonly file: StaticFile;
}

/** Files are named by their content: a name never comes to mean another file. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** Answers with files whose names have the hash of their content, compressed once for those who take that. */
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
