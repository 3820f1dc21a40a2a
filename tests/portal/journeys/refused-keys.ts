import { expect, test } from "bun:test";
import { type CreatedKey, create, keyBody, NORTH } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";

const NAME = "Runaway importer";

/** Which key misbehaves. */
export const refusedKeyJourneys: Journeys = (context) => {
  test("an operator finds the key that is refused most, from the overview, the lists and the audit log", async () => {
    const { api } = context().service;
    const key = await create<CreatedKey>(api, "/api/keys", keyBody({ name: NAME, dealer_id: NORTH, rate_limit: 4 }));
    const send = (method: string, path: string) => api(method, path, { key: key.api_key });
    for (let denied = 0; denied < 3; denied++) expect((await send("DELETE", `/api/dealers/${NORTH}`)).status).toBe(403);
    for (let request = 0; request < 57; request++) await send("GET", "/api/vehicles");
    await context().visit(context().admin, async (visit) => {
      await visit.go("/");
      const row = visit.section("Most refused, 24 hours").getByRole("row").filter({ hasText: NAME });
      await visit.shows(row.getByText("98 % refused, mostly over its limit"));
      await visit.shows(row.getByText("Northern Motors"));
      await visit.click(row.getByRole("link", { name: `${NAME}: 60 requests, 59 refused` }));
      await visit.arrives(NAME);
      const denials = visit.section("Denials");
      await visit.shows(denials.getByRole("row", { name: /^Over its limit \(429\) 56 / }));
      await visit.click(denials.getByRole("button", { name: "Not allowed (403)" }));
      await visit.shows(denials.getByText("DELETE /api/dealers/:id").first());

      await visit.go("/keys");
      await visit.choose("Refused lately", "In this hour");
      await visit.click(visit.button("Refused %"));
      const listed = visit.page.getByRole("row").filter({ hasText: NAME });
      await visit.shows(listed.getByText("98 %"));
      await visit.shows(listed.getByRole("img", { name: "60 requests in the last 24 hours, 59 refused" }));

      await visit.go(`/audit?action=access.denied`);
      const together = visit.page.getByRole("row").filter({ hasText: `${NAME} was refused 3 times within an hour` });
      await visit.click(together.getByRole("button", { name: "3 denials" }));
      const each = visit.page.getByRole("row").filter({ hasText: `${NAME} was not allowed to deactivate` });
      await visit.shows(each.nth(2));

      await visit.go("/dealers");
      await visit.follow("Needs help");
      const dealer = visit.page.getByRole("row").filter({ hasText: "Northern Motors" });
      await visit.shows(dealer.getByRole("img", { name: /^\d+ up to 30 days, / }));
      await visit.click(dealer.getByRole("link", { name: "1", exact: true }));
      await visit.arrives("Northern Motors");
      await visit.shows(visit.page.getByRole("row").filter({ hasText: NAME }).getByText("98 %"));
    });
  });
};
