import { expect, test } from "bun:test";
import type { BulkAnswer } from "../../../core/bulk/bulk.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { create, dealerBody, vehicleBody } from "../../support/sample-records.ts";
import { type JourneyContext, type Journeys, signedInUser } from "./journey-context.ts";

const DEALER = "Clock Street Cars";
const CHANGED = "Bulk change of 3 vehicles: price";

/** A new dealer with vehicles at 20 000. */
const fillStock = async ({ service }: JourneyContext, count: number) => {
  const dealer = await create(service.api, "/api/dealers", dealerBody({ name: DEALER }));
  const ids: number[] = [];
  for (let place = 1; place <= count; place++) {
    const fields = { stock_number: `R${place}`, price: 20_000 };
    ids.push((await create(service.api, "/api/vehicles", vehicleBody(dealer.id, fields))).id);
  }
  return { dealer, ids, paths: ids.map((id) => `/portal/api/vehicles/${id}`) as [string, string, string] };
};

const result = ({ page }: Visit, name: string, said: string) =>
  page
    .getByRole("list", { name: "Results", exact: true })
    .getByRole("listitem")
    .filter({ hasText: name })
    .getByText(said, { exact: true });

/** The list of recent changes: what was changed together is seen and reverted there, also much later. */
export const recentChangeJourneys: Journeys = (context) => {
  test("a change is found behind the clock after a reload, seen in the audit log and reverted, and leaves no trace in any figure", async () => {
    const { admin, service } = context();
    const { dealer, ids, paths } = await fillStock(context(), 3);
    const now = async (path: string): Promise<Vehicle> => (await admin.send<Vehicle>("GET", path)).body;
    await admin.send("PUT", paths[0], { body: { price: 19_900 } });
    const before = await now(paths[0]);
    await context().visit(admin, async (visit) => {
      await visit.go(`/vehicles?dealer_id=${dealer.id}`);
      await visit.click(visit.field("Select all on this page"));
      await visit.press("Price…");
      await visit.fill({ Percent: "3" });
      await visit.click(visit.dialog(/3 vehicles/).getByRole("button", { name: "Change the price", exact: true }));
      await visit.reads("The price of 3 vehicles changed");
      await visit.press("Done");
      expect((await now(paths[0])).price).toBe(19_303);
      await visit.again();
      await visit.follow("Recent changes");
      await visit.arrives("Recent changes");
      await visit.follow(`See ${CHANGED}`);
      await visit.arrives("Audit");
      await visit.shows(visit.button(/^Remove the filter Change: /));
      await visit.reads("These are all.");
      const entries = visit.page.getByRole("table", { name: "Audit log" });
      expect(await entries.getByText("The vehicle's price was changed", { exact: true }).count()).toBe(3);
      await visit.page.goBack();

      await visit.press(`Revert: ${CHANGED}`);
      await visit.shows(visit.dialog("Revert this change?").getByText(CHANGED));
      expect((await now(paths[0])).price).toBe(19_303);
      await visit.press("Revert");
      await visit.shows(visit.dialog("3 vehicles reverted"));
      await visit.shows(result(visit, "2024 Toyota Camry, R1", "reverted"));
      await visit.press("Done");
      await visit.shows(visit.button(`Revert the rest: ${CHANGED}`));
      await visit.shows(visit.page.getByRole("row", { name: /^Reversal/ }));

      expect(await now(paths[0])).toEqual({ ...before, updated_at: expect.any(String) });
      expect(await now(paths[1])).toMatchObject({ price: 20_000, previous_price: null, price_changed_at: null });
      await visit.go(`/vehicles/${ids[1]}`);
      await visit.shows(visit.section("Price history").getByText("0 changes in 0 days"));
      await visit.shows(visit.section("Price history").getByRole("img", { name: /\$20,000, to now, \$20,000/ }));
      await visit.click(visit.page.getByText("Prices as a table"));
      await visit.shows(visit.page.getByRole("table", { name: "Prices" }).getByText(/, reversal$/));
    });
    const { body } = await service.api<{ total: { price_drops: number } }>("GET", `/api/dealers/${dealer.id}/report`);
    // The change that nobody reverted.
    expect(body.total.price_drops).toBe(1);
  });

  deepTest("the results say which vehicles were changed since, are not found, or are unchanged", async () => {
    const { admin } = context();
    const { dealer, ids, paths } = await fillStock(context(), 3);
    const changes = { price: 18_000 };
    await admin.send<BulkAnswer>("POST", "/portal/api/vehicles/bulk", { body: { ids, changes } });
    await admin.send("PUT", paths[0], { body: { price: 17_000 } });
    await admin.send("DELETE", paths[1]);
    await context().visit(admin, async (visit) => {
      await visit.go(`/dealers/${dealer.id}`);
      await visit.act(DEALER, "Recent changes");
      await visit.press(`Revert: ${CHANGED}`);
      await visit.press("Revert");
      await visit.shows(visit.dialog("1 vehicle reverted, 1 changed since, 1 not found"));
      await visit.shows(result(visit, "2024 Toyota Camry, R1", "changed since"));
      await visit.shows(result(visit, `Vehicle ${ids[1]}`, "not found"));
      await visit.shows(result(visit, "2024 Toyota Camry, R3", "reverted"));
      await visit.press("Done");
      await visit.press(`Revert the rest: ${CHANGED}`);
      await visit.press("Revert");
      await visit.shows(result(visit, "2024 Toyota Camry, R3", "unchanged"));
      await visit.press("Done");
    });
    expect((await admin.send<Vehicle>("GET", paths[0])).body.price).toBe(17_000);
  });

  deepTest("Undo of an edit and of an edited sale reverts it, and keeps what somebody changed since", async () => {
    const { admin } = context();
    const { ids, paths } = await fillStock(context(), 1);
    const now = async (): Promise<Vehicle> => (await admin.send<Vehicle>("GET", paths[0])).body;
    await context().visit(admin, async (visit) => {
      await visit.go(`/vehicles/${ids[0]}`);
      await visit.press("Edit");
      await visit.fill({ Price: "17000" });
      await visit.press("Save");
      await visit.reads("The vehicle is saved.");
      expect((await now()).price).toBe(17_000);
      await visit.press("Undo");
      await visit.reads("2024 Toyota Camry is as it was.");
      expect(await now()).toMatchObject({ price: 20_000, previous_price: null });

      await visit.press("Edit");
      await visit.fill({ Price: "16000" });
      await visit.press("Save");
      await visit.reads("The vehicle is saved.");
      await admin.send("PUT", paths[0], { body: { price: 16_500 } });
      await visit.press("Undo");
      await visit.reads("Not undone. Somebody changed it meanwhile.");
      expect((await now()).price).toBe(16_500);

      await admin.send("PUT", paths[0], { body: { status: "sold", sold_price: 16_000 } });
      await visit.again();
      await visit.press("Edit the sale");
      await visit.fill({ "Sold for": "15500", Note: "Cash" });
      await visit.press("Save");
      await visit.shows(visit.section("Sale").getByText("$15,500"));
      await visit.press("Undo");
      await visit.reads("The sale is as it was.");
      await visit.shows(visit.section("Sale").getByText("$16,000"));
      await visit.hides(visit.section("Sale").getByText("Cash"));
    });
  });

  deepTest(
    "who belongs to a dealer finds its own changes, and nobody who may not change vehicles finds the clock",
    async () => {
      const { admin } = context();
      const [own, other] = [await fillStock(context(), 1), await fillStock(context(), 1)];
      for (const [{ ids }, price] of [
        [own, 18_000],
        [other, 17_000],
      ] as const)
        await admin.send("POST", "/portal/api/vehicles/bulk", { body: { ids, changes: { price } } });
      const permissions = [
        { resource: "vehicles", action: "read" },
        { resource: "vehicles", action: "write" },
      ];
      const seller = await signedInUser(context(), { role: "user", dealer_id: own.dealer.id, permissions });
      const clerk = await signedInUser(context(), { role: "user", dealer_id: own.dealer.id });
      await context().visit(seller.session, async (visit) => {
        await visit.go("/vehicles");
        await visit.follow("Recent changes");
        await visit.reads("1 to 1 of 1 changes");
        await visit.shows(visit.page.getByRole("row", { name: /^Bulk change/ }).getByText("Operator"));
        // Without the audit log, the vehicle itself is what there is to see.
        await visit.follow("See Bulk change of 1 vehicle: price");
        await visit.arrives("2024 Toyota Camry");
      });
      await context().visit(clerk.session, async (visit) => {
        await visit.go("/vehicles");
        await visit.arrives("Vehicles");
        expect(await visit.link("Recent changes").count()).toBe(0);
      });
    },
  );
};
