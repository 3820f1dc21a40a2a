import { expect } from "bun:test";
import { deepTest } from "../../support/deep-test.ts";
import { create, dealerBody, vehicleBody } from "../../support/sample-records.ts";
import { type JourneyContext, type Journeys, signedInUser } from "./journey-context.ts";

/** A new dealer with one vehicle. */
const fillStock = async ({ service }: JourneyContext) => {
  const dealer = await create(service.api, "/api/dealers", dealerBody());
  const fields = { stock_number: "A1", price: 20_111.11 };
  return { dealer, id: (await create(service.api, "/api/vehicles", vehicleBody(dealer.id, fields))).id };
};

/** The history of a vehicle on its page. */
export const historyJourneys: Journeys = (context) => {
  deepTest(
    "a vehicle's page shows its prices and statuses over time, and its sale price only to users who may change it",
    async () => {
      const { admin } = context();
      const { dealer, id } = await fillStock(context());
      const path = `/portal/api/vehicles/${id}`;
      await admin.send("PUT", path, { body: { price: 19_000 } });
      await admin.send("PUT", path, { body: { price: 18_500 } });
      await context().visit(admin, async (visit) => {
        await visit.go(`/vehicles/${id}`);
        await visit.shows(visit.section("Price history").getByText("2 changes in 0 days"));
        await visit.shows(visit.section("Price history").getByRole("img", { name: /\$20,111\.11, to now, \$18,500/ }));
        await visit.shows(visit.section("Facts").getByText("$500"));
        await visit.press("Edit");
        await visit.choose("Status", "sold");
        await visit.choose("Stage", "Delivered");
        await visit.press("Save");
        await visit.shows(visit.section("Timeline").getByText("Stage: from none to Delivered"));
        await visit.shows(visit.section("Sale").getByText("Not yet"));
        await visit.press("Edit the sale");
        await visit.fill({ "Sold for": "18250.50", Note: "Cash" });
        await visit.press("Save");
        await visit.shows(visit.section("Sale").getByText("$18,250.50"));
        await visit.shows(visit.section("Sale").getByText("Cash"));
        await visit.press("Status of 2024 Toyota Camry: Sold");
        await visit.click(visit.page.getByRole("menuitem", { name: "Available" }));
        await visit.hides(visit.section("Sale"));
        // Undo enters the sale again. The changes before it offer theirs, too.
        const ended = visit.page.getByRole("alert").filter({ hasText: "2024 Toyota Camry is available." });
        await visit.click(ended.getByRole("button", { name: "Undo" }));
        await visit.shows(visit.section("Sale").getByText("$18,250.50"));
        await visit.shows(visit.section("Sale").getByText("Cash"));
      });
      await admin.send("PUT", path, { body: { status: "sold" } });
      const clerk = await signedInUser(context(), { role: "user", dealer_id: dealer.id });
      await context().visit(clerk.session, async (visit) => {
        await visit.go(`/vehicles/${id}`);
        await visit.shows(visit.section("Timeline"));
        expect(await visit.section("Sale").count()).toBe(0);
      });
    },
  );
};
