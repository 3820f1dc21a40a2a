import { describe, expect, test } from "bun:test";
import { type CopyPage, VehicleInventory } from "../../client/src/index.ts";
import { ANSWERING } from "../support/engines.ts";
import { feedHasReachedNow } from "../support/horizon.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { NORTH, vehicleBody } from "../support/sample-records.ts";
import { startService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { failure } from "./failure.ts";
import { startFaultyProxy } from "./faulty-proxy.ts";

const DAY = 24 * 60 * 60;

/** A copy as `follow` says to keep it, together with its cursor. */
class Copy {
  readonly vehicles = new Map<number, number>();
  cursor: string | null = null;
  resets = 0;

  take({ reset, changes, cursor }: CopyPage): void {
    if (reset) {
      this.vehicles.clear();
      this.resets++;
    }
    for (const { kind, op, id, record } of changes)
      if (kind !== "vehicle") throw new Error(`a ${kind} came, too`);
      else if (op === "upsert") this.vehicles.set(id, record.price);
      else this.vehicles.delete(id);
    this.cursor = cursor;
  }
}

for (const engine of ANSWERING)
  describe(`following the changes on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const clientAt = (baseUrl: string) => new VehicleInventory({ apiKey: fixture.service.superAdminKey, baseUrl });
    const own = () => clientAt(fixture.service.url);
    const add = (price: number) => own().vehicles.create(vehicleBody(NORTH, { price }));
    const pricesOf = async (): Promise<Map<number, number>> =>
      new Map((await own().vehicles.list().all()).map(({ id, price }) => [id, price]));
    const settled = () => feedHasReachedNow(engine, fixture.service.databaseUrl);
    /** Takes pages until the copy is up to date. */
    const catchUp = async (copy: Copy, client = own(), limit = 2): Promise<void> => {
      await settled();
      for await (const page of client.changes.follow({ after: copy.cursor, kinds: ["vehicle"], limit }).pages()) {
        copy.take(page);
        if (!page.more) return;
      }
    };

    test("fills a copy page by page, and goes on where the copy is when the client starts again", async () => {
      for (const price of [1, 2, 3]) await add(price);
      const copy = new Copy();
      await catchUp(copy);
      expect(copy.vehicles).toEqual(await pricesOf());
      const { id } = await add(4);
      await own().vehicles.remove(id);
      const kept = await add(5);
      await catchUp(copy);
      expect([copy.vehicles, copy.vehicles.get(kept.id), copy.resets]).toEqual([await pricesOf(), 5, 0]);
    });

    test("goes on after a restart of the service, whatever answers meanwhile", async () => {
      const { service } = fixture;
      await using proxy = await startFaultyProxy(service.url);
      const copy = new Copy();
      const follow = clientAt(proxy.url).changes.follow({ kinds: ["vehicle"], limit: 1000 });
      const pages = follow.pages();
      const taken = async (): Promise<void> => copy.take((await pages.next()).value as CopyPage);
      await taken();
      // Nothing answers, then a proxy for the service that is gone, then another instance on the same database.
      proxy.lead("http://127.0.0.1:1");
      proxy.next("cut-before", "cut-after", { status: 503, headers: { "retry-after": "0" } });
      const next = taken();
      await proxy.arrival();
      const other = await startService(engine, {
        DATABASE_URL: service.databaseUrl,
        BOOTSTRAP_API_KEY: service.bootstrapKey,
      });
      const { id } = await clientAt(other.url).vehicles.create(vehicleBody(NORTH, { price: 77 }));
      proxy.lead(other.url);
      await next;
      while (!copy.vehicles.has(id)) await taken();
      expect([copy.vehicles, copy.resets]).toEqual([await pricesOf(), 0]);
      await pages.return();
      await other.close();
    });

    test("says with each step where to go on, so that no step is left out", async () => {
      await settled();
      const { cursor } = await lastOf(own());
      const made = [await add(10), await add(11), await add(12)].map(({ id }) => id);
      await settled();
      const cursors: (string | null)[] = [];
      for await (const step of own().changes.follow({ after: cursor, kinds: ["vehicle"], limit: 2 })) {
        cursors.push(step.cursor);
        if (step.op === "upsert" && step.id === made[2]) break;
      }
      expect(cursors).toHaveLength(3);
      // Within a page it is the cursor before: the first step comes again.
      for (const [after, expected] of [
        [cursors[0], made],
        [cursors[1], made.slice(2)],
      ] as const) {
        const left: number[] = [];
        for await (const step of own().changes.follow({ after: after ?? null, kinds: ["vehicle"] })) {
          if (step.op !== "reset") left.push(step.id);
          if (left.at(-1) === made[2]) break;
        }
        expect(left).toEqual([...expected]);
      }
    });

    test("ends with its signal, and with what no waiting can change", async () => {
      const controller = new AbortController();
      await settled();
      const { cursor } = await lastOf(own());
      const waiting = own()
        .changes.follow({ after: cursor, kinds: ["vehicle"], signal: controller.signal })
        .pages();
      const next = waiting.next();
      controller.abort("enough");
      expect(await failure(next)).toBe("enough" as never);
      const stranger = new VehicleInventory({ apiKey: "vis_web_no_key", baseUrl: fixture.service.url });
      expect((await failure(stranger.changes.follow().pages().next())).name).toBe("KeyRefused");
    });

    testMovingClock("empties the copy and fills it anew when its cursor has expired", async () => {
      const copy = new Copy();
      await catchUp(copy);
      copy.vehicles.set(999_999, 1);
      await fixture.service.pass(31 * DAY);
      await add(20);
      const steps: string[] = [];
      for await (const { op } of own().changes.follow({ after: copy.cursor, kinds: ["vehicle"] })) {
        steps.push(op);
        if (steps.length === 2) break;
      }
      expect(steps).toEqual(["reset", "upsert"]);
      await catchUp(copy, own(), 3);
      expect([copy.vehicles, copy.resets]).toEqual([await pricesOf(), 1]);
    });
  });

/** The page with which a copy is up to date. */
const lastOf = async (client: VehicleInventory): Promise<CopyPage> => {
  for await (const page of client.changes.follow({ kinds: ["vehicle"], limit: 1000 }).pages())
    if (!page.more) return page;
  throw new Error("there is always a last one");
};
