import { expect, test } from "bun:test";
import { PASSWORD } from "../../support/browser.ts";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { startRelay } from "../../support/relay.ts";
import { create, dealerBody, keyBody, NORTH, NORTH_CAR, vehicleBody } from "../../support/sample-records.ts";
import { totpOf } from "../../support/totp.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

const ASKED = "Discard changes?";
const ENDED = "Sign in again";

/** Answers the question whether changes may be discarded. */
const answer = async (visit: Visit, choice: "Keep editing" | "Discard"): Promise<void> => {
  await visit.shows(visit.dialog(ASKED));
  await visit.press(choice);
  await visit.hides(visit.dialog(ASKED));
};

/** Types the beginning of a new dealer. */
const beginDealer = async (visit: Visit, name: string): Promise<void> => {
  await visit.go("/dealers");
  await visit.follow("Add a dealer");
  await visit.fill({ Name: name, "Street address": "1 Quay Street", City: "Portland", State: "OR" });
  await visit.fill({ "ZIP or postal code": "97201", Phone: "503-555-0100", Email: "sales@quay.example.com" });
};

const hasFocus = ({ page }: Visit): Promise<boolean> => page.evaluate("document.activeElement !== document.body");

/** Input survives links, Back, the Escape key, lost sessions and lost connections. */
export const unsavedJourneys: Journeys = (context) => {
  test("a page with changes asks before a link, Back, closing or signing out leaves it, and stays or leaves as chosen", async () => {
    await context().load(context().admin, async (visit) => {
      await beginDealer(visit, "Never saved");
      const name = visit.field("Name");
      for (const leave of [
        () => visit.follow("Keys"),
        () => visit.follow("Cancel"),
        () => visit.page.evaluate("history.back()"),
        () => visit.press("Sign out"),
      ]) {
        await leave();
        await answer(visit, "Keep editing");
        expect(await name.inputValue()).toBe("Never saved");
        expect(new URL(visit.page.url()).pathname).toBe("/portal/dealers/new");
      }
      await name.focus();
      await visit.page.keyboard.type("!");
      const closing = visit.page.waitForEvent("dialog");
      const closed = visit.page.evaluate("location.reload()").catch(() => {});
      const dialog = await closing;
      expect(dialog.type()).toBe("beforeunload");
      await dialog.dismiss();
      await closed;
      expect(await name.inputValue()).toBe("Never saved!");
      await visit.page.evaluate("history.back()");
      await answer(visit, "Discard");
      await visit.arrives("Dealers");
      // The page asks no more.
      await visit.follow("Keys");
      await visit.arrives("Keys");
    });
  });

  test("a form without changes closes without a question, also after the user has undone them by typing", async () => {
    await context().visit(context().admin, async (visit) => {
      await visit.go("/dealers/new");
      await visit.fill({ Name: "Quay" });
      await visit.fill({ Name: "" });
      await visit.follow("Keys");
      await visit.arrives("Keys");
      await visit.go(`/vehicles/${NORTH_CAR}`);
      await visit.press("Edit");
      await visit.shows(visit.dialog(/^Edit /));
      await visit.page.keyboard.press("Escape");
      await visit.hides(visit.dialog(/^Edit /));
    });
  });

  test("Escape, Close and Cancel of a changed dialog ask first; the focus is never lost", async () => {
    await context().visit(context().admin, async (visit) => {
      await visit.go(`/dealers/${NORTH}`);
      await visit.press("Edit");
      const edit = visit.dialog(/^Edit /);
      await visit.fill({ Phone: "555-CHANGED" });
      for (const close of [
        () => visit.page.keyboard.press("Escape"),
        () => visit.press("Close"),
        () => visit.press("Cancel"),
      ]) {
        await close();
        // Escape then closes only the question.
        await visit.shows(visit.dialog(ASKED).locator(":focus"));
        await visit.page.keyboard.press("Escape");
        await visit.hides(visit.dialog(ASKED));
        await visit.shows(edit);
        expect(await visit.field("Phone").inputValue()).toBe("555-CHANGED");
        expect(await hasFocus(visit)).toBe(true);
      }
      await visit.press("Cancel");
      await answer(visit, "Discard");
      await visit.hides(edit);
      await visit.shows(visit.button("Edit").and(visit.page.locator(":focus")));
    });
  });

  deepTest("small forms ask before they lose input: the account's password, and a key's new expiry", async () => {
    const ends = { expires_at: "2090-01-01T00:00:00.000Z" };
    const key = await create(
      context().service.api,
      "/api/keys",
      keyBody({ name: "Sundial", dealer_id: NORTH, ...ends }),
    );
    await context().visit(context().admin, async (visit) => {
      await visit.go("/account");
      await visit.fill({ "New password": "a new one, half typed" });
      await visit.follow("Keys");
      await answer(visit, "Keep editing");
      expect(await visit.field("New password").inputValue()).toBe("a new one, half typed");
      await visit.follow("Keys");
      await answer(visit, "Discard");
      await visit.arrives("Keys");

      await visit.go(`/keys/${key.id}`);
      await visit.act("Sundial", "Extend");
      const extend = visit.dialog("Extend this key");
      await visit.shows(extend);
      await visit.page.keyboard.press("Escape");
      await visit.hides(extend);
      await visit.act("Sundial", "Extend");
      await visit.fill({ "Expires at the end of": "2099-12-31" });
      await visit.page.keyboard.press("Escape");
      await answer(visit, "Keep editing");
      expect(await visit.field("Expires at the end of").inputValue()).toBe("2099-12-31");
      await visit.press("Cancel");
      await answer(visit, "Discard");
      await visit.hides(extend);
    });
  });

  deepTest(
    "a session that ended is renewed over the form, with the second factor, and the form is then sent",
    async () => {
      const { session, id } = await signedInUser(context(), { role: "super_admin", name: "Lee Example" });
      await context().visit(session, async (visit) => {
        await visit.go("/account");
        await visit.press("Set up");
        await visit.dialog("Set up a second factor").getByLabel("Password", { exact: true }).fill(PASSWORD);
        await visit.press("Continue");
        const secret = await visit.copied("Secret");
        await visit.fill({ Code: totpOf(context().service.clock, secret) });
        await visit.press("Confirm");
        await visit.field("I have kept the recovery codes").check();
        await visit.press("Done");

        await beginDealer(visit, "Renewed Motors");
        const ended = await context().admin.send("DELETE", `/portal/api/users/${id}/sessions`);
        expect(ended.status).toBe(200);
        visit.expects("401 POST /portal/api/dealers", "401 GET /portal/api/session", "401 GET /portal/api/dealers");
        visit.expects("401 POST /portal/api/sign-in", "401 GET /portal/api/users");
        await visit.press("Add the dealer");
        const renewal = visit.dialog(ENDED);
        await visit.shows(renewal);
        // After Cancel the form stays; sending it again asks again.
        await visit.click(renewal.getByRole("button", { name: "Cancel" }));
        await visit.hides(renewal);
        expect(await visit.field("Name").inputValue()).toBe("Renewed Motors");
        await visit.press("Add the dealer");
        const password = renewal.getByLabel("Password", { exact: true });
        await visit.shows(password);
        await password.fill("not the password");
        await visit.press("Sign in");
        await visit.shows(renewal.getByRole("alert"));
        await password.fill(PASSWORD);
        await visit.press("Sign in");
        await visit.fill({ Code: totpOf(context().service.clock, secret, 1) });
        await visit.press("Continue");
        await visit.hides(renewal);
        await visit.arrives("Renewed Motors");
      });
    },
  );

  test("a session whose end the background notices is renewed over the form, too", async () => {
    const { session, id } = await signedInUser(context(), { role: "super_admin" });
    await context().load(session, async (visit) => {
      visit.expects("401 GET /portal/api/session");
      await visit.page.clock.install();
      await beginDealer(visit, "Typed on");
      await context().admin.send("DELETE", `/portal/api/users/${id}/sessions`);
      // A browser window that comes to the front refetches data older than some seconds.
      await visit.page.clock.fastForward(60_000);
      await visit.page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      await visit.shows(visit.dialog(ENDED));
      await visit.fill({ Password: PASSWORD });
      await visit.press("Sign in");
      await visit.hides(visit.dialog(ENDED));
      expect(await visit.field("Name").inputValue()).toBe("Typed on");
      await visit.press("Add the dealer");
      await visit.arrives("Typed on");
    });
  });

  test("an unreachable service, an offline browser and a refusal keep the input and say what to do; another try succeeds", async () => {
    const { url } = context().service;
    const relay = startRelay(url);
    await context().alone(
      new URL(relay.url).origin,
      async (visit) => {
        await beginDealer(visit, "Restarted Motors");
        relay.become("broken");
        visit.expects("net::ERR_CONNECTION_REFUSED POST /portal/api/dealers");
        visit.expects("net::ERR_INTERNET_DISCONNECTED POST /portal/api/dealers");
        for (const request of ["dealers", "users", "session"])
          for (const why of ["CONNECTION_REFUSED", "INTERNET_DISCONNECTED", "NETWORK_CHANGED"])
            visit.expects(`net::ERR_${why} GET /portal/api/${request}`, `net::ERR_${why} POST /portal/api/${request}`);
        await visit.press("Add the dealer");
        await visit.reads(/The service does not answer\. .*What you have typed is kept\./);
        await visit.page.context().setOffline(true);
        await visit.press("Try again");
        await visit.reads(/This device is offline\. .*What you have typed is kept\./);
        expect(await visit.field("Name").inputValue()).toBe("Restarted Motors");
        await visit.page.context().setOffline(false);
        relay.become("fair");
        visit.expects("400 POST /portal/api/dealers");
        await visit.fill({ Website: "no address" });
        await visit.press("Try again");
        await visit.reads("Enter an address that begins with https://");
        expect(await visit.field("Name").inputValue()).toBe("Restarted Motors");
        await visit.fill({ Website: "" });
        await visit.press("Add the dealer");
        await visit.arrives("Restarted Motors");
      },
      context().admin,
    );
  });

  test("the focus stays near an element that was moved or deleted", async () => {
    // A new dealer's vehicle: open pages of another dealer would request pictures that do not exist.
    const dealer = await create(context().service.api, "/api/dealers", dealerBody());
    const { id } = await create(context().service.api, "/api/vehicles", vehicleBody(dealer.id));
    for (const name of ["front", "side", "rear"]) {
      const body = { image_url: `https://images.example.com/${name}.jpg` };
      await create(context().service.api, `/api/vehicles/${id}/images`, body);
    }
    await context().visit(context().admin, async (visit) => {
      await visit.drawPictures();
      await visit.go(`/vehicles/${id}`);
      await visit.press("Move image 2 up");
      await visit.shows(visit.page.locator("ol.images > li").first().getByText("side.jpg"));
      expect(await hasFocus(visit)).toBe(true);
      await visit.press("Delete image 3");
      await visit.click(visit.dialog("Delete this image?").getByRole("button", { name: "Delete", exact: true }));
      await visit.hides(visit.button("Delete image 3"));
      await visit.shows(visit.page.locator("ol.images :focus"));
    });
  });
};
