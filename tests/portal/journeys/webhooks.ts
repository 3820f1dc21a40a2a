import { expect, test } from "bun:test";
import { Webhook as Verifier } from "standardwebhooks";
import { messageIn, startReceiver } from "../../http/webhooks/receivers.ts";
import { deepTest } from "../../support/deep-test.ts";
import { eventually } from "../../support/eventually.ts";
import type { Visit } from "../../support/portal.ts";
import { create, dealerBody, SOUTH, vehicleBody } from "../../support/sample-records.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

/** The secret that the dialog shows once; closes the dialog. */
const takeSecret = async (visit: Visit): Promise<string> => {
  const secret = await visit.copied("Secret of the webhook");
  await visit.field("I have copied the secret").check();
  await visit.press("Done");
  return secret;
};

/** Webhooks in the portal: who makes them, what their receivers got, and what is done if they fail. */
export const webhookJourneys: Journeys = (context) => {
  test("a dealer's admin makes a webhook whose secret is shown once, and a test says whether messages arrive", async () => {
    const { api } = context().service;
    const dealer = await create(api, "/api/dealers", dealerBody({ name: "Teal Motors" }));
    const receiver = await startReceiver();
    const { session } = await signedInUser(context(), { role: "dealer_admin", dealer_id: dealer.id });
    await context()
      .visit(session, async (visit) => {
        await visit.go("/webhooks");
        await visit.arrives("No webhooks yet");
        await visit.follow("Create a webhook");
        await visit.fill({ Address: "https://169.254.169.254/hook", Description: "Search index" });
        await visit.press("Create the webhook");
        await visit.reads("Choose at least one event");
        await visit.field("A vehicle is added").check();
        await visit.press("Create the webhook");
        await visit.reads("The service may not send to this address: it is in a private network");
        visit.expects("400 POST /portal/api/webhooks");
        await visit.fill({ Address: receiver.url });
        await visit.press("Create the webhook");
        const verifier = new Verifier(await takeSecret(visit));
        await visit.arrives("Search index");

        await visit.press("Send a test");
        await visit.reads("The test message arrived.");
        const [first] = receiver.received;
        if (first === undefined) throw new Error("nothing was received");
        expect(verifier.verify(first.body, first.headers as Record<string, string>)).toMatchObject({
          type: "webhook.test",
        });
      })
      .finally(receiver.close);
  });

  deepTest("a message that failed says why, and is sent again with a button", async () => {
    const { api } = context().service;
    const dealer = await create(api, "/api/dealers", dealerBody({ name: "Amber Motors" }));
    let status = 507;
    const receiver = await startReceiver((reply) => {
      reply.statusCode = status;
      reply.end(status === 200 ? "ok" : "the index is full");
    });
    const fields = { url: receiver.url, events: ["vehicle.created"], dealer_id: dealer.id };
    const { id } = await create(api, "/api/webhooks", fields);
    await context()
      .visit(context().admin, async (visit) => {
        await visit.go(`/webhooks/${id}`);
        await visit.reads("Nothing was sent in the last 30 days.");
        await create(api, "/api/vehicles", vehicleBody(dealer.id));
        await visit.reads("It keeps failing");
        const row = visit.page.getByRole("row").filter({ hasText: "A vehicle is added" });
        await visit.click(row.locator("summary"));
        await visit.shows(row.getByText("the index is full").first());
        await visit.shows(row.getByText(/^Next try /));
        status = 200;
        await visit.press("Send again: A vehicle is added");
        await visit.shows(row.getByText("Delivered", { exact: true }));
        await visit.hides(visit.page.getByText("It keeps failing"));
        expect(receiver.received.map((one) => messageIn(one).type)).toContain("vehicle.created");
        await visit.choose("Show messages", "Failed");
        await visit.reads("No message is in this state.");
      })
      .finally(receiver.close);
  });

  deepTest(
    "what changed while a webhook was off is sent later, and a new secret signs beside the old one",
    async () => {
      const { api } = context().service;
      const dealer = await create(api, "/api/dealers", dealerBody({ name: "Indigo Motors" }));
      const receiver = await startReceiver();
      const fields = {
        url: receiver.url,
        events: ["vehicle.created"],
        dealer_id: dealer.id,
        description: "Indigo CRM",
      };
      const { id } = await create(api, "/api/webhooks", fields);
      await context()
        .visit(context().admin, async (visit) => {
          await visit.go(`/webhooks?dealer_id=${dealer.id}`);
          await visit.act("Indigo CRM", "Switch off");
          await visit.shows(visit.page.getByRole("row", { name: /^Indigo CRM/ }).getByText("Off", { exact: true }));
          await create(api, "/api/vehicles", vehicleBody(dealer.id));
          await visit.choose("State", "On");
          await visit.arrives("No webhook matches");
          await visit.choose("State", "Off");
          await visit.follow("Indigo CRM");
          await visit.reads("It is off");
          expect(await visit.button("Send a test").count()).toBe(0);
          await visit.press("Switch on");
          await visit.hides(visit.page.getByText("It is off"));
          await visit.press("Rotate secret");
          await visit.press("Rotate");
          await takeSecret(visit);
          await visit.act("Indigo CRM", "Send what was missed…");
          await visit.press("Send");
          await visit.reads(/^\d+ messages? will be sent\.$/);
          const [one] = await eventually(
            () => receiver.received,
            ({ length }) => length > 0,
          );
          expect(one?.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);

          await visit.press("Edit");
          await visit.fill({ Description: "Indigo archive", "Messages a second": "0" });
          await visit.press("Save");
          await visit.reads("Enter a whole number from 1 to 100");
          visit.expects(`400 PUT /portal/api/webhooks/${id}`);
          await visit.fill({ "Messages a second": "5" });
          await visit.press("Save");
          await visit.arrives("Indigo archive");
          await visit.act("Indigo archive", "Delete…");
          await visit.press("Delete");
          await visit.arrives("Webhooks");
          await visit.hides(visit.link("Indigo archive"));
        })
        .finally(receiver.close);
    },
  );

  deepTest("who may only read webhooks is offered no change, and sees no other dealer's", async () => {
    const { api } = context().service;
    const dealer = await create(api, "/api/dealers", dealerBody({ name: "Violet Motors" }));
    const fields = { url: "https://ip6-localhost/hook", events: ["feed.held"], active: false };
    const own = await create(api, "/api/webhooks", { ...fields, dealer_id: dealer.id, description: "Violet CRM" });
    const other = await create(api, "/api/webhooks", { ...fields, dealer_id: SOUTH, description: "Southern CRM" });
    const reader = await signedInUser(context(), {
      ...{ role: "user", dealer_id: dealer.id },
      permissions: [{ resource: "webhooks", action: "read" }],
    });
    await context().visit(reader.session, async (visit) => {
      await visit.go("/webhooks");
      await visit.shows(visit.link("Violet CRM"));
      expect(await visit.text()).not.toContain("Southern");
      expect(await visit.link("Create a webhook").count()).toBe(0);
      await visit.go(`/webhooks/${own.id}`);
      await visit.reads("Nothing was sent in the last 30 days.");
      for (const name of ["Edit", "Rotate secret", "Send a test", "Switch on", "Actions for Violet CRM"])
        expect([name, await visit.button(name).count()]).toEqual([name, 0]);
      visit.expects(`404 GET /portal/api/webhooks/${other.id}`);
      await visit.go(`/webhooks/${other.id}`);
      await visit.reads(/not found/i);
    });
  });
};
