import { expect, test } from "bun:test";
import { deepTest } from "../../support/deep-test.ts";
import { eventually } from "../../support/eventually.ts";
import { create, dealerBody, vehicleBody } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";

/** Suggestions of forms. */
export const suggestionJourneys: Journeys = (context) => {
  deepTest("a VIN fills empty make and year fields; the form explains what is wrong with an invalid one", async () => {
    const { admin, service } = context();
    const dealer = await create(service.api, "/api/dealers", dealerBody());
    await context().visit(admin, async (visit) => {
      await visit.go(`/dealers/${dealer.id}/vehicles/new`);
      await visit.fill({ Make: "Acura", VIN: "1hgcm82633a123456" });
      await visit.reads("The 9th character is 3, but should be 7");
      await eventually(
        () => visit.field("Year").inputValue(),
        (year) => year === "2003",
      );
      expect(await visit.field("Make").inputValue()).toBe("Acura");
      await visit.fill({ Make: "", Year: "", VIN: "1HGBH41JXMN109186" });
      await eventually(
        () => visit.field("Make").inputValue(),
        (make) => make === "Honda",
      );
      expect(await visit.field("Year").inputValue()).toBe("1991");
    });
  });

  test("a vehicle's form suggests common values and those of the dealer's vehicles, models by make, and accepts any other", async () => {
    const { admin, service } = context();
    const dealer = await create(service.api, "/api/dealers", dealerBody());
    for (const fields of [
      { make: "Škoda", model: "Octavia", fuel_type: "LPG" },
      { make: "Ford", model: "Kuga" },
    ])
      await create(service.api, "/api/vehicles", { ...vehicleBody(dealer.id), ...fields });
    await context().visit(admin, async (visit) => {
      const option = (name: string) => visit.page.getByRole("option", { name, exact: true });
      await visit.go(`/dealers/${dealer.id}/vehicles/new`);
      await visit.fill({ Make: "Š" });
      await visit.click(option("Škoda"));
      expect(await visit.field("Make").inputValue()).toBe("Škoda");
      await visit.field("Model").click();
      await visit.shows(option("Octavia"));
      expect(await option("Kuga").count()).toBe(0);
      await visit.page.keyboard.press("ArrowDown");
      await visit.page.keyboard.press("Enter");
      expect(await visit.field("Model").inputValue()).toBe("Octavia");
      await visit.field("Fuel type").click();
      await visit.shows(option("LPG"));
      await visit.shows(option("diesel"));
      // Escape closes the list and nothing else.
      await visit.page.keyboard.press("Escape");
      await visit.hides(option("LPG"));
      await visit.fill({ "Fuel type": "hydrogen", Year: "2024", Price: "20000" });
      await visit.press("Add the vehicle");
      await visit.arrives("2024 Škoda Octavia");
      await visit.reads("hydrogen");
      await visit.press("Edit");
      await visit.field("Condition").click();
      await visit.shows(option("certified pre-owned"));
      await visit.page.keyboard.press("Escape");
      await visit.hides(option("certified pre-owned"));
      await visit.shows(visit.dialog(/^Edit /));
    });
  });
};
