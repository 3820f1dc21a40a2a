import { expect, test } from "bun:test";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import type { Visit } from "../../support/portal.ts";
import { create, dealerBody, vehicleBody } from "../../support/world.ts";
import type { Journeys } from "./stage.ts";

const result = ({ page }: Visit, name: string, said: string | RegExp) =>
  page
    .getByRole("list", { name: "Results", exact: true })
    .getByRole("listitem")
    .filter({ hasText: name })
    .getByText(said);

/** A dealer's vehicles: ticked rows, changed together, and back. */
export const vehicleJourneys: Journeys = (stage) => {
  test.concurrent("ticked vehicles are changed together, and back, but none that somebody else changed or removed meanwhile", async () => {
    const { admin, service } = stage();
    const dealer = await create(service.api, "/api/dealers", dealerBody());
    const ids: number[] = [];
    for (const stock_number of ["A1", "A2", "A3"])
      ids.push((await create(service.api, "/api/vehicles", vehicleBody(dealer.id, { stock_number }))).id);
    const [first, second, third] = ids.map((id) => `/portal/api/vehicles/${id}`) as [string, string, string];
    const now = async (path: string): Promise<Vehicle> => (await admin.send<Vehicle>("GET", path)).body;
    await stage().visit(admin, async (visit) => {
      const confirm = (question: string, button: string) =>
        visit.click(visit.dialog(question).getByRole("button", { name: button, exact: true }));
      await visit.go(`/dealers/${dealer.id}`);
      await visit.click(visit.field("Select all on this page"));
      await visit.press("Status…");
      await visit.choose("New status", "available");
      await visit.shows(visit.dialog("Set the status of 0 vehicles?"));
      await visit.choose("New status", "sold");
      await admin.send("PUT", second, { body: { price: 20_000 } });
      await admin.send("DELETE", third);
      visit.expects(`404 GET ${third}`, `404 GET ${third}/images`);
      await confirm("Set the status of 3 vehicles?", "Set the status");
      await visit.reads("1 vehicle sold, 2 not");
      await visit.shows(result(visit, "A2", "Somebody changed it meanwhile."));
      await visit.shows(result(visit, "A3", "It is no longer there."));
      expect([(await now(first)).status, (await now(second)).status]).toEqual(["sold", "available"]);
      await visit.press("Done");

      await visit.hides(visit.field("Select 2024 Toyota Camry, A3"));
      await visit.click(visit.field("Select all on this page"));
      await visit.press("Feature…");
      await confirm("Feature 2 vehicles?", "Feature");
      await visit.reads("2 vehicles featured");
      expect([(await now(first)).featured, (await now(second)).featured]).toEqual([1, 1]);
      await admin.send("PUT", second, { body: { price: 19_000 } });
      visit.expects(`412 PUT ${second}`);
      await visit.press("Undo");
      await visit.shows(result(visit, "A1", "As it was"));
      await visit.shows(result(visit, "A2", "Not undone: Somebody changed it meanwhile."));
      expect([(await now(first)).featured, await now(second)]).toMatchObject([0, { featured: 1, price: 19_000 }]);
      await visit.press("Done");

      await visit.click(visit.field("Select 2024 Toyota Camry, A1"));
      await visit.press("Remove…");
      await visit.reads("The vehicles and their images are deleted. This cannot be undone.");
      await confirm("Remove 1 vehicle?", "Remove");
      await visit.reads("1 vehicle removed");
      expect(await visit.button("Undo").count()).toBe(0);
      await visit.press("Done");
      await visit.hides(visit.field("Select 2024 Toyota Camry, A1"));
      expect((await admin.send("GET", first)).status).toBe(404);
    });
  });
};
