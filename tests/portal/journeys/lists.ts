import { expect, test } from "bun:test";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { keyBody, NORTH } from "../../support/sample-records.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

/** Creates more than one page of keys that this search finds. */
const NAME = "Windshield";
const KEYS = 30;

const searchOf = ({ page }: Visit): string => new URL(page.url()).search;

const column = ({ page }: Visit, name: string) => page.getByRole("columnheader", { name, exact: true });

/** How a placeholder moves, without the style of the tests by which nothing does. */
const PLACEHOLDER_MOTION = `(() => {
  const [still] = document.adoptedStyleSheets;
  still.disabled = true;
  const { animationName, animationDuration } = getComputedStyle(document.querySelector(".mantine-Skeleton-root"), "::after");
  still.disabled = false;
  return animationName === "none" ? animationName : animationDuration;
})()`;

/** Lists and records: their state in the address, and their shape on a phone. */
export const listJourneys: Journeys = (context) => {
  test("Back leads from a record to its page of the list, then to the previous page and filters", async () => {
    const { admin } = context();
    for (let made = 0; made < KEYS; made++)
      await admin.send("POST", "/portal/api/keys", {
        body: keyBody({ name: `${NAME} ${String(made).padStart(2, "0")}`, dealer_id: NORTH, rate_limit: null }),
      });
    await context().visit(admin, async (visit) => {
      await visit.go("/keys");
      await visit.fill({ Search: NAME });
      await visit.reads("1 to 25 of 30 keys");
      await visit.press("Name");
      await visit.shows(visit.link(`${NAME} 00`));
      await visit.press("Page 2");
      await visit.reads("26 to 30 of 30 keys");
      await visit.follow(`${NAME} 29`);
      await visit.arrives(`${NAME} 29`);
      await visit.page.goBack();
      await visit.reads("26 to 30 of 30 keys");
      await visit.page.goBack();
      await visit.reads("1 to 25 of 30 keys");
      expect(searchOf(visit)).toBe(`?q=${NAME}&sort=name&order=asc`);
      await visit.page.goBack();
      await visit.shows(visit.link(`${NAME} 29`));
      expect(searchOf(visit)).toBe(`?q=${NAME}`);
      await visit.press("Clear filters");
      await visit.hides(visit.button("Clear filters"));
      expect(searchOf(visit)).toBe("");
    });
  });

  test("placeholders of what is still read stand still for those who ask for less motion", async () => {
    await context().visit(context().admin, async (visit) => {
      const answer = Promise.withResolvers<void>();
      await visit.page.route(/\/portal\/api\/users\?/, async (route) => {
        await answer.promise;
        await route.continue();
      });
      await visit.go("/users");
      await visit.shows(visit.page.locator(".mantine-Skeleton-root").first());
      const motions: string[] = [];
      for (const reducedMotion of ["no-preference", "reduce"] as const) {
        await visit.page.emulateMedia({ reducedMotion });
        motions.push(await visit.page.evaluate<string>(PLACEHOLDER_MOTION));
      }
      expect(motions).toEqual(["1.5s", "none"]);
      answer.resolve();
      await visit.hides(visit.page.locator(".mantine-Skeleton-root").first());
      await visit.page.unrouteAll();
    });
  });

  deepTest(
    "a search without letters and digits shows the list's text for no matches, and sends no request",
    async () => {
      await context().visit(context().admin, async (visit) => {
        const asked: string[] = [];
        visit.page.on("request", (request) => asked.push(request.url()));
        for (const [path, said, found] of [
          ["/dealers", "No dealer matches", "Dealers"],
          ["/users", "No user matches", "Users"],
          ["/keys", "No key matches", "Keys"],
          ["/vehicles/removed", "No vehicle matches", "Deleted vehicles"],
        ] as const) {
          await visit.go(`${path}?q=--`);
          await visit.arrives(found);
          await visit.reads(said);
          await visit.hides(visit.page.getByRole("alert"));
          await visit.press("Clear filters");
          await visit.hides(visit.page.getByText(said));
        }
        expect(asked.filter((url) => /\/api\/.*q=--/.test(url))).toEqual([]);
      });
    },
  );

  test("the focus stays in a list when its row is deleted, and when a filter is removed", async () => {
    const name = "Turnstile";
    await context().admin.send("POST", "/portal/api/keys", {
      body: keyBody({ name, dealer_id: NORTH, rate_limit: null }),
    });
    await context().visit(context().admin, async (visit) => {
      const focused = visit.section("Keys").locator(":focus");
      const asked: string[] = [];
      visit.page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
      await visit.go(`/keys?q=${name}&status=active`);
      await visit.act(name, "Delete");
      await visit.click(visit.dialog("Delete this key?").getByRole("button", { name: "Delete" }));
      await visit.arrives("No key matches");
      await visit.shows(focused);
      // A deleted record is not requested again.
      const deleted = asked.findIndex((request) => request.startsWith("DELETE"));
      expect(asked.slice(deleted + 1).filter((request) => /\/keys\/\d/.test(request))).toEqual([]);
      await visit.press("Remove the filter Status: Active");
      await visit.hides(visit.button("Remove the filter Status: Active"));
      await visit.shows(focused);
    });
  });

  deepTest("dealers are found by the beginnings of words, and sorted by their name", async () => {
    await context().visit(context().admin, async (visit) => {
      const first = visit.page.getByRole("table", { name: "Dealers" }).getByRole("rowheader").first();
      await visit.go("/dealers");
      await visit.press("Name");
      await visit.shows(column(visit, "Name").and(visit.page.locator("[aria-sort=ascending]")));
      await visit.press("Name");
      await visit.shows(column(visit, "Name").and(visit.page.locator("[aria-sort=descending]")));
      // Dealers of other journeys may come before Southern Motors.
      await visit.shows(first.getByRole("link", { name: /^[S-Z]/ }));
      await visit.fill({ Search: "north" });
      await visit.shows(first.getByRole("link", { name: "Northern Motors" }));
      expect(searchOf(visit)).toBe("?sort=name&order=desc&q=north");
      await visit.fill({ Search: "orthern" });
      await visit.arrives("No dealer matches");
      await visit.press("Remove the filter Search: orthern");
      await visit.shows(first);
      expect(searchOf(visit)).toBe("?sort=name&order=desc");
    });
  });

  deepTest("a browser remembers the chosen columns", async () => {
    await context().visit(context().admin, async (visit) => {
      await visit.go("/dealers");
      await visit.shows(column(visit, "Last file"));
      expect(await column(visit, "Number").count()).toBe(0);
      await visit.press("Columns");
      await visit.field("Column Last file").uncheck();
      await visit.field("Column Number").check();
      await visit.page.keyboard.press("Escape");
      await visit.shows(visit.button("Columns").and(visit.page.locator(":focus")));
      await visit.page.reload();
      await visit.shows(column(visit, "Number"));
      expect(await column(visit, "Last file").count()).toBe(0);
    });
  });

  test("a user saves a view by name, finds it again in this browser as nobody else does, and forgets it", async () => {
    const { session } = await signedInUser(context(), { role: "super_admin", dealer_id: null });
    await context().visit(session, async (visit) => {
      const view = visit.page.getByRole("menuitem", { name: "Denials of North", exact: true });
      const entry = (name: string) => visit.page.getByRole("menuitem", { name, exact: true });
      await visit.go(`/audit?dealer_id=${NORTH}&action=access.denied`);
      await visit.press("Views");
      await visit.click(entry("Save this view…"));
      await visit.press("Save");
      await visit.reads("Enter a name");
      await visit.fill({ Name: "Denials of North" });
      await visit.press("Save");
      await visit.shows(visit.button("Views").and(visit.page.locator(":focus")));
      await visit.follow("Keys");
      await visit.arrives("Keys");
      await visit.press("Views");
      await visit.shows(entry("Save this view…").and(visit.page.locator("[aria-disabled='true']")));
      expect(await view.count()).toBe(0);
      await visit.go("/audit");
      await visit.press("Views");
      await visit.click(view);
      await visit.shows(visit.button("Remove the filter Dealer: Northern Motors"));
      expect(searchOf(visit)).toBe(`?action=access.denied&dealer_id=${NORTH}`);

      const { cookies } = context().admin;
      const url = new URL(visit.page.url()).origin;
      const mine = await visit.page.context().cookies();
      await visit.page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
      await visit.go("/audit?action=access.denied");
      await visit.press("Views");
      await visit.shows(entry("Save this view…"));
      expect(await view.count()).toBe(0);

      await visit.page.context().addCookies(mine);
      await visit.go(`/audit?action=access.denied&dealer_id=${NORTH}`);
      await visit.press("Views");
      await visit.shows(view);
      await visit.click(entry("Forget “Denials of North”"));
      await visit.press("Views");
      await visit.shows(entry("Save this view…"));
      expect(await view.count()).toBe(0);
    });
  });

  deepTest("the address keeps a dealer's open tab, without the filters of another tab", async () => {
    await context().visit(context().admin, async (visit) => {
      const tab = (name: string) => visit.page.getByRole("tab", { name, exact: true });
      await visit.go(`/dealers/${NORTH}`);
      await visit.choose("Status", "Sold");
      await visit.click(tab("Keys"));
      await visit.shows(visit.section("Keys").getByRole("table"));
      expect(searchOf(visit)).toBe("?tab=keys");
      await visit.page.reload();
      await visit.shows(visit.section("Keys").getByRole("table"));
      expect(await tab("Keys").getAttribute("aria-selected")).toBe("true");
      await visit.page.goBack();
      await visit.shows(visit.section("Inventory"));
      expect(searchOf(visit)).toBe("?status=sold");
      await visit.click(tab("Details"));
      await visit.shows(visit.section("Facts"));
    });
  });

  test("on a phone one button shows the filters with their number, and the bottom bar has four sections and the rest under More", async () => {
    const options = { width: 375, height: 740 };
    await context().visit(
      context().admin,
      async (visit) => {
        await visit.go("/keys?status=active");
        await visit.press("Filters (1)");
        await visit.choose("App type", "web");
        await visit.shows(visit.button("Filters (2)"));
        await visit.press("Remove the filter Status: Active");
        await visit.shows(visit.button("Filters (1)"));
        await visit.choose("Order", "Name, ascending");
        await visit.choose("Order", "Oldest first");
        expect(searchOf(visit)).toBe("?app_type=web&sort=created&order=asc");
        await visit.choose("Order", "Newest first");
        const places = visit.page.getByRole("navigation", { name: "Sections" });
        expect(await places.getByRole("link").allInnerTexts()).toEqual(["Overview", "Vehicles", "Dealers", "Keys"]);
        expect(await places.getByRole("link", { name: "Keys" }).getAttribute("aria-current")).toBe("page");
        await visit.press("More");
        await visit.follow("Audit");
        await visit.arrives("Audit");
        await visit.hides(visit.button("Sign out"));
        await visit.press("More");
        await visit.shows(visit.button("Sign out"));
        await visit.page.keyboard.press("Escape");
        await visit.shows(visit.button("More").and(visit.page.locator(":focus")));
      },
      options,
    );
  });
};
