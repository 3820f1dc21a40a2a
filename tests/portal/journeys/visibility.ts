import { expect } from "bun:test";
import { makePerson, PASSWORD } from "../../support/browser.ts";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { NORTH, SOUTH, SOUTH_MARK } from "../../support/sample-records.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

/** The entries of the navigation. */
const offered = async (visit: Visit): Promise<string[]> => {
  const links = visit.page.getByRole("navigation", { name: "Sections" }).getByRole("link");
  await visit.shows(links.first());
  return links.allInnerTexts();
};

/** The names in a list. */
const listed = async (visit: Visit, caption: string): Promise<string[]> => {
  const names = visit.page.getByRole("table", { name: caption }).getByRole("rowheader").getByRole("link");
  await visit.shows(names.first());
  return names.allInnerTexts();
};

/** What the portal shows to users who are not super-admins, and what they get if they ask for more. */
export const visibilityJourneys: Journeys = (context) => {
  deepTest("a dealer's admin sees only the dealer's keys and users, on pages and by forged requests", async () => {
    const { records, admin } = context();
    const person = await makePerson(admin, { role: "dealer_admin", dealer_id: NORTH, name: "North's admin" });
    const other = await makePerson(admin, { dealer_id: SOUTH, name: `${SOUTH_MARK} person` });
    const invited = await admin.send<{ url: string }>("POST", `/portal/api/users/${person.id}/invitation`);
    await context().load(null, async (visit) => {
      await visit.page.goto(invited.body.url);
      await visit.fill({ Password: PASSWORD, "Password again": PASSWORD });
      await visit.press("Set up the account");
      await visit.arrives("Today on the lot");
      expect(await offered(visit)).toEqual([
        "Today",
        "Vehicles",
        "Dealers",
        "Keys",
        "Webhooks",
        "Users",
        "Audit",
        "Overview",
        "Import",
        "Channels",
        "Account",
      ]);
      for (const [section, caption] of [
        ["Keys", "Keys"],
        ["Users", "Users"],
        ["Dealers", "Dealers"],
        ["Audit", "Audit log"],
      ] as const) {
        await visit.follow(section);
        await visit.arrives(section);
        await visit.shows(visit.page.getByRole("table", { name: caption }));
        expect(await visit.text()).not.toContain(SOUTH_MARK);
      }
      const southKey = records.keys.south.id;
      visit.expects(`404 GET /portal/api/keys/${southKey}`, `404 GET /portal/api/users/${other.id}`);
      await visit.go(`/keys/${southKey}`);
      await visit.reads(/not found/i);
      const hands = [
        ["GET", `/keys/${southKey}`, undefined, 404],
        ["PUT", `/keys/${southKey}`, { name: "Taken" }, 404],
        ["POST", `/keys/${southKey}/rotate`, undefined, 404],
        ["DELETE", `/keys/${southKey}`, undefined, 404],
        ["GET", `/users/${other.id}`, undefined, 404],
        ["PUT", `/users/${other.id}`, { name: "Taken" }, 404],
        ["POST", `/users/${other.id}/invitation`, undefined, 404],
        ["GET", `/dealers/${SOUTH}`, undefined, 403],
        ["PUT", `/users/${person.id}`, { role: "super_admin", dealer_id: null }, 403],
        ["POST", "/users", { name: "Eve", email: "eve@example.com", role: "super_admin" }, 403],
        ["POST", "/keys", { name: "All", app_type: "web", app_id: "all", association: "none" }, 403],
      ] as const;
      for (const [method, path, body, status] of hands) {
        visit.expects(`${status} ${method} /portal/api${path}`);
        expect([method, path, (await visit.ask(method, path, body)).status]).toEqual([method, path, status]);
      }
      const forged = { name: "Own after all", app_type: "web", app_id: "own", dealer_id: SOUTH };
      expect(await visit.ask("POST", "/keys", forged)).toMatchObject({ status: 201, body: { dealer_id: NORTH } });
    });
  });

  deepTest("a regular user sees only their own keys, and gets nothing else offered", async () => {
    const { records } = context();
    const { id, session } = await signedInUser(context(), { dealer_id: NORTH });
    const made = await context().admin.send<{ id: number }>("POST", "/portal/api/keys", {
      body: {
        ...{ name: "My tablet", app_type: "web", app_id: "tablet", user_id: id },
      },
    });
    await context().visit(session, async (visit) => {
      await visit.go("/");
      expect(await offered(visit)).toEqual(["Today", "Vehicles", "Dealers", "Keys", "Overview", "Account"]);
      await visit.follow("Keys");
      expect(await listed(visit, "Keys")).toEqual(["My tablet"]);
      expect(await visit.link("Create a key").count()).toBe(0);
      await visit.follow("My tablet");
      await visit.arrives("My tablet");
      for (const action of ["Edit", "Rotate", /^Actions for/]) expect(await visit.button(action).count()).toBe(0);
      const hands = [
        ["GET", `/keys/${records.keys.north.id}`, 404],
        ["POST", `/keys/${made.body.id}/revoke`, 403],
        ["GET", `/users/${records.users["north's admin"]}`, 403],
        ["GET", "/audit", 403],
        ["DELETE", `/vehicles/${NORTH}`, 403],
      ] as const;
      for (const [method, path, status] of hands) {
        visit.expects(`${status} ${method} /portal/api${path}`);
        expect([method, path, (await visit.ask(method, path)).status]).toEqual([method, path, status]);
      }
    });
  });
};
