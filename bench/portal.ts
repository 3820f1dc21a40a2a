import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "./chromium.ts";
import { type PortalServer, runCommand, startPortal } from "./portal-server.ts";

/**
 * Measures how fast the portal's lists are in a browser, with many keys and vehicles: `bun bench/portal.ts` after `bun
 * run build`.
 */

const KEYS = 10_000;
const VEHICLES = 50_000;
const DEALERS = 1200;
const AT_ONCE = 100;
const ROUNDS = 5;

/** Makes records of a kind, many at once; `bodyOf` tells of each. */
const make = async (
  { call }: PortalServer,
  path: string,
  { count, bodyOf }: { readonly count: number; readonly bodyOf: (number: number) => Readonly<Record<string, unknown>> },
): Promise<void> => {
  for (let made = 0; made < count; made += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => call("POST", path, { body: bodyOf(made + index + 1) })),
    );
};

const keyOf = (number: number) => ({
  ...{ name: `Showroom screen ${number}`, app_type: "web", app_id: `screen-${number}` },
  dealer_id: 1,
});
const dealerOf = (number: number) => ({
  ...{ name: `Harbor branch ${number}`, address: "1 Quay Street", city: "Portland", state: "OR", zip: "97201" },
  ...{ phone: "503-555-0100", email: `branch${number}@harbor.example.com` },
});

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

/** A script for the page: calls `look` in every frame until it returns something. */
const inPage = (look: string): string => `new Promise((resolve) => {
  const look = () => { ${look} };
  const frame = () => {
    const found = look();
    if (found === undefined) requestAnimationFrame(frame);
    else resolve(found);
  };
  frame();
})`;

/** Opens a page of the portal in a browser with an empty cache, and measures until the list is shown. */
const open = async (
  browser: Browser,
  { url, cookie }: PortalServer,
  { path, list }: { readonly path: string; readonly list: string },
) => {
  const context = await browser.newContext({ locale: "en-US" });
  await context.addCookies([{ ...cookie, sameSite: "Strict" }]);
  const page = await context.newPage();
  await page.goto(`${url}/portal${path}`, { waitUntil: "commit" });
  const shownMs = await page.evaluate<number>(
    inPage(`
    const found = [...document.querySelectorAll("table")].some(({ caption, rows }) =>
      caption?.textContent === ${JSON.stringify(list)} && rows.length > 1);
    if (found) return performance.now();`),
  );
  const paintMs = await page.evaluate<number>(
    inPage(`return performance.getEntriesByName("first-contentful-paint").at(-1)?.startTime;`),
  );
  const scripts = await page.evaluate<number>(
    `performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js"))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  );
  return { page, paintMs, shownMs, scripts };
};

/** The first record of the page's list. */
const firstRow = (page: Page): Promise<string | null> => page.locator("table tbody tr th").first().textContent();

/** Does something in the page, and measures until the list begins with another record. */
const untilOther = async (page: Page, act: () => Promise<unknown>): Promise<number> => {
  // Measured within the page, from the event to the frame that shows the answer.
  const measured = page.evaluate<number>(`
    let began = 0;
    for (const event of ["click", "input"])
      document.addEventListener(event, () => (began ||= performance.now()), { capture: true, once: true });
    ${inPage(`
      const shown = document.querySelector("table tbody tr th")?.textContent;
      if (began > 0 && shown !== undefined && shown !== ${JSON.stringify(await firstRow(page))})
        return performance.now() - began;`)}`);
  await act();
  return measured;
};

interface List {
  readonly name: string;
  readonly path: string;
  readonly caption: string;
  readonly search: { readonly field: string; readonly text: string };
}

const LISTS: readonly List[] = [
  {
    ...{ name: `${DEALERS} dealers`, path: "/dealers", caption: "Dealers" },
    search: { field: "Search", text: "branch 711" },
  },
  {
    ...{ name: `${KEYS} keys`, path: "/keys", caption: "Keys" },
    search: { field: "Search", text: "screen 4711" },
  },
  {
    ...{ name: `${VEHICLES} vehicles`, path: "/dealers/1", caption: "Vehicles" },
    search: { field: "Year", text: "2019" },
  },
];

const measure = async (
  browser: Browser,
  server: PortalServer,
  { name, path, caption, search }: List,
): Promise<string[]> => {
  const opened = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = await open(browser, server, { path, list: caption });
    opened.push(one);
    if (round < ROUNDS - 1) await one.page.context().close();
  }
  const last = opened.at(-1);
  if (last === undefined) throw new Error("nothing was opened");
  const { page } = last;
  const turns = [];
  for (let round = 0; round < ROUNDS; round++)
    turns.push(await untilOther(page, () => page.getByLabel("Next page", { exact: true }).click()));
  const searches = [];
  for (let round = 0; round < ROUNDS; round++) {
    const field = page.getByLabel(search.field, { exact: true });
    searches.push(await untilOther(page, () => field.fill(search.text)));
    await untilOther(page, () => page.getByRole("button", { name: "Clear filters" }).click());
  }
  await page.context().close();
  const rounded = (values: readonly number[]): string => `${Math.round(median(values))} ms`;
  return [
    `${name}`,
    `  first paint          ${rounded(opened.map(({ paintMs }) => paintMs))}`,
    `  list shown           ${rounded(opened.map(({ shownMs }) => shownMs))}`,
    `  page turned          ${rounded(turns)}`,
    `  searched             ${rounded(searches)}, of which 150 ms are the pause after typing`,
    `  scripts, compressed  ${Math.round(last.scripts / 1000)} kB`,
  ];
};

const folder = await mkdtemp(join(tmpdir(), "vehicle-inventory-portal-"));
const databaseUrl = `sqlite:${join(folder, "inventory.db")}`;
const browser = await launchBrowser();
try {
  await runCommand(databaseUrl, "seed", "--dealers", "1", "--vehicles", String(VEHICLES));
  const server = await startPortal(databaseUrl, "Sam Example");
  await make(server, "/api/dealers", { count: DEALERS, bodyOf: dealerOf });
  await make(server, "/api/keys", { count: KEYS, bodyOf: keyOf });
  for (const list of LISTS) process.stdout.write(`${(await measure(browser, server, list)).join("\n")}\n`);
  await server.stop();
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
