import { expect, test } from "bun:test";
import type { Sale } from "../../../core/history/sale.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { deepTest } from "../../support/deep-test.ts";
import { eventually } from "../../support/eventually.ts";
import { settled } from "../../support/portal.ts";
import { create, dealerBody, vehicleBody } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";

/** How a vehicle becomes sold: by intent, and for what somebody entered. */
export const sellingJourneys: Journeys = (context) => {
  test("arrow keys sell nothing; Sold asks for the price, the day and a note, and Undo takes the sale back", async () => {
    const { admin, service } = context();
    const dealer = await create(service.api, "/api/dealers", dealerBody({ name: "Mill Street Cars" }));
    const fields = { stock_number: "M1", price: 20_000, listed_at: "2026-01-01T00:00:00Z" };
    const { id } = await create(service.api, "/api/vehicles", vehicleBody(dealer.id, fields));
    const path = `/portal/api/vehicles/${id}`;
    const now = async () => (await admin.send<Vehicle>("GET", path)).body;
    const sale = async () => (await admin.send<Sale>("GET", `${path}/sale`)).body;
    const before = await now();
    await context().visit(admin, async (visit) => {
      const { keyboard } = visit.page;
      const menu = (status: string) => visit.button(`Status of 2024 Toyota Camry: ${status}`);
      const line = (name: string) => visit.page.getByRole("menuitem", { name, exact: true });
      const isFocused = (name: string) => visit.shows(line(name).and(visit.page.locator(":focus")));
      await visit.go(`/dealers/${dealer.id}`);
      await visit.shows(menu("Available"));
      // What a page still reads draws its rows anew, and a row that is drawn anew loses the focus.
      await settled(visit);
      await menu("Available").press("Enter");
      await isFocused("Available");
      await keyboard.press("ArrowDown");
      await isFocused("Pending");
      await keyboard.press("ArrowDown");
      await isFocused("Sold…");
      expect(await now()).toEqual(before);
      await keyboard.press("Enter");

      const dialog = visit.dialog("Mark as sold");
      await visit.shows(dialog.getByText("2024 Toyota Camry, M1, on the lot"));
      const soldFor = dialog.getByLabel("Sold for", { exact: true });
      await visit.shows(soldFor.and(visit.page.locator(":focus")));
      expect(await soldFor.inputValue()).toBe("20000");
      // The list price is selected: typing replaces it.
      await keyboard.type("19500.50");
      await visit.fill({ "Sold on": "2026-10-05", Note: "Trade-in" });
      expect(await now()).toEqual(before);
      await visit.press("Mark sold");
      await visit.reads("2024 Toyota Camry is sold for $19,500.50.");
      await visit.shows(menu("Sold"));
      expect(await sale()).toMatchObject({ sold_price: 19_500.5, note: "Trade-in" });
      expect((await sale()).sold_at?.slice(0, 7)).toBe("2026-10");

      await visit.press("Undo");
      await visit.reads("2024 Toyota Camry is available again.");
      await visit.shows(menu("Available"));
      expect(await now()).toMatchObject({ status: "available", sold_at: null, price: 20_000 });

      await visit.press("Status of 2024 Toyota Camry: Available");
      await visit.click(line("Sold…"));
      await visit.fill({ "Sold for": "" });
      await visit.press("Mark sold");
      await visit.shows(dialog.getByText(/Price later to leave it open/).first());
      await visit.press("Price later");
      await visit.shows(menu("Sold"));
      expect((await sale()).sold_price).toBeNull();
    });
  });

  deepTest("several vehicles are sold with a table of their prices; those left empty have none", async () => {
    const { admin, service } = context();
    const dealer = await create(service.api, "/api/dealers", dealerBody({ name: "Mill Street Vans" }));
    const ids: number[] = [];
    for (const stock_number of ["V1", "V2", "V3"])
      ids.push(
        (await create(service.api, "/api/vehicles", vehicleBody(dealer.id, { stock_number, price: 20_000 }))).id,
      );
    const soldFor = async () =>
      Promise.all(
        ids.map(async (id) => (await admin.send<Sale>("GET", `/portal/api/vehicles/${id}/sale`)).body.sold_price),
      );
    await context().visit(admin, async (visit) => {
      await visit.go(`/dealers/${dealer.id}`);
      await visit.click(visit.field("Select all on this page"));
      await visit.press("Status…");
      await visit.fill({ "Sold for: 2024 Toyota Camry, V1": "eighteen" });
      await visit.press("Set the status");
      await visit.reads("What 2024 Toyota Camry, V1 was sold for must be a number.");
      await visit.press("Fill in the list prices");
      await visit.fill({ "Sold for: 2024 Toyota Camry, V1": "18000", "Sold for: 2024 Toyota Camry, V3": "" });
      await visit.press("Set the status");
      await visit.reads("3 vehicles sold");
      expect(await soldFor()).toEqual([18_000, 20_000, null]);
      await visit.press("Undo");
      await visit.reads("3 undone");
    });
    await eventually(
      async () => (await admin.send<Vehicle>("GET", `/portal/api/vehicles/${ids[0]}`)).body.status,
      (status) => status === "available",
    );
  });
};
