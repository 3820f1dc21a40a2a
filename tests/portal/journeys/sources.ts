import { expect, test } from "bun:test";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Source } from "../../../core/sources/source.ts";
import { create, dealerBody } from "../../support/sample-records.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

const SECRET = "a long secret of the lot";
const HEAD = "Chassis,Year,Make,Model,Lot Price";

/** A site on this machine that gives a file to clients with the password, and records their credentials. */
export const siteOf = async (file: () => string) => {
  const heard: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers.authorization);
    response.writeHead(200, { "content-type": "text/csv" }).end(file());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lot.csv`;
  return { heard, url, close: () => server.close() };
};

/** Sources: files that the service fetches on schedule. */
export const sourceJourneys: Journeys = (context) => {
  test("a source is added, fetched, corrected, switched off and deleted; its password is never shown; other dealers' are absent", async () => {
    const { api } = context().service;
    let file = `${HEAD}\nSP1,20x1,Trabant,601,1200\n`;
    const site = await siteOf(() => file);
    const dealer = await create(api, "/api/dealers", dealerBody({ name: "Paprika Motors" }));
    const other = await create(api, "/api/dealers", dealerBody({ name: "Nutmeg Motors" }));
    const foreign = await create(api, "/api/import-sources", {
      name: "File of others",
      dealer_id: other.id,
      url: "https://files.example.com/others.csv",
      schedule: "0 3 * * *",
    });
    const { session } = await signedInUser(context(), { role: "dealer_admin", dealer_id: dealer.id });
    await context().visit(session, async (visit) => {
      await visit.go("/imports");
      await visit.follow("Sources");
      await visit.arrives("No sources yet");
      await visit.follow("Add a source");
      await visit.arrives("Add a source");
      expect(await visit.field("Dealer").count()).toBe(0);
      await visit.fill({ Name: "Nightly file", Address: site.url, Time: "04:45" });
      await visit.choose("How often", "Monday to Friday");
      await visit.choose("Time zone", "Europe/Berlin");
      await visit.choose("Credentials", "User and password");
      await visit.fill({ User: "paprika" });
      await visit.choose("If some rows are wrong", "Import nothing");
      // Missing fields show an error, and nothing is sent.
      await visit.press("Add the source");
      await visit.reads("Enter a password");
      await visit.fill({ Password: SECRET });
      await visit.press("Add a heading");
      await visit.fill({ "Heading 1": "Chassis" });
      await visit.choose("Field 1", "VIN");
      await visit.press("Add a heading");
      await visit.fill({ "Heading 2": "Lot Price" });
      await visit.choose("Field 2", "Price");
      await visit.press("Add the source");

      await visit.arrives("Nightly file");
      await visit.reads("It has not been fetched yet.");
      await visit.shows(visit.section("Details").getByText("User paprika"));
      await visit.shows(visit.section("Details").getByText("Monday to Friday at 04:45"));

      // The file arrives but its import fails, and the run shows that.
      const runs = visit.section("Runs").locator("tbody tr");
      await visit.press("Fetch now");
      await visit.shows(runs.filter({ hasText: "nothing is written" }));
      await visit.shows(visit.page.getByText("Failing", { exact: true }));

      // The user corrects a heading without typing the password, which stays.
      file = `${HEAD}\nSP1,2001,Trabant,601,1200\nSP2,2x02,Trabant,P50,900\n`;
      await visit.press("Edit");
      const dialog = visit.dialog("Edit Nightly file");
      await visit.shows(dialog);
      expect(await dialog.getByLabel("Credentials", { exact: true }).inputValue()).toBe("keep");
      expect(await dialog.getByLabel("Heading 2", { exact: true }).inputValue()).toBe("Lot Price");
      await visit.fill({ Name: "Lot of Paprika" });
      await visit.choose("If some rows are wrong", "Import the others");
      await visit.choose("Dates such as 05/06/2026", "The day is first: 5 June");
      await visit.choose("Mileages in another unit", "Keep their numbers");
      await visit.press("Add a field");
      await visit.choose("Field 1 of both", "Price");
      await visit.press("Save");
      await visit.arrives("Lot of Paprika");
      await visit.shows(visit.section("Its imports").getByText("The day is first: 5 June"));
      await visit.shows(visit.section("Its imports").getByText("Price, changed by both"));
      await visit.press("Fetch now");
      await visit.shows(runs.filter({ hasText: "A file arrived and is imported" }));
      await visit.shows(visit.page.getByText("On", { exact: true }));
      const [stored] = (await api<{ data: Source[] }>("GET", `/api/import-sources?dealer_id=${dealer.id}`)).body.data;
      expect(stored).toMatchObject({
        options: {
          date_order: "dmy",
          units: "keep",
          currency: "check",
          merge: "on",
          columns: { "Lot Price": "price" },
        },
        field_owners: { price: "hand" },
      });
      const sent = `Basic ${Buffer.from(`paprika:${SECRET}`).toString("base64")}`;
      expect(site.heard).toEqual([sent, sent]);
      await visit.click(runs.first().getByRole("link"));
      await visit.arrives("lot.csv");
      await visit.shows(visit.section("Rows").getByRole("row").filter({ hasText: "2x02" }));
      expect(await visit.ask("GET", "/vehicles?make=Trabant")).toMatchObject({
        status: 200,
        body: { meta: { total: 1 } },
      });

      // A snapshot in which a row has no key is no plain success: its run and the page say so.
      file = "Stock,Make,Model,Year,Price\nSP-1,Trabant,601,1985,900\n,Trabant,P50,1984,800\n";
      await visit.ask("PUT", `/import-sources/${stored?.id}`, { options: { mode: "snapshot" } });
      await visit.go(`/imports/sources/${stored?.id}`);
      await visit.press("Fetch now");
      await visit.shows(runs.filter({ hasText: "A file arrived and is imported, with warnings" }));
      await visit.shows(visit.page.getByText("On, with warnings", { exact: true }));
      const last = visit.page.getByRole("alert").filter({ hasText: "The last file was imported with warnings" });
      await visit.shows(last.getByText(/it is not known which vehicles are missing.*line 3/));

      // The list has it but no other dealer's, and can switch it off.
      await visit.go("/imports/sources");
      const listed = visit.section("All sources").locator("tbody tr");
      await visit.shows(listed.filter({ hasText: "Lot of Paprika" }));
      expect(await listed.count()).toBe(1);
      await visit.act("Lot of Paprika", "Switch off");
      await visit.shows(listed.getByText("Off", { exact: true }));
      await visit.follow("Lot of Paprika");
      await visit.arrives("Lot of Paprika");
      for (const path of ["/import-sources", "/audit?resource=sources"])
        expect(JSON.stringify(await visit.ask("GET", path))).not.toContain(SECRET);
      expect(await visit.page.content()).not.toContain(SECRET);
      await visit.act("Lot of Paprika", "Delete…");
      await visit.click(visit.dialog("Delete Lot of Paprika?").getByRole("button", { name: "Delete", exact: true }));
      await visit.arrives("No sources yet");

      visit.expects(`404 GET /portal/api/import-sources/${foreign.id}`);
      await visit.go(`/imports/sources/${foreign.id}`);
      await visit.reads(/not found/i);
    });
    site.close();
  });
};
