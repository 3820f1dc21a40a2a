import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Insertable, Updateable } from "kysely";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import type { Tables } from "../../adapters/sql/query/tables.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { makeWebhookRepository } from "../../adapters/sql/webhooks/repository.ts";
import { makeWebhookWork } from "../../adapters/sql/webhooks/work.ts";
import { sealingOf } from "../../adapters/system/sealing.ts";
import { webhookSigning } from "../../adapters/system/webhook-signing.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { UNKNOWN_DEALER } from "../../core/vehicles/vehicle-repository.ts";
import type { AfterAttempt } from "../../core/webhooks/after-attempt.ts";
import { SendingPlaces } from "../../core/webhooks/places.ts";
import { TOO_MANY_WEBHOOKS } from "../../core/webhooks/webhook-repository.ts";
import { changedRows, type NamedRows } from "../support/changed-rows.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, keyFields, made, newSecret, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const always = () => true;
const FIELDS = {
  url: "https://hooks.example.com/",
  events: ["vehicle.created", "vehicle.updated", "key.expiring", "feed.held"],
  description: null,
  max_per_second: 100,
  active: true,
  endedBy: null,
} as const;
const FAILED: AfterAttempt = {
  ...{ state: "pending", nextAt: null, failures: 3, failingSince: null, noticedAt: null },
  ...{ disabled: null, isToBeNoticed: false },
};

for (const engine of ENGINES)
  describe(`webhooks beside others on ${engine.name}`, () => {
    let db: SqlDatabase;
    let clock: ReturnType<typeof fakeClock>;
    let parts: Parameters<typeof makeWebhookWork>[1];
    let webhooks: ReturnType<typeof makeWebhookRepository>;
    let work: ReturnType<typeof makeWebhookWork>;
    let dealers: { readonly north: number; readonly south: number };
    /** One of no dealer, two of a dealer, one of another; and one that was deleted. */
    let hooks: {
      readonly all: number;
      readonly own: number;
      readonly next: number;
      readonly south: number;
      readonly gone: number;
    };

    beforeEach(async () => {
      db = await engine.open();
      clock = fakeClock();
      parts = { clock, sealing: async () => sealingOf(new Uint8Array(32), []), signing: webhookSigning };
      webhooks = makeWebhookRepository(db, {
        ...parts,
        signing: webhookSigning,
        sealing: async () => sealingOf(new Uint8Array(32), []),
      });
      work = makeWebhookWork(db, parts);
      const repository = makeDealerRepository(db);
      const newDealer = async () => (await repository.insert(dealerFields(), OPERATOR)).id;
      dealers = { north: await newDealer(), south: await newDealer() };
      const added = async (dealerId: number | null) => {
        const given = { dealerId, most: 10, webhook: FIELDS, secret: webhookSigning.newSecret() };
        const webhook = await webhooks.insert({ ...given, now: clock.now(), by: OPERATOR });
        if (typeof webhook === "symbol") throw new Error("the webhook was refused");
        return webhook.id;
      };
      const { north, south } = dealers;
      hooks = {
        ...{ all: await added(null), own: await added(north), next: await added(north) },
        ...{ south: await added(south), gone: await added(north) },
      };
      await setHook(hooks.gone, { deleted_at: clock.now(), active: 0 });
      await db.write((tx) => tx.deleteFrom("webhook_events").execute());
    });
    afterEach(() => db.close());

    const later = (seconds: number): string => clock.after(seconds);
    const changing = (id: number) => ({ id, scope: null, now: clock.now(), by: OPERATOR });
    const setHook = (id: number, values: Updateable<Tables["webhooks"]>) =>
      db.write((tx) => tx.updateTable("webhooks").set(values).where("id", "=", id).execute());
    let sources = 0;
    /** A message that is as it says, and otherwise one that is due. */
    const message = async (webhook_id: number, values: Partial<Insertable<Tables["webhook_deliveries"]>> = {}) => {
      const at = clock.now();
      const row = await db.write((tx) =>
        tx
          .insertInto("webhook_deliveries")
          .values({
            ...{ webhook_id, source: `source ${++sources}`, event: "webhook.test", message: "m", vehicle_id: null },
            ...{ state: "pending", body: "{}", tries: 0, attempts: "[]", next_at: at, owner: null, lease_until: null },
            ...{ created_at: at, ...values },
          })
          .returning("id")
          .executeTakeFirstOrThrow(),
      );
      return row.id;
    };

    const state = async (): Promise<NamedRows> => {
      const rows = async (table: "webhooks" | "webhook_deliveries") =>
        (await db.selectFrom(table).selectAll().orderBy("id").execute()).map(
          (row) => [`${table === "webhooks" ? "webhook" : "message"} ${row.id}`, JSON.stringify(row)] as const,
        );
      return new Map([...(await rows("webhooks")), ...(await rows("webhook_deliveries"))]);
    };
    /** Which webhooks and messages a step changed, added or deleted. */
    const changedBy = (step: () => Promise<unknown>): Promise<readonly string[]> => changedRows(state, step);
    const waitingOf = async (id: number) =>
      (await db.selectFrom("webhooks").select("waiting").where("id", "=", id).executeTakeFirstOrThrow()).waiting;
    /** The same work, which something else comes before once it has looked for webhooks that are due. */
    const afterLooking = (change: () => Promise<unknown>) => {
      let isFirst = true;
      const all: SqlDatabase["all"] = async (statement, values) => {
        const rows = await db.all(statement, values);
        if (isFirst) await change();
        isFirst = false;
        return rows;
      };
      return makeWebhookWork({ ...db, all }, parts);
    };
    const claim = async (from = work) => (await from.claim(new SendingPlaces(64), always)).claimed;

    test("are counted for their dealer alone, without deleted ones, and belong to a dealer that is there", async () => {
      const add = (dealerId: number | null, most: number) =>
        webhooks.insert({
          ...{ dealerId, most, webhook: FIELDS, secret: webhookSigning.newSecret() },
          now: clock.now(),
          by: OPERATOR,
        });
      expect(await add(dealers.south + 99, 10)).toBe(UNKNOWN_DEALER);
      expect(await add(dealers.north, 2)).toBe(TOO_MANY_WEBHOOKS);
      expect(await add(dealers.north, 3)).toMatchObject({ dealer_id: dealers.north });
      expect(await add(dealers.south, 2)).toMatchObject({ dealer_id: dealers.south });
      expect(await add(null, 2)).toMatchObject({ dealer_id: null });
    });

    test("are not there any more when they are deleted, and listed for one dealer", async () => {
      const listed = async (scope: number | null, dealerId?: number) =>
        (await webhooks.list({ scope, limit: 10, after: null, ...(dealerId !== undefined && { dealerId }) })).items.map(
          ({ id }) => id,
        );
      const { all, own, next, south, gone } = hooks;
      expect(await webhooks.find(gone, null)).toBeNull();
      expect(await listed(null)).toEqual([south, next, own, all]);
      expect([await listed(dealers.north), await listed(null, dealers.south)]).toEqual([[next, own], [south]]);
      expect(await listed(dealers.north, dealers.south)).toEqual([]);
      await setHook(next, { active: 0 });
      const on = await webhooks.list({ scope: null, limit: 10, after: null, state: "on" });
      expect(on.items.map(({ id }) => id)).toEqual([south, own, all]);
    });

    test("change alone, with their own messages", async () => {
      const { own, next } = hooks;
      clock.advance(1000);
      const decide = () => ({ ...FIELDS, max_per_second: 7 });
      const hook = `webhook ${own}`;
      expect(await changedBy(() => webhooks.update({ ...changing(own), restarts: true, decide }))).toEqual([hook]);
      const secret = webhookSigning.newSecret();
      expect(await changedBy(() => webhooks.rotate({ ...changing(own), secret, graceEnds: later(60) }))).toEqual([
        hook,
      ]);
      const first = await message(own, { owner: "process", lease_until: later(60) });
      const second = await message(own, { state: "failed" });
      const other = await message(next, { state: "failed" });
      const sent = await message(next, { owner: "process", lease_until: later(60) });
      const again = (deliveryId: number) => webhooks.redeliver({ ...changing(own), deliveryId });
      for (const id of [other, sent])
        expect(await changedBy(async () => expect(await again(id)).toBeNull())).toEqual([]);
      expect(await changedBy(async () => expect((await again(second))?.id).toBe(second))).toEqual(
        [`message ${second}`, hook].sort(),
      );
      expect(await waitingOf(own)).toBe(1);
      const read = async (wanted: object) =>
        (await webhooks.deliveries({ id: own, scope: null, limit: 10, after: null, ...wanted }))?.items.map(
          ({ id }) => id,
        );
      await db.write((tx) =>
        tx.updateTable("webhook_deliveries").set({ state: "failed" }).where("id", "=", first).execute(),
      );
      expect([await read({}), await read({ state: "failed" })]).toEqual([[second, first], [first]]);
      expect(await changedBy(() => webhooks.test(changing(own)))).toHaveLength(2);
      expect(await changedBy(() => webhooks.remove(changing(own)))).toEqual([hook]);
    });

    test("get what failed and what was missed since a time, and only that of their dealer", async () => {
      const { own, next } = hooks;
      clock.advance(10_000);
      const since = clock.now();
      const failed = await message(own, { state: "failed" });
      await message(own, { state: "failed", created_at: later(-1) });
      await message(own, { state: "delivered" });
      await message(next, { state: "failed" });
      const entry = { actor_name: "Service", via: "service", action: "vehicle.changed", resource: "vehicles" } as const;
      const entries = await db.write(async (tx) => {
        const { north: dealer_id, south } = dealers;
        return tx
          .insertInto("audit_entries")
          .values([
            { ...entry, resource_id: 1, dealer_id, created_at: since },
            { ...entry, resource_id: 2, dealer_id, created_at: later(-1) },
            { ...entry, resource_id: 3, dealer_id: south, created_at: since },
            { ...entry, resource_id: 4, dealer_id, created_at: since, action: "access.denied" },
            { ...entry, resource_id: 5, dealer_id, created_at: since, resource: "users" },
          ])
          .returning(["id", "resource_id"])
          .execute();
      });
      await db.write(async (tx) => {
        await tx.deleteFrom("webhook_events").execute();
        await tx.insertInto("webhook_events").values({ kind: "change", subject_id: 77, webhook_id: next }).execute();
      });
      const changed = await changedBy(async () => expect(await webhooks.recover({ ...changing(own), since })).toBe(2));
      expect(changed).toEqual([`message ${failed}`, `webhook ${own}`]);
      const queued = await db.selectFrom("webhook_events").select(["subject_id", "webhook_id"]).orderBy("id").execute();
      expect(queued).toEqual([
        { subject_id: 77, webhook_id: next },
        { subject_id: entries.find(({ resource_id }) => resource_id === 1)?.id ?? 0, webhook_id: own },
      ]);
      expect([await waitingOf(own), await waitingOf(next)]).toEqual([1, 0]);
    });

    test("and messages are forgotten when they are old or of a deleted webhook, and what others wait for stays", async () => {
      const { own, next, gone } = hooks;
      const ofGone = await message(gone);
      const old = await message(own);
      clock.advance(1000);
      const before = clock.now();
      for (const values of [{}, { state: "failed" as const }]) await message(own, values);
      await message(next);
      await setHook(own, { waiting: 9 });
      await setHook(next, { waiting: 9 });
      expect(await changedBy(() => work.forget(before))).toEqual([`message ${ofGone}`]);
      expect(await changedBy(() => work.forget(before))).toEqual(
        [`message ${old}`, `webhook ${gone}`, `webhook ${own}`].sort(),
      );
      expect(await waitingOf(own)).toBe(1);
      expect(await work.forget(before)).toBe(false);
    });

    test("are sent what waits for them and is due, and wait for their own next message", async () => {
      const { own, next } = hooks;
      const at = clock.now();
      const due = [await message(own), await message(own)];
      const ofOther = [];
      // The other one has as many as are sent at once; those that an earlier process had of this one are given up.
      for (let count = 0; count < 4; count++)
        ofOther.push(await message(next, { owner: "other", lease_until: later(50) }));
      const given = await message(own, { owner: "gone", lease_until: at, next_at: later(-1) });
      await message(own, { owner: "busy", lease_until: later(90), next_at: later(-1) });
      await message(own, { state: "failed", next_at: later(-2) });
      await message(own, { state: "failed", next_at: later(5) });
      await message(own, { next_at: later(30) });
      await message(next, { next_at: later(6) });
      await setHook(own, { due_at: at, max_per_second: 100 });
      const changed = await changedBy(async () => {
        const claimed = await claim();
        expect(claimed.map(({ id, webhookId }) => [id, webhookId])).toEqual([given, ...due].map((id) => [id, own]));
      });
      expect(changed).toEqual([...[given, ...due].map((id) => `message ${id}`), `webhook ${own}`].sort());
    });

    test("are each sent their own messages, however many others are switched off or have nothing to send", async () => {
      const { own, south } = hooks;
      const now = clock.now();
      const urlOf = (id: number): string => `https://hooks.example.com/${id}`;
      for (const id of [own, south]) {
        await message(id);
        await setHook(id, { url: urlOf(id), due_at: id === own ? now : null });
      }
      const idle = { url: "https://hooks.example.com/", events: "[]", dealer_id: dealers.north, max_per_second: 1 };
      const rows = Array.from({ length: 200 }, (_, place) => ({
        ...{ ...idle, failures: 0, waiting: 0, paced: 0, created_at: now, updated_at: now },
        ...(place < 100 ? { active: 0, due_at: later(-9) } : { active: 1, due_at: null }),
      })) as readonly Insertable<Tables["webhooks"]>[];
      await db.write((tx) => tx.insertInto("webhooks").values(rows).execute());
      // What is looked at is sent while another is due before it.
      const first = await claim(afterLooking(() => setHook(south, { due_at: later(-1) })));
      const claimed = [...first, ...(await claim())].map(({ webhookId, url, dealerId }) => ({
        webhookId,
        url,
        dealerId,
      }));
      expect(claimed).toEqual([
        { webhookId: own, url: urlOf(own), dealerId: dealers.north },
        { webhookId: south, url: urlOf(south), dealerId: dealers.south },
      ]);
    });

    test("are looked at again when their own next message is due", async () => {
      const { own, next } = hooks;
      const sent = await message(own);
      await message(own, { state: "failed", next_at: later(5) });
      await message(own, { next_at: later(8) });
      await message(next, { next_at: later(3) });
      await setHook(own, { due_at: clock.now() });
      const changed = await changedBy(async () => void (await claim()));
      expect(changed).toEqual([`message ${sent}`, `webhook ${own}`].sort());
      const { due_at } = await db
        .selectFrom("webhooks")
        .select("due_at")
        .where("id", "=", own)
        .executeTakeFirstOrThrow();
      expect(due_at).toBe(later(8));
    });

    test("are looked at once more before anything is sent: what was switched off or sent meanwhile is not", async () => {
      const { own, next } = hooks;
      await message(own);
      await message(next);
      for (const id of [own, next]) await setHook(id, { due_at: clock.now() });
      const meanwhile = afterLooking(async () => {
        await setHook(own, { active: 0 });
        await setHook(next, { due_at: later(1) });
      });
      expect(await changedBy(() => claim(meanwhile))).toEqual([`webhook ${own}`, `webhook ${next}`]);
    });

    test("hear of the outcome of their own message from the process that sent it", async () => {
      const { own, next } = hooks;
      await message(next, { attempts: '[{"status":1}]', owner: "other" });
      await message(own);
      const second = await message(own, { attempts: '[{"status":2}]' });
      await setHook(own, { due_at: clock.now(), waiting: 2, failures: 2 });
      await setHook(next, { failures: 8 });
      const claimed = await claim();
      const sent = claimed.find(({ id }) => id === second);
      if (sent === undefined) throw new Error("the message was not claimed");
      const attempt = { at: clock.now(), status: 500, ms: 1, response: "" };
      const asked: number[] = [];
      const finish = (given: object) =>
        work.finish({ ...sent, ...given }, attempt, ({ failures }) => {
          asked.push(failures);
          return FAILED;
        });
      const done = await message(own, { state: "delivered", owner: sent.owner });
      for (const given of [{ owner: "other" }, { id: done }, { id: done + 1 }])
        expect(await changedBy(() => finish(given))).toEqual([]);
      expect(await changedBy(() => finish({}))).toEqual([`message ${second}`, `webhook ${own}`].sort());
      expect(asked).toEqual([2]);
      const { attempts } = await db
        .selectFrom("webhook_deliveries")
        .select("attempts")
        .where("id", "=", second)
        .executeTakeFirstOrThrow();
      expect(JSON.parse(attempts).map(({ status }: { status: number }) => status)).toEqual([2, 500]);
    });

    test("are switched off alone, and not once more if somebody did", async () => {
      const { own } = hooks;
      await setHook(own, { due_at: clock.now() });
      const off = async () => {
        await message(own);
        await setHook(own, { due_at: clock.now(), active: 1 });
        const [sent] = await claim();
        if (sent === undefined) throw new Error("nothing was claimed");
        return { sent, at: clock.now() };
      };
      const end = ({ sent, at }: Awaited<ReturnType<typeof off>>) =>
        work.finish(sent, { at, status: 410, ms: 1, response: "" }, () => ({
          ...FAILED,
          state: "failed",
          disabled: "gone",
        }));
      const first = await off();
      expect(await changedBy(() => end(first))).toEqual([`message ${first.sent.id}`, `webhook ${own}`].sort());
      clock.advance(1000);
      const second = await off();
      await setHook(own, { active: 0, ended_by: "user", disabled_reason: null });
      await end(second);
      expect(await webhooks.find(own, null)).toMatchObject({ active: false, disabled_reason: null });
    });

    test("are refused the messages that their makers may not read, and those alone", async () => {
      const { own, next } = hooks;
      const keys = makeKeyRepository(db, () => {});
      const key = { key: keyFields({ ownPermissions: 0 }), secret: newSecret(), now: clock.now(), by: OPERATOR };
      const { id: actor_key_id } = made(await keys.insert(key));
      const denied = await message(own, { event: "key.expiring" });
      await message(own, { event: "key.expiring", next_at: later(9) });
      await message(next, { event: "key.expiring" });
      await setHook(own, { due_at: clock.now(), actor_key_id, waiting: 3 });
      await setHook(next, { waiting: 3 });
      expect(await changedBy(async () => void (await claim()))).toEqual([`message ${denied}`, `webhook ${own}`].sort());
      expect([await waitingOf(own), await waitingOf(next)]).toEqual([2, 3]);
    });

    describe("are told", () => {
      const vehicles = () => makeVehicleRepository(db);
      const added = async (dealer: number) => made(await vehicles().insert(vehicleFields(dealer), OPERATOR)).id;
      const forgetEvents = () => db.write((tx) => tx.deleteFrom("webhook_events").execute());
      const entry = async (resource_id: number, dealer_id: number, field = "color"): Promise<number> => {
        const { id } = await db.write((tx) =>
          tx
            .insertInto("audit_entries")
            .values({
              ...{
                resource: "vehicles",
                resource_id,
                dealer_id,
                created_at: clock.now(),
                actor_name: "Service",
                via: "service",
              },
              ...{ action: "vehicle.changed", before: "{}", after: JSON.stringify({ [field]: "blue" }) },
            })
            .returning("id")
            .executeTakeFirstOrThrow(),
        );
        return id;
      };
      const queue = (kind: "change" | "held" | "expiring", ...subjects: readonly number[]) =>
        db.write((tx) =>
          tx
            .insertInto("webhook_events")
            .values(subjects.map((subject_id) => ({ kind, subject_id, webhook_id: null })))
            .execute(),
        );
      const bodies = async () =>
        (await db.selectFrom("webhook_deliveries").select(["webhook_id", "body"]).orderBy("id").execute()).map(
          ({ webhook_id, body }) => [webhook_id, JSON.parse(body).data] as const,
        );

      test("what changed of their dealer's records, with the vehicle if it is still that dealer's", async () => {
        const { all, own, next } = hooks;
        const [here, moved] = [await added(dealers.north), await added(dealers.south)];
        const changes = [await entry(here, dealers.north), await entry(moved, dealers.north)];
        await setHook(next, { active: 0 });
        await forgetEvents();
        await queue("change", ...changes);
        await work.spread(always);
        expect((await bodies()).map(([hook, data]) => [hook, data.id, data.vehicle?.id ?? null])).toEqual([
          [all, here, here],
          [all, moved, null],
          [own, here, here],
          [own, moved, null],
        ]);
      });

      test("some changes at a time, and the others next", async () => {
        await forgetEvents();
        await queue("change", ...Array.from({ length: 51 }, (_, place) => 1_000_000 + place));
        expect(await work.spread(always)).toEqual({ isMore: true, reported: [] });
        expect(await db.selectFrom("webhook_events").select("subject_id").execute()).toEqual([
          { subject_id: 1_000_050 },
        ]);
      });

      test("of a key by its own name", async () => {
        const keys = makeKeyRepository(db, () => {});
        const ids: number[] = [];
        for (const name of ["First", "Second"]) {
          const key = {
            key: keyFields({ name, dealerId: dealers.north }),
            secret: newSecret(),
            now: clock.now(),
            by: OPERATOR,
          };
          ids.push(made(await keys.insert(key)).id);
        }
        await forgetEvents();
        await queue("expiring", ids[1] ?? 0);
        await work.spread(always);
        expect((await bodies()).map(([, { id, name }]) => ({ id, name }))).toEqual(
          Array(3).fill({ id: ids[1], name: "Second" }),
        );
      });

      test("two changes of a vehicle as one only while the first waits and nobody has begun to send it", async () => {
        const { own, next, all } = hooks;
        const vehicle = await added(dealers.north);
        for (const id of [next, all]) await setHook(id, { active: 0 });
        const event = "vehicle.updated" as const;
        const body = JSON.stringify({ data: { changed: ["price"] } });
        const ofVehicle = { vehicle_id: vehicle, event, body };
        await message(next, ofVehicle);
        await message(own, { ...ofVehicle, vehicle_id: vehicle + 1 });
        await message(own, { ...ofVehicle, state: "failed" });
        await message(own, { ...ofVehicle, tries: 1 });
        await message(own, { ...ofVehicle, owner: "process" });
        await message(own, { ...ofVehicle, event: "vehicle.created" });
        await setHook(next, { due_at: later(9) });
        const told = async (field: string) => {
          const change = await entry(vehicle, dealers.north, field);
          await forgetEvents();
          await queue("change", change);
          return changedBy(() => work.spread(always));
        };
        const [first, hook, ...more] = await told("color");
        expect([hook, more]).toEqual([`webhook ${own}`, []]);
        expect(await told("trim")).toEqual([first ?? ""]);
      });
    });
  });
