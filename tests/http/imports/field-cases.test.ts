import { describe, expect, test } from "bun:test";
import { ANSWERING } from "../../support/engines.ts";
import { importsOn } from "./imports.ts";

/** Rows of cells as a file. */
const csv = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;

const DATES = "Stock #,Year,Make,Model,Price,Date In Stock";
const REPORT = "Stock #,Year,Make,Model,Price";
const KEYS = "Stock #,VIN,Year,Make,Model,Price";

for (const engine of ANSWERING)
  describe(`a file as the trade writes it, on ${engine.name},`, () => {
    const { newDealer, imported, rowsOf, vehiclesOf } = importsOn(engine);
    const byStock = async (dealer: number) =>
      Object.fromEntries((await vehiclesOf(dealer)).map((one) => [one.stock_number ?? "", one]));

    test("has its dates in one order, which any of its cells decides", async () => {
      const dealer = await newDealer();
      const days = ["05/06/2026", "16/10/2026", "01/11/2026", "10/12/2025"];
      const raw = csv(DATES, ...days.map((day, n) => `D${n},2021,Honda,Civic,18995,${day}`));
      expect(await imported({ dealer, raw })).toMatchObject({ counts: { created: 4, failed: 0 }, warnings: [] });
      const listed = Object.values(await byStock(dealer)).map(({ listed_at }) => listed_at?.slice(0, 10));
      expect(listed.sort()).toEqual(["2025-12-10", "2026-06-05", "2026-10-16", "2026-11-01"]);
    });

    test("has its days in one order as well, which any of its cells decides", async () => {
      const dealer = await newDealer();
      const days = ["05/06/2021", "16/10/2021"];
      const heading = "Stock #,Year,Make,Model,Price,Registration Date";
      const raw = csv(heading, ...days.map((day, n) => `R${n},2021,Honda,Civic,18995,${day}`));
      expect(await imported({ dealer, raw })).toMatchObject({ counts: { created: 2, failed: 0 }, warnings: [] });
      const registered = Object.values(await byStock(dealer)).map(({ date_first_registered: day }) => day);
      expect(registered.sort()).toEqual(["2021-06-05", "2021-10-16"]);
    });

    test("says once that the order of its dates was assumed, and date_order says it", async () => {
      const dealer = await newDealer();
      const raw = csv(DATES, "E1,2021,Honda,Civic,18995,05/06/2026");
      expect(await imported({ dealer, raw })).toMatchObject({
        warnings: [{ path: "Date In Stock", code: "date_order_assumed" }],
      });
      expect((await byStock(dealer)).E1?.listed_at).toBe("2026-05-06T00:00:00.000Z");
      expect((await imported({ dealer, raw, options: "date_order=dmy" })).warnings).toEqual([]);
      expect((await byStock(dealer)).E1?.listed_at).toBe("2026-06-05T00:00:00.000Z");
    });

    test("loses a field over a bad cell, and no vehicle", async () => {
      const dealer = await newDealer();
      const raw = csv(
        `${DATES},Photos,Certified,Seats`,
        "A1,2021,Honda,Civic,18995,0000-00-00,https://img.example.com/1.jpg,No,5",
        "A2,2021,Ford,Focus,9995,someday,No Photo,perhaps,N/A",
        "A3,2021,Ford,Focus,9995,2099-01-01,-,-,0",
      );
      const { id, counts } = await imported({ dealer, raw });
      expect(counts).toMatchObject({ created: 3, failed: 0 });
      const warned = (await rowsOf(id)).map(({ warnings }) => warnings.map(({ path }) => path).sort());
      expect(warned).toEqual([[], ["Certified", "Date In Stock", "Photos"], ["Date In Stock", "Seats"]]);
      const again = raw.replaceAll("9995", "cheap").replace("A2,2021,Ford,Focus,cheap", "A2,2021,Ford,Focus,9990");
      expect((await imported({ dealer, raw: again })).counts).toMatchObject({ updated: 1, unchanged: 2, failed: 0 });
      const news = csv(`${REPORT},Status`, "N1,2021,Kia,Rio,5000,gone", "A1,2021,Honda,Civic,18995,gone");
      expect((await imported({ dealer, raw: news })).counts).toMatchObject({ created: 0, unchanged: 1, failed: 1 });
    });

    test("has what electric cars and Europe ask for, and the same file again changes nothing", async () => {
      const dealer = await newDealer();
      const raw = [
        "Interne Nummer;Marke;Modell;Baujahr;Preis;Erstzulassung;Vorbesitzer;Türen;UVP;Reichweite (km);Batteriekapazität (kWh);Stromverbrauch;CO2-Emissionen;Schadstoffklasse",
        "E1;Volkswagen;ID.4;2021;31.900,00;03/2021;1;5;49.990,50;500;77,4;17,9 kWh/100km;0 g/km;Euro 6d",
        "E2;Volkswagen;Golf;2019;18.900,00;15.07.2019;2;4/5;viel;-;n.v.;38 mpg;128;",
      ].join("\n");
      const first = await imported({ dealer, raw });
      expect(first).toMatchObject({ counts: { created: 2, failed: 0 }, warnings: [{ code: "unit_converted" }] });
      const unread = (await rowsOf(first.id)).map(({ warnings }) => warnings.map(({ path }) => path).sort());
      expect(unread).toEqual([[], ["Stromverbrauch", "Türen", "UVP"]]);
      expect(await byStock(dealer)).toMatchObject({
        E1: {
          ...{ date_first_registered: "2021-03-01", owners: 1, doors: 5, msrp: 49_990.5, electric_range: 311 },
          ...{ battery_capacity: 77.4, energy_consumption: 17.9, co2_emissions: 0, emissions_standard: "Euro 6d" },
        },
        E2: {
          date_first_registered: "2019-07-15",
          doors: null,
          msrp: null,
          battery_capacity: null,
          co2_emissions: 128,
        },
      });
      expect((await imported({ dealer, raw })).counts).toMatchObject({ unchanged: 2, updated: 0, failed: 0 });
    });

    test("may end with totals and notes, which do not hinder a snapshot; a vehicle without a key does", async () => {
      const dealer = await newDealer();
      const [one, other] = ["A1,2021,Honda,Civic,18995", "A2,2020,Honda,Accord,20995"];
      await imported({ dealer, raw: csv(REPORT, one, other) });
      const unkeyed = await imported({ dealer, options: "mode=snapshot", raw: csv(REPORT, one, ",2020,Kia,Rio,1") });
      expect(unkeyed).toMatchObject({
        counts: { failed: 1, missing: null },
        warnings: [{ code: "missing_not_determined" }],
      });
      expect(unkeyed.warnings[0]?.message).toContain("line 3");
      expect((await byStock(dealer)).A2?.status).toBe("available");
      const raw = csv(
        "Lot report,,,,",
        "26 November,,,,",
        REPORT,
        one,
        REPORT,
        ",,,Total: 1 vehicles,18995",
        "J. Smith",
      );
      const done = await imported({ dealer, options: "mode=snapshot", raw });
      expect(done).toMatchObject({ counts: { unchanged: 1, skipped: 3, failed: 0, missing: 1 } });
      expect(done.warnings.map(({ code }) => code)).toEqual(["lines_skipped"]);
      expect((await rowsOf(done.id, "outcome=skipped")).map(({ warnings }) => warnings[0]?.code)).toEqual([
        ...["heading_repeated", "no_vehicle", "no_vehicle"],
      ]);
      expect((await byStock(dealer)).A2?.status).toBe("sold");
    });

    test("has no VIN where a placeholder stands, and no vehicle becomes another one", async () => {
      const dealer = await newDealer();
      await imported({ dealer, raw: csv(KEYS, "K1,TBD,2024,Honda,Civic,24000") });
      const { id, counts } = await imported({
        dealer,
        raw: csv(KEYS, "K2,TBD,2026,Ford,F-150,61000", "K1,1HGBH41JXMN109186,2024,Honda,Civic,24000"),
      });
      expect(counts).toMatchObject({ created: 1, updated: 1, failed: 0 });
      expect((await rowsOf(id))[0]?.warnings).toMatchObject([{ path: "VIN", code: "placeholder" }]);
      const { K1, K2 } = await byStock(dealer);
      expect([K1?.vin, K1?.make, K2?.vin, K2?.make]).toEqual(["1HGBH41JXMN109186", "Honda", null, "Ford"]);
      const other = csv(REPORT, "K1,2019,Kia,Rio,7000");
      expect(await rowsOf((await imported({ dealer, raw: other })).id)).toMatchObject([
        { errors: [{ code: "match_implausible" }] },
      ]);
      const meant = await imported({ dealer, raw: other, options: "match=stock_number" });
      expect(meant.counts).toMatchObject({ updated: 1 });
    });

    test("has its mileages converted and its foreign prices left out, each said once", async () => {
      const dealer = await newDealer();
      const raw = csv(
        "Stock #,VIN No,Year,Make,Model,Price (USD),Odometer (km),Vehicle Status",
        "M1,1HGBH41JXMN109186,2024,Honda,Civic,24000,100000,Sold",
        "M2,,2024,Honda,Civic,€ 9.995,50000 mi,",
      );
      const { id, counts, warnings } = await imported({ dealer, raw });
      expect(counts).toMatchObject({ created: 1, failed: 1 });
      expect((await byStock(dealer)).M1).toMatchObject({ mileage: 62_137, status: "sold" });
      expect(warnings).toMatchObject([{ path: "Odometer (km)", code: "unit_converted" }]);
      expect(warnings[0]?.message).toContain("100000 km became 62137 mi");
      expect((await rowsOf(id, "outcome=failed"))[0]?.errors).toMatchObject([{ code: "currency_differs" }]);
      const kept = await imported({ dealer, raw, options: "units=keep&currency=ignore" });
      expect(kept).toMatchObject({ counts: { created: 1, updated: 1 }, warnings: [] });
      expect((await byStock(dealer)).M1?.mileage).toBe(100_000);
    });

    test("without a price says so, with the unknown heading that looks like one", async () => {
      const dealer = await newDealer();
      const raw = csv("Stock #,Year,Make,Model,Lot Price", "P1,2021,Honda,Civic,18995");
      const { warnings } = await imported({ dealer, raw });
      expect(warnings.map(({ code }) => code)).toEqual(["price_column_missing", "heading_unknown"]);
      expect(warnings[0]?.message).toContain('"Lot Price"');
      const known = await imported({ dealer, raw: raw.replace("Lot Price", "SpecialPrice") });
      expect(known).toMatchObject({ counts: { created: 1 }, warnings: [] });
    });
  });
