import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { PASSWORD } from "../../support/browser.ts";
import type { Visit } from "../../support/portal.ts";
import { create, keyBody, NORTH } from "../../support/sample-records.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

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

/** The portal without a pointer. */
export const keyboardJourneys: Journeys = (context) => {
  test("the keyboard alone signs in, skips to the content, opens a key and revokes it; the focus returns", async () => {
    const { email } = await signedInUser(context(), { role: "super_admin" });
    await create(context().service.api, "/api/keys", keyBody({ name: "Lighthouse screen", dealer_id: NORTH }));
    await context().load(null, async (visit) => {
      const { keyboard } = visit.page;
      visit.expects("401 GET /portal/api/session");
      await visit.go("/keys?q=lighthouse");
      await tabTo(visit, "textbox", "Email");
      await keyboard.type(email);
      await keyboard.press("Tab");
      await keyboard.type(PASSWORD);
      await keyboard.press("Enter");
      await visit.arrives("Keys");
      // The link that skips to the content does not lie over the logo.
      expect(await focused(visit).textContent()).not.toBe("Skip to the content");
      await visit.page.reload();
      await visit.arrives("Keys");
      await keyboard.press("Tab");
      expect(await focused(visit).textContent()).toBe("Skip to the content");
      await keyboard.press("Enter");
      await visit.shows(visit.page.locator("main > #page:focus"));
      const search = visit.page.getByRole("searchbox", { name: "Search", exact: true });
      for (let presses = 0; presses < 6 && !(await hasFocus(search)); presses++) await keyboard.press("Tab");
      expect(await hasFocus(search)).toBe(true);
      const checkbox = visit.page.getByRole("checkbox", { name: "Select Lighthouse screen", exact: true });
      await checkbox.focus();
      await keyboard.press("Space");
      await keyboard.press("Tab");
      expect(await focused(visit).textContent()).toBe("Go to the actions");
      await keyboard.press("Enter");
      await visit.shows(visit.page.locator(".bulk-bar :focus"));
      await visit.press("Clear the selection");
      await tabTo(visit, "link", "Lighthouse screen");
      await keyboard.press("Enter");
      await visit.arrives("Lighthouse screen");
      expect(await focused(visit).textContent()).toBe("Lighthouse screen");
      const menu = visit.button("Actions for Lighthouse screen");
      const dialog = visit.dialog("Revoke this key?");
      const choose = async (line: string): Promise<void> => {
        await keyboard.press("Enter");
        await visit.shows(visit.page.getByRole("menuitem").first().and(focused(visit)));
        for (let presses = 0; (await focused(visit).textContent()) !== line && presses < 10; presses++)
          await keyboard.press("ArrowDown");
        await keyboard.press("Enter");
      };
      await tabTo(visit, "button", "Actions for Lighthouse screen");
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
      await visit.reads("Lighthouse screen is revoked.");
      await visit.hides(dialog);
      await visit.shows(visit.button("Re-activate"));
      await visit.shows(menu.and(focused(visit)));
    });
  });
};
