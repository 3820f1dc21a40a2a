import { expect } from "bun:test";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { create, dealerBody, vehicleBody } from "../../support/sample-records.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

/** The figure with this name in the row of figures. */
const figure = (visit: Visit, name: string) =>
  visit
    .section("In all")
    .locator("div", { has: visit.page.getByText(name, { exact: true }) })
    .locator("dd");

/** Reports about what dealers added and sold. */
export const reportJourneys: Journeys = (context) => {
  deepTest(
    "reports of one and of all dealers show what was added and sold and what is on the lot; sales only to users who may change vehicles",
    async () => {
      const { admin, service } = context();
      const dealer = await create(service.api, "/api/dealers", dealerBody({ name: "Almanac Autos" }));
      const ids: number[] = [];
      for (const stock_number of ["R1", "R2", "R3"])
        ids.push(
          (await create(service.api, "/api/vehicles", vehicleBody(dealer.id, { stock_number, price: 20_000 }))).id,
        );
      await admin.send("PUT", `/portal/api/vehicles/${ids[0]}`, { body: { price: 19_000 } });
      await admin.send("PUT", `/portal/api/vehicles/${ids[0]}`, { body: { status: "sold", sold_price: 19_000 } });
      await context().visit(admin, async (visit) => {
        await visit.go(`/dealers/${dealer.id}`);
        await visit.click(visit.page.getByRole("tab", { name: "Report", exact: true }));
        await visit.shows(figure(visit, "Added").getByText("3", { exact: true }));
        await visit.shows(figure(visit, "Sold value").getByText("$19,000"));
        await visit.shows(figure(visit, "Discount").getByText("$1,000 (5 %)"));
        await visit.shows(visit.section("Added and sold").getByRole("img", { name: "Chart: 3 added and 1 sold" }));
        await visit.shows(visit.section("On the lot now").getByText("2 vehicles, $40,000"));
        await visit.choose("Months", "Last 3 months");
        await visit.click(visit.page.getByText("Figures as a table"));
        expect(await visit.page.getByRole("table", { name: "Months" }).getByRole("row").count()).toBe(4);
        await visit.click(visit.section("Longest on the lot").getByRole("link").first());
        await visit.arrives("2024 Toyota Camry");
        await visit.go("/vehicles/report");
        const row = visit.page.getByRole("table", { name: "By dealer" }).getByRole("row", { name: /Almanac Autos/ });
        await visit.shows(row.getByText("$19,000"));
      });
      const clerk = await signedInUser(context(), { role: "user", dealer_id: dealer.id });
      await context().visit(clerk.session, async (visit) => {
        await visit.go(`/dealers/${dealer.id}?tab=report`);
        await visit.shows(figure(visit, "Sold").getByText("1", { exact: true }));
        expect(await visit.text()).not.toContain("$19,000");
      });
    },
  );
};
