import { expect, test } from "bun:test";
import type { Visit } from "../../support/portal.ts";
import { create, dealerBody, imageBody, vehicleBody } from "../../support/world.ts";
import type { Journeys, Stage } from "./stage.ts";

/** Vehicles that no other test has: of one make each, so that others do not count. */
const STOCK = [
  { make: "Zastava", model: "Koral", year: 1998, price: 4_000, exterior_color: "Ruby Red", body_style: "hatchback" },
  {
    make: "Zastava",
    model: "Florida",
    year: 2001,
    price: 9_000,
    exterior_color: "Oxford White",
    body_style: "hatchback",
  },
  { make: "Zastava", model: "Skala", year: 1988, price: 14_000, exterior_color: "Ruby Red", body_style: "sedan" },
  { make: "Wartburg", model: "353", year: 1985, price: 7_500, exterior_color: "Graphite", body_style: "sedan" },
] as const;

/** A dealer of this name with these vehicles, the first with an image. */
const stocked = async ({ service }: Stage, name: string) => {
  const dealer = await create(service.api, "/api/dealers", dealerBody({ name }));
  const ids: number[] = [];
  for (const [place, fields] of STOCK.entries()) {
    const marks = { stock_number: `ZX-90${place}`, vin: `1ZVFT80N4751${String(34_560 + place)}`, mileage: 50_000 };
    ids.push((await create(service.api, "/api/vehicles", vehicleBody(dealer.id, { ...fields, ...marks }))).id);
  }
  await create(service.api, `/api/vehicles/${ids[0]}/images`, imageBody());
  return { dealer, ids };
};

const found = (visit: Visit, count: number) => visit.reads(`1 to ${count} of ${count} vehicles`);

/** The vehicles of all dealers: words, facets, order, cards, and one address for all of it. */
export const findingJourneys: Journeys = (stage) => {
  test.concurrent("what the list shows is kept as a table, without formulas for a spreadsheet", async () => {
    const { dealer } = await stocked(stage(), "Linen Motors");
    await create(stage().service.api, "/api/vehicles", vehicleBody(dealer.id, { stock_number: "=1+1", price: 31_000 }));
    await stage().visit(stage().admin, async (visit) => {
      await visit.drawPictures();
      await visit.go(`/vehicles?dealer_id=${dealer.id}&min_price=9000`);
      await found(visit, 3);
      const [download] = await Promise.all([visit.page.waitForEvent("download"), visit.press("Export")]);
      expect(download.suggestedFilename()).toBe("vehicles.csv");
      const text = await Bun.file((await download.path()) ?? "").text();
      const lines = text.trimEnd().split("\r\n");
      expect(lines.length).toBe(4);
      expect(lines[0]).toStartWith("id,dealer_id,dealer_name,make,model,year,price");
      expect(lines[1]).toContain(",'=1+1,");
      expect(lines[3]).toContain("Linen Motors,Zastava,Florida,2001,9000");
    });
  });
};
