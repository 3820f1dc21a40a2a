import { expect, test } from "bun:test";
import type { Schedule } from "../../../core/scheduled-changes/schedule.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { create, dealerBody, vehicleBody } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** What would sell a vehicle, and what is done about its price: now, or on another day. */
export const adviceJourneys: Journeys = (context) => {
  test("a car that stands too long says how soon it goes at a price, gets it now or on another day, and both are taken back", async () => {
    const { admin, service } = context();
    // All are measured from one moment, so that the days between two of them are whole.
    const beganMs = Date.parse(service.after(0));
    const daysAgo = (days: number): string => new Date(beganMs - days * DAY_MS).toISOString();
    const dealer = await create(service.api, "/api/dealers", dealerBody({ name: "Longstay Motors" }));
    const add = (fields: object) => create(service.api, "/api/vehicles", vehicleBody(dealer.id, fields));
    for (const [price, days] of [
      [23_900, 20],
      [24_000, 30],
      [24_300, 46],
      [25_900, 70],
      [26_000, 71],
      [26_100, 90],
    ] as const)
      await add({ status: "sold", price, sold_at: daysAgo(5), listed_at: daysAgo(5 + days), model: "Avalon" });
    const car = await add({ price: 26_000, listed_at: daysAgo(60), model: "Avalon" });
    const rare = await add({ price: 26_000, listed_at: daysAgo(60), model: "Crown", make: "Toyota" });
    const priceOf = async () => (await admin.send<Vehicle>("GET", `/portal/api/vehicles/${car.id}`)).body.price;
    const scheduled = async () =>
      (await admin.send<{ data: readonly Schedule[] }>("GET", `/portal/api/scheduled-changes?vehicle_id=${car.id}`))
        .body.data;
    await context().visit(admin, async (visit) => {
      await visit.go(`/vehicles/${car.id}`);
      await visit.arrives("2024 Toyota Avalon");
      await visit.reads("Your last 6 sales of Avalon, 2024: price against days to sell");
      const slider = visit.page.getByRole("slider", { name: "Price" });
      await slider.fill("24090");
      await visit.reads("Cars like this at $24,090 went in 30 days (3 sales); at today's price in 71 days (3 sales).");
      // The arrow keys move it by one step.
      await slider.press("ArrowLeft");
      await visit.reads("Cars like this at $23,990 went in 30 days (3 sales)");
      await visit.press("Set this price");
      await visit.reads("2024 Toyota Avalon costs $23,990.");
      expect(await priceOf()).toBe(23_990);
      // The page has read the vehicle again, and what was chosen is still chosen.
      await visit.shows(visit.page.getByRole("button", { name: "Set this price", disabled: true }));
      await visit.press("Undo");
      await visit.reads("2024 Toyota Avalon costs $26,000 again.");
      expect(await priceOf()).toBe(26_000);

      await slider.fill("24090");
      await visit.press("Do it on Friday");
      await visit.shows(visit.dialog("Schedule a change"));
      expect(await visit.field("When").inputValue()).toMatch(/T09:00$/);
      await visit.fill({ When: "2020-01-03T09:00" });
      await visit.press("Schedule");
      await visit.reads("Choose a time that is still to come");
      visit.expects("400 POST /portal/api/scheduled-changes");
      await visit.fill({ When: daysAgo(-7).slice(0, 16) });
      await visit.press("Schedule");
      await visit.reads(/^Scheduled for /);
      expect(await scheduled()).toMatchObject([{ state: "scheduled", changes: { price: 24_090 } }]);
      await visit.shows(visit.section("Scheduled").getByText("price $24,090"));
      await visit.press(/^Cancel price \$24,090 on /);
      await visit.hides(visit.section("Scheduled"));
      expect(await scheduled()).toMatchObject([{ state: "cancelled" }]);

      await visit.go(`/vehicles/${rare.id}`);
      await visit.reads("Only 0 sales of Crown, no advice. It takes five.");
      await visit.go(`/vehicles/scheduled?state=cancelled&dealer_id=${dealer.id}`);
      await visit.shows(visit.page.getByRole("row", { name: /2024 Toyota Avalon price \$24,090.*cancelled/ }));
    });
  });
};
