import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import { auditTrail } from "../../adapters/sql/audit/trail.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import { sqlStatement } from "../../adapters/sql/query/statement.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { makeWebhookRepository } from "../../adapters/sql/webhooks/repository.ts";
import { makeWebhookWork } from "../../adapters/sql/webhooks/work.ts";
import { sealingOf } from "../../adapters/system/sealing.ts";
import { webhookSigning } from "../../adapters/system/webhook-signing.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { LEASE_SECONDS } from "../../core/jobs/job.ts";
import { permissionSet } from "../../core/permissions.ts";
import { afterAttempt } from "../../core/webhooks/after-attempt.ts";
import { SendingPlaces } from "../../core/webhooks/places.ts";
import type { ClaimedDelivery } from "../../core/webhooks/webhook-repository.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, keyFields, made, newSecret, userFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const always = () => true;

for (const engine of ENGINES)
  describe(`messages of webhooks on ${engine.name}`, () => {
    const open = async (max_per_second = 100) => {
      const db = await engine.open();
      const clock = fakeClock();
      const parts = { clock, sealing: async () => sealingOf(new Uint8Array(32), []), signing: webhookSigning };
      const webhooks = makeWebhookRepository(db, parts);
      const fields = {
        url: "https://hooks.example.com/?token=secret",
        events: ["vehicle.created"],
        description: null,
      } as const;
      const webhook = await webhooks.insert({
        dealerId: null,
        most: 10,
        webhook: { ...fields, max_per_second, active: true, endedBy: null },
        secret: webhookSigning.newSecret(),
        now: clock.now(),
        by: OPERATOR,
      });
      if (typeof webhook === "symbol") throw new Error("the webhook was refused");
      const changing = () => ({ id: webhook.id, scope: null, now: clock.now(), by: OPERATOR });
      const work = makeWebhookWork(db, parts);
      return {
        db,
        clock,
        parts,
        fields,
        work,
        webhooks,
        changing,
        queue: () => webhooks.test(changing()),
        claim: async (places = new SendingPlaces(64)) => (await work.claim(places, always)).claimed,
        states: async () => {
          const page = await webhooks.deliveries({ ...changing(), limit: 100, after: null });
          return page?.items.map(({ state, attempts }) => [state, attempts.length]);
        },
        finish: (claimed: ClaimedDelivery) =>
          work.finish(claimed, { at: clock.now(), status: 200, ms: 1, response: "" }, (before) =>
            afterAttempt(before, { tries: 1, status: 200, retryAfterSeconds: null, at: clock.now(), chance: 0 }),
          ),
      };
    };

    test("and webhooks are listed by state and by dealer, within a scope that no filter widens", async () => {
      const { db, clock, webhooks, changing } = await open();
      await db.migrate(async (run) => {
        for (const [id, dealer, active, failing] of [
          [2, "NULL", 1, "'2026-11-20T00:00:00.000Z'"],
          [3, "NULL", 0, "'2026-11-20T00:00:00.000Z'"],
        ])
          await run(`INSERT INTO webhooks (url, events, dealer_id, max_per_second, active, failures, failing_since, waiting, paced,
            created_at, updated_at) VALUES ('https://hooks.example.com/${id}', '[]', ${dealer}, 1, ${active}, 1, ${failing}, 0, 0,
            '${clock.now()}', '${clock.now()}')`);
      });
      const listed = async (filters: object, scope: number | null = null): Promise<readonly number[]> =>
        (await webhooks.list({ scope, limit: 10, after: null, ...filters })).items.map(({ id }) => id);
      expect(await listed({ state: "on" })).toEqual([changing().id]);
      expect([await listed({ state: "failing" }), await listed({ state: "off" })]).toEqual([[2], [3]]);
      expect([await listed({}), await listed({ dealerId: 7 }), await listed({}, 7)]).toEqual([[3, 2, 1], [], []]);
    });

    test("and webhooks beyond a caller's scope are neither found nor changed", async () => {
      const { webhooks, queue, fields, states, ...made } = await open();
      const deliveryId = (await queue())?.id ?? 0;
      const { id } = made.changing();
      const before = await webhooks.find(id, null);
      const beyond = { ...made.changing(), scope: 7 };
      const decide = () => ({ ...fields, max_per_second: 1, active: false, endedBy: null });
      expect([
        await webhooks.find(id, 7),
        await webhooks.update({ ...beyond, restarts: true, decide }),
        await webhooks.rotate({ ...beyond, secret: webhookSigning.newSecret(), graceEnds: beyond.now }),
        await webhooks.remove(beyond),
        await webhooks.test(beyond),
        await webhooks.recover({ ...beyond, since: beyond.now }),
        await webhooks.deliveries({ id, scope: 7, limit: 10, after: null }),
        await webhooks.redeliver({ ...beyond, deliveryId }),
      ]).toEqual([null, null, null, false, null, null, null, null]);
      expect(await webhooks.find(id, null)).toEqual(before);
      expect(await states()).toEqual([["pending", 0]]);
    });

    test("are sent by one process at a time, and by another when the first is gone", async () => {
      const { db, clock, queue, claim, finish, states } = await open();
      await queue();
      const [first] = await claim();
      expect(first).toBeDefined();
      expect(await claim()).toEqual([]);
      // Another message has the webhook looked at again, but the first is not taken along.
      await queue();
      const [other, ...more] = await claim();
      expect([other?.message === first?.message, more]).toEqual([false, []]);
      await finish(other as ClaimedDelivery);
      clock.advance(LEASE_SECONDS * 1000 + 1000);
      const [second] = await claim();
      expect([second?.id, second?.message]).toEqual([first?.id, first?.message]);
      // The first comes back late. What it says of the message does not count.
      await finish(first as ClaimedDelivery);
      expect(await states()).toEqual([
        ["delivered", 1],
        ["pending", 0],
      ]);
      await finish(second as ClaimedDelivery);
      expect(await states()).toEqual([
        ["delivered", 1],
        ["delivered", 1],
      ]);
      await db.close();
    });

    test("are shared by processes that look at the same time, each once", async () => {
      const { db, clock, queue, claim, finish } = await open();
      for (let count = 0; count < 12; count++) await queue();
      const sent: number[] = [];
      while (sent.length < 12) {
        clock.advance(1000);
        const claims = await Promise.all([claim(), claim(), claim()]);
        const claimed = claims.flat();
        expect(claimed.length).toBeLessThanOrEqual(4);
        await Promise.all(claimed.map(finish));
        sent.push(...claimed.map(({ id }) => id));
      }
      expect(sent.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 12 }, (_, place) => place + 1));
      await db.close();
    });

    test("that were claimed before the database failed are sent, so that their places come back", async () => {
      const { db, clock, parts, webhooks, queue, fields } = await open();
      const by = { now: clock.now(), by: OPERATOR };
      const webhook = { ...fields, max_per_second: 1, active: true, endedBy: null };
      const other = await webhooks.insert({
        dealerId: null,
        most: 10,
        webhook,
        secret: webhookSigning.newSecret(),
        ...by,
      });
      if (typeof other === "symbol") throw new Error("the webhook was refused");
      await queue();
      await webhooks.test({ id: other.id, scope: null, ...by });
      const places = new SendingPlaces(64);
      let changes = 0;
      const write: typeof db.write = (change) =>
        ++changes > 1 ? Promise.reject(new Error("the database is away")) : db.write(change);
      const work = makeWebhookWork({ ...db, write }, parts);
      const { claimed } = await work.claim(places, always);
      expect([claimed.length, places.free]).toEqual([1, 63]);
      await expect(work.claim(places, always)).rejects.toThrow("the database is away");
      expect(places.free).toBe(63);
      await db.close();
    });

    test("are at most as many in a second as the receiver takes", async () => {
      const { db, clock, queue, claim, finish } = await open(2);
      for (let count = 0; count < 3; count++) await queue();
      const first = await claim();
      await Promise.all(first.map(finish));
      expect([first.length, (await claim()).length]).toEqual([2, 0]);
      clock.advance(1000);
      expect(await claim()).toHaveLength(1);
      await db.close();
    });

    test("that are being sent are not sent a second time at once, whoever asks for it", async () => {
      const { db, clock, webhooks, changing, queue, claim } = await open();
      const queued = await queue();
      const [sent] = await claim();
      expect(sent).toBeDefined();
      clock.advance(1000);
      const asked = await webhooks.redeliver({ ...changing(), deliveryId: queued?.id ?? 0 });
      expect(asked).toMatchObject({ id: queued?.id, state: "pending" });
      expect(await claim()).toEqual([]);
      await db.close();
    });

    test("that were missed are queued once, however often that is asked for", async () => {
      const { db, clock, work, webhooks, changing } = await open();
      const audit = auditTrail(db);
      const at = { at: clock.now(), by: OPERATOR, dealerId: null, before: null, after: {} };
      await db.write((tx) => audit(tx, { ...at, action: "vehicle.created", resourceId: 1 }));
      while ((await work.spread(always)).isMore);
      const recover = () => webhooks.recover({ ...changing(), since: at.at });
      expect([await recover(), await recover()]).toEqual([1, 0]);
      while ((await work.spread(always)).isMore);
      expect(await recover()).toBe(1);
      await db.close();
    });

    test("have a webhook whose address is in the audit log without its query, also when its secret changes", async () => {
      const { db, clock, webhooks, changing } = await open();
      await webhooks.rotate({ ...changing(), secret: webhookSigning.newSecret(), graceEnds: clock.after(60) });
      const entries = await db.all(
        sqlStatement(db, sql<{ record_name: string }>`SELECT record_name FROM audit_entries`),
        {},
      );
      expect(entries.map(({ record_name }) => record_name)).toEqual(new Array(2).fill("https://hooks.example.com/?…"));
      await db.close();
    });

    test("that fail are told to who changed the webhook last: the owner of a key, its active user, or a user", async () => {
      const { db, clock, work, queue, claim } = await open();
      const at = clock.now();
      const keys = makeKeyRepository(db, () => {});
      const users = makeUserRepository(db, () => {});
      const user = made(await users.insert(userFields({ name: "Robin Example" }), at, OPERATOR));
      const key = (fields: Parameters<typeof keyFields>[0]) =>
        keys.insert({ key: keyFields(fields), secret: newSecret(), now: at, by: OPERATOR }).then(made);
      const owned = await key({ userId: user.id, ownerEmail: "owner@harbor.example.com" });
      const unowned = await key({ userId: user.id });
      const nobodys = await key({});
      const known = { userId: user.id, name: user.name, email: user.email };
      const dealer = await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      const moved = await key({ dealerId: dealer.id, ownerEmail: "owner@south.example.com" });
      await queue();
      for (const [actor, receiver] of [
        [
          `actor_key_id = ${owned.id}, actor_user_id = NULL`,
          { userId: null, name: "", email: "owner@harbor.example.com" },
        ],
        [`actor_key_id = ${unowned.id}, actor_user_id = NULL`, known],
        [`actor_key_id = NULL, actor_user_id = ${user.id}`, known],
        [`actor_key_id = ${nobodys.id}, actor_user_id = NULL`, null],
        // It is another dealer's by now, whose people must not learn of the webhook.
        [`actor_key_id = ${moved.id}, actor_user_id = NULL`, null],
        [
          `actor_key_id = ${moved.id}, actor_user_id = NULL, dealer_id = ${dealer.id}`,
          { userId: null, name: "", email: "owner@south.example.com" },
        ],
      ] as const) {
        await db.migrate(async (run) => {
          await run(`UPDATE webhooks SET ${actor}, noticed_at = NULL, failing_since = '${at}', due_at = '${at}'`);
          await run(`UPDATE webhook_deliveries SET next_at = '${at}'`);
        });
        clock.advance(2 * 86_400_000);
        const [claimed] = await claim();
        const reported = await work.finish(
          claimed as ClaimedDelivery,
          { at: clock.now(), status: 500, ms: 1, response: "" },
          (before) =>
            afterAttempt(before, { tries: 1, status: 500, retryAfterSeconds: null, at: clock.now(), chance: 0 }),
        );
        expect(reported).toMatchObject({ id: 1, problem: "no message arrived for a day", receiver });
      }
      await db.close();
    });

    test("leave places to other dealers, however many receivers of one dealer do not answer", async () => {
      const { db, clock, claim } = await open();
      const at = clock.now();
      const dealers = makeDealerRepository(db);
      const [one, other] = [
        await dealers.insert(dealerFields(), OPERATOR),
        await dealers.insert(dealerFields(), OPERATOR),
      ];
      await db.migrate(async (run) => {
        await run("DELETE FROM webhooks");
        for (let id = 1; id <= 11; id++) {
          await run(`INSERT INTO webhooks (id, url, events, dealer_id, max_per_second, active, failures, waiting, paced, due_at,
            created_at, updated_at) VALUES (${id}, 'https://hooks.example.com/', '[]', ${(id === 11 ? other : one).id}, 100, 1, 0, 4, 0,
            '${at}', '${at}', '${at}')`);
          for (let message = 0; message < 4; message++)
            await run(`INSERT INTO webhook_deliveries (webhook_id, source, event, message, state, body, tries, attempts, next_at,
              created_at) VALUES (${id}, '${message}', 'vehicle.created', 'm', 'pending', '{}', 0, '[]', '${at}', '${at}')`);
        }
      });
      const places = new SendingPlaces(8);
      const claimed = (await claim(places)).map(({ dealerId }) => dealerId);
      expect(claimed.filter((dealer) => dealer === one.id)).toHaveLength(4);
      expect(claimed.filter((dealer) => dealer === other.id)).toHaveLength(2);
      clock.advance(1000);
      // As long as nothing is answered, the rest is left to others.
      expect([await claim(places), places.free, places.roomOf(null)]).toEqual([[], 2, 1]);
      await db.close();
    });

    test("are not sent to a webhook whose maker may not read what they tell any more", async () => {
      const { db, clock, webhooks, changing, queue, claim } = await open();
      const keys = makeKeyRepository(db, () => {});
      const ownPermissions = permissionSet(["vehicles:read", "webhooks:write"]);
      const maker = made(
        await keys.insert({ key: keyFields({ ownPermissions }), secret: newSecret(), now: clock.now(), by: OPERATOR }),
      );
      await queue();
      await db.migrate(async (run) => {
        await run(`UPDATE webhooks SET actor_key_id = ${maker.id}, waiting = waiting + 1`);
        await run(`INSERT INTO webhook_deliveries (webhook_id, source, event, message, state, body, tries, attempts, next_at,
          created_at) VALUES (1, 'key', 'key.expiring', 'm', 'pending', '{}', 0, '[]', '${clock.now()}', '${clock.now()}')`);
      });
      expect((await claim()).map(({ event }) => event)).toEqual(["webhook.test"]);
      const [denied] = (await webhooks.deliveries({ ...changing(), limit: 1, after: null }))?.items ?? [];
      expect(denied).toMatchObject({
        event: "key.expiring",
        state: "failed",
        next_at: null,
        attempts: [{ status: null, response: expect.stringContaining("may not read what it tells") }],
      });
      expect((await webhooks.find(1, null))?.waiting).toBe(1);
      await db.close();
    });

    test("are forgotten after 30 days", async () => {
      const { db, clock, work, queue, states } = await open();
      await queue();
      expect(await work.forget(clock.now())).toBe(false);
      expect(await work.forget(clock.after(1))).toBe(true);
      expect(await states()).toEqual([]);
      await db.close();
    });
  });
