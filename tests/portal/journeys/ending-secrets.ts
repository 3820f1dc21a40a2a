import { expect, test } from "bun:test";
import { type Browser, makePerson, PASSWORD } from "../../support/browser.ts";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { moveProofs } from "../../support/proofs.ts";
import { type CreatedKey, keyBody, NORTH } from "../../support/sample-records.ts";
import { type Journeys, signedInUser, statusWith } from "./journey-context.ts";

const HOUR = 3600;
const END_IT = "End the present secret and make a new one";

const makeKey = async (by: Browser, fields: object): Promise<CreatedKey> => {
  const reply = await by.send<CreatedKey>("POST", "/portal/api/keys", {
    body: keyBody({ rate_limit: null, ...fields }),
  });
  if (reply.status !== 201) throw new Error(`a key was not made: ${reply.text}`);
  return reply.body;
};

/** Closes the dialog that shows secrets once, opens the page anew, and expects none of them. */
const leave = async (visit: Visit, said: string, secrets: readonly string[]): Promise<void> => {
  expect(await visit.button("Done").isDisabled()).toBe(true);
  await visit.field(said).check();
  await visit.press("Done");
  await visit.hides(visit.dialog(/./));
  await visit.again();
  await visit.arrives(/./);
  const page = await visit.page.content();
  for (const secret of secrets) expect(page).not.toContain(secret);
};

/** Tests the proposal to end secrets when a key or user gains access that earlier holders of a secret did not have. */
export const endingSecretsJourneys: Journeys = (context) => {
  test("the portal proposes a new secret for a key that moves to another dealer, names who knows the old one, and shows it once", async () => {
    const statusOf = (key: string) => statusWith(context(), key);
    const maker = await signedInUser(context(), { name: "Robin Maker", role: "dealer_admin", dealer_id: NORTH });
    const { id, api_key } = await makeKey(maker.session, { name: "Price board" });
    await context().visit(context().admin, async (visit) => {
      const offer = visit.field(END_IT);
      await visit.go(`/keys/${id}`);
      await visit.press("Edit");
      await visit.fill({ Name: "Price screen" });
      expect(await offer.count()).toBe(0);
      await visit.choose("Dealer", "Southern Motors");
      await visit.reads(
        "Whoever knows the present secret would have access to the data of Southern Motors. Robin Maker made the key.",
      );
      expect(await offer.isChecked()).toBe(true);
      await visit.choose("Dealer", "Northern Motors");
      await visit.hides(offer);
      await visit.choose("Dealer", "Southern Motors");
      await visit.press("Save");
      await visit.shows(visit.dialog("The secret of Price screen"));
      const fresh = await visit.copied("API key");
      expect([await statusOf(api_key), await statusOf(fresh)]).toEqual([401, 200]);
      await leave(visit, "I have copied the key", [fresh]);

      await visit.press("Edit");
      await visit.choose("Dealer", "Northern Motors");
      await offer.uncheck();
      await visit.press("Save");
      await visit.reads("Price screen is saved.");
      await visit.hides(visit.dialog(/./));
      expect([await statusOf(api_key), await statusOf(fresh)]).toEqual([401, 200]);
    });
  });

  deepTest(
    "the portal proposes new secrets for all keys of a user who changes dealer or gains rights, and shows each once",
    async () => {
      const { service, admin } = context();
      const statusOf = (key: string) => statusWith(context(), key);
      const { id: adminId, session } = await signedInUser(context(), { role: "super_admin" });
      const { id } = await makePerson(admin, { name: "Kim Mover", dealer_id: NORTH });
      const keys = [
        await makeKey(admin, { name: "Tablet", user_id: id }),
        await makeKey(admin, { name: "Tablet", user_id: id }),
      ];
      await moveProofs(service, -HOUR, adminId);
      await context().visit(session, async (visit) => {
        const offer = visit.field("End the 2 present secrets and make new ones");
        visit.expects(`403 PUT /portal/api/users/${id}`);
        await visit.go(`/users/${id}`);
        await visit.press("Edit");
        await visit.fill({ Name: "Kim Moved" });
        expect(await offer.count()).toBe(0);
        await visit.choose("Dealer", "Southern Motors");
        await visit.reads(
          /Whoever knows the secret of one of these keys would have access to the data of Southern Motors\./,
        );
        expect(await offer.isChecked()).toBe(true);
        await visit.press("Save");
        const password = visit.dialog("Is it still you?").getByLabel("Password", { exact: true });
        await visit.shows(password);
        await password.fill(PASSWORD);
        await visit.press("Continue");
        await visit.shows(visit.dialog("The new secrets of Kim Moved"));
        const fresh: string[] = [];
        for (const key of keys) {
          const label = `Tablet (key ${key.id})`;
          fresh.push(await visit.copied(label));
          await visit.shows(visit.button(`Copy: ${label}`));
        }
        for (const { api_key } of keys) expect(await statusOf(api_key)).toBe(401);
        for (const secret of fresh) expect(await statusOf(secret)).toBe(200);
        await leave(visit, "I have copied the keys", fresh);

        await visit.press("Edit");
        await visit.field("vehicles: delete").uncheck();
        expect(await offer.count()).toBe(0);
        await visit.press("Save");
        await visit.hides(visit.dialog(/./));
        await visit.press("Edit");
        await visit.field("vehicles: delete").check();
        await visit.reads(/could do with it what Kim Moved may do after this change\./);
        await offer.uncheck();
        await visit.press("Save");
        await visit.hides(visit.dialog(/./));
        for (const secret of fresh) expect(await statusOf(secret)).toBe(200);
      });
    },
  );

  deepTest(
    "users who may not read the audit log do not see who created a key; those who may not change keys get no proposal",
    async () => {
      const { admin } = context();
      const rights = [
        { resource: "keys", action: "read" },
        { resource: "users", action: "read" },
        { resource: "users", action: "write" },
        { resource: "vehicles", action: "read" },
      ];
      const writesKeys = { resource: "keys", action: "write" };
      const bound = { role: "dealer_admin", dealer_id: NORTH };
      const keeper = await signedInUser(context(), { ...bound, permissions: [...rights, writesKeys] });
      const clerk = await signedInUser(context(), { ...bound, permissions: rights });
      const pairs = [{ resource: "vehicles", action: "read" }];
      const { id } = await makePerson(admin, { name: "Lou Example", dealer_id: NORTH, permissions: [] });
      const key = await makeKey(admin, { name: "Kiosk", dealer_id: NORTH, permissions: pairs });
      await makeKey(admin, { name: "Kiosk", user_id: id });

      await context().visit(keeper.session, async (visit) => {
        await visit.go(`/keys/${key.id}`);
        await visit.press("Edit");
        await visit.choose("Association", "user");
        await visit.shows(visit.field(END_IT));
        expect(await visit.text()).not.toContain("made the key");
        await visit.go(`/users/${id}`);
        await visit.press("Edit");
        await visit.field("vehicles: read").check();
        await visit.shows(visit.field(END_IT));
      });
      await context().visit(clerk.session, async (visit) => {
        await visit.go(`/users/${id}`);
        await visit.press("Edit");
        await visit.field("vehicles: read").check();
        await visit.press("Save");
        await visit.reads("Lou Example is saved.");
        expect(await visit.text()).not.toContain("present secret");
      });
    },
  );
};
