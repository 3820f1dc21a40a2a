import { expect, test } from "bun:test";
import { deepTest } from "../../support/deep-test.ts";
import { eventually } from "../../support/eventually.ts";
import { create, NORTH, vehicleBody } from "../../support/sample-records.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

const STREAM = "/portal/api/changes/stream";

/** What changes, as the overview shows it while it is open. */
export const liveChangeJourneys: Journeys = (context) => {
  test("the overview shows what changes at once, each vehicle once, and no more after the sign-out", async () => {
    const { api } = context().service;
    const { session } = await signedInUser(context(), { role: "dealer_admin", dealer_id: NORTH });
    await context().visit(session, async (visit) => {
      let open = 0;
      visit.page.on("request", (request) => void (request.url().includes(STREAM) && open++));
      visit.page.on("requestfailed", (request) => void (request.url().includes(STREAM) && open--));
      visit.page.on("requestfinished", (request) => void (request.url().includes(STREAM) && open--));
      await visit.go("/overview");
      const section = visit.section("What changed");
      await visit.shows(section.getByText("Live", { exact: true }));
      const car = { year: 2021, make: "Saab", model: "9-3", stock_number: "LV-1" };
      const { id } = await create(api, "/api/vehicles", vehicleBody(NORTH, car));
      const row = section.getByRole("row", { name: /^2021 Saab 9-3, LV-1/ });
      await visit.shows(row.getByText("Added", { exact: true }));
      await api("PUT", `/api/vehicles/${id}`, { body: { price: 4_321 } });
      await visit.shows(row.getByText("Changed", { exact: true }));
      await api("DELETE", `/api/vehicles/${id}`);
      await visit.shows(section.getByText(`Vehicle ${id}`, { exact: true }));
      expect(await section.getByRole("row").count()).toBe(2);
      expect(open).toBe(1);
      visit.expects("401 GET /portal/api/session");
      await visit.press("Sign out");
      await visit.arrives("Sign in");
      await eventually(
        () => Promise.resolve(open),
        (streams) => streams === 0,
      );
    });
  });

  deepTest(
    "the overview goes on behind what it has shown when it was hidden, or the connection has ended",
    async () => {
      const { api } = context().service;
      await context().load(context().admin, async (visit) => {
        const { page } = visit;
        // The first stream ends at once.
        const { next } = (await api<{ meta: { next: string } }>("GET", "/api/changes?after=now")).body.meta;
        const body = `id: ${next}\nevent: begin\ndata: {}\n\n`;
        await page.route(`**${STREAM}*`, (route) => route.fulfill({ contentType: "text/event-stream", body }), {
          times: 1,
        });
        const again = page.waitForRequest((request) => request.headers()["last-event-id"] === next);
        const add = (stock_number: string) =>
          create(api, "/api/vehicles", vehicleBody(NORTH, { year: 2021, make: "Saab", model: "9-5", stock_number }));
        await add("LV-2");
        await visit.go("/");
        await again;
        const section = visit.section("What changed");
        await visit.shows(section.getByRole("row", { name: /LV-2/ }));
        const hide = (isHidden: boolean): Promise<unknown> =>
          page.evaluate(`Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} });
          document.dispatchEvent(new Event("visibilitychange"))`);
        const left = page.waitForEvent("requestfailed", (request) => request.url().includes(STREAM));
        await hide(true);
        await left;
        await add("LV-3");
        await hide(false);
        await visit.shows(section.getByRole("row", { name: /LV-3/ }));
        expect(await section.getByRole("row", { name: /LV-2/ }).count()).toBe(1);
      });
    },
  );
};
