import styles from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundle from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import type { Headers } from "./response-headers.ts";

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Vehicle Inventory Service: API reference</title>
  <link rel="stylesheet" href="/docs/reference.css">
  <link rel="icon" href="data:,">
</head>
<body>
  <div id="reference"></div>
  <script src="/docs/reference.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`;

// Keys typed into the page stay in the browser and go nowhere but to this service.
const START = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  defaultModelsExpandDepth: 0,
});
`;

type Asset = (headers: Headers) => Response;

/** Nothing from elsewhere is loaded or contacted. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const asset =
  (content: string | Blob, type: string): Asset =>
  (headers) =>
    new Response(content, { headers: { ...headers, "content-type": type, "content-security-policy": POLICY } });

/** The reference page and its assets, all out of this program; works with no internet. */
export const docsAssets = (): Readonly<Record<string, Asset>> => ({
  "/docs": asset(PAGE, "text/html; charset=utf-8"),
  "/docs/start.js": asset(START, "text/javascript; charset=utf-8"),
  "/docs/reference.js": asset(Bun.file(bundle), "text/javascript; charset=utf-8"),
  "/docs/reference.css": asset(Bun.file(styles), "text/css; charset=utf-8"),
});
