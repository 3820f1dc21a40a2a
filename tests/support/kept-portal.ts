import type { BrowserContext, Browser as Chromium, Page, ViewportSize } from "playwright-core";
import type { Browser } from "./browser.ts";
import { freshAddress } from "./client.ts";
import { eventually } from "./eventually.ts";
import {
  cookiesOf,
  failOnFaults,
  openContext,
  reportingFaults,
  type Visit,
  visitOn,
  type WindowOptions,
  watch,
} from "./portal.ts";

/**
 * Functions within the page. `leave` takes everything off it, as after a sign-out, and says whether it could;
 * `enter` reads the session again and shows a page, as after a load. Between both, nothing that was read is kept.
 */
const IN_PAGE = `
const nextFrame = () => new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
// What stays after so many frames stays for good: the page is given up.
const until = async (isSo) => { for (let frames = 0; !isSo() && frames < 300; frames++) await nextFrame(); };
const clientIn = (fiber) => {
  for (let at = fiber; at; at = at.sibling) {
    const { client } = at.memoizedProps ?? {};
    if (typeof client?.getQueryCache === "function") return client;
    const below = clientIn(at.child);
    if (below) return below;
  }
  return null;
};
const client = (() => {
  const root = document.getElementById("root");
  const name = Object.keys(root).find((key) => key.startsWith("__reactContainer$"));
  const found = name === undefined ? null : clientIn(root[name].stateNode.current);
  if (found === null) throw new Error("the portal's cache of answers is not where it was: see tests/support/kept-portal.ts");
  return found;
})();
const SESSION = "/session";
const ofUser = { predicate: ({ queryKey: [path] }) => path !== SESSION && path !== "/branding" };
const forgetFocus = () => {
  // The portal moves a lost focus to something near, unless the user has pressed elsewhere.
  document.dispatchEvent(new PointerEvent("pointerdown"));
  document.activeElement?.blur();
};
const NOTES = ".mantine-Notification-root";
const leave = async () => {
  forgetFocus();
  history.pushState(null, "", "/portal/nowhere");
  await nextFrame();
  client.setQueryData([SESSION], null);
  await until(() => document.querySelector(".frame") === null);
  client.removeQueries(ofUser);
  // Not their other buttons: *Undo* would change records after the journey.
  for (const button of document.querySelectorAll(NOTES + " button[aria-label=Dismiss]")) button.click();
  await until(() => document.querySelector(NOTES) === null);
  forgetFocus();
  return document.querySelector(".frame, [role=dialog], [role=menu], [role=listbox], " + NOTES) === null;
};
const enter = async (path) => {
  history.replaceState(null, "", "/portal" + path);
  scrollTo(0, 0);
  await client.invalidateQueries({ queryKey: [SESSION] });
  forgetFocus();
};
`;

const LISTENED = ["request", "requestfinished", "requestfailed", "response", "console", "pageerror", "dialog"] as const;

const inPage = <Result>(page: Page, work: string): Promise<Result> =>
  page.evaluate<Result>(`(async () => { ${IN_PAGE} ${work} })()`);

const SIZE = { width: 1280, height: 720 };

/** Pages of the portal, in which visits follow each other without loading it again. */
export interface KeptPortal {
  /** Does `work` as this visitor. It finds nothing of earlier visits: no answers, stored values, dialogs or messages. */
  visit(visitor: Browser, work: (visit: Visit) => Promise<void>, size?: ViewportSize): Promise<void>;
}

interface Kept {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly isNew: boolean;
}

/**
 * Keeps pages of the portal at this address: as many as there are visits at the same time. A visit that fails, or
 * leaves something behind, costs its page.
 */
export const keptPortal = (chromium: Chromium, url: string, options: WindowOptions = {}): KeptPortal => {
  const idle: Kept[] = [];

  const opened = async (): Promise<Kept> => {
    const context = await openContext(chromium, { viewport: SIZE, ...options });
    return { context, page: await context.newPage(), isNew: true };
  };

  /** A page with this visitor's session and nothing else. */
  const pageFor = async (visitor: Browser, size: ViewportSize): Promise<Kept> => {
    const kept = idle.pop() ?? (await opened());
    const { context, page, isNew } = kept;
    if (!isNew) {
      await page.evaluate("localStorage.clear(); sessionStorage.clear()");
      await context.clearCookies();
      await context.setExtraHTTPHeaders({ "x-forwarded-for": freshAddress() });
    }
    await context.addCookies(cookiesOf(visitor, url));
    await page.setViewportSize(size);
    return kept;
  };

  /** Takes everything off the page, and keeps it if nothing stays. */
  const putBack = async ({ context, page }: Kept, visit: Visit, underway: ReadonlySet<unknown>): Promise<void> => {
    await page.unrouteAll();
    const isThere = page.url().startsWith(`${url}/portal`);
    const isEmpty = isThere && (await inPage<boolean>(page, "return leave();"));
    await eventually(
      () => underway.size,
      (count) => count === 0,
    );
    if (!isEmpty || visit.faults().length > 0) return;
    for (const event of LISTENED) page.removeAllListeners(event);
    await page.mouse.move(0, 0);
    idle.push({ context, page, isNew: false });
  };

  return {
    async visit(visitor, work, size = SIZE) {
      const kept = await pageFor(visitor, size);
      const { context, page } = kept;
      const { faults, underway } = watch(page);
      let [isLoaded, isEntered] = [!kept.isNew, false];
      const go = async (path: string): Promise<void> => {
        const isEmpty = isLoaded && (!isEntered || (await inPage<boolean>(page, "return leave();")));
        if (isEmpty) await inPage(page, `await enter(${JSON.stringify(path)});`);
        else await page.goto(`${url}/portal${path}`, { waitUntil: "commit" });
        [isLoaded, isEntered] = [true, true];
      };
      const visit: Visit = {
        ...visitOn(page, url, faults),
        go,
        again: () => go(page.url().slice(`${url}/portal`.length)),
      };
      try {
        await reportingFaults(visit, work);
        await putBack(kept, visit, underway);
      } finally {
        if (!idle.some((one) => one.page === page)) await context.close();
      }
      failOnFaults(visit);
    },
  };
};
