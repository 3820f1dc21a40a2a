import { expect } from "bun:test";
import type { Locator } from "playwright-core";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { create, dealerBody, feedBody, imageBody, SOUTH, vehicleBody } from "../../support/sample-records.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

const VIN = "1HGCM82633A004352";

const figure = ({ page }: Visit, name: string, value: number): Locator =>
  page
    .getByRole("region", { name: "Readiness" })
    .locator("div")
    .filter({ has: page.getByText(name, { exact: true }) })
    .filter({ hasText: new RegExp(`${name}${value}$`) })
    .first();

const hasFocus = ({ page, field, shows }: Visit, label: string): Promise<unknown> =>
  shows(field(label).and(page.locator(":focus")));

/** The address that the dialog shows once; closes the dialog. */
const takeAddress = async (visit: Visit): Promise<string> => {
  const address = await visit.copied("Address of the feed");
  await visit.field("I have copied the address").check();
  await visit.press("Done");
  return address;
};

/** Feeds of vehicles for listing sites, and what keeps vehicles out of them. */
export const channelJourneys: Journeys = (context) => {
  deepTest(
    "a user who asks why a vehicle is not on Google follows a link to the field, corrects it, and sees it ready",
    async () => {
      const { api } = context().service;
      const dealer = await create(api, "/api/dealers", dealerBody({ name: "Ochre Motors" }));
      const car = {
        make: "Honda",
        model: "Accord",
        year: 2003,
        condition: "used",
        mileage: 90_000,
        price: 4_500,
        trim: "EX",
      };
      const short = vehicleBody(dealer.id, { ...car, vin: VIN.slice(0, 16), stock_number: "OC-1" });
      const { id } = await create(api, "/api/vehicles", short);
      const other = await create(api, "/api/vehicles", vehicleBody(dealer.id, { ...car, vin: "1M8GDM9AXKP042788" }));
      await create(api, `/api/vehicles/${other.id}/images`, imageBody());
      const { session } = await signedInUser(context(), { role: "dealer_admin", dealer_id: dealer.id });
      await context().visit(session, async (visit) => {
        await visit.drawPictures();
        await visit.go("/vehicles");
        await visit.follow("Channels");
        await visit.arrives("Channels");
        // The page also shows the quality of the listings.
        const quality = visit.section("Quality");
        await visit.shows(
          quality.getByRole("row", { name: /^VIN: This VIN does not have the 17 characters/ }).getByText("Wrong"),
        );
        await visit.follow("Create a feed");
        await visit.fill({ Name: "Google", "Store code": "OCHRE-1", "Price from": "cheap" });
        await visit.press("Create the feed");
        // The field of an invalid number shows an error, and the form stays.
        await visit.shows(visit.page.locator("[name='filters.min_price'][aria-invalid=true]"));
        visit.expects("400 POST /portal/api/feeds");
        await visit.fill({ "Price from": "1,500" });
        await visit.press("Create the feed");
        const address = await takeAddress(visit);
        await visit.arrives("Google");
        expect((await (await fetch(address)).text()).trimEnd().split("\n")).toHaveLength(2);

        await visit.shows(figure(visit, "Ready", 1));
        await visit.shows(figure(visit, "Blocked", 1));
        await visit.follow(/^VIN: This VIN does not have the 17 characters/);
        await hasFocus(visit, "Show vehicles");
        const row = visit.section("Vehicles").getByRole("row").filter({ hasText: "OC-1" });
        await visit.shows(row.getByText("Google wants a VIN of 17 characters; this one has 16."));
        await visit.follow(/^VIN: Read the VIN again/);

        // The vehicle's form opens with the focus in the field.
        await visit.shows(visit.dialog("Edit 2003 Honda Accord"));
        await hasFocus(visit, "VIN");
        await visit.fill({ VIN });
        await visit.press("Save");
        await visit.hides(visit.dialog("Edit 2003 Honda Accord"));
        const channels = visit.section("Channels");
        await visit.shows(channels.getByText("Ready", { exact: true }));
        // A recommendation links to its field, too.
        await visit.click(channels.getByRole("link", { name: /^Images: Add a photo whose address/ }));
        await visit.shows(visit.button("Choose photos").and(visit.page.locator(":focus")));
        await visit.press("Add by address");
        await visit.fill({ "Address of the image": "https://images.example.com/ochre/1.jpg" });
        await visit.press("Add the image");
        await visit.hides(channels.getByText("Google wants a photo; this vehicle has none."));

        // An unpublished vehicle is in no feed, and the page says so.
        await api("PUT", `/api/vehicles/${id}`, { body: { publish: false } });
        await visit.go(`/vehicles/${id}`);
        await visit.shows(channels.getByText("Why is it not on Google?"));
        await visit.click(channels.getByRole("link", { name: /^Publish: / }));
        await hasFocus(visit, "Publish");
        await visit.field("Publish").check();
        await visit.press("Save");
        await visit.hides(channels.getByText("Why is it not on Google?"));
        await visit.click(channels.getByRole("link", { name: "Google", exact: true }));
        await visit.shows(figure(visit, "Ready", 2));
        await visit.shows(figure(visit, "Blocked", 0));
        await visit.shows(visit.section("Fetches").getByRole("row").filter({ hasText: "Sent" }));

        // The feed gets another address, and the old one ends.
        await visit.press("Rotate address");
        await visit.choose("Grace for the old address", "None: it ends now");
        await visit.press("Rotate");
        const next = await takeAddress(visit);
        expect([(await fetch(address)).status, (await fetch(next)).status]).toEqual([404, 200]);
        await visit.act("Google", "Delete…");
        await visit.click(visit.dialog("Delete Google?").getByRole("button", { name: "Delete", exact: true }));
        await visit.arrives("No feeds yet");
        expect((await fetch(next)).status).toBe(410);
      });
    },
  );

  deepTest(
    "what a feed leaves out stands by problem: a picture leads to the field in view, and one value sets it for all",
    async () => {
      const { api } = context().service;
      const dealer = await create(api, "/api/dealers", dealerBody({ name: "Umber Motors" }));
      const ids: number[] = [];
      for (const stock_number of ["UM-1", "UM-2", "UM-3"])
        ids.push((await create(api, "/api/vehicles", vehicleBody(dealer.id, { stock_number, condition: null }))).id);
      const feed = await create(
        api,
        "/api/feeds",
        feedBody(dealer.id, { channel: "meta", link_template: "https://example.com/{id}" }),
      );
      const { session } = await signedInUser(context(), { role: "dealer_admin", dealer_id: dealer.id });
      await context().visit(session, async (visit) => {
        await visit.go(`/channels/${feed.id}`);
        const problem = visit
          .section("Left out, by problem")
          .getByRole("listitem")
          .filter({ hasText: "3 vehicles: condition is empty" });
        await visit.shows(problem.getByRole("link", { name: /UM-2$/ }));
        expect(await problem.getByRole("link", { name: /^Mend .*UM-/ }).count()).toBe(3);
        await visit.click(problem.getByRole("link", { name: /UM-2$/ }));
        const field = visit.field("Condition");
        await visit.shows(field.and(visit.page.locator(":focus")));
        // Nothing lies over it: neither the head of the dialog nor its buttons.
        expect(
          await visit.page.evaluate(`(() => {
            const { left, top, width, height } = document.activeElement.getBoundingClientRect();
            return document.elementFromPoint(left + width / 2, top + height / 2) === document.activeElement;
          })()`),
        ).toBe(true);
        await visit.press("Cancel");
        await visit.go(`/channels/${feed.id}`);
        await visit.click(problem.getByRole("button", { name: "Set for all: 3 vehicles: condition is empty" }));
        await visit.fill({ Condition: "used" });
        await visit.click(visit.dialog("Set condition of 3 vehicles?").getByRole("button", { name: "Set it" }));
        await visit.click(visit.dialog("Condition of 3 vehicles set").getByRole("button", { name: "Done" }));
        await visit.hides(problem);
        const found = await Promise.all(ids.map(async (id) => (await api<Vehicle>("GET", `/api/vehicles/${id}`)).body));
        expect(found.map(({ condition }) => condition)).toEqual(["used", "used", "used"]);
      });
    },
  );

  deepTest("what earlier imports stored wrongly is mended with a button, and Undo takes it back", async () => {
    const { api } = context().service;
    const dealer = await create(api, "/api/dealers", dealerBody({ name: "Sienna Motors" }));
    const ids: number[] = [];
    for (const stock_number of ["SI-1", "SI-2"])
      ids.push((await create(api, "/api/vehicles", vehicleBody(dealer.id, { vin: "TBD", stock_number }))).id);
    const vins = () => Promise.all(ids.map(async (id) => (await api<Vehicle>("GET", `/api/vehicles/${id}`)).body.vin));
    const { session } = await signedInUser(context(), { role: "dealer_admin", dealer_id: dealer.id });
    await context().visit(session, async (visit) => {
      await visit.go("/channels");
      const row = visit.section("Quality").getByRole("row", { name: /^VIN: .*stands for/ });
      await visit.click(row.getByRole("button", { name: "Mend…" }));
      await visit.click(visit.dialog("Mend 2 vehicles?").getByRole("button", { name: "Mend", exact: true }));
      await visit.reads("2 vehicles no longer have a text in place of their VIN.");
      await visit.hides(row);
      expect(await vins()).toEqual([null, null]);
      await visit.press("Undo");
      await visit.reads("They are as they were.");
      await visit.shows(row);
      expect(await vins()).toEqual(["TBD", "TBD"]);
    });
    // Who may not change vehicles is offered nothing.
    const reader = await signedInUser(context(), {
      ...{ role: "user", dealer_id: dealer.id },
      permissions: ["vehicles", "feeds"].map((resource) => ({ resource, action: "read" })),
    });
    await context().visit(reader.session, async (visit) => {
      await visit.go("/channels");
      await visit.shows(visit.section("Quality").getByRole("row", { name: /^VIN: .*stands for/ }));
      expect(await visit.page.getByRole("button", { name: "Mend…" }).count()).toBe(0);
    });
  });

  deepTest(
    "a feed that lost most of its vehicles is held until somebody releases it, and no other dealer sees it",
    async () => {
      const { api } = context().service;
      const dealer = await create(api, "/api/dealers", dealerBody({ name: "Umber Motors" }));
      const ids: number[] = [];
      for (let place = 0; place < 6; place++) ids.push((await create(api, "/api/vehicles", vehicleBody(dealer.id))).id);
      const feed = await create<{ id: number; url: string }>(
        api,
        "/api/feeds",
        feedBody(dealer.id, { name: "Umber website" }),
      );
      expect((await fetch(feed.url)).status).toBe(200);
      for (const id of ids.slice(1)) await api("PUT", `/api/vehicles/${id}`, { body: { status: "sold" } });
      expect((await fetch(feed.url)).status).toBe(503);
      const { session } = await signedInUser(context(), { role: "dealer_admin", dealer_id: dealer.id });
      await context().visit(session, async (visit) => {
        await visit.go("/channels");
        const row = visit.page.getByRole("row").filter({ hasText: "Umber website" });
        await visit.shows(row.getByText("Held", { exact: true }));
        await visit.follow("Umber website");
        await visit.reads("It is held");
        await visit.press("Release…");
        await visit.press("Release");
        await visit.hides(visit.page.getByText("It is held"));
        expect((await fetch(feed.url)).status).toBe(200);
        await visit.press("Edit");
        await visit.field("Active").uncheck();
        await visit.press("Save");
        await visit.reads("It is off");
        expect((await fetch(feed.url)).status).toBe(503);
      });

      const stranger = await signedInUser(context(), { role: "dealer_admin", dealer_id: SOUTH });
      await context().visit(stranger.session, async (visit) => {
        await visit.go("/channels");
        await visit.arrives("No feeds yet");
        visit.expects(`404 GET /portal/api/feeds/${feed.id}`);
        await visit.go(`/channels/${feed.id}`);
        await visit.reads(/not found/i);
        expect(await visit.text()).not.toContain("Umber");
      });
      const regular = await signedInUser(context(), { dealer_id: dealer.id });
      await context().visit(regular.session, async (visit) => {
        await visit.go("/account");
        await visit.arrives("Account");
        expect(await visit.link("Channels").count()).toBe(0);
      });
    },
  );

  deepTest("a feed that stopped when its creator left says so, until somebody else takes it over", async () => {
    const { api } = context().service;
    const dealer = await create(api, "/api/dealers", dealerBody({ name: "Sienna Motors" }));
    await create(api, "/api/vehicles", vehicleBody(dealer.id));
    const who = { role: "dealer_admin", dealer_id: dealer.id };
    const maker = await signedInUser(context(), who);
    let url = "";
    await context().visit(maker.session, async (visit) => {
      await visit.go("/channels");
      await visit.arrives("Channels");
      const made = await visit.ask("POST", "/feeds", feedBody(dealer.id, { name: "Sienna website" }));
      url = (made as { body: { url: string } }).body.url;
    });
    expect((await fetch(url)).status).toBe(200);
    expect((await api("DELETE", `/api/users/${maker.id}`)).status).toBe(200);
    expect((await fetch(url)).status).toBe(503);

    const { session } = await signedInUser(context(), who);
    await context().visit(session, async (visit) => {
      await visit.go("/channels");
      const row = visit.page.getByRole("row").filter({ hasText: "Sienna website" });
      await visit.shows(row.getByText("Stopped", { exact: true }));
      await visit.shows(row.getByText("The user who made it may no longer read these vehicles"));
      await visit.follow("Sienna website");
      await visit.reads("It is stopped");
      await visit.press("Take over…");
      await visit.press("Take over");
      await visit.hides(visit.page.getByText("It is stopped"));
      await visit.shows(visit.page.getByText("On", { exact: true }));
      expect((await fetch(url)).status).toBe(200);
    });
  });
};
