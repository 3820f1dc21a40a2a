import { afterAll, beforeAll } from "bun:test";
import type axe from "axe-core";
import type { Browser as Chromium, Page } from "playwright-core";
import { launchBrowser } from "../../bench/chromium.ts";
import { type Browser, firstAdmin } from "../support/browser.ts";
import { ENGINES } from "../support/engines.ts";
import { type Visit, visiting } from "../support/portal.ts";
import { type ServiceFixture, serviceFixture } from "../support/service-fixture.ts";

export const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 375, height: 740 };
/** Colours take longest to check, and do not depend on the width of the page. */
const COLOURS = "color-contrast";
const WITHOUT_COLOURS: axe.RunOptions = { rules: { [COLOURS]: { enabled: false } } };

/** Every fault that axe finds, whatever its severity. */
const foundOn = async (page: Page, options: axe.RunOptions = {}): Promise<string[]> => {
  const { violations } = await page.evaluate(async (chosen) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    return run({ resultTypes: ["violations"], ...chosen });
  }, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
};

const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>("document.documentElement.scrollWidth > document.documentElement.clientWidth");

/** The faults of a page in each appearance: light, dark and narrow. */
export const faultsOf = async (page: Page): Promise<Record<string, unknown>> => {
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light" });
  const light = await foundOn(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await foundOn(page, { runOnly: [COLOURS] });
  await page.setViewportSize(NARROW);
  return { light, dark, narrow: await foundOn(page, WITHOUT_COLOURS), scrollsSideways: await scrollsSideways(page) };
};

/** The result for a page without faults. */
export const NONE = { light: [], dark: [], narrow: [], scrollsSideways: false };

/** Opens another page without reloading the portal. */
export const turnTo = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, "", ${JSON.stringify(`/portal${path}`)})`);

/** A running service, a super-admin's session, and a browser that examines pages. */
export interface Examined {
  readonly fixture: ServiceFixture;
  readonly chromium: Chromium;
  readonly admin: Browser;
  /** Opens the portal in a page without the policy that would block axe's script. */
  withAxe(visitor: Browser | null, work: (visit: Visit) => Promise<void>): Promise<void>;
}

/** The examination that a test file shares; it exists from `beforeAll` on. */
export const examined = (): Examined => {
  const [engine] = ENGINES;
  if (engine === undefined) throw new Error("there is no engine");
  const fixture = serviceFixture(engine);
  let started: { readonly chromium: Chromium; readonly admin: Browser } | null = null;
  const present = () => {
    if (started === null) throw new Error("not before the tests");
    return started;
  };
  beforeAll(async () => {
    started = { chromium: await launchBrowser(), admin: await firstAdmin(fixture.service) };
  });
  afterAll(() => started?.chromium.close());
  return {
    fixture,
    get chromium() {
      return present().chromium;
    },
    get admin() {
      return present().admin;
    },
    // The page's own policy would block the injected script.
    withAxe: (visitor, work) =>
      visiting({
        chromium: present().chromium,
        url: fixture.service.url,
        clock: fixture.service.clock,
        visitor,
        work,
        options: { bypassCSP: true },
      }),
  };
};
