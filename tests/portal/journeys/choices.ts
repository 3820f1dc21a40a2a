import { expect, test } from "bun:test";
import { create, dealerBody, keyBody, NORTH } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";

/** More dealers than the options show. */
const DEALERS = 24;
const STREET = "Quincebury";

/** Choosing one record among any number. */
export const choiceJourneys: Journeys = (context) => {
  test("users choose one dealer among any number by typing, with the keyboard alone; no page reads them all", async () => {
    const { admin, service } = context();
    for (let made = 10; made < 10 + DEALERS; made++)
      await create(service.api, "/api/dealers", dealerBody({ name: `${STREET} n${made}`, city: "Salem" }));
    await context().visit(admin, async (visit) => {
      const limits = new Set<number>();
      visit.page.on("request", (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (/\/(?:dealers|users)$/.test(pathname)) limits.add(Number(searchParams.get("limit")));
      });
      const option = (name: string) => visit.page.getByRole("listbox").getByRole("option", { name, exact: true });
      const { keyboard } = visit.page;
      await visit.go("/keys/new");
      await visit.field("Dealer").click();
      await visit.reads(/^20 of \d+: type to find others$/);
      expect(await visit.page.getByRole("listbox").getByRole("option").count()).toBe(20);
      await visit.fill({ Dealer: STREET });
      await visit.reads(`20 of ${DEALERS}: type to find others`);
      await keyboard.type(" n33");
      await visit.shows(option(`${STREET} n33`));
      await visit.hides(option(`${STREET} n32`));
      await keyboard.press("Enter");
      await visit.hides(option(`${STREET} n33`));
      expect(await visit.field("Dealer").inputValue()).toBe(`${STREET} n33`);
      await visit.reads(`It is bound to ${STREET} n33: data of other dealers is refused or left out.`);
      // The chosen name replaces unknown text; a whole name becomes the choice.
      await visit.fill({ Dealer: "Nobody's" });
      await visit.reads("No dealer matches");
      await keyboard.press("Tab");
      expect(await visit.field("Dealer").inputValue()).toBe(`${STREET} n33`);
      await visit.fill({ Dealer: `${STREET} n32`.toUpperCase() });
      await visit.shows(option(`${STREET} n32`));
      await keyboard.press("Tab");
      await visit.reads(`It is bound to ${STREET} n32: data of other dealers is refused or left out.`);
      await visit.go(`/users?dealer_id=${NORTH}`);
      await visit.shows(visit.button("Remove the filter Dealer: Northern Motors"));
      expect(await visit.field("Dealer").inputValue()).toBe("Northern Motors");
      await visit.fill({ Dealer: "South" });
      await visit.click(option("Southern Motors"));
      await visit.shows(visit.button("Remove the filter Dealer: Southern Motors"));
      await visit.fill({ Dealer: "" });
      await visit.hides(visit.button("Clear filters"));
      expect([...limits].filter((limit) => limit > 100)).toEqual([]);
    });
  });

  test("Escape closes the options of a field in a dialog and leaves the dialog open", async () => {
    const { admin, service } = context();
    const { id } = await create(service.api, "/api/keys", keyBody({ name: "Quiet kiosk", dealer_id: NORTH }));
    await context().visit(admin, async (visit) => {
      await visit.go(`/keys/${id}`);
      await visit.press("Edit");
      await visit.field("Dealer").click();
      await visit.fill({ Dealer: "South" });
      const option = visit.page.getByRole("option", { name: "Southern Motors" });
      await visit.shows(option);
      await visit.page.keyboard.press("Escape");
      await visit.hides(option);
      await visit.shows(visit.dialog("Edit Quiet kiosk"));
      expect(await visit.field("Dealer").inputValue()).toBe("Northern Motors");
    });
  });
};
