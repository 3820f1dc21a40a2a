import { describe, expect, test } from "bun:test";
import { Webhook as Verifier } from "standardwebhooks";
import { WEBHOOK_EVENT_NAMES } from "../../../core/webhooks/event.ts";
import { expectReply } from "../../support/cases.ts";
import { ENGINES } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { testMovingClock } from "../../support/moving-clock.ts";
import { type CreatedKey, create, dealerBody, imageBody, keyBody } from "../../support/sample-records.ts";
import { pairs } from "../../support/service.ts";
import { serviceFixture } from "../../support/service-fixture.ts";
import { messageIn, type Received, typesOf, webhooksOn } from "./receivers.ts";

const OF_VEHICLES = WEBHOOK_EVENT_NAMES.filter((name) => name.startsWith("vehicle."));

/** The signatures that the library makes of a message with these secrets. */
const signaturesOf = ({ headers, body }: Received, ...secrets: readonly string[]): string =>
  secrets
    .map((secret) => {
      const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
      return new Verifier(secret).sign(String(headers["webhook-id"]), at, body);
    })
    .join(" ");

for (const engine of ENGINES)
  describe(`webhooks on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { EGRESS_ALLOW: "127.0.0.0/8" });
    const { receiver, webhook, read, deliveries, settled, vehicle, change } = webhooksOn(fixture);
    const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;

    testMovingClock("are told of each change by its own event, signed with a secret that is shown once", async () => {
      const dealer_id = await newDealer();
      const { received, url } = await receiver();
      const made = await webhook({ url, events: WEBHOOK_EVENT_NAMES.slice(0, 13), dealer_id });
      expectReply(made, { status: 201 });
      const { id, secret } = made.body;
      const car = await vehicle(dealer_id);
      await settled(id);
      for (const body of [{ price: 19_000 }, { exterior_color: "Red" }, { status: "pending" }, { status: "sold" }]) {
        await change(car, body);
        await settled(id);
      }
      await create(fixture.api, `/api/vehicles/${car}/images`, imageBody());
      await fixture.api("DELETE", `/api/vehicles/${car}`);
      await settled(id);
      await fixture.api("POST", `/api/vehicles/removed/${car}/restore`);
      await fixture.api("PUT", `/api/dealers/${dealer_id}`, { body: { phone: "503-555-0199" } });
      await settled(id);
      expect(typesOf(received).toSorted()).toEqual(
        [
          "vehicle.created",
          "vehicle.price_changed",
          "vehicle.updated",
          "vehicle.status_changed",
          "vehicle.sold",
          "image.changed",
          "vehicle.removed",
          "vehicle.restored",
          "dealer.updated",
        ].toSorted(),
      );
      for (const one of received) {
        expect(one.headers["webhook-signature"]).toBe(signaturesOf(one, secret));
        expect(one.headers["content-type"]).toBe("application/json");
      }
      const repriced = received.map(messageIn).find(({ type }) => type === "vehicle.price_changed");
      const { body: present } = await fixture.api<object>("GET", `/api/vehicles/${car}`);
      expect(repriced?.data).toMatchObject({
        id: car,
        dealer_id,
        changed: ["price"],
        vehicle: { id: car, price: 19_000 },
      });
      expect(Object.keys(repriced?.data.vehicle ?? {})).toEqual(Object.keys(present));
      const paths = [`/api/webhooks/${id}`, "/api/webhooks", `/api/webhooks/${id}/deliveries`, "/api/audit?limit=100"];
      for (const path of paths) expect((await fixture.api("GET", path)).text).not.toContain(secret);
      expect(fixture.service.log()).not.toContain(secret);
      expect((await deliveries(id))[0]).toMatchObject({
        state: "delivered",
        next_at: null,
        attempts: [{ status: 200, response: "ok" }],
      });
    });

    testMovingClock("get changes of one vehicle that wait as one message", async () => {
      const dealer_id = await newDealer();
      const { received, url } = await receiver();
      const { id } = (await webhook({ url, events: ["vehicle.updated"], dealer_id })).body;
      const car = await vehicle(dealer_id);
      await change(car, { exterior_color: "Red" });
      await change(car, { trim: "XLE" });
      await change(car, { price: 1 });
      await settled(id);
      expect(received.map(messageIn).map(({ type, data }) => [type, data.changed])).toEqual([
        ["vehicle.updated", ["exterior_color", "trim"]],
      ]);
    });

    testMovingClock("of a dealer hear nothing of another, also when a vehicle moves between them", async () => {
      const [here, there] = [await newDealer(), await newDealer()];
      const [ours, theirs, everybodys] = [await receiver(), await receiver(), await receiver()];
      const of = async ({ url }: { url: string }, dealer_id: number | null) =>
        (await webhook({ url, events: OF_VEHICLES, dealer_id })).body.id;
      const ids = [await of(ours, here), await of(theirs, there), await of(everybodys, null)];
      const car = await vehicle(here);
      for (const id of ids) await settled(id);
      await change(car, { dealer_id: there });
      for (const id of ids) await settled(id);
      // It is gone to the other dealer before anybody is told of its price.
      const other = await vehicle(here);
      for (const id of ids) await settled(id);
      await change(other, { price: 18_000 });
      await change(other, { dealer_id: there });
      for (const id of ids) await settled(id);
      const repriced = ours.received.map(messageIn).filter(({ type }) => type === "vehicle.price_changed");
      expect(repriced.map(({ data }) => [data.id, data.vehicle])).toEqual([[other, null]]);
      ours.received.splice(2);
      theirs.received.splice(1);
      everybodys.received.splice(2);
      expect(typesOf(ours.received)).toEqual(["vehicle.created", "vehicle.removed"]);
      expect(typesOf(theirs.received)).toEqual(["vehicle.created"]);
      expect(typesOf(everybodys.received)).toEqual(["vehicle.created", "vehicle.updated"]);
      expect(ours.received.map(messageIn).at(-1)?.data).toMatchObject({ dealer_id: here, changed: [], vehicle: null });
      expect(theirs.received.map(({ body }) => body).join()).not.toContain(`"dealer_id":${here},`);
    });

    testMovingClock("try again with the same id after a pause, as long as the receiver asks", async () => {
      const dealer_id = await newDealer();
      const answers = [
        { status: 500, headers: {} },
        { status: 302, headers: { location: "http://127.0.0.1:1/" } },
        { status: 503, headers: { "retry-after": "7200" } },
        { status: 204, headers: {} },
      ];
      const { received, url } = await receiver((response) => {
        const { status, headers } = answers[received.length - 1] ?? { status: 400, headers: {} };
        response.writeHead(status, headers).end();
      });
      const { id } = (await webhook({ url, events: ["vehicle.created"], dealer_id })).body;
      await vehicle(dealer_id);
      await settled(id);
      // [seconds that pass, the number of requests afterwards].
      for (const [seconds, count] of [
        [2, 1],
        [5, 2],
        [200, 2],
        [300, 3],
        [3600, 3],
        [3700, 4],
      ] as const) {
        await fixture.service.runTimers(seconds);
        const tries = await eventually(
          async () => (await deliveries(id))[0]?.attempts ?? [],
          (attempts) => attempts.length === count,
        );
        expect(received).toHaveLength(count);
        expect(tries.map(({ status }) => status)).toEqual([500, 302, 503, 204].slice(0, count));
      }
      expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
      expect(new Set(received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(4);
      expect(await read(id)).toMatchObject({ active: true, failing_since: null, waiting: 0 });
    });

    testMovingClock(
      "are switched off when their receiver is gone, and send what waits when they are switched on",
      async () => {
        const dealer_id = await newDealer();
        let status = 410;
        const { received, url } = await receiver((response) => response.writeHead(status).end());
        const { id } = (await webhook({ url, events: ["vehicle.created"], dealer_id })).body;
        await vehicle(dealer_id);
        await settled(id);
        expect(await read(id)).toMatchObject({ active: false, disabled_reason: "gone" });
        const missed = await vehicle(dealer_id);
        await settled(id);
        status = 200;
        expectReply(await fixture.api("POST", `/api/webhooks/${id}/enable`), { status: 200 });
        const [first] = await deliveries(id);
        const again = await fixture.api("POST", `/api/webhooks/${id}/deliveries/${first?.id}/redeliver`);
        expectReply(again, { status: 202 });
        await fixture.service.runTimers(1);
        await eventually(
          async () => received.length,
          (count) => count === 2,
        );
        expect(received.map(({ headers }) => headers["webhook-id"])).toEqual(
          new Array(2).fill(first?.webhook_id_header),
        );
        const recovered = await fixture.api<{ queued: number }>("POST", `/api/webhooks/${id}/recover`, {
          body: { since: "2026-01-01T00:00:00Z" },
        });
        expectReply(recovered, { status: 202 });
        await settled(id);
        expect(received.map(messageIn).map(({ data }) => data.id)).toContain(missed);
      },
    );

    testMovingClock(
      "with a receiver that does not answer delay nobody else's messages, and get four at once",
      async () => {
        const dealer_id = await newDealer();
        const [silent, prompt] = [await receiver(() => {}), await receiver()];
        const [slow, quick] = [
          (await webhook({ url: silent.url, events: ["vehicle.created"], dealer_id })).body.id,
          (await webhook({ url: prompt.url, events: ["vehicle.created"], dealer_id })).body.id,
        ];
        for (let car = 0; car < 6; car++) await vehicle(dealer_id);
        await settled(quick);
        expect(prompt.received).toHaveLength(6);
        await eventually(
          async () => silent.received.length,
          (count) => count >= 4,
        );
        expect(silent.received).toHaveLength(4);
        expect(await read(slow)).toMatchObject({ waiting: 6 });
        expectReply(await fixture.api("DELETE", `/api/webhooks/${slow}`), { status: 200 });
      },
    );

    testMovingClock("sign with both secrets until the grace period of a rotation ends", async () => {
      const dealer_id = await newDealer();
      const { received, url } = await receiver();
      const { id, secret } = (await webhook({ url, events: ["vehicle.created"], dealer_id })).body;
      const rotate = async (grace_seconds: number): Promise<string> => {
        const path = `/api/webhooks/${id}/rotate-secret`;
        return (await fixture.api<{ secret: string }>("POST", path, { body: { grace_seconds } })).body.secret;
      };
      const second = await rotate(3600);
      await vehicle(dealer_id);
      await settled(id);
      const third = await rotate(0);
      await vehicle(dealer_id);
      await settled(id);
      expect(received.map((one) => one.headers["webhook-signature"])).toEqual([
        signaturesOf(received[0] as Received, second, secret),
        signaturesOf(received[1] as Received, third),
      ]);
    });

    testMovingClock(
      "are told only what their maker may read, and are switched off when that is no vehicle",
      async () => {
        const dealer_id = await newDealer();
        const permissions = pairs("webhooks:write", "vehicles:read");
        const maker = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ dealer_id, permissions }));
        const { received, url } = await receiver();
        const events = ["vehicle.created", "dealer.updated", "key.disabled"];
        const { id } = (await webhook({ url, events, dealer_id: 1 }, maker.api_key)).body;
        const other = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ dealer_id }));
        await fixture.api("POST", `/api/keys/${other.id}/revoke`);
        await fixture.api("PUT", `/api/dealers/${dealer_id}`, { body: { phone: "503-555-0199" } });
        await vehicle(dealer_id);
        await settled(id);
        expect(typesOf(received)).toEqual(["vehicle.created"]);
        await fixture.api("POST", `/api/keys/${maker.id}/revoke`);
        await vehicle(dealer_id);
        await settled(id);
        expect(received).toHaveLength(1);
        expect(await read(id)).toMatchObject({ dealer_id, active: false, disabled_reason: "rights_lost" });
      },
    );

    const REFUSED: readonly (readonly [url: string, code: string, message: RegExp])[] = [
      ["https://10.0.0.1/hook", "target_refused", /private network/],
      ["https://[::1]/hook", "target_refused", /this machine/],
      ["ftp://hooks.example.com/", "invalid_input", /http or https address/],
      ["https://me:pw@hooks.example.com/", "invalid_input", /no user or password/],
      ["https://hooks.example.com:22/", "invalid_input", /port 443/],
      ["https://hooks.example.com:80/", "invalid_input", /port 443/],
    ];
    for (const [url, code, message] of REFUSED)
      test(`refuse the address ${url}`, async () => {
        const reply = await webhook({ url, events: ["vehicle.created"] });
        expect([reply.status, reply.body]).toEqual([400, expect.objectContaining({ code })]);
        expect(reply.text).toMatch(message);
      });

    test("are at most ten of a dealer, however many are created at once", async () => {
      const dealer_id = await newDealer();
      const one = { url: "https://hooks.example.com/", events: ["vehicle.created"], dealer_id };
      const replies = await Promise.all(Array.from({ length: 14 }, () => webhook(one)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([
        ...new Array(10).fill(201),
        ...new Array(4).fill(409),
      ]);
    });
  });
