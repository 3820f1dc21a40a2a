import { expect, test } from "bun:test";
import { readSheet } from "../../core/imports/workbook.ts";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { create, dealerBody, imageBody, vehicleBody } from "../../support/sample-records.ts";
import { type JourneyContext, type Journeys, signedInUser } from "./journey-context.ts";

/** Three of one make, and one of another. */
const STOCK = [
  { model: "Koral", year: 1998, price: 4_000, exterior_color: "Ruby Red", body_style: "hatchback" },
  {
    model: "Florida",
    year: 2001,
    price: 9_000,
    exterior_color: "Oxford White",
    body_style: "hatchback",
  },
  { model: "Skala", year: 1988, price: 14_000, exterior_color: "Ruby Red", body_style: "sedan" },
  { model: "353", year: 1985, price: 7_500, exterior_color: "Graphite", body_style: "sedan" },
] as const;

/** Creates a dealer with these vehicles, of makes that no other test has; the first has an image. */
const fillStock = async ({ service }: JourneyContext, name: string, [most, last]: readonly [string, string]) => {
  const dealer = await create(service.api, "/api/dealers", dealerBody({ name }));
  const ids: number[] = [];
  for (const [place, fields] of STOCK.entries()) {
    const marks = { stock_number: `ZX-90${place}`, vin: `1ZVFT80N4751${String(34_560 + place)}`, mileage: 50_000 };
    ids.push(
      (
        await create(
          service.api,
          "/api/vehicles",
          vehicleBody(dealer.id, { make: place < 3 ? most : last, ...fields, ...marks }),
        )
      ).id,
    );
  }
  await create(service.api, `/api/vehicles/${ids[0]}/images`, imageBody());
  return { dealer, ids };
};

const searchOf = ({ page }: Visit): URLSearchParams => new URL(page.url()).searchParams;
const tick = ({ page }: Visit, name: string) => page.getByRole("checkbox", { name, exact: true });
const found = (visit: Visit, count: number) => visit.reads(`1 to ${count} of ${count} vehicles`);

/** The vehicles of all dealers: words, facets, order, cards, and one address for all of it. */
export const findingJourneys: Journeys = (context) => {
  test("users find vehicles by words, stock number and the end of a VIN, and narrow them by facets; the address restores it all", async () => {
    await fillStock(context(), "Velvet Motors", ["Zastava", "Wartburg"]);
    await context().visit(context().admin, async (visit) => {
      await visit.drawPictures();
      const asked: string[] = [];
      visit.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await visit.go("/vehicles");
      await visit.arrives("Vehicles");
      await visit.page.keyboard.press("/");
      await visit.shows(
        visit.page
          .getByRole("combobox", { name: "Search", exact: true })
          .or(visit.page.getByRole("searchbox", { name: "Search", exact: true }))
          .and(visit.page.locator(":focus")),
      );
      await visit.fill({ Search: "red zast" });
      await found(visit, 2);
      const suggestion = visit.page.getByRole("option", { name: "Zastava", exact: true });
      await visit.shows(suggestion);
      // Escape closes the suggestions and leaves the text.
      await visit.page.keyboard.press("Escape");
      await visit.hides(suggestion);
      await visit.page.keyboard.press("Backspace");
      await visit.page.keyboard.type("t");
      await visit.click(suggestion);
      await visit.shows(visit.button("Remove the filter Make: Zastava"));
      await visit.press("Remove the filter Color: Ruby Red");
      await found(visit, 3);
      await visit.fill({ Search: "zx-903" });
      await visit.shows(visit.link("1985 Wartburg 353"));
      await visit.fill({ Search: "134562" });
      await visit.shows(visit.link("1988 Zastava Skala"));
      await visit.press("Remove the filter VIN: …134562");
      await visit.fill({ Search: "red zastava 03" });
      await visit.arrives("No vehicle has all of these words");
      await visit.press("Leave out “03”: 2 vehicles");
      await found(visit, 2);
      await visit.fill({ Search: "wartburg 03" });
      await visit.press("Remove the filter Stock: …03");

      await visit.fill({ Search: `velvet` });
      await visit.arrives("No vehicle has this word");
      await visit.press("Clear filters");
      // The longest on the lot come first.
      await visit.press("On the lot");
      await visit.shows(visit.page.locator("th[aria-sort=descending]", { hasText: "On the lot" }));
      await visit.shows(tick(visit, "Over 90 days").and(visit.page.locator("[aria-description*=vehicle]")));
      await visit.click(tick(visit, "61 to 90 days"));
      await visit.click(tick(visit, "0 to 30 days"));
      await visit.shows(visit.button("Remove the filter Age: 0 to 90 days"));
      // A window without room for all columns goes without the dealer and the mileage, and nothing lies under the menus.
      const heads = visit.page.getByRole("table", { name: "Vehicles" }).getByRole("columnheader");
      const usual = visit.page.viewportSize() ?? { width: 1440, height: 900 };
      await visit.page.setViewportSize({ width: 1024, height: 768 });
      await visit.hides(heads.filter({ hasText: "Dealer" }));
      for (const head of ["Price", "On the lot", "Status"]) await visit.shows(heads.filter({ hasText: head }));
      await visit.shows(visit.page.locator(".table-scroll[data-fits]"));
      await visit.page.setViewportSize({ width: 1440, height: 900 });
      await visit.shows(heads.filter({ hasText: "Dealer" }));
      await visit.page.setViewportSize(usual);
      await visit.press("Remove the filter Age: 0 to 90 days");
      await visit.click(visit.page.getByText("Dealer", { exact: true }).and(visit.page.locator("summary")));
      // At first only the dealers with the most vehicles are shown.
      const others = visit.button(/^\d+ more of Dealer$/);
      await visit.shows(tick(visit, "Velvet Motors").or(others).first());
      if (await others.isVisible()) await visit.click(others);
      await visit.click(tick(visit, "Velvet Motors"));
      await found(visit, 4);
      await visit.click(tick(visit, "Zastava"));
      await found(visit, 3);
      // A facet is counted without its own filter: another make can be selected.
      await visit.shows(tick(visit, "Wartburg").and(visit.page.locator("[aria-description='1 vehicle']")));
      await visit.click(tick(visit, "Wartburg"));
      await found(visit, 4);
      await visit.fill({ "Price to": "9000" });
      await visit.shows(visit.button("Remove the filter Price to: $9,000"));
      await found(visit, 3);
      await visit.press("Price");
      const names = visit.page.getByRole("table", { name: "Vehicles" }).getByRole("rowheader").getByRole("link");
      for (const [place, name] of ["1998 Zastava Koral", "1985 Wartburg 353", "2001 Zastava Florida"].entries())
        await visit.shows(names.nth(place).filter({ hasText: name }));
      await visit.press("Cards");
      const address = searchOf(visit);
      expect([address.getAll("make"), address.get("max_price"), address.get("sort"), address.get("look")]).toEqual([
        ["Zastava", "Wartburg"],
        "9000",
        "price",
        "cards",
      ]);
      await visit.again();
      await found(visit, 3);
      expect(await visit.button("Cards").getAttribute("aria-pressed")).toBe("true");
      expect(await tick(visit, "Wartburg").isChecked()).toBe(true);
      await visit.press("Remove the filter Make: Zastava, Wartburg");
      await visit.hides(visit.button("Remove the filter Make: Zastava, Wartburg"));
      // The list's answer includes the pictures.
      expect(asked.filter((path) => path.endsWith("/images"))).toEqual([]);
    });
  });

  deepTest(
    "a user bound to a dealer sees and counts only that dealer's vehicles; filters are in a drawer on a phone",
    async () => {
      const { dealer } = await fillStock(context(), "Satin Motors", ["Tatra", "Aero"]);
      const clerk = await signedInUser(context(), { role: "dealer_admin", dealer_id: dealer.id });
      await context().visit(
        clerk.session,
        async (visit) => {
          await visit.drawPictures();
          await visit.go("/vehicles");
          await found(visit, 4);
          await visit.press("Filters");
          await visit.click(tick(visit, "Tatra"));
          await visit.shows(tick(visit, "Tatra").and(visit.page.locator(":checked")));
          expect(await visit.page.locator("summary", { hasText: "Dealer" }).count()).toBe(0);
          expect(await tick(visit, "Toyota").count()).toBe(0);
          await visit.press("Show the list");
          await found(visit, 3);
          await visit.shows(visit.button("Filters (1)"));
        },
        { width: 375, height: 740 },
      );
    },
  );

  deepTest(
    "the list's vehicles are exported as a table and as a workbook, without formulas for a spreadsheet",
    async () => {
      const { dealer } = await fillStock(context(), "Linen Motors", ["Simca", "Matra"]);
      await create(
        context().service.api,
        "/api/vehicles",
        vehicleBody(dealer.id, { stock_number: "=1+1", price: 31_000 }),
      );
      await context().visit(context().admin, async (visit) => {
        await visit.drawPictures();
        await visit.go(`/vehicles?dealer_id=${dealer.id}&min_price=9000`);
        await found(visit, 3);
        const saved = async (form: string) => {
          await visit.press("Export");
          const item = visit.page.getByRole("menuitem", { name: form });
          const [download] = await Promise.all([visit.page.waitForEvent("download"), visit.click(item)]);
          return download;
        };
        const book = await saved("Workbook");
        expect(book.suggestedFilename()).toBe("vehicles.xlsx");
        const { rows } = await readSheet(await Bun.file((await book.path()) ?? "").bytes());
        expect(rows.map(({ cells }) => cells.make).slice(1)).toEqual(["Simca", "Simca"]);
        expect(rows[0]?.cells).toMatchObject({ stock_number: "=1+1", price: 31_000 });
        const download = await saved("Table");
        expect(download.suggestedFilename()).toBe("vehicles.csv");
        const text = await Bun.file((await download.path()) ?? "").text();
        const lines = text.trimEnd().split("\r\n");
        expect(lines.length).toBe(4);
        expect(lines[0]).toStartWith("id,dealer_id,make,model,year,price");
        expect(lines[1]).toContain(",'=1+1,");
        expect(lines[3]).toContain(`,${dealer.id},Simca,Florida,2001,9000,`);
      });
    },
  );
};
