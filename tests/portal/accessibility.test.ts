import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import axe from "axe-core";
import type { Browser as Chromium, Locator, Page } from "playwright-core";
import { launchBrowser } from "../../bench/chromium.ts";
import { type Browser, FIRST, firstAdmin, inviteAndSignIn, makePerson, PASSWORD } from "../support/browser.ts";
import { ENGINES } from "../support/engines.ts";
import { type Visit, visiting } from "../support/portal.ts";
import { pagesWithout } from "../support/portal-pages.ts";
import { sceneOn } from "../support/scene.ts";
import { create, dealerBody, imageBody, keyBody, NORTH, NORTH_CAR, vehicleBody } from "../support/world.ts";

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 375, height: 740 };
/** Colours take longest to check, and do not depend on the page's width. */
const COLOURS = "color-contrast";
const WITHOUT_COLOURS: axe.RunOptions = { rules: { [COLOURS]: { enabled: false } } };

/** Every fault that axe finds, however it rates it. */
const foundOn = async (page: Page, options: axe.RunOptions = {}): Promise<string[]> => {
  const { violations } = await page.evaluate(async (chosen) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    return run({ resultTypes: ["violations"], ...chosen });
  }, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
};

const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>("document.documentElement.scrollWidth > document.documentElement.clientWidth");

/** The faults of every appearance of a page: light, dark, and narrow. */
const faultsOf = async (page: Page): Promise<Record<string, unknown>> => {
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light" });
  const light = await foundOn(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await foundOn(page, { runOnly: [COLOURS] });
  await page.setViewportSize(NARROW);
  return { light, dark, narrow: await foundOn(page, WITHOUT_COLOURS), scrollsSideways: await scrollsSideways(page) };
};

/** A key that expires soon. */
const KEY = "Price board";

const NONE = { light: [], dark: [], narrow: [], scrollsSideways: false };

const [engine] = ENGINES;
if (engine === undefined) throw new Error("there is no engine");

describe("everybody can use the portal:", () => {
  const scene = sceneOn(engine);
  let chromium: Chromium;
  let admin: Browser;
  let keyId = 0;
  let userId = 0;
  let ownId = 0;
  let invitation = "";
  beforeAll(async () => {
    chromium = await launchBrowser();
    admin = await firstAdmin(scene.service);
    const { api } = scene;
    const expires_at = new Date(Date.now() + 5 * 86_400_000).toISOString();
    keyId = (await create(api, "/api/keys", keyBody({ name: KEY, dealer_id: NORTH, expires_at }))).id;
    await create(api, `/api/vehicles/${NORTH_CAR}/images`, imageBody());
    const person = await makePerson(admin, { dealer_id: NORTH });
    userId = person.id;
    ownId = (await admin.send<{ user: { id: number } }>("GET", "/portal/api/session")).body.user.id;
    invitation = (await admin.send<{ url: string }>("POST", `/portal/api/users/${userId}/invitation`)).body.url;
    await scene.as("north", { method: "GET", path: "/api/vehicles" });
    await scene.as("north", { method: "DELETE", path: `/api/dealers/${NORTH}` });
  });
  afterAll(() => chromium.close());

  const withAxe = (visitor: Browser | null, work: (visit: Visit) => Promise<void>) =>
    // The page's own policy would block the injected script.
    visiting({ chromium, url: scene.service.url, visitor, work, options: { bypassCSP: true } });

  /** Changes to another page without reloading everything. */
  const turnTo = (page: Page, path: string): Promise<unknown> =>
    page.evaluate(`history.pushState(null, "", ${JSON.stringify(`/portal${path}`)})`);

  const settled = async (visit: Visit): Promise<void> => {
    await visit.shows(visit.page.getByRole("heading", { level: 1 }));
    await visit.hides(visit.page.getByRole("status", { name: "Loading" }).first());
    await visit.page.waitForLoadState("networkidle");
  };

  const invitationPage = (): string => new URL(invitation).pathname.slice("/portal".length);
  const everyPage = (): readonly string[] => [
    "/",
    "/keys",
    "/keys?q=nothing+has+this+name",
    "/keys/new",
    `/keys/${scene.world.keys.north.id}`,
    "/users",
    "/users/new",
    `/users/${userId}`,
    `/users/${ownId}`,
    "/dealers",
    "/dealers/new",
    `/dealers/${NORTH}`,
    `/dealers/${NORTH}/vehicles/new`,
    `/vehicles/${NORTH_CAR}`,
    "/audit",
    "/settings",
    "/account",
    "/nowhere",
  ];

  test("every page of the portal is looked at", async () => {
    expect(await pagesWithout([...everyPage(), invitationPage()])).toEqual([]);
  });

  test.concurrent("axe finds nothing on any page, light, dark or narrow, and no page scrolls sideways", async () => {
    await withAxe(admin, async (visit) => {
      await visit.drawPictures();
      await visit.go("/");
      await visit.page.evaluate(axe.source);
      const found: Record<string, unknown> = {};
      for (const path of everyPage()) {
        await turnTo(visit.page, path);
        await settled(visit);
        found[path] = await faultsOf(visit.page);
      }
      expect(found).toEqual(Object.fromEntries(everyPage().map((path) => [path, NONE])));
    });
  });

  test.concurrent("axe finds nothing on the pages for signing in and invitations", async () => {
    await withAxe(null, async (visit) => {
      visit.expects("401 GET /portal/api/session", "404 GET /portal/api/invitations/nothing");
      for (const path of ["/", invitationPage(), "/invitations/nothing"]) {
        await visit.go(path);
        await settled(visit);
        await visit.page.evaluate(axe.source);
        expect([path, await faultsOf(visit.page)]).toEqual([path, NONE]);
      }
    });
  });

  test.concurrent("axe finds nothing in dialogs and refused forms", async () => {
    await withAxe(admin, async (visit) => {
      visit.expects("400 POST /portal/api/keys");
      await visit.go(`/keys/${keyId}`);
      await visit.page.evaluate(axe.source);
      for (const action of ["Edit", "Rotate", "Extend", "Revoke", "Delete"]) {
        await visit.page.setViewportSize(WIDE);
        await (action === "Edit" || action === "Rotate" ? visit.press(action) : visit.act(KEY, action));
        await visit.shows(visit.dialog(/./));
        await settled(visit);
        expect([action, await faultsOf(visit.page)]).toEqual([action, NONE]);
        await visit.page.keyboard.press("Escape");
        await visit.hides(visit.dialog(/./));
      }
      await turnTo(visit.page, "/keys/new");
      await visit.press("Create the key");
      await visit.shows(visit.page.locator("[aria-invalid=true]").first());
      expect(await faultsOf(visit.page)).toEqual(NONE);
    });
  });

  test.concurrent("axe finds nothing while rows are ticked, in the question about them and in its results", async () => {
    const { email } = await makePerson(admin, { name: "Ticked Example", dealer_id: NORTH });
    await withAxe(admin, async (visit) => {
      const deactivate = { name: "Deactivate", exact: true } as const;
      await visit.go(`/users?q=${encodeURIComponent(email)}`);
      await visit.page.evaluate(axe.source);
      const steps: readonly (readonly [name: string, step: () => Promise<void>, shown: () => Locator])[] = [
        ["ticked", () => visit.click(visit.field("Select Ticked Example")), () => visit.section("Selected")],
        ["question", () => visit.press("Deactivate…"), () => visit.dialog("Deactivate 1 user?")],
        [
          "results",
          () => visit.click(visit.dialog(/./).getByRole("button", deactivate)),
          () => visit.dialog("1 user deactivated"),
        ],
      ];
      for (const [name, step, shown] of steps) {
        await visit.page.setViewportSize(WIDE);
        await step();
        await visit.shows(shown());
        await settled(visit);
        expect([name, await faultsOf(visit.page)]).toEqual([name, NONE]);
      }
    });
  });

  test.concurrent("axe finds nothing in the menu of views, and where one is saved", async () => {
    await withAxe(admin, async (visit) => {
      const save = visit.page.getByRole("menuitem", { name: "Save this view…", exact: true });
      await visit.go("/keys?status=active");
      await visit.page.evaluate(axe.source);
      await visit.press("Views");
      await visit.shows(save);
      await settled(visit);
      expect(await faultsOf(visit.page)).toEqual(NONE);
      await visit.click(save);
      await visit.shows(visit.dialog("Save this view"));
      expect(await faultsOf(visit.page)).toEqual(NONE);
    });
  });

  test.concurrent("axe finds nothing in the search from anywhere, and where a dealer is chosen", async () => {
    await withAxe(admin, async (visit) => {
      const option = visit.page.getByRole("listbox").getByRole("option").last();
      await visit.go("/users");
      await visit.page.evaluate(axe.source);
      for (const words of ["", "s", "nothing-has-this-name"]) {
        await visit.page.setViewportSize(WIDE);
        await visit.press("Search everywhere");
        await visit.page.getByRole("combobox", { name: "Search everywhere" }).fill(words);
        await visit.shows(words.length > 1 ? visit.page.getByText("Nothing matches") : option);
        await settled(visit);
        expect([words, await faultsOf(visit.page)]).toEqual([words, NONE]);
        await visit.page.keyboard.press("Escape");
        await visit.hides(visit.dialog(/./));
      }
      await visit.page.setViewportSize(WIDE);
      for (const words of ["s", "nothing-has-this-name"]) {
        await visit.fill({ Dealer: words });
        await visit.shows(option);
        await settled(visit);
        expect([words, await faultsOf(visit.page)]).toEqual([words, NONE]);
        await visit.page.setViewportSize(WIDE);
      }
    });
  });

  test.concurrent("axe finds nothing in what is asked and said of several keys, nor where their secrets are shown", async () => {
    for (const name of ["Turnstile in", "Turnstile out"])
      await create(scene.api, "/api/keys", keyBody({ name, dealer_id: NORTH }));
    await withAxe(admin, async (visit) => {
      const { page } = visit;
      const dialog = visit.dialog(/./);
      const passes = async (what: string): Promise<void> => {
        expect([what, await faultsOf(page)]).toEqual([what, NONE]);
        await page.setViewportSize(WIDE);
      };
      await visit.go("/keys?q=turnstile");
      await visit.shows(visit.link("Turnstile out"));
      await page.evaluate(axe.source);
      await visit.field("Select all on this page").check();
      for (const action of ["Extend", "Revoke", "Rotate"]) {
        await visit.press(`${action}…`);
        await visit.shows(dialog);
        await passes(action);
        if (action !== "Rotate") await page.keyboard.press("Escape");
      }
      await visit.click(dialog.getByRole("button", { name: "Rotate" }));
      await visit.shows(visit.dialog("2 keys rotated"));
      await passes("results");
      await visit.press("Show the new secrets");
      await visit.shows(visit.dialog("The new secrets of 2 keys"));
      await passes("secrets");
    });
  });

  test.concurrent("axe finds nothing where new secrets are proposed, and where they are shown", async () => {
    const { id } = await makePerson(admin, { dealer_id: NORTH });
    await create(scene.api, "/api/keys", keyBody({ user_id: id }));
    await withAxe(admin, async (visit) => {
      await visit.go(`/users/${id}`);
      await visit.page.evaluate(axe.source);
      await visit.press("Edit");
      await visit.choose("Dealer", "Southern Motors");
      await visit.shows(visit.field("End the present secret and make a new one"));
      expect(["proposed", await faultsOf(visit.page)]).toEqual(["proposed", NONE]);
      await visit.press("Save");
      await visit.shows(visit.dialog(/^The new secrets of/));
      expect(["shown", await faultsOf(visit.page)]).toEqual(["shown", NONE]);
    });
  });

  test.concurrent("axe finds nothing where two people's changes meet, where changes would be lost, and where a session ended", async () => {
    const { id } = await makePerson(admin, { role: "super_admin", dealer_id: null });
    const car = await create(scene.api, "/api/vehicles", vehicleBody(NORTH));
    const path = `/portal/api/vehicles/${car.id}`;
    await withAxe(await inviteAndSignIn(scene.service.url, admin, id), async (visit) => {
      visit.expects(`412 PUT ${path}`, `401 PUT ${path}`, "401 GET /portal/api/session", "401 GET /portal/api/audit");
      await visit.go(`/vehicles/${car.id}`);
      await visit.page.evaluate(axe.source);
      await visit.press("Edit");
      await visit.fill({ Price: "21000", Trim: "XSE" });
      await admin.send("PUT", path, { body: { price: 19_000, mileage: 20, trim: "SE" } });
      await visit.press("Save");
      await visit.reads(/^Changed by /);
      const steps = [
        ["a conflict", async () => {}],
        ["changes to be lost", () => visit.press("Cancel")],
        [
          "a session that ended",
          async () => {
            await visit.press("Keep editing");
            await admin.send("DELETE", `/portal/api/users/${id}/sessions`);
            await visit.press("Save");
            await visit.shows(visit.dialog("Sign in again"));
          },
        ],
      ] as const;
      for (const [what, lead] of steps) {
        await visit.page.setViewportSize(WIDE);
        await lead();
        await settled(visit);
        expect([what, await faultsOf(visit.page)]).toEqual([what, NONE]);
      }
    });
  });

  test.concurrent("axe finds nothing where ticked vehicles are changed, and where words are proposed", async () => {
    const dealer = await create(scene.api, "/api/dealers", dealerBody());
    const car = await create(scene.api, "/api/vehicles", vehicleBody(dealer.id));
    for (const name of ["front", "rear"])
      await create(
        scene.api,
        `/api/vehicles/${car.id}/images`,
        imageBody({ image_url: `https://images.example.com/${name}.jpg` }),
      );
    await withAxe(admin, async (visit) => {
      await visit.drawPictures();
      await visit.go(`/dealers/${dealer.id}`);
      await visit.page.evaluate(axe.source);
      const steps = [
        ["ticked", () => visit.click(visit.field("Select all on this page"))],
        ["asked", () => visit.press("Status…")],
        ["done", () => visit.press("Set the status")],
        ["images", () => turnTo(visit.page, `/vehicles/${car.id}`).then(() => visit.arrives("2024 Toyota Camry"))],
        [
          "words",
          async () => {
            await visit.press("Edit");
            await visit.click(visit.field("Fuel type"));
            await visit.shows(visit.page.getByRole("option", { name: "diesel" }));
          },
        ],
      ] as const;
      for (const [what, lead] of steps) {
        await visit.page.setViewportSize(WIDE);
        await lead();
        await settled(visit);
        expect([what, await faultsOf(visit.page)]).toEqual([what, NONE]);
      }
    });
  });

  const hasFocus = async (wanted: Locator): Promise<boolean> =>
    (await wanted.and(wanted.page().locator(":focus")).count()) > 0;

  /** Presses Tab until an element of this name has the focus. */
  const tabTo = async (visit: Visit, role: "link" | "button" | "textbox", name: string): Promise<void> => {
    const wanted = visit.page.getByRole(role, { name, exact: true }).first();
    await visit.shows(wanted);
    for (let presses = 0; presses < 80; presses++) {
      if (await hasFocus(wanted)) return;
      await visit.page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not lead to the ${role} "${name}"`);
  };

  const focused = ({ page }: Visit) => page.locator(":focus");

  test.concurrent("the keyboard alone signs in, skips to the content, opens a key and revokes it; the focus comes back", async () => {
    await visiting({
      chromium,
      url: scene.service.url,
      visitor: null,
      work: async (visit) => {
        const { keyboard } = visit.page;
        visit.expects("401 GET /portal/api/session");
        await visit.go("/keys");
        await tabTo(visit, "textbox", "Email");
        await keyboard.type(FIRST.email);
        await keyboard.press("Tab");
        await keyboard.type(PASSWORD);
        await keyboard.press("Enter");
        await visit.arrives("Keys");
        await visit.page.reload();
        await visit.arrives("Keys");
        await keyboard.press("Tab");
        expect(await focused(visit).textContent()).toBe("Skip to the content");
        await keyboard.press("Enter");
        await visit.shows(visit.page.locator("main:focus"));
        await tabTo(visit, "link", "Showroom website");
        await keyboard.press("Enter");
        await visit.arrives("Showroom website");
        expect(await focused(visit).textContent()).toBe("Showroom website");
        const menu = visit.button("Actions for Showroom website");
        const dialog = visit.dialog("Revoke this key?");
        const choose = async (line: string): Promise<void> => {
          await keyboard.press("Enter");
          await visit.shows(visit.page.getByRole("menuitem").first().and(focused(visit)));
          for (let presses = 0; (await focused(visit).textContent()) !== line && presses < 10; presses++)
            await keyboard.press("ArrowDown");
          await keyboard.press("Enter");
        };
        await tabTo(visit, "button", "Actions for Showroom website");
        await choose("Revoke");
        await visit.shows(dialog);
        await keyboard.press("Escape");
        await visit.hides(dialog);
        await visit.shows(menu.and(focused(visit)));
        await choose("Revoke");
        // The dialog appears before it takes the focus.
        await visit.shows(dialog.locator(":focus"));
        for (let presses = 0; presses < 20; presses++) {
          await keyboard.press("Tab");
          expect(await dialog.locator(":focus").count()).toBe(1);
          if ((await focused(visit).textContent()) === "Revoke") break;
        }
        await keyboard.press("Enter");
        await visit.reads("Showroom website is revoked.");
        await visit.hides(dialog);
        await visit.shows(visit.button("Re-activate"));
        await visit.shows(menu.and(focused(visit)));
      },
    });
  });
});
