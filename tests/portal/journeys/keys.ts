import { expect, test } from "bun:test";
import { FIRST } from "../../support/browser.ts";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { create, dealerBody, NORTH } from "../../support/sample-records.ts";
import { type Journeys, signedInUser, statusWith } from "./journey-context.ts";

const NAME = "Showroom screen";

/** Copies the shown secret, and closes the dialog by confirming that. */
const takeSecret = async (visit: Visit): Promise<string> => {
  const secret = await visit.copied("API key");
  await visit.field("I have copied the key").check();
  await visit.press("Done");
  await visit.arrives(NAME);
  return secret;
};

const box = (visit: Visit, permission: string) => visit.field(permission.replace(":", ": "));

/** The URL and headers of a curl command. */
const requestOf = (curl: string): { url: string; headers: Record<string, string> } => {
  const [, url = ""] = /curl "([^"]+)"/.exec(curl) ?? [];
  const headers = [...curl.matchAll(/-H "([^:"]+): ([^"]+)"/g)].map(([, name = "", value = ""]) => [name, value]);
  return { url, headers: Object.fromEntries(headers) };
};

const rotate = async (visit: Visit, grace: string): Promise<string> => {
  await visit.press("Rotate");
  const dialog = visit.dialog("Rotate this key?");
  await dialog.getByLabel("Grace for the old secret").selectOption(grace);
  await visit.click(dialog.getByRole("button", { name: "Rotate" }));
  return takeSecret(visit);
};

/** Confirms a dialog. */
const confirm = async (visit: Visit, action: string): Promise<void> => {
  await visit.act(NAME, action);
  const dialog = visit.dialog(`${action} this key?`);
  await visit.shows(dialog.getByText(/^Used .* by \S+, \d+ requests in the last 24 hours\.$/));
  await visit.click(dialog.getByRole("button", { name: action }));
};

/** A key's life: created, used, viewed, restricted, rotated, revoked, deleted. */
export const keyJourneys: Journeys = (context) => {
  test("a key is created, used, restricted, rotated, revoked and deleted, each with immediate effect", async () => {
    const statusOf = (key: string) => statusWith(context(), key);
    await context().visit(context().admin, async (visit) => {
      await visit.go("/keys");
      await visit.follow("Create a key");
      visit.expects("400 POST /portal/api/keys");
      await visit.fill({ Name: NAME, "App id": "no blanks here" });
      expect(await visit.section("What this key will be able to do").count()).toBe(0);
      await visit.choose("App type", "desktop");
      await visit.choose("Dealer", "Northern Motors");
      expect(await box(visit, "dealers:write").isChecked()).toBe(true);
      await visit.click(visit.page.getByRole("group", { name: "Presets" }).getByRole("button", { name: "web" }));
      expect(await box(visit, "dealers:write").isChecked()).toBe(false);
      await box(visit, "dealers:read").check();
      await visit.shows(visit.section("What this key will be able to do").getByText("read: Northern Motors only"));
      await visit.reads("It is bound to Northern Motors: data of other dealers is refused or left out.");
      await visit.press("Create the key");
      await visit.shows(visit.page.locator("[aria-invalid=true]"));
      expect(await visit.field("App id").inputValue()).toBe("no blanks here");
      await visit.fill({ "App id": "showroom-screen" });
      await visit.press("Create the key");

      const { url, headers } = requestOf(await visit.copied("First request"));
      expect((await fetch(url, { headers: { ...headers, "user-agent": "Showroom/1.0" } })).status).toBe(200);
      const first = await takeSecret(visit);
      expect(headers["X-API-Key"]).toBe(first);
      await visit.again();
      await visit.arrives(NAME);
      await visit.reads("Showroom/1.0");
      await visit.shows(visit.page.getByRole("img", { name: "Chart: requests in the last 24 hours: 1" }));
      expect(await visit.page.content()).not.toContain(first);
      const made = visit.section("Audit trail").getByRole("row").filter({ hasText: "The key was created" });
      await visit.shows(made.getByRole("link", { name: FIRST.name }));

      expect(await statusOf(first)).toBe(200);
      await visit.press("Edit");
      await box(visit, "vehicles:read").uncheck();
      await visit.press("Save");
      await visit.reads(`${NAME} is saved.`);
      expect(await statusOf(first)).toBe(403);
      await visit.again();
      await visit.click(visit.section("Denials").getByRole("button", { name: "Not allowed (403)" }));
      await visit.shows(visit.section("Denials").getByRole("cell", { name: "permission missing", exact: true }));
      await visit.shows(visit.section("Denials").getByText("GET /api/vehicles"));

      await visit.press("Edit");
      await box(visit, "vehicles:read").check();
      await visit.press("Save");
      const second = await rotate(visit, "1 hour");
      expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
      const third = await rotate(visit, "0");
      expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([401, 401, 200]);

      const last = await rotate(visit, "1 hour");
      await visit.reads(
        /^Old secret \w{4}… works until \w+ \d\d?:\d\d [AP]M, (?:not used since the rotation|used \d+ times? today)$/,
      );
      await visit.press("End now");
      await visit.click(visit.dialog("End the old secret now?").getByRole("button", { name: "End now" }));
      await visit.reads(`The old secret of ${NAME} has ended.`);
      expect([await statusOf(third), await statusOf(last)]).toEqual([401, 200]);

      await confirm(visit, "Revoke");
      await visit.reads(`${NAME} is revoked.`);
      expect(await statusOf(last)).toBe(401);
      await visit.press("Re-activate");
      await visit.click(visit.dialog("Re-activate this key?").getByRole("button", { name: "Re-activate" }));
      await visit.reads(`${NAME} is active again.`);
      expect(await statusOf(last)).toBe(200);
      await confirm(visit, "Delete");
      await visit.arrives("Keys");
      expect(await statusOf(last)).toBe(401);
    });
  });

  deepTest("users find keys by the name of their dealer or user, which comes with the list's answer", async () => {
    const { admin } = context();
    const { id } = await signedInUser(context(), { name: "Wilhelmina Tester" });
    const fields = { app_type: "web", app_id: "lodge" };
    await admin.send("POST", "/portal/api/keys", { body: { ...fields, name: "Gate lodge", user_id: id } });
    await admin.send("POST", "/portal/api/keys", { body: { ...fields, name: "Gate screen", dealer_id: NORTH } });
    await context().visit(admin, async (visit) => {
      const asked: string[] = [];
      visit.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await visit.go("/keys");
      await visit.fill({ Search: "gate wilhel" });
      await visit.reads("1 to 1 of 1 keys");
      const row = (name: string) => visit.section("Keys").getByRole("row").filter({ hasText: name });
      await visit.shows(row("Gate lodge").getByRole("link", { name: "Wilhelmina Tester" }));
      await visit.fill({ Search: "gate northern" });
      await visit.shows(row("Gate screen").getByRole("link", { name: "Northern Motors" }));
      expect(asked.filter((path) => /\/api\/(?:dealers|users)/.test(path))).toEqual([]);
      await visit.go(`/dealers/${NORTH}?tab=keys&q=gate`);
      await visit.shows(row("Gate screen"));
      await visit.reads("1 to 1 of 1 keys");
      const dealer = await create(context().service.api, "/api/dealers", dealerBody({ name: "Lodge Motors" }));
      await visit.go(`/dealers/${dealer.id}?tab=keys`);
      await visit.follow("Create its first key");
      await visit.reads("It is bound to Lodge Motors: data of other dealers is refused or left out.");
    });
  });

  deepTest(
    "selected keys are rotated, extended and revoked together; new secrets are shown once; Undo restores what it can",
    async () => {
      const { admin } = context();
      const statusOf = (key: string) => statusWith(context(), key);
      const soon = context().service.after(5 * 86_400);
      const make = async (name: string, expires_at: string | null): Promise<{ id: number; api_key: string }> => {
        const body = { name, app_type: "web", app_id: "pump", dealer_id: NORTH, expires_at };
        return (await admin.send<{ id: number; api_key: string }>("POST", "/portal/api/keys", { body })).body;
      };
      const [first, second] = [await make("Pump one", soon), await make("Pump two", null)];
      await context().visit(admin, async (visit) => {
        const dialog = visit.dialog(/./);
        const line = (name: string) => dialog.getByRole("listitem").filter({ hasText: name });
        const tickAnd = async (action: string): Promise<void> => {
          await visit.shows(visit.link("Pump two"));
          await visit.field("Select all on this page").check();
          await visit.press(`${action}…`);
          await visit.shows(dialog);
        };
        const confirm = (action: string) => visit.click(dialog.getByRole("button", { name: action }));
        await visit.go("/keys?q=pump");
        await tickAnd("Rotate");
        await visit.shows(visit.dialog("Rotate 2 keys?"));
        expect(await visit.field("Grace for the old secrets").inputValue()).toBe("0");
        await confirm("Rotate");
        await confirm("Show the new secrets");
        const fresh = [
          await visit.copied(`Pump one (key ${first.id})`),
          await visit.copied(`Pump two (key ${second.id})`),
        ];
        for (const { api_key } of [first, second]) expect(await statusOf(api_key)).toBe(401);
        for (const secret of fresh) expect(await statusOf(secret)).toBe(200);
        const saved = visit.page.waitForEvent("download");
        await visit.follow("Download as a file");
        const file = await Bun.file(await (await saved).path()).text();
        for (const secret of fresh) expect(file).toContain(secret);
        expect(await visit.button("Done").isDisabled()).toBe(true);
        await visit.field("I have copied the keys").check();
        await visit.press("Done");
        await visit.hides(dialog);
        expect(await visit.page.content()).not.toContain(fresh[0] ?? "");

        await tickAnd("Extend");
        await visit.shows(line("Pump two").getByText("Stays as it is: Never expires"));
        await visit.shows(visit.dialog("Extend 1 key?"));
        await visit.fill({ "Expires at the end of": "2001-02-03" });
        await visit.shows(line("Pump one").getByText("Stays as it is: Expires later than that"));
        await visit.fill({ "Expires at the end of": "2099-12-31" });
        await confirm("Extend");
        await visit.shows(line("Pump one").getByText("Expires Dec 31, 2099"));
        await confirm("Undo");
        await visit.shows(visit.dialog("1 undone"));
        await confirm("Done");
        await visit.hides(visit.page.getByText("Dec 31, 2099"));

        await tickAnd("Revoke");
        await confirm("Revoke");
        await visit.shows(visit.dialog("2 keys revoked"));
        for (const secret of fresh) expect(await statusOf(secret)).toBe(401);
        await confirm("Undo");
        await visit.shows(visit.dialog("2 undone"));
        for (const secret of fresh) expect(await statusOf(secret)).toBe(200);
        await confirm("Done");
        await visit.hides(dialog);
        await visit.shows(visit.field("Select all on this page").and(visit.page.locator(":focus")));
      });
    },
  );

  for (const fate of ["transfer", "revoke"] as const)
    deepTest(`a leaving user's keys are handled as chosen: ${fate}`, async () => {
      const leaver = await signedInUser(context(), { name: `Lee ${fate}` });
      const newOwner = await signedInUser(context(), { name: `New owner ${fate}` });
      const fields = { name: `Tablet ${fate}`, app_type: "web", app_id: "tablet", user_id: leaver.id };
      const { body } = await context().admin.send<{ api_key: string }>("POST", "/portal/api/keys", { body: fields });
      expect(await statusWith(context(), body.api_key)).toBe(200);
      await context().visit(context().admin, async (visit) => {
        await visit.go(`/users/${leaver.id}`);
        await visit.press("Deactivate user…");
        await visit.reads(/Keys of this user: 1\./);
        await visit.choose("What happens to their keys", fate);
        if (fate === "transfer") await visit.choose("New owner", `New owner ${fate} (${newOwner.email})`);
        await visit.press("Deactivate");
        await visit.reads(`Lee ${fate} is deactivated.`);
        await visit.go(`/users/${fate === "transfer" ? newOwner.id : leaver.id}`);
        const row = visit
          .section("Keys")
          .getByRole("row")
          .filter({ hasText: `Tablet ${fate}` });
        await visit.shows(row.getByText(fate === "transfer" ? "active" : "revoked"));
      });
      expect(await statusWith(context(), body.api_key)).toBe(fate === "transfer" ? 200 : 401);
      expect((await leaver.session.send("GET", "/portal/api/session")).status).toBe(401);
    });
};
