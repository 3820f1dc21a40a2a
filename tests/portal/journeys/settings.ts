import { expect, test } from "bun:test";
import type { Settings } from "../../../core/settings/installation.ts";
import { firstAdmin } from "../../support/browser.ts";
import { deepTest } from "../../support/deep-test.ts";
import { create, createSampleRecords, NORTH, vehicleBody } from "../../support/sample-records.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

/** A logo of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const LOGO = `data:image/png;base64,${PNG.toString("base64")}`;

/** The settings of an installation: changed, and seen everywhere. */
export const settingsJourneys: Journeys = (context) => {
  test("a super-admin changes the settings, and prices, mileages, times, the name and the logo follow", async () => {
    // All users of a service share its settings, so this journey needs its own service.
    const service = await context().another();
    await createSampleRecords(service.api);
    const admin = await firstAdmin(service);
    const { id } = await create(service.api, "/api/vehicles", vehicleBody(NORTH, { price: 25_999.5, mileage: 45_000 }));
    const path = "/portal/api/settings";
    const saved = async () => (await admin.send<Settings>("GET", path)).body;
    await context().alone(
      service.url,
      async (visit) => {
        await visit.go(`/vehicles/${id}`);
        await visit.reads("$25,999.50");
        await visit.reads("45,000 mi");
        await visit.follow("Settings");
        await visit.arrives("Settings");
        await visit.fill({ Name: "Quay Group" });
        await visit.choose("Currency", "EUR");
        await visit.choose("Distance unit", "km");
        await visit.choose("Time zone", "Asia/Tokyo");
        await visit.choose("Dates in files such as 05/06/2026", "The day is first: 5 June");
        await visit.press("Add a field");
        await visit.choose("Field 1 of both", "Price");
        await visit.press("Add a field");
        await visit.choose("Field 2 of both", "Description");
        await visit.choose("Who decides about field 2", "The file");
        await visit.page
          .locator("input[type=file]")
          .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: PNG });
        await visit.shows(visit.page.getByRole("img", { name: "The logo" }));
        await visit.press("Save");
        await visit.reads("The settings are saved.");
        expect(await saved()).toMatchObject({
          name: "Quay Group",
          currency: "EUR",
          distance_unit: "km",
          time_zone: "Asia/Tokyo",
          date_order: "dmy",
          field_owners: { price: "hand", description: "file" },
          logo: LOGO,
        });
        await visit.reads("Quay Group");
        await visit.reads("Times are in Asia/Tokyo.");

        await visit.press("Remove the logo");
        await visit.fill({ Name: "Quay" });
        await visit.press("Save");
        // Until the form has restarted with the saved settings, it would lose typed text.
        await visit.shows(visit.page.getByText("Quay", { exact: true }).first());
        expect(await saved()).toMatchObject({ name: "Quay", logo: null });

        visit.expects(`412 PUT ${path}`);
        await visit.fill({ Name: "Mine" });
        await admin.send("PUT", path, { body: { name: "Theirs" } });
        await visit.press("Save");
        await visit.reads("Somebody changed this meanwhile");
        await visit.reads(/Changed by Sam Example, /);
        await visit.press("Take all theirs");
        expect(await visit.field("Name").inputValue()).toBe("Theirs");

        await visit.page.goBack();
        await visit.reads("€25,999.50");
        await visit.reads("45,000 km");
      },
      admin,
    );
    await context().alone(service.url, async (visit) => {
      visit.expects("401 GET /portal/api/session");
      await visit.go("/");
      await visit.reads("Theirs");
    });
  });

  deepTest(
    "a browser that does not know the installation's time zone shows times in its own, and says so",
    async () => {
      const { admin } = context();
      const { body } = await admin.send<Settings>("GET", "/portal/api/settings");
      await context().load(
        admin,
        async (visit) => {
          await visit.page.route("**/portal/api/settings", (route) =>
            route.fulfill({ json: { ...body, name: "Far Group", time_zone: "Europe/Unheard_of" } }),
          );
          await visit.go("/audit");
          await visit.arrives("Audit");
          await visit.reads("Far Group");
          await visit.reads("Times are in Asia/Tokyo.");
        },
        { timezoneId: "Asia/Tokyo" },
      );
    },
  );

  deepTest("only super-admins see the settings", async () => {
    const { session } = await signedInUser(context(), { role: "dealer_admin", dealer_id: NORTH });
    await context().visit(session, async (visit) => {
      await visit.go("/keys");
      await visit.arrives("Keys");
      expect(await visit.link("Settings").count()).toBe(0);
      await visit.go("/settings");
      await visit.reads("Only a super-admin can change the settings.");
    });
  });
};
