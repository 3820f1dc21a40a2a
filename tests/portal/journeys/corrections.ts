import { expect } from "bun:test";
import type { Import } from "../../../core/imports/import.ts";
import type { Source } from "../../../core/sources/source.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { deepTest } from "../../support/deep-test.ts";
import { eventually } from "../../support/eventually.ts";
import { create, dealerBody } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";
import { siteOf } from "./sources.ts";

/** What people correct beside files: it stays, is told, and can be given up. */
export const correctionJourneys: Journeys = (context) => {
  deepTest(
    "a corrected price survives the next nights, says why, and the file's value is taken with a button",
    async () => {
      const { admin, service } = context();
      const { api } = service;
      const dealer = await create(api, "/api/dealers", dealerBody({ name: "Kept Street Cars" }));
      let trim = "S";
      const site = await siteOf(() => `Stock,Make,Model,Year,Price,Trim\nKP-1,Wartburg,353,1985,12500,${trim}\n`);
      const source = await create(api, "/api/import-sources", {
        ...{ name: "Nightly file", dealer_id: dealer.id, url: site.url, schedule: "30 2 * * *" },
      });
      const path = `/api/import-sources/${source.id}`;
      /** A night: the import of the file, once it has ended. */
      const night = async (): Promise<Import> => {
        const before = (await api<Source>("GET", path)).body.runs.length;
        await api("POST", `${path}/run`);
        const { body } = await eventually(
          () => api<Source>("GET", path),
          ({ body: { runs } }) => runs.length > before,
        );
        const ended = await eventually(
          () => api<Import>("GET", `/api/imports/${body.runs[0]?.import_id}`),
          ({ body: { state } }) => state === "completed",
        );
        return ended.body;
      };
      await night();
      const found = await api<{ vehicles: Vehicle[] }>("GET", `/api/vehicles?dealer_id=${dealer.id}`);
      const id = found.body.vehicles[0]?.id ?? 0;
      await api("PUT", `/api/vehicles/${id}`, { body: { price: 11_900 } });
      const corrected = (await api<Vehicle>("GET", `/api/vehicles/${id}`)).body;
      expect((await night()).counts).toMatchObject({ unchanged: 1, updated: 0, kept: 1 });
      expect((await api<Vehicle>("GET", `/api/vehicles/${id}`)).body).toEqual(corrected);
      // What the file says anew is taken beside it.
      trim = "Tourist";
      expect((await night()).counts).toMatchObject({ updated: 1, kept: 1 });
      expect((await api<Vehicle>("GET", `/api/vehicles/${id}`)).body).toMatchObject({ price: 11_900, trim: "Tourist" });
      site.close();
      await context().visit(admin, async (visit) => {
        await visit.go(`/imports/sources/${source.id}`);
        await visit.click(visit.section("Runs").locator("tbody tr").first().getByRole("link"));
        await visit.arrives("lot.csv");
        await visit.shows(visit.page.getByText("Done, with warnings", { exact: true }));
        await visit.reads(/1 vehicle keeps what somebody corrected.*KP-1: Price \$11,900.*the file says \$12,500/);
        await visit.choose("Show rows", "With kept values (1)");
        await visit.reads(/Price: \$11,900.* is kept, the file says \$12,500/);
        await visit.go(`/vehicles/${id}`);
        await visit.reads(/corrected here, “Nightly file” says \$12,500/);
        await visit.press("Take the file's value of price");
        await visit.reads("Price is what the file says.");
        await eventually(
          () => api<Vehicle>("GET", `/api/vehicles/${id}`),
          ({ body }) => body.price === 12_500,
        );
        await visit.hides(visit.page.getByRole("heading", { name: "Corrected here" }));
      });
      expect((await api<{ data: object[] }>("GET", `/api/vehicles/${id}/corrections`)).body.data).toEqual([]);
    },
  );
};
