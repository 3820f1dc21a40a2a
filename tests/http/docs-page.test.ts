import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { useChromium } from "../support/chromium.ts";
import { ENGINES } from "../support/engines.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

// The page is the same on every engine.
for (const engine of ENGINES.slice(0, 1))
  describe("the page of the reference", () => {
    const fixture = serviceFixture(engine);
    const chromium = useChromium();
    const contexts: BrowserContext[] = [];
    let wide: Page;
    let narrow: Page;

    const opened = async (viewport: typeof WIDE): Promise<Page> => {
      const context = await chromium().newContext({ viewport });
      contexts.push(context);
      const page = await context.newPage();
      await page.goto(`${fixture.service.url}/docs`);
      await page.locator("#operations-Vehicles-listVehicles").waitFor();
      return page;
    };
    beforeAll(async () => {
      wide = await opened(WIDE);
      narrow = await opened(NARROW);
    });
    afterAll(() => Promise.all(contexts.map((context) => context.close())));

    test("lists the guides and every operation in its menu", async () => {
      const { body } = await fixture.api<{ paths: Record<string, object> }>("GET", "/openapi.json", { key: null });
      const operations = Object.values(body.paths).flatMap((methods) => Object.keys(methods)).length;
      const links = await wide.locator(".menu a").allTextContents();
      expect(links).toEqual(expect.arrayContaining(["First request", "Paging", "The OpenAPI document"]));
      const guides = await wide.locator(".menu section").first().locator("a").count();
      expect(links.length - guides).toBe(operations);
    });

    test("opens an operation of the menu, which takes two screens at most while its lists are folded", async () => {
      for (const [summary, id] of [
        [/^List vehicles$/, "listVehicles"],
        [/^Create a vehicle$/, "createVehicle"],
      ] as const) {
        await wide.locator(".menu a", { hasText: summary }).click();
        const operation = wide.locator(`#operations-Vehicles-${id}`);
        await operation.locator(".samples").waitFor();
        expect((await operation.boundingBox())?.height).toBeLessThan(2 * WIDE.height);
      }
    });

    test("fits on a phone, with the menu folded and an operation open", async () => {
      expect(await narrow.locator(".menu").getAttribute("open")).toBeNull();
      await narrow.locator("#operations-Vehicles-listVehicles .opblock-summary-control").click();
      await narrow.locator("#operations-Vehicles-listVehicles .samples").waitFor();
      const width = await narrow.evaluate("document.documentElement.scrollWidth");
      expect(width).toBe(NARROW.width);
    });

    test("has no link to a licence", async () => {
      expect(await wide.locator("a[href*='spdx'], .info__license").count()).toBe(0);
    });
  });
