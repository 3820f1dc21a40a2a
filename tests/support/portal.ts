import type {
  BrowserContext,
  BrowserContextOptions,
  Browser as Chromium,
  Locator,
  Page,
  Request,
} from "playwright-core";
import { systemClock } from "../../adapters/system/clock.ts";
import type { Clock } from "../../core/clock.ts";
import type { Browser } from "./browser.ts";
import { freshAddress } from "./client.ts";
import { eventually } from "./eventually.ts";
import { HUNG_MS } from "./hung.ts";

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><rect width="3" height="2"/></svg>';
const REPORT_VIOLATIONS = `document.addEventListener("securitypolicyviolation", (event) =>
  reportError(new Error("the policy forbids " + event.violatedDirective + " " + event.blockedURI)))`;

/** Nothing moves: what pulses while something is read made the browser draw each frame, which was a third of its CPU seconds. */
const STAND_STILL = `{
  const style = new CSSStyleSheet();
  style.replaceSync("*, ::before, ::after { animation: none !important; transition: none !important }");
  document.adoptedStyleSheets.push(style);
}`;

/** The portal in an open browser page. Everything that a test looks for is waited for. */
export interface Visit {
  readonly page: Page;
  /** Shows a drawing instead of every external picture. Slows everything down, so it is off at first. */
  drawPictures(): Promise<unknown>;
  /** Opens a page of the portal by its address. */
  go(path: string): Promise<void>;
  /** Opens the present address anew: nothing that was read or shown is kept. */
  again(): Promise<void>;
  /** Expects refusals that belong to the test, such as `409 POST /portal/api/users`. Any other fault fails the test. */
  expects(...faults: readonly string[]): void;
  /** Every unexpected fault. */
  faults(): readonly string[];
  button(name: string | RegExp): Locator;
  link(name: string | RegExp): Locator;
  field(label: string): Locator;
  /** The part of the page under this heading. */
  section(name: string): Locator;
  dialog(name: string | RegExp): Locator;
  /** Waits until an element is visible. */
  shows(something: Locator): Promise<unknown>;
  /** Waits until an element is no longer visible. */
  hides(something: Locator): Promise<unknown>;
  click(something: Locator): Promise<void>;
  /** Chooses one of the options of a field. */
  choose(label: string, option: string): Promise<void>;
  /** Types into fields by their labels. */
  fill(fields: Readonly<Record<string, string>>): Promise<void>;
  press(name: string | RegExp): Promise<void>;
  /** Chooses a line of the menu of a record. */
  act(record: string, action: string): Promise<void>;
  follow(name: string | RegExp): Promise<void>;
  /** Waits for a heading. */
  arrives(heading: string | RegExp): Promise<unknown>;
  /** Waits for a text. */
  reads(text: string | RegExp): Promise<unknown>;
  /** The text that the block under this label offers for copying. */
  copied(label: string): Promise<string>;
  /** The text of the whole page. */
  text(): Promise<string>;
  /** Sends a request as a script of the page would. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
}

/** Waits until a page shows what it is about, and has read everything. */
export const settled = async ({ page, shows, hides }: Visit): Promise<void> => {
  await shows(page.getByRole("heading", { level: 1 }));
  await hides(page.getByRole("status", { name: "Loading" }).first());
  await page.waitForLoadState("networkidle");
};

const pathOf = (url: string): string => {
  const { pathname, protocol } = new URL(url);
  return protocol.startsWith("http") ? pathname : url;
};

/** What a page reports while it is watched. */
interface Watched {
  readonly faults: readonly string[];
  /** The requests that wait for an answer. */
  readonly underway: ReadonlySet<Request>;
}

/** Collects the faults that a page reports. */
export const watch = (page: Page): Watched => {
  const faults: string[] = [];
  const underway = new Set<Request>();
  page.on("pageerror", (error) => faults.push(`error in the page: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    // Refused requests are checked below, by method and path.
    if (message.type() === "error" && !text.startsWith("Failed to load resource")) faults.push(`console: ${text}`);
  });
  page.on("request", (request) => underway.add(request));
  page.on("requestfinished", (request) => underway.delete(request));
  page.on("requestfailed", (request) => {
    underway.delete(request);
    const why = request.failure()?.errorText ?? "";
    // The page cancels requests that it no longer needs, as when it is left.
    // A read on a connection that the server has closed meanwhile is sent again by the browser.
    const isRepeated = why === "net::ERR_SOCKET_NOT_CONNECTED" && request.method() === "GET";
    // Images of other hosts are none here, and a list loads them when it comes to it. `drawPictures` gives them.
    const isForeign =
      request.resourceType() === "image" && new URL(request.url()).origin !== new URL(request.frame().url()).origin;
    if (why !== "net::ERR_ABORTED" && !isRepeated && !isForeign)
      faults.push(`${why} ${request.method()} ${pathOf(request.url())}`);
  });
  page.on("response", (response) => {
    const request = response.request();
    if (response.status() >= 400) faults.push(`${response.status()} ${request.method()} ${pathOf(request.url())}`);
  });
  return { faults, underway };
};

/** The portal in this page, which has reported `seen`. */
export const visitOn = (page: Page, url: string, seen: readonly string[]): Visit => {
  const expected = new Set<string>();
  const field = (label: string): Locator => page.getByLabel(label, { exact: true });
  const named = (role: "button" | "link" | "dialog", name: string | RegExp): Locator =>
    page.getByRole(role, { name, exact: true });
  /** Polls, because the browser driver's own waiting soon checks only twice a second. */
  const shows = (something: Locator): Promise<unknown> => eventually(() => something.isVisible(), Boolean);
  const click = async (something: Locator): Promise<void> => {
    await shows(something);
    await something.click();
  };
  return {
    page,
    drawPictures: () =>
      page.route(
        (address) => address.origin !== url,
        (route) => route.fulfill({ contentType: "image/svg+xml", body: PICTURE }),
      ),
    go: async (path) => void (await page.goto(`${url}/portal${path}`, { waitUntil: "commit" })),
    again: async () => void (await page.reload({ waitUntil: "commit" })),
    expects(...faults) {
      for (const fault of faults) expected.add(fault);
    },
    faults: () => seen.filter((fault) => !expected.has(fault)),
    button: (name) => named("button", name),
    link: (name) => named("link", name),
    field,
    section: (name) => page.getByRole("region", { name, exact: true }),
    dialog: (name) => named("dialog", name),
    shows,
    hides: (something) => eventually(() => something.isHidden(), Boolean),
    click,
    async choose(label, option) {
      await shows(field(label));
      // A choice among many is typed, and searched by the service.
      const isSearch = (await field(label).getAttribute("role")) === "combobox";
      if (!isSearch) return void (await field(label).selectOption(option));
      await field(label).fill(option);
      await click(page.getByRole("option", { name: option, exact: true }));
    },
    async fill(fields) {
      for (const [label, text] of Object.entries(fields)) {
        await shows(field(label));
        await field(label).fill(text);
      }
    },
    press: (name) => click(named("button", name)),
    async act(record, action) {
      const menu = named("button", `Actions for ${record}`);
      const line = page.getByRole("menuitem", { name: action, exact: true });
      await shows(menu);
      // A row that is drawn anew, as when something is read again, has its menu closed.
      await eventually(async () => {
        if ((await menu.getAttribute("aria-expanded")) !== "true") await menu.click();
        return line.isVisible();
      }, Boolean);
      await click(line);
    },
    follow: (name) => click(named("link", name).first()),
    arrives: (name) => shows(page.getByRole("heading", { name, exact: true }).first()),
    reads: (text) => shows(page.getByText(text).first()),
    async copied(label) {
      const block = page.locator("div:has(> pre)").filter({ hasText: label }).locator("pre");
      await shows(block);
      return (await block.textContent()) ?? "";
    },
    text: async () => (await page.locator("body").textContent()) ?? "",
    ask: (method, path, body) =>
      page.evaluate(
        async ({ method, path, text }) => {
          const init = text === null ? {} : { body: text, headers: { "content-type": "application/json" } };
          const response = await fetch(`/portal/api${path}`, { method, ...init });
          return { status: response.status, body: (await response.json()) as unknown };
        },
        { method, path, text: body === undefined ? null : JSON.stringify(body) },
      ),
  };
};

/** A visitor's cookies, as the browser has them. */
export const cookiesOf = (visitor: Browser | null, url: string) =>
  [...(visitor?.cookies ?? [])].map(([name, value]) => ({ name, value, url, sameSite: "Strict" as const }));

/** How a window of the browser is opened; its time is that of the service's clock. */
export type WindowOptions = BrowserContextOptions & { readonly clock?: Clock };

/** A browser's window without cookies, at its own address. */
export const openContext = async (
  chromium: Chromium,
  { clock = systemClock, ...options }: WindowOptions,
): Promise<BrowserContext> => {
  const context = await chromium.newContext({
    locale: "en-US",
    reducedMotion: "reduce",
    // Pages have their sizes, but a sixteenth of the dots is drawn.
    deviceScaleFactor: 0.25,
    extraHTTPHeaders: { "x-forwarded-for": freshAddress() },
    ...options,
  });
  context.setDefaultTimeout(HUNG_MS);
  if (clock !== systemClock) await context.clock.setFixedTime(clock.nowMs());
  await context.addInitScript({ content: REPORT_VIOLATIONS });
  await context.addInitScript({ content: STAND_STILL });
  return context;
};

/** Does `work`. If it fails, the error says what the page showed. */
export const reportingFaults = async (visit: Visit, work: (visit: Visit) => Promise<void>): Promise<void> => {
  try {
    await work(visit);
  } catch (error) {
    const shown = await visit.text().catch(() => "");
    throw new Error(`at ${visit.page.url()} (${visit.faults().join("; ")})\n${shown}`, { cause: error });
  }
};

/** Fails on every error, refused request and policy violation that the work did not expect. */
export const failOnFaults = (visit: Visit): void => {
  if (visit.faults().length > 0) throw new Error(`the page had faults: ${visit.faults().join("; ")}`);
};

/**
 * Opens the portal for `visitor` (an existing session, or nobody) in a page of its own and does `work` in it. Fails on
 * every error, refused request and policy violation that the work did not expect.
 */
export const visiting = async ({
  chromium,
  url,
  visitor,
  work,
  clock = systemClock,
  options = {},
}: {
  readonly chromium: Chromium;
  readonly url: string;
  readonly visitor: Browser | null;
  readonly work: (visit: Visit) => Promise<void>;
  /** The service's clock, whose time the browser shows. */
  readonly clock?: Clock;
  readonly options?: BrowserContextOptions | undefined;
}): Promise<void> => {
  const context = await openContext(chromium, { clock, ...options });
  await context.addCookies(cookiesOf(visitor, url));
  const page = await context.newPage();
  const visit = visitOn(page, url, watch(page).faults);
  try {
    await reportingFaults(visit, work);
  } finally {
    await context.close();
  }
  failOnFaults(visit);
};
