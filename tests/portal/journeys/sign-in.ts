import { expect, test } from "bun:test";
import { FIRST, makePerson, PASSWORD } from "../../support/browser.ts";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { totpOf } from "../../support/totp.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

/** The request that the page sends before anybody is signed in. */
const NOBODY_YET = "401 GET /portal/api/session";

const signIn = async (visit: Visit, email: string, password = PASSWORD): Promise<void> => {
  await visit.arrives("Sign in");
  await visit.fill({ Email: email, Password: password });
  await visit.press("Sign in");
};

/** From the set-up link to a second factor, out and in again, and out when somebody else ends the session. */
export const signInJourneys: Journeys = (context) => {
  test("the set-up link leads to the first super-admin, a second factor, recovery codes and back in", async () => {
    const service = await context().another();
    const { setUpLink } = service;
    if (setUpLink === null) throw new Error("no set-up link was printed");
    await context().alone(service.url, async (visit) => {
      visit.expects(NOBODY_YET, "401 POST /portal/api/sign-in", "401 POST /portal/api/sign-in/second-factor");
      // The account page and its frame may still read them when the session ends.
      visit.expects("401 GET /portal/api/sessions", "401 GET /portal/api/settings");
      visit.expects(`400 POST /portal/api${new URL(setUpLink).pathname.slice("/portal".length)}`);
      await visit.page.goto(setUpLink);
      await visit.fill({ Name: FIRST.name, Email: FIRST.email, Password: "too short", "Password again": "too short" });
      await visit.press("Set up the account");
      // The field's description shows the rule before, too; this text comes with the refusal only.
      await visit.reads("Not accepted");
      await visit.reads(/12/);
      expect(await visit.field("Email").inputValue()).toBe(FIRST.email);
      await visit.fill({ Password: PASSWORD, "Password again": PASSWORD });
      await visit.press("Set up the account");
      await visit.arrives("Overview");
      await visit.shows(visit.link("Set up a second factor"));

      await visit.follow("Account");
      await visit.press("Set up");
      await visit.dialog("Set up a second factor").getByLabel("Password", { exact: true }).fill(PASSWORD);
      await visit.press("Continue");
      const secret = await visit.copied("Secret");
      await visit.fill({ Code: totpOf(context().service.clock, secret) });
      await visit.press("Confirm");
      const codes = (await visit.copied("Recovery codes")).split("\n");
      expect(codes).toHaveLength(10);
      await visit.field("I have kept the recovery codes").check();
      await visit.press("Done");
      await visit.reads("On. 10 recovery codes are left.");

      await visit.press("Sign out");
      await signIn(visit, FIRST.email, "not the password at all");
      await visit.shows(visit.page.getByRole("alert"));
      expect(await visit.field("Email").inputValue()).toBe(FIRST.email);
      expect(await visit.field("Password").inputValue()).toBe("not the password at all");
      await signIn(visit, FIRST.email);
      await visit.fill({ Code: "000000" });
      await visit.press("Continue");
      await visit.shows(visit.page.getByRole("alert"));
      expect(await visit.field("Code").inputValue()).toBe("000000");
      // A code works once, so this is the app's next one.
      await visit.fill({ Code: totpOf(context().service.clock, secret, 1) });
      await visit.press("Continue");
      await visit.arrives("Account");

      await visit.press("Sign out");
      await signIn(visit, FIRST.email);
      await visit.press("Use a recovery code");
      await visit.fill({ "Recovery code": codes[3] ?? "" });
      await visit.press("Continue");
      await visit.reads("On. 9 recovery codes are left.");
      await visit.page.goto(setUpLink);
      visit.expects(`404 GET /portal/api${new URL(setUpLink).pathname.slice("/portal".length)}`);
      await visit.arrives("This link does not work");
    });
  });

  deepTest("if a second factor is compulsory, the portal shows nothing else until it is set up", async () => {
    const { url, setUpLink } = await context().another({ REQUIRE_SECOND_FACTOR: "super_admin" });
    await context().alone(url, async (visit) => {
      visit.expects(NOBODY_YET);
      await visit.page.goto(setUpLink ?? "");
      await visit.fill({ Name: FIRST.name, Email: FIRST.email, Password: PASSWORD, "Password again": PASSWORD });
      await visit.press("Set up the account");
      await visit.arrives("Set up your second factor");
      await visit.go("/users");
      await visit.arrives("Set up your second factor");
      await visit.press("Set up");
      await visit.dialog("Set up a second factor").getByLabel("Password", { exact: true }).fill(PASSWORD);
      await visit.press("Continue");
      await visit.fill({ Code: totpOf(context().service.clock, await visit.copied("Secret")) });
      await visit.press("Confirm");
      expect((await visit.copied("Recovery codes")).split("\n")).toHaveLength(10);
      await visit.field("I have kept the recovery codes").check();
      await visit.press("Done");
      await visit.arrives("Users");
    });
  });

  test("after somebody else ends a session, the next click asks the user to sign in and returns to the same page", async () => {
    const { id, email, session } = await signedInUser(context(), { role: "super_admin" });
    await context().visit(session, async (theirs) => {
      await theirs.go("/keys");
      await theirs.arrives("Keys");
      await context().visit(context().admin, async (mine) => {
        await mine.go(`/users/${id}`);
        await mine.press("End all sessions");
        await mine.reads("Signed in nowhere.");
      });
      theirs.expects("401 GET /portal/api/dealers", "401 GET /portal/api/users", NOBODY_YET);
      await theirs.follow("Dealers");
      await signIn(theirs, email);
      await theirs.arrives("Dealers");
      expect(new URL(theirs.page.url()).pathname).toBe("/portal/dealers");
    });
  });

  test("an invitation from the portal leads to a password and a session", async () => {
    const { email } = await makePerson(context().admin);
    const address = `invited-${email}`;
    let link = "";
    await context().visit(context().admin, async (visit) => {
      await visit.go("/users/new");
      visit.expects("409 POST /portal/api/users");
      await visit.fill({ Name: "Kim Example", Email: email });
      await visit.press("Invite");
      await visit.reads("Is another user's");
      expect(await visit.field("Name").inputValue()).toBe("Kim Example");
      await visit.fill({ Email: address });
      await visit.press("Invite");
      link = await visit.copied("Invitation link");
      await visit.press("Done");
      await visit.arrives("Kim Example");
    });
    await context().load(null, async (visit) => {
      await visit.page.goto(link);
      await visit.reads(/Welcome, Kim Example/);
      await visit.fill({ Password: PASSWORD, "Password again": PASSWORD });
      await visit.press("Set up the account");
      await visit.arrives("Overview");
    });
  });
};
