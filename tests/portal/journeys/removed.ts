import { expect, test } from "bun:test";
import { create, dealerBody, imageBody, vehicleBody } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";

/** Deleted vehicles: restored with their images and history, or deleted for good. */
export const removedJourneys: Journeys = (context) => {
  test("users restore a deleted vehicle with its images from Deleted vehicles, and delete another for good", async () => {
    const { admin, service } = context();
    const dealer = await create(service.api, "/api/dealers", dealerBody({ name: "Lantern Cars" }));
    const [kept, gone] = await Promise.all(
      ["K1", "G1"].map((stock_number) =>
        create(service.api, "/api/vehicles", vehicleBody(dealer.id, { stock_number })),
      ),
    );
    if (kept === undefined || gone === undefined) throw new Error("no vehicles");
    await create(service.api, `/api/vehicles/${kept.id}/images`, imageBody());
    await admin.send("DELETE", `/portal/api/vehicles/${gone.id}`);
    await context().visit(admin, async (visit) => {
      await visit.drawPictures();
      await visit.go(`/vehicles/${kept.id}`);
      await visit.act("2024 Toyota Camry", "Delete…");
      await visit.click(visit.dialog("Delete 2024 Toyota Camry?").getByRole("button", { name: "Delete", exact: true }));
      await visit.arrives("Lantern Cars");
      await visit.follow("Vehicles");
      await visit.act("Vehicles", "Deleted vehicles");
      await visit.arrives("Deleted vehicles");
      await visit.choose("Dealer", "Lantern Cars");
      await visit.reads("1 to 2 of 2 deleted vehicles");
      await visit.shows(visit.page.locator("tr", { hasText: "K1" }).locator("img.row-picture"));
      await visit.act("2024 Toyota Camry, K1", "Restore");
      await visit.reads("2024 Toyota Camry is restored.");
      await visit.act("2024 Toyota Camry, G1", "Delete for good");
      await visit.reads("This cannot be undone.");
      await visit.click(
        visit
          .dialog("Delete 2024 Toyota Camry for good?")
          .getByRole("button", { name: "Delete for good", exact: true }),
      );
      await visit.arrives("No vehicle matches");
      expect((await admin.send("POST", `/portal/api/vehicles/removed/${gone.id}/restore`)).status).toBe(404);
      await visit.page.goBack();
      await visit.go(`/vehicles/${kept.id}`);
      await visit.arrives("2024 Toyota Camry");
      await visit.shows(visit.page.locator("ol.images > li"));
    });
  });
};
