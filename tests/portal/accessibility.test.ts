import { beforeAll, describe, expect, test } from "bun:test";
import { makePerson } from "../support/browser.ts";
import { inGate } from "../support/depth.ts";
import { eventually } from "../support/eventually.ts";
import { pagesWithout } from "../support/portal-pages.ts";
import { create, imageBody, keyBody, NORTH, NORTH_CAR, vehicleBody } from "../support/sample-records.ts";
import { CAN_ADVANCE_CLOCK } from "../support/service.ts";
import { importsIn } from "../support/waiting-import.ts";
import { examineDialogs } from "./accessible-dialogs.ts";
import { examined, faultsOf, faultsOfPage } from "./axe.ts";
import { useReference } from "./reference-page.ts";

describe("everybody can use the portal:", () => {
  const setup = examined();
  const { fixture, withAxe } = setup;
  let userId = 0;
  let ownId = 0;
  let importId = 0;
  let feedId = 0;
  let sourceId = 0;
  let webhookId = 0;
  let invitation = "";
  beforeAll(async () => {
    const { api } = fixture;
    const { admin } = setup;
    const expires_at = fixture.service.after(5 * 86_400);
    await create(api, "/api/keys", keyBody({ name: "Price board", dealer_id: NORTH, expires_at }));
    await create(api, `/api/vehicles/${NORTH_CAR}/images`, imageBody());
    userId = (await makePerson(admin, { dealer_id: NORTH })).id;
    ownId = (await admin.send<{ user: { id: number } }>("GET", "/portal/api/session")).body.user.id;
    invitation = (await admin.send<{ url: string }>("POST", `/portal/api/users/${userId}/invitation`)).body.url;
    await create(api, "/api/vehicles", vehicleBody(NORTH, { listed_at: fixture.service.after(-61 * 86_400) }));
    const old = await create(api, "/api/vehicles", vehicleBody(NORTH));
    for (const mileage of [12, 13]) await admin.send("PUT", `/portal/api/vehicles/${old.id}`, { body: { mileage } });
    await admin.send("DELETE", `/portal/api/vehicles/${old.id}`);
    // Its page says what would sell it, and what is scheduled.
    await admin.send("PUT", `/portal/api/vehicles/${NORTH_CAR}`, {
      body: { listed_at: fixture.service.after(-60 * 86_400) },
    });
    for (let sold = 0; sold < 5; sold++) await create(api, "/api/vehicles", vehicleBody(NORTH, { status: "sold" }));
    await create(api, "/api/scheduled-changes", {
      vehicle_id: NORTH_CAR,
      at: fixture.service.after(7 * 86_400),
      changes: { price: 19_990 },
    });
    // A page with all kinds of warnings above its rows.
    const heading = "Our lot\nStock,Year,Make,Model,Price,Odo (km),In stock date,Colour\n";
    const rows = "1,2O20,Ford,Focus,1,,,\n2,2020,Ford,Focus,1,many,05/06/2026,Rot\n3,2020,Ford,Focus,1,9000,,\n";
    const file = { raw: `${heading}${rows}`, headers: { "content-type": "text/csv" } };
    importId = (await api<{ id: number }>("POST", `/api/imports?dealer_id=${NORTH}&dry_run=true`, file)).body.id;
    const url = "https://files.example.com/lot.csv";
    const field_owners = { price: "hand" };
    const source = { name: "Nightly file", dealer_id: NORTH, url, schedule: "30 2 * * *", active: false, field_owners };
    sourceId = (await create(api, "/api/import-sources", source)).id;
    await eventually(() => importsIn(fixture.service.databaseUrl, "previewed"), Boolean);
    const feed = { name: "Google", channel: "google_vehicle_listings", dealer_ids: [NORTH] };
    const made = await create<{ id: number; url: string }>(api, "/api/feeds", feed);
    feedId = made.id;
    await fetch(made.url);
    const hook = { url: "https://ip6-localhost/hook", events: ["vehicle.sold"], dealer_id: NORTH };
    webhookId = (await create(api, "/api/webhooks", { ...hook, description: "Search index", active: false })).id;
    await api("POST", `/api/webhooks/${webhookId}/test`);
    await fixture.as("north", { method: "GET", path: "/api/vehicles" });
    await fixture.as("north", { method: "DELETE", path: `/api/dealers/${NORTH}` });
  });

  /** Pages whose parts others show too, or whose dialogs are examined below: the deep run examines them. */
  const alikePages = (): readonly string[] => [
    "/keys/new",
    "/users",
    "/dealers",
    "/vehicles/removed",
    "/vehicles/scheduled",
    "/channels",
    "/imports/sources",
    "/keys?q=nothing+has+this+name",
    "/users/new",
    `/users/${ownId}`,
    "/dealers/new",
    `/dealers/${NORTH}/vehicles/new`,
    `/dealers/${NORTH}?tab=report`,
    "/channels/new",
    `/channels/${feedId}?severity=error`,
    `/imports/${importId}?tab=values`,
    "/imports/sources/new",
    "/webhooks",
    "/webhooks/new",
    "/overview",
    "/nowhere",
  ];
  const invitationPage = (): string => new URL(invitation).pathname.slice("/portal".length);
  const unlikePages = (): readonly string[] => [
    "/",
    "/keys",
    `/keys/${fixture.records.keys.north.id}`,
    `/users/${userId}`,
    `/dealers/${NORTH}`,
    `/dealers/${NORTH}?tab=today`,
    "/vehicles",
    "/vehicles?look=cards",
    "/vehicles/new",
    "/vehicles/changes",
    "/vehicles/report",
    "/vehicles/sheet",
    `/vehicles/${NORTH_CAR}`,
    "/imports",
    "/imports/new",
    `/imports/${importId}`,
    `/channels/${feedId}`,
    `/imports/sources/${sourceId}`,
    `/webhooks/${webhookId}`,
    "/audit",
    "/settings",
    "/account",
  ];
  const everyPage = (): readonly string[] => [...unlikePages(), ...alikePages()];

  test("axe examines every page of the portal", async () => {
    // The walk is a document of its own: its journey examines it.
    expect(await pagesWithout([...everyPage(), invitationPage(), `/to-walk/${NORTH}`])).toEqual([]);
  });

  test("axe finds nothing on any page, light, dark or narrow, and no page scrolls sideways", async () => {
    await withAxe(setup.admin, async (visit) => {
      await visit.drawPictures();
      const found: Record<string, unknown> = {};
      const examinedPages = inGate(unlikePages(), everyPage());
      for (const path of examinedPages) {
        // No page waits for the next minute of the user's limit.
        if (CAN_ADVANCE_CLOCK) await fixture.service.pass(10);
        await visit.go(path);
        found[path] = await faultsOfPage(visit);
      }
      expect(found).toEqual(Object.fromEntries(examinedPages.map((path) => [path, []])));
    });
  });

  test("axe finds nothing on the sign-in page and the invitation pages", async () => {
    await withAxe(null, async (visit) => {
      visit.expects("401 GET /portal/api/session", "404 GET /portal/api/invitations/nothing");
      for (const path of ["/", invitationPage(), "/invitations/nothing"]) {
        await visit.go(path);
        expect([path, await faultsOf(visit)]).toEqual([path, []]);
      }
    });
  });

  examineDialogs(setup);
  useReference(setup);
});
