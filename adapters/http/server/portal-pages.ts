import type { Headers } from "../protocol/headers.ts";
import { type StaticFile, staticFiles } from "../protocol/static-files.ts";

/** Returns a file of the portal by its name; `null` if there is none. */
export type PortalFiles = (name: string) => Promise<StaticFile | null>;

/** The page of everything but walks, and that of walks, which a device keeps. */
const PAGES = ["index.html", "walk.html"] as const;
type Page = (typeof PAGES)[number];
/** The script that answers for the service on a device without a network. */
const WORKER = "walk-worker.js";
/** Files without a hash in their names, which have addresses of their own. */
const CHANGING: readonly string[] = [...PAGES, WORKER];
/** It runs no other script, and reads only what this service has. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";
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
  const read = new Map<Page, Promise<string>>();

  const readFile = async (name: string): Promise<StaticFile> => {
    const file = await files(name);
    if (file === null) throw new Error(`the portal has no ${name}`);
    return file;
  };
  const readPage = async (name: Page): Promise<string> => new TextDecoder().decode((await readFile(name)).bytes);

  return {
    /** A page of the portal, which is the same for all its paths. The browser decides what to show. */
    async page(name: Page, headers: Headers): Promise<Response> {
      const text = read.get(name) ?? readPage(name);
      read.set(name, text);
      const html = await text;
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

    /** The script that shows the page of a walk without a network. Browsers ask for it anew. */
    async worker(headers: Headers): Promise<Response> {
      const { bytes } = await readFile(WORKER);
      return new Response(bytes, {
        headers: {
          ...headers,
          ...GUARDED,
          "content-type": "text/javascript; charset=utf-8",
          "content-security-policy": WORKER_POLICY,
        },
      });
    },

    /** A script or a style sheet by its name; `null` if there is none. */
    async asset(request: Request, name: string, headers: Headers): Promise<Response | null> {
      const file = CHANGING.includes(name) ? null : await files(name);
      return file === null ? null : respond({ request, headers, name, file });
    },
  };
};
