import { expect, test } from "bun:test";
import { makePerson } from "../../support/browser.ts";
import { deepTest } from "../../support/deep-test.ts";
import { create, dealerBody, keyBody, NORTH, vehicleBody } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";

const TOLD = "Somebody changed this meanwhile";

/** Two people who edit one record. */
export const conflictJourneys: Journeys = (context) => {
  test("the second user to save sees who changed what, and chooses for each field; nobody's changes are lost", async () => {
    const { admin, service } = context();
    const { id } = await create(service.api, "/api/vehicles", vehicleBody(NORTH));
    const path = `/portal/api/vehicles/${id}`;
    await admin.send("PUT", path, { body: { price: 20_000, mileage: 10, trim: "LE", exterior_color: "Red" } });
    await context().visit(admin, async (visit) => {
      visit.expects(`412 PUT ${path}`);
      await visit.go(`/vehicles/${id}`);
      await visit.press("Edit");
      await visit.fill({ Price: "21000", Trim: "XSE", "Stock number": "A-1" });
      await admin.send("PUT", path, { body: { price: 19_000, mileage: 20, trim: "SE" } });
      await visit.press("Save");
      await visit.reads(TOLD);
      await visit.reads(/Changed by Sam Example, /);
      await visit.shows(visit.page.getByRole("alert", { name: TOLD }).and(visit.page.locator(":focus")));
      expect(await visit.page.getByRole("alert").count()).toBe(1);
      const choice = (field: string) =>
        visit.page.getByRole("radiogroup", { name: `${field}: mine or theirs?`, exact: true });
      await visit.reads("Before: 20000");
      await visit.shows(choice("Price").getByLabel("Take theirs: 19000"));
      expect(await choice("Price").getByLabel("Keep mine: 21000").isChecked()).toBe(true);
      // A field that only the other user changed already has their value.
      expect(await choice("Mileage").getByLabel("Take theirs: 20").isChecked()).toBe(true);
      expect(await visit.field("Mileage").inputValue()).toBe("20");
      await choice("Trim").getByLabel("Take theirs: SE").check();
      expect(await visit.field("Trim").inputValue()).toBe("SE");
      await visit.press("Save");
      await visit.reads("The vehicle is saved.");
      const { body } = await admin.send("GET", path);
      expect(body).toMatchObject({
        price: 21_000,
        mileage: 20,
        trim: "SE",
        stock_number: "A-1",
        exterior_color: "Red",
      });
    });
  });

  deepTest("one button takes all of theirs, another all of mine", async () => {
    const { admin, service } = context();
    const { id } = await create(service.api, "/api/dealers", dealerBody());
    const path = `/portal/api/dealers/${id}`;
    await context().visit(admin, async (visit) => {
      visit.expects(`412 PUT ${path}`);
      await visit.go(`/dealers/${id}`);
      await visit.press("Edit");
      await visit.fill({ City: "Mine", Phone: "1" });
      await admin.send("PUT", path, { body: { city: "Theirs", phone: "2" } });
      await visit.press("Save");
      await visit.press("Take all theirs");
      expect([await visit.field("City").inputValue(), await visit.field("Phone").inputValue()]).toEqual([
        "Theirs",
        "2",
      ]);
      await visit.press("Keep all mine");
      // The other user changes it once more: the form shows the conflict again.
      await admin.send("PUT", path, { body: { city: "Theirs again" } });
      await visit.press("Save");
      await visit.shows(visit.page.getByLabel("Take theirs: Theirs again"));
      await visit.press("Save");
      await visit.hides(visit.dialog(/^Edit /));
      expect((await admin.send("GET", path)).body).toMatchObject({ city: "Mine", phone: "1" });
    });
  });

  for (const [resource, field, make] of [
    ["keys", "Name", async () => (await create(context().service.api, "/api/keys", keyBody())).id],
    ["users", "Name", async () => (await makePerson(context().admin)).id],
  ] as const)
    deepTest(`${resource} are compared again before they are sent`, async () => {
      const { admin } = context();
      const id = await make();
      const path = `/portal/api/${resource}/${id}`;
      await context().visit(admin, async (visit) => {
        await visit.go(`/${resource}/${id}`);
        await visit.press("Edit");
        await visit.fill({ [field]: "Mine" });
        await admin.send("PUT", path, { body: { name: "Theirs" } });
        await visit.press("Save");
        await visit.shows(visit.page.getByLabel("Take theirs: Theirs"));
        expect((await admin.send("GET", path)).body).toMatchObject({ name: "Theirs" });
        await visit.press("Save");
        await visit.hides(visit.dialog(/^Edit /));
        expect((await admin.send("GET", path)).body).toMatchObject({ name: "Mine" });
      });
    });
};
