import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser } from "./chromium.ts";
import { indexedPng, type Pixels } from "./indexed-png.ts";
import { type PortalServer, runCommand, startPortal } from "./portal-server.ts";

/**
 * Takes the screenshots of the portal in docs/screenshots, with invented data: `bun bench/screenshots.ts` after `bun
 * run build`.
 */

const FOLDER = join(import.meta.dir, "../docs/screenshots");
const WIDE = { width: 1200, height: 750 };
const NARROW = { width: 375, height: 740 };
const DAY_MS = 86_400_000;
const VEHICLES = 240;

const KEYS = [
  ["Showroom website", "web", "showroom-site", 1],
  ["Price board", "desktop", "price-board", 1],
  ["Lot scanner", "mobile", "lot-scanner", 2],
  ["Partner feed", "web", "partner-feed", 3],
  ["Finance calculator", "web", "finance", 4],
  ["Service desk", "desktop", "service-desk", 2],
] as const;
const EXPIRES_IN_DAYS = [null, 400, 12, null, 25, 90];

/** Keys that are used, refused, about to expire and revoked; returns the id of the first one. */
const makeUse = async ({ url, call }: PortalServer): Promise<number> => {
  let first = 0;
  for (const [index, [name, app_type, app_id, dealer_id]] of KEYS.entries()) {
    const days = EXPIRES_IN_DAYS[index] ?? null;
    const expires_at = days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString();
    const key = await call<{ readonly id: number; readonly api_key: string }>("POST", "/api/keys", {
      body: { name, app_type, app_id, dealer_id, expires_at },
    });
    if (index === 0) first = key.id;
    const headers = { "x-api-key": key.api_key, "user-agent": "Showroom/2.4 (Windows NT 10.0)" };
    for (let request = 0; request < 90 - index * 14; request++) await fetch(`${url}/api/vehicles?limit=1`, { headers });
    for (let request = 0; request < 3 * (2 - (index % 3)); request++)
      await fetch(`${url}/api/keys`, { method: "POST", headers });
    if (index === 3) await call("POST", `/api/keys/${key.id}/revoke`);
  }
  for (const [name, role, dealer_id] of [
    ["Robin Example", "dealer_admin", 1],
    ["Kim Example", "user", 1],
    ["Alex Example", "dealer_admin", 2],
  ] as const)
    await call("POST", "/api/users", { body: { name, email: `${name.split(" ")[0]}@example.com`, role, dealer_id } });
  await call("PUT", "/api/vehicles/3", { body: { price: 18_900 } });
  await call("PUT", "/api/vehicles/4", { body: { status: "sold" } });
  return first;
};

/** A drawn car in place of each photo, so that no internet is needed. */
const carOf = (url: string): string => {
  const hue = [...url].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"><rect width="300" height="200" fill="#e9eef3"/>
    <path d="M40 130q5-30 45-35l25-30h80l35 32q40 5 42 33v10H40z" fill="hsl(${hue} 45% 45%)"/>
    <circle cx="95" cy="140" r="20" fill="#333"/><circle cx="210" cy="140" r="20" fill="#333"/></svg>`;
};

const settled = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "hidden" });
  await page.waitForLoadState("networkidle");
};

/** The pixels of a screenshot, decoded by the browser. */
const pixelsOf = async (browser: Browser, png: Uint8Array): Promise<Pixels> => {
  const page = await browser.newPage();
  const source = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  const { width, height, data } = await page.evaluate<{ width: number; height: number; data: string }>(`(async () => {
    const image = await createImageBitmap(await (await fetch(${JSON.stringify(source)})).blob());
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    return { width, height, data: new Uint8Array(context.getImageData(0, 0, width, height).data.buffer).toBase64() };
  })()`);
  await page.close();
  return { width, height, rgba: Buffer.from(data, "base64") };
};

type Take = (page: Page) => Promise<unknown>;

const nothingMore: Take = async () => {};

/** Scrolls until a heading is at the top, below the fixed header. */
const downTo =
  (name: string): Take =>
  (page) =>
    page
      .getByRole("heading", { name, exact: true })
      .evaluate("(heading) => { heading.scrollIntoView(); scrollBy(0, -80); }");

const fillIn: Take = async (page) => {
  await page.getByLabel("Name", { exact: true }).fill("Auction terminal");
  await page.getByLabel("App id", { exact: true }).fill("auction-terminal");
  await page.getByLabel("App type", { exact: true }).selectOption("desktop");
  await page.getByLabel("Dealer", { exact: true }).selectOption({ index: 2 });
  await downTo("What this key will be able to do")(page);
};

const folder = await mkdtemp(join(tmpdir(), "vehicle-inventory-pictures-"));
const databaseUrl = `sqlite:${join(folder, "inventory.db")}`;
const browser = await launchBrowser();
try {
  await runCommand(databaseUrl, "seed", "--dealers", "4", "--vehicles", String(VEHICLES), "--images");
  const server = await startPortal(databaseUrl, "Sam Example");
  const keyId = await makeUse(server);
  await mkdir(FOLDER, { recursive: true });

  const take = async (
    name: string,
    path: string,
    { act = nothingMore, options = {} }: { readonly act?: Take; readonly options?: BrowserContextOptions } = {},
  ) => {
    const context = await browser.newContext({ locale: "en-US", viewport: WIDE, colorScheme: "light", ...options });
    if (name !== "sign-in") await context.addCookies([{ ...server.cookie, sameSite: "Strict" }]);
    await context.route(
      (url) => url.origin !== server.url,
      (route) => route.fulfill({ contentType: "image/svg+xml", body: carOf(route.request().url()) }),
    );
    const page = await context.newPage();
    await page.goto(`${server.url}/portal${path}`);
    await settled(page);
    await act(page);
    await settled(page);
    // Charts are animated.
    await page.waitForTimeout(2000);
    const picture = indexedPng(await pixelsOf(browser, await page.screenshot()));
    await Bun.write(join(FOLDER, `${name}.png`), picture);
    process.stdout.write(`${name}.png ${Math.round(picture.length / 1000)} kB\n`);
    await context.close();
  };

  await take("sign-in", "/");
  await take("overview", "/");
  await take("keys", "/keys");
  await take("key", `/keys/${keyId}`);
  await take("new-key", "/keys/new", { act: fillIn });
  await take("inventory", "/dealers/1", { act: downTo("Inventory") });
  await take("audit", "/audit");
  await take("narrow-dark", "/keys", { options: { viewport: NARROW, colorScheme: "dark" } });
  await server.stop();
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
