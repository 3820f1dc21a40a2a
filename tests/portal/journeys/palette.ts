import { expect, test } from "bun:test";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { create, dealerBody, keyBody, NORTH, SOUTH, vehicleBody } from "../../support/sample-records.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

const NAME = "Search everywhere";
const PHONE = { width: 375, height: 740 };

const field = ({ page }: Visit) => page.getByRole("combobox", { name: NAME, exact: true });
const option = ({ page }: Visit, name: string) => page.getByRole("option", { name, exact: true });
const options = ({ page }: Visit) => page.getByRole("listbox", { name: "Results" }).getByRole("option");
/** The entry that the field names to screen readers. */
const marked = async (visit: Visit): Promise<string | null> => {
  const id = await field(visit).getAttribute("aria-activedescendant");
  return visit.page.locator(`[id="${id}"]`).textContent();
};

/** The search everywhere. */
export const paletteJourneys: Journeys = (context) => {
  test("Ctrl K finds vehicles, dealers, keys, users, pages and actions on any page, with the keyboard alone", async () => {
    const { admin, service } = context();
    const dealer = await create(service.api, "/api/dealers", dealerBody({ name: "Palladium Cars", city: "Boise" }));
    const key = await create(service.api, "/api/keys", keyBody({ name: "Palladium board", dealer_id: dealer.id }));
    const user = await signedInUser(context(), { name: "Palla Quorn" });
    await create(
      service.api,
      "/api/vehicles",
      vehicleBody(NORTH, {
        ...{ year: 2021, make: "Palladia", model: "Quasar", body_style: "sedan", exterior_color: "Silver Sky" },
        ...{ stock_number: "PQ-77", vin: "5XYZU3LB1EG351984" },
      }),
    );
    await context().visit(admin, async (visit) => {
      const { keyboard } = visit.page;
      await visit.go("/audit");
      await visit.arrives("Audit");
      // What is typed before the search is loaded is not lost.
      const loaded = Promise.withResolvers<void>();
      await visit.page.route(/\/portal\/assets\/.*\.js$/, async (route) => {
        if (visit.page.url().endsWith("#later")) await loaded.promise;
        await route.continue();
      });
      await visit.again();
      await visit.arrives("Audit");
      await visit.page.evaluate('history.replaceState(null, "", "#later")');
      await keyboard.press("Control+k");
      await keyboard.type("pallax");
      await keyboard.press("Backspace");
      loaded.resolve();
      await visit.shows(field(visit).and(visit.page.locator(":focus")));
      expect(await field(visit).inputValue()).toBe("palla");
      await visit.page.unroute(/\/portal\/assets\/.*\.js$/);
      await keyboard.press("Escape");

      // One key shows the keys, another goes to the search.
      await visit.hides(field(visit));
      await keyboard.press("?");
      await visit.shows(visit.dialog("Keyboard shortcuts"));
      await keyboard.press("Escape");
      await visit.hides(visit.dialog("Keyboard shortcuts"));
      await visit.button(NAME).focus();
      await keyboard.press("/");
      await visit.shows(field(visit).and(visit.page.locator(":focus")));
      await field(visit).fill("");
      await visit.shows(option(visit, "Keys"));
      expect(await marked(visit)).toBe("Overview");
      await keyboard.press("Escape");
      await visit.shows(visit.button(NAME).and(visit.page.locator(":focus")));

      await keyboard.press("Control+k");
      await field(visit).fill("palla");
      // Each kind of record comes with a separate answer.
      const all = ["2021 Palladia Quasar", "Palladium Cars", "Palla Quorn", "Palladium board"];
      for (const name of all) await visit.shows(option(visit, name));
      expect(await options(visit).allInnerTexts()).toEqual(all);
      const groups = visit.page.getByRole("listbox", { name: "Results" }).getByRole("group");
      expect(await groups.count()).toBe(4);
      await visit.shows(groups.and(visit.page.getByRole("group", { name: "Users" })).getByText("Palla Quorn"));
      for (let presses = 0; presses < 3; presses++) await keyboard.press("ArrowDown");
      expect(await marked(visit)).toBe("Palladium board");
      await keyboard.press("Enter");
      await visit.arrives("Palladium board");
      expect(new URL(visit.page.url()).pathname).toBe(`/portal/keys/${key.id}`);
      await visit.shows(visit.page.getByRole("heading", { level: 1 }).and(visit.page.locator(":focus")));

      // A vehicle by the end of its VIN, by words, and by stock number.
      for (const words of ["351984", "silver pallad sedan", "pq-77"]) {
        await keyboard.press("Control+k");
        await field(visit).fill(words);
        await visit.shows(option(visit, "2021 Palladia Quasar"));
        await keyboard.press("Enter");
        await visit.arrives("2021 Palladia Quasar");
        await visit.hides(field(visit));
      }
      // Punctuation alone sends no request.
      await keyboard.press("Control+k");
      await field(visit).fill("--");
      await visit.reads("Nothing matches");
      await keyboard.press("Escape");

      // Enter waits for the answer.
      await keyboard.press("Control+k");
      await field(visit).pressSequentially("palla quorn");
      await keyboard.press("Enter");
      await visit.arrives("Palla Quorn");
      expect(new URL(visit.page.url()).pathname).toBe(`/portal/users/${user.id}`);
      await keyboard.press("Control+k");
      await field(visit).fill("cre ke");
      await keyboard.press("Enter");
      await visit.arrives("Create a key");
      await visit.fill({ Name: "Half typed" });
      await keyboard.press("Control+k");
      await field(visit).fill("users");
      await keyboard.press("Enter");
      await visit.shows(visit.dialog("Discard changes?"));
    });
  });

  deepTest("the search everywhere offers only what the signed-in user may see and do; also on a phone", async () => {
    const { service } = context();
    for (const dealer_id of [NORTH, SOUTH])
      await create(service.api, "/api/keys", keyBody({ name: `Osmium ${dealer_id}`, dealer_id }));
    const clerk = await signedInUser(context(), { name: "Cleo Clerk", role: "dealer_admin", dealer_id: NORTH });
    await context().visit(
      clerk.session,
      async (visit) => {
        await visit.go("/keys");
        await visit.press(NAME);
        await visit.shows(option(visit, "Add a vehicle"));
        expect(await option(visit, "Add a dealer").count()).toBe(0);
        expect(await option(visit, "Settings").count()).toBe(0);
        await field(visit).fill("southern");
        await visit.reads("Nothing matches");
        await field(visit).fill("osmium");
        await visit.shows(option(visit, `Osmium ${NORTH}`));
        expect(await options(visit).count()).toBe(1);
        await visit.click(option(visit, `Osmium ${NORTH}`));
        await visit.arrives(`Osmium ${NORTH}`);
      },
      PHONE,
    );
  });
};
