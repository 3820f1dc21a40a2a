import type { Headers } from "../protocol/headers.ts";
import { type StaticFile, staticFiles } from "../protocol/static-files.ts";

/** Returns a file of the portal by its name; `null` if there is none. `index.html` is the page itself. */
export type PortalFiles = (name: string) => Promise<StaticFile | null>;

const PAGE = "index.html";
/** The placeholder in the page. Each answer replaces it with a new nonce. */
const PLACE_OF_NONCE = "NONCE";
const NONCE_BYTES = 16;

/**
 * Allows nothing from other origins except pictures of vehicles and logos, no inline scripts, and only styles with this
 * nonce.
 */
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

/** Serves the portal's page and its files. */
export const portalPages = (files: PortalFiles) => {
  const respond = staticFiles();
  let page: Promise<string> | null = null;

  const readPage = async (): Promise<string> => {
    const file = await files(PAGE);
    if (file === null) throw new Error("the portal has no page");
    return new TextDecoder().decode(file.bytes);
  };

  return {
    /** The only page of the portal, which is the same for all paths. The browser decides what to show. */
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

    /** A script or a style sheet by its name; `null` if there is none. */
    async asset(request: Request, name: string, headers: Headers): Promise<Response | null> {
      const file = name === PAGE ? null : await files(name);
      return file === null ? null : respond({ request, headers, name, file });
    },
  };
};
