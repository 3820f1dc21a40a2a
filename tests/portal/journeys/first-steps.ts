import { expect, test } from "bun:test";
import { firstAdmin } from "../../support/browser.ts";
import { deepTest } from "../../support/deep-test.ts";
import { eventually } from "../../support/eventually.ts";
import type { Visit } from "../../support/portal.ts";
import type { Journeys } from "./journey-context.ts";

/** Waits until so many of the four steps are done, by the overview, and no later one. It may show what it knew first. */
const done = async (visit: Visit, count: number): Promise<void> => {
  const steps = visit.section("First steps").getByRole("listitem");
  await visit.shows(steps.first());
  const wanted = [0, 1, 2, 3].map((step) => step < count);
  const look = async () => Promise.all((await steps.all()).map((step) => step.getByLabel("Done:").isVisible()));
  expect(await eventually(look, (seen) => seen.join() === wanted.join())).toEqual(wanted);
};

/** From an empty database to the first request with a dealer's key. */
export const firstStepsJourneys: Journeys = (context) => {
  test("an empty installation leads to its first dealer, vehicle, key and request, and ticks off each", async () => {
    const service = await context().another();
    const admin = await firstAdmin(service);
    const at = (path: string): string => `${service.url}/portal${path}`;
    await context().alone(
      service.url,
      async (visit) => {
        await visit.go("/");
        await done(visit, 0);
        await visit.follow(/^Add a dealer with/);
        await visit.fill({ Name: "Quay Motors", "Street address": "1 Quay Street", City: "Portland", State: "OR" });
        await visit.fill({ "ZIP or postal code": "97201", Phone: "503-555-0100", Email: "sales@quay.example.com" });
        await visit.press("Add the dealer");
        await visit.arrives("Quay Motors");
        await visit.follow("Overview");
        await done(visit, 1);
        await visit.follow("Add a vehicle to the inventory of Quay Motors");
        await visit.fill({ Make: "Toyota", Model: "Camry", Year: "2024", Price: "25999" });
        await visit.press("Add the vehicle");
        await visit.arrives("2024 Toyota Camry");
        await visit.follow("Overview");
        await done(visit, 2);
        await visit.follow(/^Create a key that/);
        await visit.fill({ Name: "Quay website", "App id": "quay-website" });
        await visit.choose("App type", "web");
        await visit.choose("Dealer", "Quay Motors");
        await visit.press("Create the key");
        const request = await visit.copied("First request");
        await visit.field("I have copied the key").check();
        await visit.press("Done");
        await visit.follow("Overview");
        await done(visit, 3);
        const [, address = "", key = ""] = /^curl "([^"]+)" -H "X-API-Key: ([^"]+)"$/.exec(request) ?? [];
        expect((await fetch(address, { headers: { "x-api-key": key } })).status).toBe(200);
        // The page checks by itself.
        await visit.hides(visit.section("First steps"));
        expect(visit.page.url()).toBe(at("/"));
      },
      admin,
    );
  });

  deepTest("a user who does not want the first steps hides them for good", async () => {
    const service = await context().another();
    await context().alone(
      service.url,
      async (visit) => {
        await visit.go("/");
        await visit.press("Hide these steps");
        await visit.hides(visit.section("First steps"));
        await visit.page.reload();
        await visit.reads("No key expires within 30 days.");
        await visit.hides(visit.section("First steps"));
      },
      await firstAdmin(service),
    );
  });
};
