import { expect, test } from "bun:test";
import type { Image } from "../../../core/images/image.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { eventually } from "../../support/eventually.ts";
import { jpegPhoto } from "../../support/photos.ts";
import { create, dealerBody, vehicleBody } from "../../support/sample-records.ts";
import { faultsOfPage } from "../axe.ts";
import { type JourneyContext, type Journeys, signedInUser } from "./journey-context.ts";

const DAY_SECONDS = 86_400;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const LOWER = "−2 % $19,600";

/** A dealer with three vehicles of different ages. */
const stockedDealer = async ({ service: { api, after } }: JourneyContext) => {
  const { id } = await create(api, "/api/dealers", dealerBody({ name: "Sunset Autos" }));
  const add = (days: number, fields: object) =>
    create<Vehicle>(
      api,
      "/api/vehicles",
      vehicleBody(id, { listed_at: after(-days * DAY_SECONDS), price: 20_000, ...fields }),
    );
  const youngest = await add(10, { year: 2024, stock_number: "W10" });
  const oldest = await add(95, { year: 2021, stock_number: "W95" });
  const middle = await add(50, { year: 2022, stock_number: "W50" });
  return { id, oldest, middle, youngest };
};

/** What is kept of a walk on the device. */
const KEPT = `new Promise((resolve) => {
  indexedDB.open("portal-walk").onsuccess = ({ target: { result } }) => {
    const transaction = result.transaction(["walk", "actions"]);
    const [walk, actions] = ["walk", "actions"].map((name) => transaction.objectStore(name).count());
    transaction.oncomplete = () => resolve([walk.result, actions.result, localStorage.getItem("portal-walk-of")]);
  };
})`;

/** A walk through a lot with a phone. */
export const walkJourneys: Journeys = (context) => {
  test("a walk goes on without a network, is sent once when there is one, and says what was not sent and why", async () => {
    const { service } = context();
    const { api } = service;
    const lot = await stockedDealer(context());
    const priceOf = async ({ id }: Vehicle) => (await api<Vehicle>("GET", `/api/vehicles/${id}`)).body.price;
    const drive = ({ id }: Vehicle, mileage: number) => api("PUT", `/api/vehicles/${id}`, { body: { mileage } });
    const owner = await signedInUser(context(), { role: "dealer_admin", dealer_id: lot.id });
    const work = async (visit: Parameters<Parameters<JourneyContext["load"]>[1]>[0]): Promise<void> => {
      const { page } = visit;
      const sent: string[] = [];
      const sentFor = new Set<string | undefined>();
      page.on("request", (request) => {
        if (request.method() !== "POST") return;
        sent.push(new URL(request.url()).pathname.slice("/portal/api/".length));
        sentFor.add(request.headers()["x-portal-user"]);
      });
      await visit.go("/");
      await visit.follow("Walk the lot");
      await visit.arrives("2021 Toyota Camry");
      await visit.reads("Sunset Autos · 1 of 3");
      await visit.reads("Kept on this device: the walk goes on without a network.");
      expect(await faultsOfPage(visit, "narrow")).toEqual([]);

      await page.context().setOffline(true);
      visit.expects("net::ERR_INTERNET_DISCONNECTED GET /portal/api/session");
      await visit.press(LOWER);
      await visit.arrives("2022 Toyota Camry");
      const photo = { name: "lot.jpg", mimeType: "image/jpeg", buffer: await jpegPhoto(80, 48, 1) };
      await page.locator("input[type=file][capture=environment]").setInputFiles(photo);
      await visit.reads("W50 · 1 photo taken");
      await visit.press("Hold");
      await visit.arrives("2024 Toyota Camry");
      await visit.press(LOWER);
      await visit.reads("3 actions wait on this device, and are sent when the service answers.");
      await visit.again();
      await visit.arrives("All 3 are done");
      await visit.reads("3 actions wait on this device, and are sent when the service answers.");
      expect(await priceOf(lot.oldest)).toBe(20_000);

      await drive(lot.youngest, 4321);
      await page.context().setOffline(false);
      const refused = page.getByRole("article", { name: "Not sent: 2024 Toyota Camry, W10" });
      await visit.shows(refused.getByText("Somebody changed it meanwhile: its price is $20,000 now."));
      expect(await Promise.all([lot.oldest, lot.middle, lot.youngest].map(priceOf))).toEqual([19_600, 20_000, 20_000]);
      expect((await api<Image[]>("GET", `/api/vehicles/${lot.middle.id}/images`)).body).toHaveLength(1);
      expect(sent).toEqual(["vehicles/bulk", `vehicles/${lot.middle.id}/images`, "vehicles/bulk"]);
      // Should another window sign somebody else in just then, the service refuses it.
      expect([...sentFor]).toEqual([String(owner.id)]);

      expect(await faultsOfPage(visit, "dark")).toEqual([]);

      await visit.press("Look at its card again");
      await visit.arrives("2024 Toyota Camry");
      await visit.press(LOWER);
      const costs = (wanted: number) =>
        eventually(
          () => priceOf(lot.youngest),
          (price) => price === wanted,
        );
      await costs(19_600);
      await visit.reads("All is sent.");
      await visit.press("Undo");
      await visit.arrives("2024 Toyota Camry");
      await costs(20_000);
      await visit.reads("All is sent.");

      // Whoever signs out takes everything off the device, and is asked first if something is not sent.
      await drive(lot.youngest, 5432);
      await visit.press(LOWER);
      await visit.shows(refused);
      await page.setViewportSize({ width: 1024, height: 768 });
      await visit.follow("Leave");
      await visit.arrives("Today on the lot");
      await visit.press("Sign out");
      const question = visit.dialog("1 action of the walk is not sent");
      await visit.click(question.getByRole("button", { name: "Cancel" }));
      expect(await page.evaluate<unknown>(KEPT)).toEqual([1, 1, String(owner.id)]);
      await visit.press("Sign out");
      // The page that was left to may still read them when the session ends.
      visit.expects("401 GET /portal/api/session", "401 GET /portal/api/settings");
      visit.expects(`401 GET /portal/api/dealers/${lot.id}/today`);
      await visit.click(question.getByRole("button", { name: "Delete and sign out" }));
      await visit.shows(visit.field("Password"));
      expect(await page.evaluate<unknown>(KEPT)).toEqual([0, 0, null]);
    };
    await context().load(owner.session, work, PHONE);
  });
};
