import { expect, test } from "bun:test";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { create, dealerBody, vehicleBody } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";

/** The sheet of vehicles: cells are edited in place and saved together. */
export const sheetJourneys: Journeys = (context) => {
  test("cells of a sheet are typed, filled down and pasted with the keyboard, saved together, refused beside their vehicle, and undone", async () => {
    const { admin, service } = context();
    const dealer = await create(service.api, "/api/dealers", dealerBody({ name: "Grid Street Cars" }));
    const ids: number[] = [];
    for (const place of [1, 2, 3])
      ids.push(
        (
          await create(
            service.api,
            "/api/vehicles",
            vehicleBody(dealer.id, { stock_number: `G${place}`, price: 20_000 }),
          )
        ).id,
      );
    const vehicles = () =>
      Promise.all(ids.map(async (id) => (await admin.send<Vehicle>("GET", `/portal/api/vehicles/${id}`)).body));
    const before = await vehicles();
    await context().visit(admin, async (visit) => {
      const { keyboard } = visit.page;
      await visit.go(`/vehicles?dealer_id=${dealer.id}`);
      await visit.act("Vehicles", "Edit as a sheet");
      await visit.arrives("Sheet");
      const grid = visit.page.getByRole("grid", { name: "Vehicles" });
      const cell = (row: number, column: number) => grid.locator(`[data-cell="${row} ${column}"]`);
      await visit.shows(cell(2, 0));
      const rows = await grid.locator("tbody th").allTextContents();
      expect(rows).toHaveLength(3);
      const at = (id: number): number => rows.findIndex((name) => name.endsWith(`G${ids.indexOf(id) + 1}`));
      const [first = 0] = [0, 1, 2].map((row) => ids.find((id) => at(id) === row) ?? 0);

      // Price of the first row, then filled down over all three.
      await cell(0, 1).click();
      await keyboard.type("19500");
      await keyboard.press("Enter");
      await visit.shows(cell(1, 1).and(visit.page.locator(":focus")));
      await keyboard.press("ArrowUp");
      await keyboard.press("Shift+ArrowDown");
      await keyboard.press("Shift+ArrowDown");
      await keyboard.press("Control+d");
      await visit.reads("3 changes in 3 vehicles.");
      await visit.page.evaluate(`(() => {
        const carried = new DataTransfer();
        carried.setData("text/plain", "1500\\t\\t2024\\tHonda\\r\\n");
        document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: carried, bubbles: true, cancelable: true }));
      })()`);
      await visit.reads("4 changes in 3 vehicles. 1 price by more than a fifth.");
      await keyboard.press("Escape");
      await cell(0, 3).click();
      await keyboard.type("15");
      await keyboard.press("Tab");
      await visit.reads(/^5 changes in 3 vehicles/);
      expect(await vehicles()).toEqual(before);
      visit.expects("400 POST /portal/api/vehicles/bulk");
      await visit.press("Save");
      await visit.shows(grid.getByText(/^Year: Enter a whole number/));
      const saved = await vehicles();
      expect(saved.filter(({ price }) => price === 19_500)).toHaveLength(2);
      expect(saved.find(({ id }) => id === first)).toMatchObject({ price: 20_000, make: "Toyota" });

      await cell(0, 3).click();
      await keyboard.press("Enter");
      await keyboard.press("Escape");
      await keyboard.type("2015");
      await keyboard.press("Enter");
      await visit.press("Save");
      await visit.reads("1 vehicle saved.");
      expect((await vehicles()).find(({ id }) => id === first)).toMatchObject({
        price: 1500,
        year: 2015,
        make: "Honda",
      });
      await visit.press("Undo");
      await visit.reads("1 vehicle as before.");
      expect((await vehicles()).find(({ id }) => id === first)).toMatchObject({
        price: 20_000,
        year: 2024,
        make: "Toyota",
      });

      await cell(1, 1).click();
      await keyboard.press("Delete");
      await visit.reads("1 change in 1 vehicle.");
      await visit.press("Discard");
      await visit.hides(visit.button("Save"));
    });
  });
};
