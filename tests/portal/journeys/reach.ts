import { test } from "bun:test";
import type { Locator } from "playwright-core";
import { create, dealerBody, imageBody, vehicleBody } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";

const DESK = { width: 1440, height: 900 };
const TABLET = { width: 1024, height: 768 };
const PHONE = { width: 375, height: 740 };

/** A vehicle's page in windows of three widths, and what Escape closes there. */
export const reachJourneys: Journeys = (context) => {
  test("a phone has price, days, status and what changes them under the title; Escape closes what it opened and nothing else", async () => {
    const { admin, service } = context();
    const dealer = await create(service.api, "/api/dealers", dealerBody({ name: "Pier Nine Cars" }));
    const fields = { stock_number: "P9", price: 18_250, listed_at: "2026-01-01T00:00:00Z" };
    const { id } = await create(service.api, "/api/vehicles", vehicleBody(dealer.id, fields));
    await create(service.api, `/api/vehicles/${id}/images`, imageBody());
    await context().visit(admin, async (visit) => {
      const { page, button, shows, hides, press } = visit;
      const isFocused = (one: Locator): Promise<unknown> => shows(one.and(page.locator(":focus")));
      const glance = visit.section("At a glance");
      const status = button("Status of 2024 Toyota Camry: Available");
      const usual = page.viewportSize() ?? DESK;
      await visit.drawPictures();
      await visit.go(`/vehicles/${id}`);
      for (const size of [DESK, TABLET]) {
        await page.setViewportSize(size);
        await hides(glance);
        for (const name of ["Change the price", "Choose photos", "Edit image 1"]) await shows(button(name));
        await shows(visit.section("Facts").getByText("On the lot"));
      }
      await page.setViewportSize(PHONE);
      await shows(glance.getByText("$18,250"));
      await shows(glance.getByText(/^\d+ days$/));
      await shows(glance.getByRole("button", { name: /^Status of / }));
      for (const name of ["Choose photos", "Edit image 1", "Change the price"]) await hides(button(name));
      await press("Add and sort");
      for (const name of ["Choose photos", "Edit image 1"]) await shows(button(name));

      // A menu, then a form in the page, then a dialog, and a list within a dialog.
      await status.press("Enter");
      await isFocused(page.getByRole("menuitem", { name: "Available" }));
      await page.keyboard.press("Escape");
      await hides(page.getByRole("menu"));
      await isFocused(status);
      await press("Edit price");
      await isFocused(visit.field("Price"));
      await page.keyboard.type("17000");
      await page.keyboard.press("Escape");
      await hides(visit.field("Price"));
      await isFocused(button("Edit price"));
      await shows(glance.getByText("$18,250"));
      await press("Sold…");
      const sale = visit.dialog("Mark as sold");
      await isFocused(visit.field("Sold for"));
      await page.keyboard.press("Escape");
      await hides(sale);
      await isFocused(button("Sold…"));
      await press("Edit");
      const editing = visit.dialog(/^Edit /);
      await shows(editing);
      const make = editing.getByLabel("Make", { exact: true });
      await make.focus();
      await make.press("ArrowDown");
      await shows(page.getByRole("option").first());
      await make.press("Escape");
      await hides(page.getByRole("option").first());
      await shows(editing);
      await make.press("Escape");
      await hides(editing);
      await isFocused(button("Edit"));
      await page.setViewportSize(usual);
    });
  });
};
