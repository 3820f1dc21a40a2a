import styles from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundle from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { matchesTag } from "../protocol/etag.ts";
import type { Headers } from "../protocol/headers.ts";
import { type StaticFile, staticFiles } from "../protocol/static-files.ts";
import ownStyles from "./page/reference.css" with { type: "text" };
import start from "./page/start.js" with { type: "text" };

const ASSETS = "/docs/assets/";

/**
 * The page loads nothing from outside the service, contacts nothing outside it, and has no inline scripts. The
 * reference sets its own styles.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SCRIPT = "text/javascript; charset=utf-8";
const STYLES = "text/css; charset=utf-8";

const encoded = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const hashOf = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 16);

const pageOf = (scripts: readonly string[], sheets: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Vehicle Inventory Service: API reference</title>
${sheets.map((name) => `  <link rel="stylesheet" href="${ASSETS}${name}">`).join("\n")}
  <link rel="icon" href="data:,">
</head>
<body>
  <button class="theme" type="button">Light or dark</button>
  <details class="menu">
    <summary>Contents</summary>
    <nav aria-label="Contents"></nav>
  </details>
  <main id="reference"></main>
${scripts.map((name) => `  <script defer src="${ASSETS}${name}"></script>`).join("\n")}
</body>
</html>
`;

interface Site {
  readonly page: string;
  readonly tag: string;
  /** The assets by their names. Each name contains the hash of the content. */
  readonly assets: ReadonlyMap<string, StaticFile>;
}

const readSite = async (): Promise<Site> => {
  const assets = new Map<string, StaticFile>();
  const add = ({
    stem,
    ending,
    bytes,
    type,
  }: {
    readonly stem: string;
    readonly ending: string;
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly type: string;
  }): string => {
    const name = `${stem}-${hashOf(bytes)}.${ending}`;
    assets.set(name, { bytes, type });
    return name;
  };
  const [bundled, styled] = await Promise.all([Bun.file(bundle).bytes(), Bun.file(styles).bytes()]);
  const scripts = [
    add({ stem: "swagger-ui", ending: "js", bytes: bundled, type: SCRIPT }),
    add({ stem: "start", ending: "js", bytes: encoded(start), type: SCRIPT }),
  ];
  const sheets = [
    add({ stem: "swagger-ui", ending: "css", bytes: styled, type: STYLES }),
    add({ stem: "reference", ending: "css", bytes: encoded(ownStyles), type: STYLES }),
  ];
  const page = pageOf(scripts, sheets);
  return { page, tag: `"${hashOf(encoded(page))}"`, assets };
};

type Answer = (headers: Headers, request: Request) => Promise<Response>;

/**
 * The reference page and its assets. All of them are part of this program, so that the page works without the internet.
 */
export const docsAssets = (notFound: (headers: Headers) => Response): Readonly<Record<string, Answer>> => {
  const respond = staticFiles();
  // The site is read at the first request, so that the start is fast.
  let reading: Promise<Site> | null = null;
  const site = (): Promise<Site> => {
    reading ??= readSite();
    return reading;
  };
  return {
    "/docs": async (headers, request) => {
      const { page, tag } = await site();
      const ownHeaders = { ...headers, etag: tag, "content-security-policy": CONTENT_SECURITY_POLICY };
      return matchesTag(request.headers.get("if-none-match") ?? "", tag)
        ? new Response(null, { status: 304, headers: ownHeaders })
        : new Response(page, { headers: { ...ownHeaders, "content-type": "text/html; charset=utf-8" } });
    },
    "/docs/assets/*": async (headers, request) => {
      const name = new URL(request.url).pathname.slice(ASSETS.length);
      const file = (await site()).assets.get(name);
      return file === undefined ? notFound(headers) : respond({ request, headers, name, file });
    },
  };
};
