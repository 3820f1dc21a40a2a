import { expect, test } from "bun:test";
import type { Import } from "../../../core/imports/import.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { eventually } from "../../support/eventually.ts";
import { create, dealerBody } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";

/** What people correct beside files: it stays, is told, and can be given up. */
export const correctionJourneys: Journeys = (context) => {
  test("a corrected price survives the next file, says why on its page, and the file's value is taken with a button", async () => {
    const { admin, service } = context();
    const { api } = service;
    const dealer = await create(api, "/api/dealers", dealerBody({ name: "Kept Street Cars" }));
    const raw = "Stock,Make,Model,Year,Price\nKP-1,Wartburg,353,1985,12500\n";
    const imported = async (): Promise<number> => {
      const sent = { raw, headers: { "content-type": "text/csv" } };
      const { id } = (await api<Import>("POST", `/api/imports?dealer_id=${dealer.id}`, sent)).body;
      await eventually(
        () => api<Import>("GET", `/api/imports/${id}`),
        ({ body }) => body.state === "completed",
      );
      return id;
    };
    await imported();
    const found = await api<{ vehicles: Vehicle[] }>("GET", `/api/vehicles?dealer_id=${dealer.id}`);
    const id = found.body.vehicles[0]?.id ?? 0;
    await api("PUT", `/api/vehicles/${id}`, { body: { price: 11_900 } });
    const second = await imported();
    await context().visit(admin, async (visit) => {
      await visit.go(`/imports/${second}`);
      await visit.reads(/Price: \$11,900.* is kept, the file says \$12,500/);
      await visit.go(`/vehicles/${id}`);
      await visit.reads(/corrected here, the file says \$12,500/);
      await visit.press("Take the file's value of price");
      await visit.reads("Price is what the file says.");
      await eventually(
        () => api<Vehicle>("GET", `/api/vehicles/${id}`),
        ({ body }) => body.price === 12_500,
      );
      await visit.hides(visit.page.getByRole("heading", { name: "Corrected here" }));
    });
    expect((await api<{ data: object[] }>("GET", `/api/vehicles/${id}/corrections`)).body.data).toEqual([]);
  });
};
