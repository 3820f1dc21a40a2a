import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Api } from "../support/client.ts";
import { inGate, SEED } from "../support/depth.ts";
import { ENGINES, type TestEngine } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { feedHasReachedNow } from "../support/horizon.ts";
import { inspectDatabase, queryDatabase } from "../support/inspect-database.ts";
import { InventoryCopy } from "../support/inventory-copy.ts";
import { dealerBody, vehicleBody } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { openStage, type Part, type Stage } from "./support/killed-stage.ts";

setDefaultTimeout(3_600_000);

const PARTS: Readonly<Record<TestEngine["name"], readonly Part[]>> = {
  SQLite: ["receiver", "sender"],
  PostgreSQL: ["receiver", "database", "sender"],
};
/** How often something is killed. */
const KILLS = inGate(3, 100);
const WRITERS = 4;
/** A message that failed is tried again after five seconds at the earliest. One whose sender was killed waits longer. */
const SHORTEST_PAUSE = 5;
const EVENTS = ["vehicle.created", "vehicle.price_changed", "vehicle.removed"] as const;
const MAY = pairs("vehicles:read", "vehicles:write", "vehicles:delete", "dealers:read");

/** A change that was asked for, until it had an answer. */
interface Change {
  readonly event: (typeof EVENTS)[number];
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly body?: object;
}
type Answered = Change & { readonly status: number; readonly text: string };

// The database is killed in a server of its own, which the gate starts for PostgreSQL alone.
for (const engine of ENGINES.slice(inGate(1, 0)))
  describe(`changes, webhooks and the feed on ${engine.name}, while parts are killed at any moment`, () => {
    let stage: Stage;
    let key: string;
    let dealer: number;
    const answered: Answered[] = [];
    /** True if something is killed by it. */
    let happened = (_: "answer" | "arrival"): boolean => false;

    /** Asks until the service answers what only a service that runs can. */
    const ask = async (method: string, path: string, sent: { readonly name?: string; readonly body?: object } = {}) => {
      const reply = await eventually(
        () => stage.ask(method, path, { key, ...sent }),
        (one) => one !== null && one.status < 500 && one.status !== 409,
      );
      if (reply === null) throw new Error(`${method} ${path} was not answered`);
      return reply;
    };
    const change = async (one: Change): Promise<Answered> => {
      const { status, text } = await ask(one.method, one.path, one);
      const done = { ...one, status, text };
      answered.push(done);
      happened("answer");
      return done;
    };
    /** A vehicle comes, gets another price, and perhaps goes. */
    const work = async (name: string, stays: boolean): Promise<void> => {
      const body = vehicleBody(dealer, { stock_number: name, price: 1 });
      const made = await change({ event: "vehicle.created", method: "POST", path: "/api/vehicles", name, body });
      const path = `/api/vehicles/${JSON.parse(made.text).id}`;
      await change({ event: "vehicle.price_changed", method: "PUT", path, name, body: { price: answered.length + 2 } });
      if (!stays) await change({ event: "vehicle.removed", method: "DELETE", path, name });
    };
    /** Kills a part at some moment of the work: after so many answers, or while so many messages have just arrived. */
    const round = async (number: number): Promise<void> => {
      const parts = PARTS[engine.name];
      const part = parts[number % parts.length] ?? "sender";
      const awaited = Math.floor(number / parts.length) % 2 === 0 ? "arrival" : "answer";
      let left = 1 + ((SEED * 31 + number * 7919) % 8);
      await endLeases();
      const killed = Promise.withResolvers<void>();
      happened = (what) => {
        if (what !== awaited || --left !== 0) return false;
        stage.kill[part]().then(killed.resolve, killed.reject);
        return true;
      };
      await Promise.all(Array.from({ length: WRITERS }, (_, writer) => work(`${number}-${writer}`, writer % 2 === 0)));
      await killed.promise;
    };
    /** Messages whose senders' leases were ended before their time. */
    const freed = new Set<string>();
    /** What a killed sender had claimed is sent now, and not half a minute later. */
    const endLeases = async (): Promise<void> => {
      for (const message of await stage.letLeasesEnd()) freed.add(message);
    };
    const countsOf = (events: readonly string[]) =>
      Object.fromEntries(EVENTS.map((event) => [event, events.filter((one) => one === event).length]));

    beforeAll(async () => {
      stage = await openStage(engine, () => happened("arrival"));
      const make = async (path: string, body: object) =>
        JSON.parse((await stage.ask("POST", path, { body }))?.text ?? "{}");
      dealer = (await make("/api/dealers", dealerBody())).id;
      const limit = 2_147_483_647;
      const fields = { name: "Kills", app_type: "desktop", app_id: "kills", rate_limit: limit, permissions: MAY };
      key = (await make("/api/keys", fields)).api_key;
      await make("/api/webhooks", { url: stage.receiver.url, events: EVENTS, max_per_second: 100 });
    });
    afterAll(() => stage?.close());

    test("nothing is lost, nothing is made twice, nothing comes before its time, and each copy is complete", async () => {
      const api: Api = async <Body>(method: string, path: string) => {
        const reply = await ask(method, path);
        return { ...reply, body: JSON.parse(reply.text) as Body };
      };
      const copy = new InventoryCopy(api, "limit=50");
      let isOver = false;
      const following = (async () => {
        while (!isOver) await copy.step("&wait=1");
      })();
      for (let number = 0; number < KILLS; number++) await round(number);
      isOver = true;
      await following;

      // Each name was one change with one audit entry, and repeated it gets the first answer.
      expect(answered.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
      let expected = countsOf(answered.map(({ event }) => event));
      const entries = await queryDatabase<{ action: string }>(stage.databaseUrl, "SELECT action FROM audit_entries");
      expect(countsOf(entries.map(({ action }) => action))).toEqual(expected);
      for (const { method, path, name, status, text, ...one } of answered) {
        const again = await ask(method, path, { name, ...(one.body !== undefined && { body: one.body }) });
        expect([again.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([status, text, "true"]);
      }

      // The follower's copy is the table.
      await feedHasReachedNow(engine, stage.databaseUrl);
      await copy.catchUp();
      const table = await queryDatabase<{ id: number; price_cents: number }>(
        stage.databaseUrl,
        "SELECT id, price_cents FROM vehicles ORDER BY id",
      );
      const copied = [...copy.records.values()].filter(({ make }) => make !== undefined);
      expect(copied.map(({ id, price }) => `${id} ${Number(price) * 100}`).sort()).toEqual(
        table.map(({ id, price_cents }) => `${id} ${price_cents}`).sort(),
      );

      // No message came again before its pause was over, although the service has looked for those that are due.
      const { arrivals } = stage.receiver;
      await endLeases();
      const sent = arrivals.length;
      await work("last", true);
      expected = countsOf(answered.map(({ event }) => event));
      await eventually(() => arrivals.slice(sent).some(({ body }) => body.includes('"stock_number":"last"')), Boolean);
      const last = new Map<string, number>();
      for (const { id, second } of arrivals) {
        if (!freed.has(id)) expect(second - (last.get(id) ?? 0)).toBeGreaterThanOrEqual(SHORTEST_PAUSE);
        last.set(id, second);
      }

      // Once it is over, all have arrived, each change by one name.
      const left = `SELECT (SELECT count(*) FROM webhook_events)
        + (SELECT count(*) FROM webhook_deliveries WHERE state <> 'delivered') AS count`;
      await inspectDatabase(stage.databaseUrl, (rows) =>
        eventually(
          async () => {
            const [found] = await rows<{ count: number }>(left);
            if (found?.count !== 0) await stage.letTimePass();
            return Number(found?.count);
          },
          (count) => count === 0,
        ),
      );
      const messages = new Map(arrivals.filter(({ isStored }) => isStored).map(({ id, body }) => [id, body]));
      expect(arrivals.filter(({ id, body }) => messages.get(id) !== body)).toEqual([]);
      expect(countsOf([...messages.values()].map((body) => JSON.parse(body).type))).toEqual(expected);
    });
  });
