import { deepTest } from "../../support/deep-test.ts";
import { connect } from "../../support/engines.ts";
import { create, keyBody, NORTH } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";

/** Keys that end by themselves. */
export const endingKeyJourneys: Journeys = (context) => {
  deepTest("a key that nobody uses says when it ends, in the overview, in the list and on its page", async () => {
    const { service } = context();
    const { api, databaseUrl } = service;
    const owner_email = "systems@harbor.example.com";
    const { id } = await create(api, "/api/keys", keyBody({ name: "Lobby screen", dealer_id: NORTH, owner_email }));
    const other = await create(api, "/api/keys", keyBody({ name: "Old kiosk", dealer_id: NORTH, active: false }));
    const db = connect(databaseUrl);
    await db.migrate(async (run) => {
      await run(`UPDATE api_keys SET idle_noticed_at = updated_at WHERE id IN (${id}, ${other.id})`);
      await run(`UPDATE api_keys SET disabled_reason = 'idle' WHERE id = ${other.id}`);
    });
    await db.close();
    await context().visit(context().admin, async (visit) => {
      await visit.go("/");
      const ending = visit.section("Keys that end because nobody uses them");
      await visit.shows(ending.getByRole("button", { name: "Revoke Lobby screen", exact: true }));
      await visit.click(ending.getByRole("button", { name: "Re-activate Old kiosk", exact: true }));
      await visit.press("Re-activate");
      await visit.hides(ending.getByText("Old kiosk"));
      await visit.go("/keys?q=lobby");
      await visit.reads(/^Not used: ends /);
      await visit.follow("Lobby screen");
      await visit.reads("Nobody uses it");
      await visit.reads(/Notices are mailed to systems@harbor\.example\.com\.$/);
      await api("PUT", `/api/keys/${id}`, {
        body: { expires_at: context().service.after(3 * 86_400) },
      });
      await visit.again();
      await visit.reads("It expires in 2 days");
      await visit.hides(visit.page.getByText("Nobody uses it"));
    });
  });
};
