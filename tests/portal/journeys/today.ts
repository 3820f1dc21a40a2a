import { expect, test } from "bun:test";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { create, dealerBody, feedBody, vehicleBody } from "../../support/sample-records.ts";
import { type JourneyContext, type Journeys, signedInUser } from "./journey-context.ts";

const DAY_SECONDS = 86_400;

/** A dealer with two vehicles that crossed a line, one that was sold for nobody knows what, and a feed that takes none. */
const stockedDealer = async ({ service: { api, after } }: JourneyContext) => {
  const dealer = await create(api, "/api/dealers", dealerBody({ name: "Sunrise Autos" }));
  const add = (days: number, fields: object) =>
    create<Vehicle>(
      api,
      "/api/vehicles",
      vehicleBody(dealer.id, { listed_at: after(-days * DAY_SECONDS), price: 20_000, mileage: 30_000, ...fields }),
    );
  const oldest = await add(61, { year: 2022, stock_number: "T61", vin: "5XYZU3LB1EG351984" });
  const younger = await add(46, { year: 2021, stock_number: "T46" });
  await add(3, { publish: false });
  const sold = await add(20, { year: 2019, status: "sold", sold_at: after(-DAY_SECONDS) });
  const feed = await create<{ id: number; url: string }>(
    api,
    "/api/feeds",
    feedBody(dealer.id, { channel: "google_vehicle_listings", store_codes: { [dealer.id]: "S" } }),
  );
  await (await fetch(feed.url)).text();
  return { dealer: dealer.id, oldest, younger, sold, feed: feed.id };
};

/** What a dealer looks at in the morning. */
export const todayJourneys: Journeys = (context) => {
  test("users of one dealer begin with its lot: ages open their lists, 3 % less is undone, each sentence leads on", async () => {
    const { admin, service } = context();
    const { api } = service;
    const { dealer, oldest, younger, sold, feed } = await stockedDealer(context());
    const priceOf = async ({ id }: Vehicle) => (await api<Vehicle>("GET", `/api/vehicles/${id}`)).body.price;
    const owner = await signedInUser(context(), { role: "dealer_admin", dealer_id: dealer });
    await context().visit(owner.session, async (visit) => {
      const { page } = visit;
      const read: string[] = [];
      page.on("request", (request) => {
        const path = new URL(request.url()).pathname;
        if (path.startsWith("/portal/api/")) read.push(path.slice("/portal/api".length));
      });
      await visit.go("/");
      await visit.arrives("Today on the lot");
      await visit.shows(visit.link("Today").and(page.locator("[aria-current=page]")));
      const figures = page.getByRole("navigation", { name: "Figures" });
      await visit.shows(figures.getByRole("link", { name: "On the lot 3 $60,000" }));
      expect(await figures.getByRole("link").count()).toBe(5);
      const chart = visit
        .section("Added and sold")
        .getByRole("img", { name: "Chart: 4 added and 1 sold in 12 months" });
      await visit.shows(chart);
      // The page has one answer, beside what every page reads.
      expect(read.filter((path) => !["/session", "/settings", "/branding"].includes(path))).toEqual([
        `/dealers/${dealer}/today`,
      ]);

      const crossed = visit.section("Crossed a line lately");
      const tile = crossed.getByRole("listitem").filter({ hasText: "2022 Toyota Camry" });
      await visit.shows(tile.getByText("60 days", { exact: true }));
      await visit.press("Lower the price of 2022 Toyota Camry, T61 by 3 percent");
      await visit.reads("2022 Toyota Camry is $19,400 now, from $20,000.");
      await visit.shows(tile.getByText("$19,400"));
      expect(await priceOf(oldest)).toBe(19_400);
      await visit.press("Undo");
      await visit.reads("It is $20,000 again.");
      await visit.shows(tile.getByText("$20,000"));
      await admin.send("PUT", `/portal/api/vehicles/${younger.id}`, { body: { mileage: 4321 } });
      await visit.press("Lower the price of 2021 Toyota Camry, T46 by 3 percent");
      await visit.reads("Somebody changed it meanwhile.");
      expect(await priceOf(younger)).toBe(20_000);

      const todo = visit.section("Do next");
      const links = await todo.getByRole("link").all();
      const places = await Promise.all(links.map((link) => link.getAttribute("href")));
      expect(places).toEqual([`/portal/vehicles/${sold.id}`]);
      await visit.shows(todo.getByText("The condition is empty on all of them."));
      await visit.press("Set for all: 3 vehicles are left out of Google");
      await visit.fill({ Condition: "used" });
      await visit.click(visit.dialog("Set condition of 3 vehicles?").getByRole("button", { name: "Set it" }));
      await visit.click(visit.dialog("Condition of 3 vehicles set").getByRole("button", { name: "Done" }));
      await visit.shows(todo.getByText("Set. The channel counts again when it fetches the feed."));
      expect((await api<Vehicle>("GET", `/api/vehicles/${oldest.id}`)).body.condition).toBe("used");
      const mend = visit.link("Mend: 3 vehicles are left out of Google");
      expect(await mend.getAttribute("href")).toStartWith(
        `/portal/channels/${feed}?severity=error&rule=required_empty`,
      );
      await visit.click(visit.section("Age of the lot").getByRole("link", { name: "1 31 to 60 days $20,000" }));
      await visit.arrives("Vehicles");
      await visit.shows(page.getByRole("row", { name: /T46/ }));
      expect(await page.getByRole("row", { name: /T61/ }).count()).toBe(0);
    });
    await context().visit(admin, async (visit) => {
      await visit.go(`/dealers/${dealer}?tab=today`);
      await visit.arrives("Sunrise Autos");
      const link = visit.section("Age of the lot").getByRole("link", { name: "1 61 to 90 days $20,000" });
      expect(await link.getAttribute("href")).toContain(`dealer_id=${dealer}`);
      const { id } = await create(api, "/api/dealers", dealerBody({ name: "Bare Autos" }));
      await visit.go(`/dealers/${id}?tab=today`);
      await visit.shows(visit.section("Nothing is on the lot").getByRole("link", { name: "Add a vehicle" }));
    });
  });
};
