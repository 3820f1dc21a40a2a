import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { HUNG_MS } from "../support/hung.ts";
import type { Examined } from "./axe.ts";

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

/** Adds the tests of the reference that the service shows at `/docs`: they share the browser. */
export const useReference = (setup: Examined): void =>
  describe("the page of the reference", () => {
    const { fixture } = setup;
    let page: Page;
    beforeAll(async () => {
      page = await setup.chromium.newPage({ viewport: WIDE });
      page.setDefaultTimeout(HUNG_MS);
      await page.goto(`${fixture.service.url}/docs`);
      await page.locator("#operations-Vehicles-listVehicles").waitFor();
    });
    afterAll(() => page.context().close());

    test("lists the guides and every operation in its menu", async () => {
      const { body } = await fixture.api<{ paths: Record<string, object> }>("GET", "/openapi.json", { key: null });
      const operations = Object.values(body.paths).flatMap((methods) => Object.keys(methods)).length;
      const links = await page.locator(".menu a").allTextContents();
      expect(links).toEqual(expect.arrayContaining(["First request", "Paging", "The OpenAPI document"]));
      const guides = await page.locator(".menu section").first().locator("a").count();
      expect(links.length - guides).toBe(operations);
    });

    test("opens an operation of the menu, which takes two screens at most while its lists are folded", async () => {
      for (const [summary, id] of [
        [/^List vehicles$/, "listVehicles"],
        [/^Create a vehicle$/, "createVehicle"],
      ] as const) {
        await page.locator(".menu a", { hasText: summary }).click();
        const operation = page.locator(`#operations-Vehicles-${id}`);
        await operation.locator(".samples").waitFor();
        expect((await operation.boundingBox())?.height).toBeLessThan(2 * WIDE.height);
      }
    });

    test("shows the schema that an operation refers to", async () => {
      const operation = page.locator("#operations-Vehicles-createVehicle");
      await operation.getByText(/^Parameters .* and body$/).click();
      await operation.getByRole("tab", { name: "Schema" }).first().click();
      await operation.locator(".json-schema-2020-12-property").getByText("stock_number", { exact: true }).waitFor();
      expect(await page.locator(".errors-wrapper").count()).toBe(0);
    });

    test("fits on a phone, with the menu folded and operations open", async () => {
      await page.setViewportSize(NARROW);
      await page.locator(".menu:not([open])").waitFor();
      expect(await page.locator(".samples").count()).toBe(2);
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(NARROW.width);
    });

    test("has no link to a licence", async () => {
      expect(await page.locator("a[href*='spdx'], .info__license").count()).toBe(0);
    });
  });
