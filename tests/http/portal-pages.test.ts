import { describe, expect, test } from "bun:test";
import { ENGINES } from "../support/engines.ts";
import { serviceFixture } from "../support/service-fixture.ts";

/** The size of everything a browser loads before the portal runs, gzipped. */
const MAX_SCRIPT_BYTES = 260_000;

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

const nonceOf = (html: string): string => /nonce="([^"]+)"/.exec(html)?.[1] ?? "";
const assetsOf = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? "");

// The pages do not depend on the database.
for (const engine of ENGINES.slice(0, 1))
  describe(`the portal's pages on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const get = (path: string, init: BunFetchRequestInit = {}) => fetch(fixture.service.url + path, init);

    test("are one page at every address, with security headers and never cached", async () => {
      for (const path of ["/portal", "/portal/", "/portal/keys/12", "/portal/invitations/any-token"]) {
        const response = await get(path);
        expect([path, response.status]).toEqual([path, 200]);
        expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
        for (const [name, value] of Object.entries(SECURITY_HEADERS))
          expect([name, response.headers.get(name)]).toEqual([name, value]);
        expect(await response.text()).toContain('<div id="root">');
      }
    });

    test("have one of their own for walks, and a script for it that runs nothing else and is never cached", async () => {
      for (const path of ["/portal/walk", "/portal/walk/12"]) {
        const page = await get(path);
        expect([path, page.headers.get("cache-control")]).toEqual([path, "no-store"]);
        const html = await page.text();
        expect(html).toContain("<title>Walk the lot</title>");
        const policy = page.headers.get("content-security-policy") ?? "";
        expect(policy).toContain(`default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonceOf(html)}'`);
      }
      const worker = await get("/portal/walk/worker.js");
      for (const [name, value] of Object.entries(SECURITY_HEADERS))
        expect([name, worker.headers.get(name)]).toEqual([name, value]);
      expect(worker.headers.get("content-type")).toStartWith("text/javascript");
      expect(worker.headers.get("content-security-policy")).toBe(
        "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
      );
      // One file, so that a browser that keeps it has all of it; under the address of walks, so that it sees no other page.
      expect(await worker.text()).not.toMatch(/\bimport\b|\bexport\b/);
    });

    test("run only this service's scripts and styles, and inline styles only with the answer's nonce", async () => {
      const nonces = new Set<string>();
      for (let round = 0; round < 3; round++) {
        const response = await get("/portal");
        const nonce = nonceOf(await response.text());
        const policy = response.headers.get("content-security-policy") ?? "";
        expect(policy).toContain("default-src 'none'; script-src 'self'; ");
        expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toContain("unsafe");
        nonces.add(nonce);
      }
      expect([...nonces].filter((nonce) => nonce.length >= 22)).toHaveLength(3);
    });

    test("have no inline script or style, and load only existing files, which are cached for good", async () => {
      const html = await (await get("/portal")).text();
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=/);
      const assets = assetsOf(html);
      expect(assets.length).toBeGreaterThanOrEqual(2);
      for (const path of assets) {
        const response = await get(path);
        expect([path, response.status]).toEqual([path, 200]);
        expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        expect(response.headers.get("content-type")).toMatch(/^text\/(javascript|css)/);
      }
    });

    test("bring their own font as a file that is cached for good", async () => {
      const scripts = assetsOf(await (await get("/portal")).text()).filter((path) => path.endsWith(".js"));
      const texts = await Promise.all(scripts.map(async (path) => (await get(path)).text()));
      const fonts = texts.flatMap((text) => text.match(/\/portal\/assets\/[\w-]+\.woff2/g) ?? []);
      expect(fonts).toHaveLength(1);
      const response = await get(fonts[0] ?? "");
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "font/woff2"]);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    });

    test("load no more than 260 kB of script before they are there, whichever page is opened first", async () => {
      const assets = new Map<string, { readonly text: string; readonly bytes: number }>();
      const assetAt = async (path: string) => {
        const response = await get(path, { headers: { "accept-encoding": "gzip" }, decompress: false });
        expect(response.headers.get("content-encoding")).toBe("gzip");
        const packed = new Uint8Array(await response.arrayBuffer());
        return { text: new TextDecoder().decode(Bun.gunzipSync(packed)), bytes: packed.length };
      };
      /** Adds a script and all that it loads before it runs. */
      const addTo = async (loaded: Set<string>, path: string): Promise<Set<string>> => {
        if (loaded.has(path)) return loaded;
        loaded.add(path);
        const asset = assets.get(path) ?? (await assetAt(path));
        assets.set(path, asset);
        for (const [, before = ""] of asset.text.matchAll(/(?:from|import) ?"(\/portal\/assets\/[\w-]+\.js)"/g))
          await addTo(loaded, before);
        return loaded;
      };
      const scripts = assetsOf(await (await get("/portal")).text()).filter((path) => path.endsWith(".js"));
      const atOnce = new Set<string>();
      for (const path of scripts) await addTo(atOnce, path);
      const later = [...atOnce].flatMap((path) =>
        [...(assets.get(path)?.text ?? "").matchAll(/import\("(\/portal\/assets\/[\w-]+\.js)"\)/g)].map(
          ([, page = ""]) => page,
        ),
      );
      expect(later.length).toBeGreaterThan(5);
      for (const page of later) {
        const loaded = await addTo(new Set(atOnce), page);
        // Charts are drawn when the page with its figures is there.
        if ([...loaded].some((path) => assets.get(path)?.text.includes("recharts-"))) continue;
        const bytes = [...loaded].reduce((sum, path) => sum + (assets.get(path)?.bytes ?? 0), 0);
        expect(bytes).toBeGreaterThan(100_000);
        expect(bytes).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
      }
    });

    test("are compressed only for clients that accept it", async () => {
      const [path = ""] = assetsOf(await (await get("/portal")).text());
      for (const [accepted, encoding] of [
        ["gzip", "gzip"],
        ["br, gzip;q=0.5", "gzip"],
        ["*", "gzip"],
        ["br", null],
        ["gzip;q=0", null],
        ["identity", null],
      ] as const) {
        const response = await get(path, { headers: { "accept-encoding": accepted }, decompress: false });
        expect([accepted, response.headers.get("content-encoding")]).toEqual([accepted, encoding]);
        expect(response.headers.get("vary")).toBe("Accept-Encoding");
        await response.arrayBuffer();
      }
    });

    test("answer 404 for missing files, and never a page in place of an API answer", async () => {
      for (const path of [
        "/portal/assets/none.js",
        "/portal/assets/index.html",
        "/portal/assets/walk-worker.js",
        "/portal/assets/",
        "/portal/api/none",
      ]) {
        const response = await get(path);
        expect([path, response.status]).toEqual([path, 404]);
        expect(await response.json()).toMatchObject({ code: "not_found" });
      }
    });

    test("accept only GET and HEAD", async () => {
      const head = await get("/portal/keys", { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      const post = await get("/portal/keys", { method: "POST" });
      expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    });
  });
