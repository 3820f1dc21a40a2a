import { expect, test } from "bun:test";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator } from "playwright-core";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { deepTest } from "../../support/deep-test.ts";
import { eventually } from "../../support/eventually.ts";
import { queryDatabase } from "../../support/inspect-database.ts";
import { jpegPhoto } from "../../support/photos.ts";
import type { Visit } from "../../support/portal.ts";
import { create, dealerBody, vehicleBody } from "../../support/sample-records.ts";
import { WORKBOOK_TYPE, workbookOf } from "../../support/workbooks.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

const HEADING = "Stk;Yr;Manufacturer;Model;Lot Price;Odo;Farbe";

/** Six rows as a European spreadsheet writes them; three are invalid. */
const LOT = [
  HEADING,
  "ML-1;2021;Lada;Niva;24.990,00;31.200;Silver",
  "ML-2;2019;Lada;Samara;18.450,00;45.210;Blue",
  "ML-3;2018;Lada;Vesta;Call;60.100;Black",
  "ML-4;20x8;Lada;Granta;12.900,00;70.000;Rot",
  "ML-5;later;Lada;Largus;15.500,00;12;White",
  "ML-6;2023;Lada;Iskra;27.500,00;8.000;Green",
  "",
].join("\r\n");

/** Drops a file on the page, as from a folder. */
const drop = async ({ page, shows }: Visit, name: string, text: string): Promise<void> => {
  const place = page.locator(".file-drop");
  await shows(place);
  const dataTransfer = await page.evaluateHandle(`(() => {
    const carried = new DataTransfer();
    carried.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    return carried;
  })()`);
  // Outside of the drop area: otherwise the browser would leave the page for the file.
  await page.locator("main").dispatchEvent("drop", { dataTransfer });
};

const figure = ({ page }: Visit, name: string, value: number): Locator =>
  page
    .getByRole("region", { name: "Rows by outcome" })
    .locator("div")
    .filter({ has: page.getByText(name, { exact: true }) })
    .filter({ hasText: new RegExp(`${value}$`) })
    .first();

/** Waits until a menu shows this choice. */
const chosenIs = (visit: Visit, label: string, word: string): Promise<string> =>
  eventually(
    () => visit.field(label).inputValue(),
    (value) => value === word,
  );

const downloaded = async (visit: Visit, button: string): Promise<string> => {
  const [file] = await Promise.all([visit.page.waitForEvent("download"), visit.press(button)]);
  return Bun.file((await file.path()) ?? "").text();
};

/** Files of vehicles, from the spreadsheet to the lot. */
export const importJourneys: Journeys = (context) => {
  test("a spreadsheet with foreign headings is checked and imported; its refused rows are corrected and sent again", async () => {
    const dealer = await create(context().service.api, "/api/dealers", dealerBody({ name: "Mustard Motors" }));
    const other = { make: "Lada", model: "Niva", year: 2021, stock_number: "ML-2", price: 100, mileage: 45_210 };
    await create(context().service.api, "/api/vehicles", vehicleBody(dealer.id, other));
    const who = { role: "dealer_admin", dealer_id: dealer.id };
    const { session } = await signedInUser(context(), who);
    let failed = "";
    await context().visit(session, async (visit) => {
      await visit.go("/vehicles");
      await visit.follow("Import");
      await visit.arrives("Import");
      await drop(visit, "lot.csv", LOT);
      await visit.arrives("Import a file");
      // The page shows the first rows, and the user corrects unknown columns.
      await visit.shows(visit.page.getByRole("cell", { name: "24.990,00" }));
      expect(await visit.field("Manufacturer").inputValue()).toBe("make");
      expect(await visit.field("Lot Price").inputValue()).toBe("");
      expect(await visit.field("Dealer").count()).toBe(0);
      await visit.choose("Lot Price", "Price");
      await visit.press("Check");

      // The check changes nothing.
      await visit.arrives("lot.csv");
      await visit.reads("Nothing is changed yet");
      await visit.shows(figure(visit, "To be added", 2));
      await visit.shows(figure(visit, "To be changed", 1));
      await visit.shows(figure(visit, "Failed", 3));
      await visit.shows(visit.page.getByRole("row").filter({ hasText: "ML-4" }).getByText("20x8"));
      await visit.choose("Show rows", "To be changed (1)");
      await visit.shows(visit.page.getByRole("row", { name: "ML-2" }).getByText("Price: $100"));
      expect(await visit.ask("GET", "/vehicles?q=ML-6")).toMatchObject({ status: 200, body: { meta: { total: 0 } } });

      // What the service does not know is said once, and kept with the columns for the next files.
      await visit.click(visit.page.getByRole("tab", { name: "Values (1)" }));
      expect(await visit.field("Exterior color Rot means").inputValue()).toBe("Red");
      await visit.press("Keep and check again");
      await visit.reads("1 word is kept for the next files.");
      await visit.hides(visit.page.getByRole("tab", { name: "Values (1)" }));

      await visit.press("Confirm");
      await visit.shows(figure(visit, "Added", 2));
      await visit.shows(visit.page.getByRole("row").filter({ hasText: "ML-5" }));
      failed = await downloaded(visit, "Download failed rows");
      const rows = failed.replace("\ufeff", "").trimEnd().split("\r\n");
      expect(rows.length).toBe(4);
      expect(rows[0]).toBe("Stk;Yr;Manufacturer;Model;Lot Price;Odo;Farbe;import_line;import_error");

      // A row is mended where it stands: checked when it is left, then imported.
      const mending = visit.section("Mend the failed rows");
      const year = mending.getByRole("listitem").filter({ hasText: "ML-4" }).getByLabel("Yr", { exact: false });
      expect(await year.inputValue()).toBe("20x8");
      await year.fill("208");
      await year.press("Tab");
      await visit.shows(mending.getByText(/^must be a whole number from 1886/));
      await year.fill("2008");
      await year.press("Tab");
      await visit.shows(mending.getByText("Good: it will be a new vehicle."));
      expect(await visit.ask("GET", "/vehicles?q=ML-4")).toMatchObject({ status: 200, body: { meta: { total: 0 } } });
      await visit.press("Import this row");
      await visit.reads("1 row imported.");
      await visit.shows(figure(visit, "Added", 3));
      await visit.shows(figure(visit, "Failed", 2));
      await visit.follow("Import another file");
      await visit.arrives("Import");
    });

    // The chosen columns are saved for the dealer's next file, whichever user sends it.
    const colleague = await signedInUser(context(), who);
    await context().visit(colleague.session, async (visit) => {
      await visit.go("/imports");
      const mended = failed.replace("Call", '"11.900,00"').replace("20x8", "2008").replace("later", "2022");
      await visit
        .field("File")
        .setInputFiles({ name: "mended.csv", mimeType: "text/csv", buffer: Buffer.from(mended) });
      await visit.arrives("Import a file");
      await chosenIs(visit, "Lot Price", "price");
      await visit.press("Check");
      await visit.shows(figure(visit, "To be added", 2));
      await visit.press("Confirm");
      await visit.shows(figure(visit, "Added", 2));
      await visit.shows(figure(visit, "Failed", 0));
      expect(await visit.ask("GET", "/vehicles?make=Lada")).toMatchObject({
        status: 200,
        body: { meta: { total: 6 } },
      });

      // Past imports are listed, newest first, and can be deleted.
      await visit.follow("Back to Import");
      const past = visit.section("Past imports").getByRole("row").filter({ hasText: "Done" });
      await visit.shows(past.nth(1));
      expect(await past.first().getByRole("link").textContent()).toBe("mended.csv");
      await visit.act("mended.csv", "Delete…");
      await visit.click(visit.dialog("Delete mended.csv?").getByRole("button", { name: "Delete", exact: true }));
      await visit.hides(visit.link("mended.csv"));
      expect(await past.count()).toBe(1);
    });
  });

  deepTest(
    "a foreign workbook with bad cells is in after one look, with all that was assumed on one page",
    async () => {
      const { api } = context().service;
      const dealer = await create(api, "/api/dealers", dealerBody({ name: "Kümmel Motors" }));
      // Day-first dates, three cells that cannot be read, a line above the headings, kilometres, and a total.
      const rows = [
        ["Lagerbestand vom 26.11.2026"],
        ["Lagernummer", "Marke", "Modell", "Baujahr", "Preis", "Kilometerstand", "Sitze", "Standdatum"],
        ["KM-1", "Simca", "1000", 2021, "24.990,00", 31_200, 5, "05/06/2026"],
        ["KM-2", "Simca", "1100", 2019, "18.450,00", "viele", 5, "25/06/2026"],
        ["KM-3", "Simca", "1301", 2018, "9.900,00", "60.100", "fünf", "03/07/2026"],
        ["KM-4", "Simca", "1501", 2020, "12.900,00", 70_000, 4, "bald"],
        [null, "Summe", null, null, "66.240,00"],
      ];
      const sheets = [
        { name: "Hinweise", rows: [["Stand: gestern"]] },
        { name: "Bestand", rows },
      ];
      const file = { name: "bestand.xlsx", mimeType: WORKBOOK_TYPE, buffer: Buffer.from(workbookOf({ sheets })) };
      const { session } = await signedInUser(context(), { role: "dealer_admin", dealer_id: dealer.id });
      await context().visit(session, async (visit) => {
        await visit.go("/imports");
        await visit.field("File").setInputFiles(file);
        await visit.arrives("Import a file");
        // The sheet with headings is found; another one can be looked at.
        await visit.choose("Sheet", "Hinweise");
        await visit.shows(visit.page.getByRole("columnheader", { name: "Stand: gestern" }));
        await visit.choose("Sheet", "The first with a heading");
        await chosenIs(visit, "Standdatum", "listed_at");
        await visit.press("Check");
        await visit.arrives("bestand.xlsx");
        const assumed = visit.page.getByRole("alert").filter({ hasText: "What is assumed, or stays as it is" });
        for (const said of [
          /1 line above the heading is skipped, beginning with "Lagerbestand vom 26.11.2026"; “Line of the headings” says/,
          /Kilometerstand is in another unit .* 3 rows, and was converted: .*; “Mileages in another unit: Keep their numbers”/,
          /Kilometerstand in line 4: .*viele/,
          /Sitze in line 5: .*fünf/,
          /Standdatum in line 6: .*bald/,
          /in line 7: .*no vehicle/,
        ])
          await visit.shows(assumed.getByRole("listitem").filter({ hasText: said }));
        expect(await assumed.getByRole("listitem").count()).toBe(6);
        await visit.choose("Show rows", "No vehicle (1)");
        await visit.shows(visit.section("Rows").getByRole("row").filter({ hasText: "7" }));
        await visit.press("Confirm");
        await visit.shows(figure(visit, "Added", 4));
        await visit.shows(visit.page.getByText("Done, with warnings", { exact: true }));
        await visit.reads("What was assumed, or stayed as it was");
      });
      const { body } = await api<{ vehicles: Vehicle[] }>("GET", `/api/vehicles?dealer_id=${dealer.id}`);
      expect(
        body.vehicles
          .map(({ stock_number, mileage, seats, listed_at }) => [stock_number, mileage, seats, listed_at?.slice(0, 10)])
          .sort(),
      ).toEqual([
        ["KM-1", 19_387, 5, "2026-06-05"],
        ["KM-2", null, 5, "2026-06-25"],
        ["KM-3", 37_344, null, "2026-07-03"],
        ["KM-4", 43_496, 4, expect.any(String)],
      ]);
    },
  );

  deepTest(
    "on a phone, a whole lot is imported, rows are shown by page, and missing vehicles wait for a confirmation",
    async () => {
      const { api, databaseUrl } = context().service;
      const dealer = await create(api, "/api/dealers", dealerBody({ name: "Saffron Motors" }));
      const lot = (count: number): string =>
        Array.from({ length: count }, (_, place) => `SF-${100 + place},Wartburg,353,1985,${4_000 + place}\n`).join("");
      const head = "Stock,Make,Model,Year,Price\n";
      const sent = { raw: head + lot(60), headers: { "content-type": "text/csv" } };
      const { id } = (await api<{ id: number }>("POST", `/api/imports?dealer_id=${dealer.id}`, sent)).body;
      const stored = `SELECT state FROM imports WHERE id = ${id}`;
      await eventually(
        () => queryDatabase<{ state: string }>(databaseUrl, stored),
        ([row]) => row?.state === "completed",
      );
      const { session } = await signedInUser(context(), { role: "dealer_admin", dealer_id: dealer.id });
      await context().visit(
        session,
        async (visit) => {
          await visit.go("/imports/new");
          const file = { name: "saffron.csv", mimeType: "text/csv", buffer: Buffer.from(head + lot(30)) };
          await visit.field("File").setInputFiles(file);
          await visit.choose("What the file does", "It is the whole lot: what it does not have is missing");
          await visit.shows(visit.field("Vehicles that are missing"));
          await visit.press("Check");
          await visit.shows(figure(visit, "Missing", 30));
          const rows = visit.section("Rows").locator("tbody tr");
          await visit.reads("1 to 25 of 30 rows");
          expect(await rows.count()).toBe(25);
          await visit.press("Next page");
          await visit.reads("26 to 30 of 30 rows");
          expect(await rows.count()).toBe(5);
          await visit.press("Confirm");

          // A user who returns later finds the question.
          await visit.reads("30 vehicles are missing in the file");
          await visit.go("/imports");
          await visit.follow("saffron.csv");
          const found = await api<{ vehicles: { id: number }[] }>(
            "GET",
            `/api/vehicles?dealer_id=${dealer.id}&q=SF-159`,
          );
          await api("PUT", `/api/vehicles/${found.body.vehicles[0]?.id}`, { body: { status: "sold" } });
          await visit.press("Confirm the missing…");
          const dialog = visit.dialog("Confirm 30 missing vehicles?");
          const confirm = dialog.getByRole("button", { name: "Confirm", exact: true });
          const address = new URL(visit.page.url()).pathname.replace("/portal", "/portal/api");
          visit.expects(`409 POST ${address}/confirm`);
          await visit.click(confirm);
          await visit.reads("29 vehicles are missing by now, not 30; nothing is changed");
          await visit.fill({ "How many are missing": "29" });
          await visit.click(confirm);
          await visit.shows(visit.page.getByText("Done", { exact: true }));
          const sold = await api<{ meta: { total: number } }>(
            "GET",
            `/api/vehicles?dealer_id=${dealer.id}&status=sold`,
          );
          expect(sold.body.meta.total).toBe(30);
        },
        { width: 375, height: 740 },
      );
    },
  );

  deepTest("on a phone, the user corrects a wrongly detected charset and delimiter of a file", async () => {
    const { api } = context().service;
    const dealer = await create(api, "/api/dealers", dealerBody({ name: "Fennel Motors" }));
    const kept = async (): Promise<readonly object[]> =>
      (await api<{ data: object[] }>("GET", `/api/import-mappings?dealer_id=${dealer.id}`)).body.data;
    // The letter œ of ISO-8859-15 is ½ in Windows-1252, and semicolons give more known headings than bars.
    const car = "Car (Trim;Year;Price;Mileage;VIN)";
    const text = `Stock|Make|${car}|Jahr|VK\nFE-1|Lada|N\xbd|2020|4500\n`;
    const columns = { [car]: "model", Jahr: "year", VK: "price" };
    const file = { name: "fennel.csv", mimeType: "text/csv", buffer: Buffer.from(text, "latin1") };
    await context().visit(
      context().admin,
      async (visit) => {
        await visit.go("/imports/new");
        await visit.field("File").setInputFiles(file);
        await visit.arrives("Import a file");
        const found = (label: string): Promise<string | null> =>
          visit.field(label).locator("option").first().textContent();
        expect([await found("Charset"), await found("Delimiter")]).toEqual([
          "Detected: Windows-1252",
          "Detected: Semicolon",
        ]);
        await visit.choose("Delimiter", "Bar");
        await visit.shows(visit.page.getByRole("cell", { name: "N½" }));
        await visit.choose("Charset", "ISO-8859-15");
        await visit.shows(visit.page.getByRole("cell", { name: "Nœ" }));
        await visit.choose(car, "Model");
        await visit.choose("Jahr", "Year");
        await visit.choose("VK", "Price");

        // Nothing covers the options of a field near the bottom of the page.
        const edges = async (one: Locator): Promise<{ readonly top: number; readonly bottom: number }> => {
          const { y, height } = (await one.boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
          return { top: y, bottom: y + height };
        };
        await visit.shows(visit.field("Dealer"));
        const foot = await edges(visit.page.getByRole("button", { name: "Check" }));
        const field = await edges(visit.field("Dealer"));
        await visit.page.evaluate(`scrollBy(0, ${field.bottom - foot.top + 20})`);
        await visit.click(visit.field("Dealer"));
        const offered = visit.page.getByRole("listbox");
        await visit.shows(offered.getByRole("option", { name: /Motors/ }).first());
        await eventually(
          () => edges(offered),
          ({ bottom }) => bottom < foot.top,
        );
        await visit.choose("Dealer", "Fennel Motors");
        await visit.press("Check");
        await visit.arrives("fennel.csv");
        await visit.shows(figure(visit, "To be added", 1));
        await visit.shows(visit.page.getByText("Model: Nœ"));
        expect(await kept()).toMatchObject([{ columns }]);
        await visit.go("/imports");
        await visit.shows(visit.page.getByRole("row").filter({ hasText: "fennel.csv" }).getByText("1 to add"));

        // Saved columns with other headings have no effect here, and stay.
        const next = {
          ...file,
          name: "next.csv",
          buffer: Buffer.from("Stock,Make,Model,Year,Price\nFE-2,Lada,Niva,2021,900\n"),
        };
        await visit.field("File").setInputFiles(next);
        await visit.arrives("Import a file");
        await visit.choose("Dealer", "Fennel Motors");
        await visit.press("Check");
        await visit.shows(figure(visit, "To be added", 1));
        expect(await kept()).toMatchObject([{ columns }]);
      },
      { width: 375, height: 740 },
    );
  });

  deepTest(
    "the photos that a file names are fetched after its rows, which the page shows, and can be stopped",
    async () => {
      const dealer = await create(context().service.api, "/api/dealers", dealerBody({ name: "Saffron Cars" }));
      const { session } = await signedInUser(context(), { role: "dealer_admin", dealer_id: dealer.id });
      const photo = await jpegPhoto();
      const held = Promise.withResolvers<void>();
      const site = createServer(async (request, response) => {
        if (request.url === "/held.jpg") await held.promise;
        if (request.url === "/gone.jpg") response.writeHead(404).end();
        else response.end(photo);
      });
      await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve));
      const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
      const file = [
        "Stock,Year,Make,Model,Price,Photos",
        `SF-1,2020,Kia,Rio,9000,${origin}/gone.jpg`,
        `SF-2,2020,Kia,Rio,9000,${origin}/there.jpg`,
        `SF-3,2020,Kia,Rio,9000,${origin}/held.jpg`,
        "",
      ].join("\n");
      await context().visit(session, async (visit) => {
        await visit.go("/imports/new");
        await visit.arrives("Import a file");
        await drop(visit, "lot.csv", file);
        await visit.shows(visit.page.getByRole("cell", { name: "SF-1" }));
        await visit.page.getByLabel("Fetch the photos and keep them here").check();
        await visit.press("Check");
        await visit.reads("Nothing is changed yet");
        await visit.press("Confirm");
        await visit.reads("1 photo fetched, 1 not (the rows say why), 1 to go.");
        await visit.press("Fetch no more");
        await visit.reads("The others stay addresses: Somebody stopped it.");
      });
      held.resolve();
      site.close();
    },
  );
};
