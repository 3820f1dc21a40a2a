import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "./chromium.ts";
import { type PortalServer, runCommand, startPortal } from "./portal-server.ts";

/**
 * Measures the portal in a browser with many keys and vehicles: how fast its lists are, how fast a vehicle is found,
 * and how fast many vehicles are changed together. Run `bun bench/portal.ts` after `bun run build`.
 */

const KEYS = 10_000;
const VEHICLES = 50_000;
/** The numbers of dealers with and without vehicles. */
const STOCKED = 100;
const DEALERS = 1200;
const CHANGED = 40;
const AT_ONCE = 100;
const ROUNDS = 5;

/** Creates many records of a kind concurrently. `bodyOf` returns the body for each of them. */
const createMany = async (
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

/** A script for the page, which evaluates `look` in every frame until that returns something. */
const inPage = (look: string): string => `new Promise((resolve) => {
  const look = () => { ${look} };
  const frame = () => {
    const found = look();
    if (found === undefined) requestAnimationFrame(frame);
    else resolve(found);
  };
  frame();
})`;

/** Opens a page of the portal in a browser with an empty cache. Measures the time until the list is shown. */
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

/** Does something in the page, and measures the time until the list begins with another record. */
const untilOther = async (page: Page, act: () => Promise<unknown>): Promise<number> => {
  // The time is measured within the page, from the event to the frame that shows the answer.
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
    ...{ name: `${VEHICLES} vehicles of ${STOCKED} dealers`, path: "/vehicles", caption: "Vehicles" },
    search: { field: "Search", text: "toyota camry" },
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
  return [
    `${name}`,
    `  first paint          ${rounded(opened.map(({ paintMs }) => paintMs))}`,
    `  list shown           ${rounded(opened.map(({ shownMs }) => shownMs))}`,
    `  page turned          ${rounded(turns)}`,
    `  searched             ${rounded(searches)}, of which 150 ms are the pause after typing`,
    `  scripts, compressed  ${Math.round(last.scripts / 1000)} kB`,
  ];
};

const rounded = (values: readonly number[]): string => `${Math.round(median(values))} ms`;

/** Does something in the page, and measures the time from the first key or click until a script finds the result. */
const untilFound = async (page: Page, act: () => Promise<unknown>, isFound: string): Promise<number> => {
  const measured = page.evaluate<number>(`
    let began = 0;
    for (const event of ["click", "input"])
      document.addEventListener(event, () => (began ||= performance.now()), { capture: true, once: true });
    ${inPage(`if (began > 0 && ${isFound}) return performance.now() - began;`)}`);
  await act();
  return measured;
};

interface FoundVehicle {
  readonly id: number;
  readonly vin: string;
  readonly stock_number: string;
}

/** What people type to find a vehicle, and what must then come first in the list or in the search from any page. */
const searchesFor = ({ id, vin, stock_number }: FoundVehicle, red: FoundVehicle) =>
  [
    ["last 6 of the VIN", vin.slice(-6), `/vehicles/${id}`],
    ["red toyota suv", "red toyota suv", `/vehicles/${red.id}`],
    ["stock number", stock_number, `/vehicles/${id}`],
  ] as const;

/** Finds vehicles on the page of all vehicles, and with the search from any page. */
const measureFinding = async (browser: Browser, server: PortalServer): Promise<string[]> => {
  const pageOf = async (query: string): Promise<FoundVehicle> => {
    const { vehicles } = await server.call<{ vehicles: readonly FoundVehicle[] }>(
      "GET",
      `/api/vehicles?limit=1&${query}`,
    );
    if (vehicles[0] === undefined) throw new Error(`no vehicle for ${query}`);
    return vehicles[0];
  };
  const wanted = searchesFor(await pageOf(`offset=${VEHICLES >> 1}`), await pageOf("q=red+toyota+suv"));
  const { page } = await open(browser, server, { path: "/vehicles", list: "Vehicles" });
  const lines: string[] = [];
  for (const [name, text, to] of wanted) {
    const fromList: number[] = [];
    const fromAnywhere: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const isFirst = `document.querySelector("table tbody th a")?.getAttribute("href")?.endsWith(${JSON.stringify(to)})`;
      fromList.push(await untilFound(page, () => page.getByLabel("Search", { exact: true }).fill(text), isFirst));
      await page.getByRole("button", { name: "Clear filters" }).click();
      await page.waitForLoadState("networkidle");
      await page.keyboard.press("Control+k");
      const field = page.getByRole("combobox", { name: "Search everywhere" });
      const isOffered = `document.querySelector('[role=option][id$=${JSON.stringify(`-${to}`)}]') !== null`;
      fromAnywhere.push(await untilFound(page, () => field.fill(text), isOffered));
      await page.keyboard.press("Escape");
      // After this, the next round requests everything again.
      await page.reload();
      await page.waitForLoadState("networkidle");
    }
    lines.push(`  ${name.padEnd(20)} ${rounded(fromList)} on the page, ${rounded(fromAnywhere)} from anywhere`);
  }
  await page.context().close();
  return [`a vehicle among ${VEHICLES}, of which 150 and 120 ms are the pause after typing`, ...lines];
};

/** Lowers the prices of many vehicles by 3 %, and then undoes that. */
const measureChange = async (browser: Browser, server: PortalServer): Promise<string[]> => {
  const { page } = await open(browser, server, { path: `/vehicles?size=50`, list: "Vehicles" });
  for (const box of (await page.locator("tbody .tick input").all()).slice(0, CHANGED)) await box.check();
  await page.getByRole("button", { name: "Price…" }).click();
  await page.getByLabel("Percent", { exact: true }).fill("3");
  await page.waitForLoadState("networkidle");
  const says = (text: string): string =>
    `[...document.querySelectorAll("[role=dialog] h2")].some(({ textContent }) => textContent.includes(${JSON.stringify(text)}))`;
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const changed = await untilFound(page, () => press("Change the price"), says(`of ${CHANGED} vehicles changed`));
  const undone = await untilFound(page, () => press("Undo"), says(`${CHANGED} undone`));
  await page.context().close();
  return [
    `${CHANGED} vehicles at once`,
    `  3 % off              ${Math.round(changed)} ms`,
    `  taken back           ${Math.round(undone)} ms`,
  ];
};

const folder = await mkdtemp(join(tmpdir(), "vehicle-inventory-portal-"));
const databaseUrl = `sqlite:${join(folder, "inventory.db")}`;
const browser = await launchBrowser();
try {
  await runCommand(databaseUrl, "seed", "--dealers", String(STOCKED), "--vehicles", String(VEHICLES));
  const server = await startPortal(databaseUrl, "Sam Example");
  await createMany(server, "/api/dealers", { count: DEALERS, bodyOf: dealerOf });
  await createMany(server, "/api/keys", { count: KEYS, bodyOf: keyOf });
  for (const list of LISTS) process.stdout.write(`${(await measure(browser, server, list)).join("\n")}\n`);
  for (const measured of [measureFinding, measureChange])
    process.stdout.write(`${(await measured(browser, server)).join("\n")}\n`);
  await server.stop();
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
