import { beforeAll } from "bun:test";
import axe from "axe-core";
import type { Browser as Chromium, Page } from "playwright-core";
import { type Browser, firstAdmin } from "../support/browser.ts";
import { useChromium } from "../support/chromium.ts";
import { DEEP } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { type KeptPortal, keptPortal } from "../support/kept-portal.ts";
import { settled, type Visit, visiting } from "../support/portal.ts";
import { type ServiceFixture, serviceFixture } from "../support/service-fixture.ts";

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 375, height: 740 };

const APPEARANCES = [
  { name: "light", size: WIDE, colorScheme: "light" },
  { name: "dark", size: WIDE, colorScheme: "dark" },
  { name: "narrow", size: NARROW, colorScheme: "light" },
] as const;

/** Every fault that axe finds on a page as it looks now, whatever its severity. */
const foundOn = async (page: Page): Promise<string[]> => {
  // A page that was loaded anew does not have it.
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => {
    const { configure, run } = (globalThis as unknown as { axe: typeof axe }).axe;
    // It would write down every element that it looks at.
    configure({ noHtml: true });
    return run({ resultTypes: ["violations"] });
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
};

/** Charts follow the width of the page some frames later. */
const SCROLLS_SIDEWAYS = `(async () => {
  const isWider = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  for (let frames = 0; isWider() && frames < 60; frames++) await new Promise(requestAnimationFrame);
  return isWider();
})()`;

type Appearance = (typeof APPEARANCES)[number]["name"];

let examinations = 0;
const nextAppearance = (): Appearance => APPEARANCES[examinations++ % APPEARANCES.length]?.name ?? "light";

/** Both sizes, the present one first: a page draws itself anew when its size changes. */
const sizesOf = (page: Page) => (page.viewportSize()?.width === NARROW.width ? [NARROW, WIDE] : [WIDE, NARROW]);

/**
 * The faults of a page, named by its appearance: in the deep run in all, in the gate in `only` or the next one each
 * time. Whether it scrolls sideways when narrow is always examined. The page keeps the last size.
 */
export const faultsOfPage = async (visit: Visit, only: Appearance = nextAppearance()): Promise<string[]> => {
  const { page } = visit;
  await settled(visit);
  const found: string[] = [];
  for (const wanted of sizesOf(page)) {
    const looks = APPEARANCES.filter(({ name, size }) => size === wanted && (DEEP || name === only));
    if (looks.length === 0 && wanted === WIDE) continue;
    await page.setViewportSize(wanted);
    for (const { name, colorScheme } of looks) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await foundOn(page)).map((fault) => `${name}: ${fault}`));
    }
    if (wanted === NARROW && (await page.evaluate<boolean>(SCROLLS_SIDEWAYS)))
      found.push("narrow: it scrolls sideways");
  }
  return found;
};

/** The same for what a page shows in between: it is wide and light again afterwards. */
export const faultsOf = async (visit: Visit, only: Appearance = nextAppearance()): Promise<string[]> => {
  const found = await faultsOfPage(visit, only);
  await visit.page.setViewportSize(WIDE);
  await visit.page.emulateMedia({ colorScheme: "light" });
  return found;
};

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
  const fixture = serviceFixture(engine);
  const chromium = useChromium([]);
  let started: { readonly admin: Browser; readonly kept: KeptPortal } | null = null;
  const present = () => {
    if (started === null) throw new Error("not before the tests");
    return started;
  };
  // The page's own policy would block the injected script.
  const options = { bypassCSP: true };
  beforeAll(async () => {
    const kept = keptPortal(chromium(), fixture.service.url, { clock: fixture.service.clock, ...options });
    started = { admin: await firstAdmin(fixture.service), kept };
  });
  return {
    fixture,
    get chromium() {
      return chromium();
    },
    get admin() {
      return present().admin;
    },
    withAxe: (visitor, examine) => {
      const work = async (visit: Visit): Promise<void> => {
        // The stream of changes has no end, so that the overview would never be at rest.
        await visit.page.route("**/portal/api/changes/stream*", (route) =>
          route.fulfill({ contentType: "text/event-stream", body: ": nothing\n\n" }),
        );
        await examine(visit);
      };
      return visitor === null
        ? visiting({
            chromium: chromium(),
            url: fixture.service.url,
            clock: fixture.service.clock,
            visitor,
            work,
            options,
          })
        : present().kept.visit(visitor, work, WIDE);
    },
  };
};
