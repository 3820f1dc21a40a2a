import { expect, test } from "bun:test";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { create, dealerBody, vehicleBody } from "../../support/sample-records.ts";
import type { JourneyContext, Journeys } from "./journey-context.ts";

const result = ({ page }: Visit, name: string, said: string | RegExp) =>
  page
    .getByRole("list", { name: "Results", exact: true })
    .getByRole("listitem")
    .filter({ hasText: name })
    .getByText(said);

const confirm = (visit: Visit, question: string, button: string) =>
  visit.click(visit.dialog(question).getByRole("button", { name: button, exact: true }));

/** Creates a dealer with this many vehicles, each with a different price. */
const fillStock = async ({ service }: JourneyContext, count: number) => {
  const dealer = await create(service.api, "/api/dealers", dealerBody());
  const ids: number[] = [];
  for (let place = 1; place <= count; place++) {
    const fields = { stock_number: `A${place}`, price: (2_000_000 + place * 11_111) / 100 };
    ids.push((await create(service.api, "/api/vehicles", vehicleBody(dealer.id, fields))).id);
  }
  return { dealer, ids };
};

/** The bodies of the bulk requests that changed vehicles. */
const bulkRequests = ({ page }: Visit): { readonly ids: readonly number[] }[] => {
  const sent: { readonly ids: readonly number[]; readonly dry_run: boolean }[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/vehicles/bulk")) sent.push(request.postDataJSON());
  });
  return sent;
};

/** A dealer's vehicles: selected, changed together, and restored by Undo. */
export const vehicleJourneys: Journeys = (context) => {
  test("selected vehicles change together; Undo restores each field that nobody else changed since", async () => {
    const { admin } = context();
    const { dealer, ids } = await fillStock(context(), 3);
    const [first, second, third] = ids.map((id) => `/portal/api/vehicles/${id}`) as [string, string, string];
    const now = async (path: string): Promise<Vehicle> => (await admin.send<Vehicle>("GET", path)).body;
    await context().visit(admin, async (visit) => {
      await visit.go(`/dealers/${dealer.id}`);
      await visit.click(visit.field("Select all on this page"));
      // The dialog opens with "sold" and asks at once what that would change; the answer stays fresh for 5 s.
      const wouldBeSold = visit.page.waitForResponse(
        (answer) =>
          answer.url().endsWith("/vehicles/bulk") && answer.request().postDataJSON().changes.status === "sold",
      );
      await visit.press("Status…");
      await wouldBeSold;
      await visit.choose("New status", "available");
      await visit.shows(visit.dialog("Set the status of 0 vehicles?"));
      await visit.choose("New status", "sold");
      await visit.shows(visit.dialog("Set the status of 3 vehicles?"));
      await admin.send("PUT", second, { body: { price: 20_000 } });
      await admin.send("DELETE", third);
      await confirm(visit, "Set the status of 3 vehicles?", "Set the status");
      await visit.reads("1 vehicle sold, 2 not");
      await visit.shows(result(visit, "A2", "Somebody changed it meanwhile."));
      await visit.shows(result(visit, "A3", "It is no longer there."));
      expect([(await now(first)).status, (await now(second)).status]).toEqual(["sold", "available"]);
      await visit.press("Done");

      await visit.hides(visit.field("Select 2024 Toyota Camry, A3"));
      await visit.click(visit.field("Select all on this page"));
      await visit.press("Feature…");
      await confirm(visit, "Feature 2 vehicles?", "Feature");
      await visit.reads("2 vehicles featured");
      expect([(await now(first)).featured, (await now(second)).featured]).toEqual([1, 1]);
      await admin.send("PUT", second, { body: { price: 19_000 } });
      await visit.press("Undo");
      await visit.shows(result(visit, "A1", "As it was"));
      // Somebody changed another field of it.
      await visit.shows(result(visit, "A2", "As it was"));
      expect([(await now(first)).featured, await now(second)]).toMatchObject([0, { featured: 0, price: 19_000 }]);
      await visit.press("Done");

      await visit.click(visit.field("Select 2024 Toyota Camry, A1"));
      await visit.press("Delete…");
      await visit.reads("They can be restored for 30 days.");
      await confirm(visit, "Delete 1 vehicle?", "Delete");
      await visit.reads("1 vehicle deleted");
      expect((await admin.send("GET", first)).status).toBe(404);
      await visit.press("Undo");
      await visit.shows(result(visit, "A1", "There again"));
      await visit.press("Done");
      await visit.shows(visit.field("Select 2024 Toyota Camry, A1"));
      expect((await now(first)).status).toBe("sold");
    });
  });

  deepTest(
    "40 vehicles get 3 % off with one request, and Undo restores each price that nobody changed since",
    async () => {
      const { admin } = context();
      const { dealer, ids } = await fillStock(context(), 40);
      const prices = async (): Promise<readonly number[]> => {
        const page = await admin.send<{ vehicles: readonly Vehicle[] }>(
          "GET",
          `/portal/api/dealers/${dealer.id}/vehicles`,
        );
        return page.body.vehicles.map(({ price }) => price);
      };
      const before = await prices();
      const lowered = before.map((price) => Math.round(Math.round(price * 100) * 0.97) / 100);
      await context().visit(admin, async (visit) => {
        await visit.go(`/dealers/${dealer.id}?size=50`);
        await visit.click(visit.field("Select all on this page"));
        await visit.press("Price…");
        await confirm(visit, "Change the price of 40 vehicles?", "Change the price");
        await visit.reads("Enter a percent");
        await visit.fill({ Percent: "3" });
        await visit.reads("from $20,111.11 to $19,507.78");
        const sent = bulkRequests(visit);
        await confirm(visit, "Change the price of 40 vehicles?", "Change the price");
        await visit.reads("The price of 40 vehicles changed");
        expect(sent.filter((body) => !("dry_run" in body && body.dry_run)).map((body) => body.ids.length)).toEqual([
          40,
        ]);
        expect(await prices()).toEqual(lowered);
        await admin.send("PUT", `/portal/api/vehicles/${ids[0]}`, { body: { price: 1 } });
        await visit.press("Undo");
        await visit.reads("The price of 1 vehicle changed");
        await visit.shows(result(visit, "A1", "Not undone: Somebody changed it meanwhile."));
        expect(await prices()).toEqual([...before.slice(0, -1), 1]);
      });
    },
  );

  deepTest("all matching vehicles of a list are selected at once, beyond its page", async () => {
    const { dealer } = await fillStock(context(), 28);
    await context().visit(context().admin, async (visit) => {
      await visit.go(`/dealers/${dealer.id}?max_price=22999`);
      await visit.reads("1 to 25 of 26 vehicles");
      await visit.click(visit.field("Select all on this page"));
      await visit.press("All 26 vehicles");
      await visit.reads("26 selected, 1 on other pages");
      await visit.press("Unfeature…");
      await visit.shows(visit.dialog("Stop featuring 0 vehicles?"));
      await visit.press("Cancel");
      await visit.press("Feature…");
      await confirm(visit, "Feature 26 vehicles?", "Feature");
      await visit.reads("26 vehicles featured");
    });
  });
};
