import { expect, test } from "bun:test";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { keyBody, NORTH } from "../../support/sample-records.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

const bar = ({ page }: Visit) => page.getByRole("region", { name: "Selected", exact: true });
const line = ({ page }: Visit, list: "Selected" | "Results", name: string) =>
  page.getByRole("list", { name: list, exact: true }).getByRole("listitem").filter({ hasText: name });

/** The permissions to deactivate a dealer's users, including all that those users hold. */
const MAY_END_USERS = [
  ...["read", "write", "delete"].map((action) => ({ resource: "users", action })),
  ...["vehicles", "dealers", "keys"].map((resource) => ({ resource, action: "read" })),
];

/** Users: selected, deactivated together, and restored by Undo. */
export const userJourneys: Journeys = (context) => {
  test("selected users are deactivated after one question, and restored with their keys by Undo", async () => {
    const { session } = await signedInUser(context(), { role: "super_admin", dealer_id: null, name: "Quill Asker" });
    const [first, second] = [
      await signedInUser(context(), { name: "Quill Baker" }),
      await signedInUser(context(), { name: "Quill Carver" }),
    ];
    const { admin } = context();
    const { body: key } = await admin.send<PresentedKey>("POST", "/portal/api/keys", {
      body: keyBody({ name: "Quill key", association: "user", dealer_id: null, user_id: second.id, rate_limit: null }),
    });
    const now = async (id: number) => (await admin.send<PresentedUser>("GET", `/portal/api/users/${id}`)).body.active;
    const keyNow = async () => (await admin.send<PresentedKey>("GET", `/portal/api/keys/${key.id}`)).body.active;
    await context().visit(session, async (visit) => {
      await visit.go("/users?q=quill");
      const all = visit.field("Select all on this page");
      await visit.shows(visit.field("Select Quill Baker"));
      await visit.field("Select Quill Baker").focus();
      await visit.page.keyboard.press("Space");
      await visit.shows(bar(visit).getByText("1 selected", { exact: true }));
      await visit.shows(all.and(visit.page.locator(":indeterminate")));
      await visit.click(all);
      await visit.shows(bar(visit).getByText("3 selected", { exact: true }));

      await visit.press("Deactivate…");
      const question = visit.dialog("Deactivate 2 users?");
      await visit.shows(line(visit, "Selected", "Quill Asker").filter({ hasText: "Stays as it is: This is you" }));
      await visit.shows(line(visit, "Selected", "Quill Baker").filter({ hasText: "No keys" }));
      await visit.shows(line(visit, "Selected", "Quill Carver").filter({ hasText: "1 key to be revoked" }));
      await visit.choose("What happens to their keys", "transfer");
      await visit.shows(line(visit, "Selected", "Quill Carver").filter({ hasText: "1 key to be passed on" }));
      await visit.click(question.getByRole("button", { name: "Deactivate", exact: true }));
      await visit.shows(visit.field("New owner").and(visit.page.locator(":focus")));
      expect([await now(first.id), await now(second.id)]).toEqual([true, true]);
      await visit.choose("What happens to their keys", "revoke");
      await visit.click(question.getByRole("button", { name: "Deactivate", exact: true }));

      const results = visit.dialog("2 users deactivated");
      await visit.shows(results.getByRole("button", { name: "Done" }).and(visit.page.locator(":focus")));
      await visit.shows(line(visit, "Results", "Quill Carver").filter({ hasText: "1 key revoked" }));
      expect([await now(first.id), await now(second.id), await keyNow()]).toEqual([false, false, false]);
      await visit.press("Undo");
      await visit.shows(visit.dialog("2 undone"));
      await visit.shows(line(visit, "Results", "Quill Carver").filter({ hasText: "Active again, with 1 key" }));
      expect([await now(first.id), await now(second.id), await keyNow()]).toEqual([true, true, true]);
      await visit.press("Done");
      await visit.hides(bar(visit));
      await visit.shows(all.and(visit.page.locator(":focus")));

      // On a phone the checkbox for all rows is hidden.
      await visit.page.setViewportSize({ width: 375, height: 740 });
      const boxes = visit.page.getByRole("checkbox", { name: /^Select Quill/ });
      await visit.click(boxes.last());
      await visit.press("Clear the selection");
      await visit.shows(boxes.first().and(visit.page.locator(":focus")));

      await visit.go(`/users/${second.id}`);
      await visit.press("Deactivate user…");
      await visit.click(visit.dialog("Deactivate Quill Carver?").getByRole("button", { name: "Deactivate" }));
      await visit.shows(visit.page.getByText("1 key revoked."));
      await visit.press("Undo");
      await visit.hides(visit.page.getByText("Quill Carver left"));
      expect([await now(second.id), await keyNow()]).toEqual([true, true]);

      await admin.send("DELETE", `/portal/api/users/${second.id}`);
      await visit.go(`/users/${second.id}`);
      await visit.shows(visit.section("Keys").getByText("user inactive", { exact: true }));
      await visit.follow("Quill key");
      await visit.arrives("Quill key");
      await visit.shows(visit.page.getByText("user inactive", { exact: true }));
    });
  });

  deepTest("the refusal of one user does not stop the others, and rows stay selected across pages", async () => {
    const { session } = await signedInUser(context(), {
      role: "dealer_admin",
      dealer_id: NORTH,
      permissions: MAY_END_USERS,
    });
    const { admin } = context();
    const made: number[] = [];
    for (let at = 10; at < 38; at++)
      made.push(
        (
          await admin.send<PresentedUser>("POST", "/portal/api/users", {
            body: { name: `Vellum ${at}`, email: `vellum${at}@example.com`, role: "user", dealer_id: NORTH },
          })
        ).body.id,
      );
    await context().visit(session, async (visit) => {
      await visit.go("/users?q=vellum&sort=name&order=asc");
      await visit.click(visit.field("Select Vellum 10"));
      await visit.click(visit.field("Select Vellum 11"));
      await visit.press("Page 2");
      await visit.click(visit.field("Select Vellum 37"));
      await visit.shows(bar(visit).getByText("3 selected, 2 on other pages"));
      visit.expects(`403 POST /portal/api/users/${made[1]}/leave`);
      // Since the list was read, this user got more than a dealer's admin may end.
      await admin.send("PUT", `/portal/api/users/${made[1]}`, {
        body: { permissions: [{ resource: "vehicles", action: "delete" }] },
      });
      await visit.press("Deactivate…");
      await visit.click(visit.dialog("Deactivate 3 users?").getByRole("button", { name: "Deactivate", exact: true }));
      await visit.shows(visit.dialog("2 users deactivated, 1 not"));
      await visit.shows(line(visit, "Results", "Vellum 11").filter({ hasText: "not done" }));
      await visit.shows(line(visit, "Results", "Vellum 37").filter({ hasText: /\bdone/ }));
      await visit.press("Done");
      await visit.hides(bar(visit));
    });
  });
};
