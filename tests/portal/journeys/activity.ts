import { expect } from "bun:test";
import { deepTest } from "../../support/deep-test.ts";
import { keyBody, NORTH, vehicleBody } from "../../support/sample-records.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

/** The audit log: its sentences, their details, and its filters. */
export const activityJourneys: Journeys = (context) => {
  deepTest("users find a person's changes by name and read them as sentences with links to the records", async () => {
    const { admin } = context();
    const { session } = await signedInUser(context(), { name: "Quentin Archivist", role: "super_admin" });
    const key = await session.send<{ id: number }>("POST", "/portal/api/keys", {
      body: keyBody({ name: "Museum feed", dealer_id: NORTH, rate_limit: null }),
    });
    await session.send("POST", `/portal/api/keys/${key.body.id}/revoke`);
    const car = { ...vehicleBody(NORTH), year: 1998, make: "Lotus", model: "Elise", price: 25_999 };
    const vehicle = await session.send<{ id: number }>("POST", "/portal/api/vehicles", { body: car });
    await session.send("PUT", `/portal/api/vehicles/${vehicle.body.id}`, { body: { price: 24_500, mileage: 12_345 } });

    await context().visit(admin, async (visit) => {
      await visit.go("/audit");
      await visit.fill({ Person: "quen arch" });
      const happened = (words: string) => visit.page.getByRole("row").filter({ hasText: words });
      // A new filter replaces the previous entries and closes their details.
      await visit.shows(happened("Quentin Archivist revoked the key Museum feed"));
      await visit.hides(happened("Rita Registrar").first());
      const priced = happened("Quentin Archivist changed the price of 1998 Lotus Elise from $25,999 to $24,500");
      await visit.shows(priced);
      expect(await visit.text()).not.toContain("set up the portal");

      const fields = priced.getByRole("button", { name: "2 fields" });
      await visit.click(fields);
      await visit.shows(
        visit.page.getByRole("row").filter({ hasText: "mileage" }).filter({ hasText: "12,345" }).last(),
      );
      expect(await fields.getAttribute("aria-expanded")).toBe("true");

      await visit.again();
      await visit.click(priced.getByRole("link", { name: "1998 Lotus Elise" }));
      await visit.arrives("1998 Lotus Elise");
      await visit.shows(visit.section("Audit trail").getByRole("row").filter({ hasText: "changed the price" }));
    });
  });

  deepTest("the entries that match the filters in the address are exported as a table", async () => {
    const { admin } = context();
    const { id } = await signedInUser(context(), { name: "Zenobia Exported" });
    await context().visit(admin, async (visit) => {
      await visit.go(`/audit?resource=users&id=${id}&action=user.created`);
      await visit.shows(visit.page.getByRole("row").filter({ hasText: "Zenobia Exported" }).first());
      const download = visit.page.waitForEvent("download");
      await visit.click(visit.page.getByRole("button", { name: "Export" }));
      const file = await download;
      expect(file.suggestedFilename()).toBe("audit.csv");
      const text = await Bun.file(await file.path()).text();
      const [heads, ...lines] = text.trimEnd().split("\r\n");
      expect([heads?.includes("actor_name"), lines.length, lines[0]?.includes("Zenobia Exported")]).toEqual([
        true,
        1,
        true,
      ]);
    });
  });
};
