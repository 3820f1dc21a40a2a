import { accepts } from "./accept.ts";
import { matchesTag } from "./etag.ts";
import type { Headers } from "./headers.ts";
import { withBytes } from "./response-facts.ts";

/** One form of a text, plain or compressed. Each form has its own tag (RFC 9110, 8.8.3.3). */
interface Representation {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly tag: string;
  readonly headers: Headers;
}

const representationsOf = (text: string): { readonly plain: Representation; readonly gzip: Representation } => {
  const bytes = new TextEncoder().encode(text);
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 16);
  return {
    plain: { bytes, tag: `"${hash}"`, headers: {} },
    gzip: {
      bytes: Bun.gzipSync(bytes, { level: 9 }),
      tag: `"${hash}-gzip"`,
      headers: { "content-encoding": "gzip" },
    },
  };
};

/**
 * Answers with a JSON text that is the same for everybody while the program runs. The text is made at the first
 * request, and compressed once for clients that accept that. A client that already has it gets a 304.
 */
export const staticJson = (make: () => string): ((request: Request, headers: Headers) => Response) => {
  let forms: ReturnType<typeof representationsOf> | null = null;
  return (request, headers) => {
    forms ??= representationsOf(make());
    const isCompressed = accepts(request.headers.get("accept-encoding"), ["gzip", "*"]);
    const { bytes, tag, headers: ofForm } = isCompressed ? forms.gzip : forms.plain;
    const vary = headers.vary === undefined ? "Accept-Encoding" : `${headers.vary}, Accept-Encoding`;
    const answerHeaders = { ...headers, vary, etag: tag };
    return matchesTag(request.headers.get("if-none-match") ?? "", tag)
      ? new Response(null, { status: 304, headers: answerHeaders })
      : withBytes(
          new Response(bytes, { headers: { ...answerHeaders, ...ofForm, "content-type": "application/json" } }),
          bytes.length,
        );
  };
};
