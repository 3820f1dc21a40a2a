import { expect, test } from "bun:test";
import { makePerson, PASSWORD } from "../../support/browser.ts";
import { deepTest } from "../../support/deep-test.ts";
import { moveProofs } from "../../support/proofs.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

const ASKED = "Is it still you?";
const HOUR = 3600;

/** Changes for which a user who signed in some time ago must give the password again. */
export const reauthenticationJourneys: Journeys = (context) => {
  test("a form that is sent long after the sign-in asks for the password, keeps its input, and is then saved", async () => {
    const { service, admin } = context();
    const { id: adminId, session } = await signedInUser(context(), { role: "super_admin" });
    const { id, email } = await makePerson(admin, { name: "Robin Example" });
    const emailOf = async () => (await admin.send<{ email: string }>("GET", `/portal/api/users/${id}`)).body.email;
    await moveProofs(service, -HOUR, adminId);
    await context().visit(session, async (visit) => {
      const refused = `403 PUT /portal/api/users/${id}`;
      const asked = visit.dialog(ASKED);
      visit.expects(refused, "400 POST /portal/api/reauthenticate");
      await visit.go(`/users/${id}`);
      await visit.press("Edit");
      await visit.fill({ Name: "Renamed Example", Email: `new-${email}` });
      await visit.press("Save");
      await visit.shows(asked);
      // Nothing has happened yet. Cancelling, by the button or the Escape key, returns to the form unchanged.
      await visit.click(asked.getByRole("button", { name: "Cancel" }));
      await visit.hides(asked);
      await visit.shows(visit.dialog("Edit Robin Example").getByRole("alert"));
      await visit.press("Save");
      await visit.shows(asked);
      await visit.page.keyboard.press("Escape");
      await visit.hides(asked);
      expect(await visit.field("Name").inputValue()).toBe("Renamed Example");
      expect(await visit.field("Email").inputValue()).toBe(`new-${email}`);
      expect(await emailOf()).toBe(email);

      await visit.press("Save");
      const password = asked.getByLabel("Password", { exact: true });
      await visit.shows(password);
      await password.fill("not the password");
      await visit.press("Continue");
      await visit.shows(asked.getByText("Is not your password"));
      expect(await emailOf()).toBe(email);
      await password.fill(PASSWORD);
      await visit.press("Continue");
      await visit.reads("Renamed Example is saved.");
      await visit.hides(asked);
      expect(await emailOf()).toBe(`new-${email}`);

      // One proof lasts for a while.
      await visit.press("New invitation link");
      await visit.press("Make the link");
      expect(await visit.copied("Invitation link")).toContain("/portal/invitations/");
    });
  });

  deepTest(
    "users change their own sign-in on the account page: their user page does not offer it, and advises a second factor",
    async () => {
      const { id, email, session } = await signedInUser(context(), { role: "super_admin", name: "Sky Example" });
      await context().visit(session, async (visit) => {
        await visit.go(`/users/${id}`);
        await visit.reads("This is you");
        await visit.reads("Second factor");
        for (const offer of ["New invitation link", "Deactivate user…", "Reset the second factor", "End all sessions"])
          expect(await visit.button(offer).count()).toBe(0);
        await visit.press("Edit");
        expect(await visit.field("Email").isDisabled()).toBe(true);
        await visit.fill({ Name: "Sky Renamed" });
        await visit.press("Save");
        await visit.reads("Sky Renamed is saved.");
        await visit.follow("Your account");
        await visit.arrives("Account");
        await visit.fill({ "New email address": `own-${email}`, "Your password": PASSWORD });
        await visit.press("Change the address");
        await visit.reads(`You sign in as own-${email} now.`);
        await visit.go("/");
        await visit.reads("Protect your account with a second factor");
      });
    },
  );
};
