import { expect, test } from "bun:test";
import type { Schedule } from "../../../core/scheduled-changes/schedule.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { create, dealerBody, vehicleBody } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";

/** How prices change: many by a rule, one with a question if it is probably typed wrongly. */
export const priceJourneys: Journeys = (context) => {
  test("prices change by a rule that leaves sold vehicles out and shows its totals; any field is set; a strange price is asked about once", async () => {
    const { admin, service } = context();
    const dealer = await create(service.api, "/api/dealers", dealerBody({ name: "Tag Street Cars" }));
    const stock = [{ price: 25_588 }, { price: 20_000 }, { price: 400 }, { price: 30_000, status: "sold" }];
    const ids: number[] = [];
    for (const [place, fields] of stock.entries())
      ids.push(
        (await create(service.api, "/api/vehicles", vehicleBody(dealer.id, { ...fields, stock_number: `T${place}` })))
          .id,
      );
    const vehicles = () =>
      Promise.all(ids.map(async (id) => (await admin.send<Vehicle>("GET", `/portal/api/vehicles/${id}`)).body));
    const prices = async () => (await vehicles()).map(({ price }) => price);
    await context().visit(admin, async (visit) => {
      await visit.go(`/dealers/${dealer.id}`);
      await visit.click(visit.field("Select all on this page"));
      await visit.press("Price…");
      const confirm = (question: string, button: string) =>
        visit.click(visit.dialog(question).getByRole("button", { name: button, exact: true }));
      await visit.choose("How", "lower-amount");
      await visit.fill({ Amount: "600", "Never below": "100" });
      await visit.choose("Rounded", "ending_95");
      await visit.shows(visit.dialog("Change the price of 3 vehicles?"));
      const lines = visit.page.getByRole("list", { name: "Selected" }).getByRole("listitem");
      await visit.shows(lines.first().getByText("from $400 to $100 large change"));
      await visit.shows(lines.getByText("Stays as it is: sold"));
      await visit.reads("In all $45,988, then $44,490. On average $15,329, then $14,830.");
      await confirm("Change the price of 3 vehicles?", "Change the price");
      await visit.reads("The price of 3 vehicles changed");
      expect(await prices()).toEqual([24_995, 19_395, 100, 30_000]);
      // The next change names the versions of the list, which is read again after each change.
      const listed = (price: string) =>
        visit.shows(visit.page.getByRole("row", { includeHidden: true }).filter({ hasText: price }).first());
      await listed("$24,995");
      await visit.press("Undo");
      await visit.reads("3 undone");
      await listed("$25,588");
      expect(await prices()).toEqual([25_588, 20_000, 400, 30_000]);
      await visit.press("Done");

      await visit.click(visit.field("Select all on this page"));
      await visit.press("Set…");
      await visit.choose("Field", "year");
      await confirm("Set year of 4 vehicles?", "Empty it");
      await visit.shows(visit.page.locator("[aria-invalid=true][name=year]"));
      await visit.choose("Field", "condition");
      await visit.fill({ Condition: "used" });
      await confirm("Set condition of 4 vehicles?", "Set it");
      await visit.reads("Condition of 4 vehicles set");
      expect((await vehicles()).map(({ condition }) => condition)).toEqual(["used", "used", "used", "used"]);
      await visit.press("Done");

      await visit.click(visit.field("Select all on this page"));
      await visit.press("Schedule…");
      await confirm("Schedule a change of 4 vehicles", "Schedule");
      await visit.shows(visit.field("Percent").and(visit.page.locator(":focus")));
      await visit.fill({ Percent: "3" });
      await confirm("Schedule a change of 4 vehicles", "Schedule");
      await visit.reads(/^4 vehicles scheduled for /);
      const scheduled = async () =>
        (
          await admin.send<{ data: readonly Schedule[] }>("GET", `/portal/api/scheduled-changes?dealer_id=${dealer.id}`)
        ).body.data.map(({ state, total, changes }) => ({ state, total, changes }));
      const lower = { total: 4, changes: { price: { percent: -3 } } };
      expect(await scheduled()).toEqual([{ state: "scheduled", ...lower }]);
      await visit.press("Undo");
      await visit.reads("Nothing is scheduled.");
      expect(await scheduled()).toEqual([{ state: "cancelled", ...lower }]);

      await visit.page.getByRole("link", { name: "2024 Toyota Camry" }).first().click();
      await visit.arrives("2024 Toyota Camry");
      const before = await prices();
      await visit.press("Change the mileage");
      await visit.shows(visit.field("Mileage").and(visit.page.locator(":focus")));
      await visit.page.keyboard.press("Escape");
      await visit.shows(visit.button("Change the mileage").and(visit.page.locator(":focus")));
      await visit.press("Change the price");
      await visit.fill({ Price: "29500" });
      await visit.page.keyboard.press("Enter");
      await visit.reads("Price saved.");
      expect((await prices()).filter((price) => price === 29_500)).toHaveLength(1);
      await visit.press("Undo");
      await visit.reads("2024 Toyota Camry is as it was.");
      expect(await prices()).toEqual(before);

      await visit.press("Edit");
      await visit.fill({ Price: "2000" });
      await visit.press("Save");
      await visit.reads(/\$2,000 instead of \$[\d,]+\? If it is right, save again/);
      expect(await prices()).toEqual([25_588, 20_000, 400, 30_000]);
      await visit.press("Save");
      await visit.reads("The vehicle is saved.");
      expect((await prices()).filter((price) => price === 2_000)).toHaveLength(1);
    });
  });
};
