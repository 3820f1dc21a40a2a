import type { Headers } from "../response-headers.ts";

/** A file of the portal. */
export interface PortalFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** A file of the portal by its name (`index.html` is the page itself); `null` when there is none. */
export type PortalFiles = (name: string) => Promise<PortalFile | null>;

const PAGE = "index.html";
/** What stands in the page where every answer has another nonce. */
const PLACE_OF_NONCE = "NONCE";
const NONCE_BYTES = 16;

/** Files are named by their content: a name never comes to mean another file. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** Nothing from elsewhere but pictures of vehicles and logos; no scripts in the page; styles only by this nonce. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https: http:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const GUARDED: Headers = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

const makeNonce = (): string => crypto.getRandomValues(new Uint8Array(NONCE_BYTES)).toBase64();

const REFUSED_WEIGHT = /^q=0(?:\.0*)?$/;

/** True when a client takes gzip: named, or meant by `*`, and not with a weight of 0 (RFC 9110, 12.5.3). */
const acceptsGzip = (request: Request): boolean =>
  (request.headers.get("accept-encoding") ?? "").split(",").some((choice) => {
    const [coding = "", weight = ""] = choice.toLowerCase().split(";", 2);
    return ["gzip", "*"].includes(coding.trim()) && !REFUSED_WEIGHT.test(weight.trim());
  });

/** Answers with the portal's page and its files. */
export const portalPages = (files: PortalFiles) => {
  const compressed = new Map<string, Uint8Array<ArrayBuffer>>();
  let page: Promise<string> | null = null;

  const gzip = (name: string, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
    const known = compressed.get(name);
    if (known !== undefined) return known;
    const made = Bun.gzipSync(bytes, { level: 9 });
    compressed.set(name, made);
    return made;
  };

  const readPage = async (): Promise<string> => {
    const file = await files(PAGE);
    if (file === null) throw new Error("the portal has no page");
    return new TextDecoder().decode(file.bytes);
  };

  return {
    /** The single page, whatever the path: what to show there is decided in the browser. */
    async page(headers: Headers): Promise<Response> {
      page ??= readPage();
      const html = await page;
      const nonce = makeNonce();
      return new Response(html.replace(PLACE_OF_NONCE, nonce), {
        headers: {
          ...headers,
          ...GUARDED,
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": policyOf(nonce),
        },
      });
    },

    /** A script or style by its name; `null` when there is none. */
    async asset(request: Request, name: string, headers: Headers): Promise<Response | null> {
      const file = name === PAGE ? null : await files(name);
      if (file === null) return null;
      const compress = acceptsGzip(request);
      return new Response(compress ? gzip(name, file.bytes) : file.bytes, {
        headers: {
          ...headers,
          "cache-control": IMMUTABLE,
          "content-type": file.type,
          vary: "Accept-Encoding",
          ...(compress && { "content-encoding": "gzip" }),
        },
      });
    },
  };
};
