import { describe, expect, test } from "bun:test";
import { usageWriter } from "../../../adapters/usage/writer.ts";
import type { UsageBatch, UsageStore } from "../../../core/keys/usage-repository.ts";
import { fakeClock } from "../../support/clock.ts";

/** A store that keeps each batch, and fails before or after storing it on request. */
class Store implements UsageStore {
  batches: UsageBatch[] = [];
  removed: string[] = [];
  failing: "before" | "after" | null = null;

  async add(_: string, batch: UsageBatch): Promise<void> {
    if (this.failing === "before") throw new Error("the database is away");
    if (!this.batches.some(({ number }) => number === batch.number)) this.batches.push(batch);
    if (this.failing === "after") throw new Error("the database did not confirm");
  }
  async removeBefore(moment: string): Promise<void> {
    this.removed.push(moment);
  }
  get served(): number {
    return this.batches.flatMap(({ hours }) => hours).reduce((sum, { served }) => sum + served, 0);
  }
}

const writing = () => {
  const store = new Store();
  const clock = fakeClock();
  return { store, clock, writer: usageWriter(store, clock, "here") };
};

describe("a usage writer", () => {
  test("writes nothing if nothing was counted", async () => {
    const { store, writer } = writing();
    await writer.write();
    await writer.stop();
    expect(store.batches).toEqual([]);
  });

  test("writes each count once, in numbered batches", async () => {
    const { store, writer } = writing();
    for (let round = 1; round <= 3; round++) {
      writer.meter.count(7, "served");
      await writer.write();
      await writer.write();
    }
    expect(store.batches.map(({ number, hours }) => [number, hours[0]?.served])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });

  for (const failing of ["before", "after"] as const)
    test(`loses nothing and writes nothing twice if the database fails ${failing} it has a batch`, async () => {
      const { store, writer } = writing();
      writer.meter.count(7, "served");
      store.failing = failing;
      await expect(writer.write()).rejects.toThrow("the database");
      writer.meter.count(7, "served");
      await expect(writer.write()).rejects.toThrow("the database");
      expect(writer.unsaved(7).hours.map(({ served }) => served)).toEqual([1, 1]);
      store.failing = null;
      await writer.write();
      expect(store.served).toBe(2);
      expect(writer.unsaved(7).hours).toEqual([]);
    });

  test("writes everything pending when it stops, including earlier failures, and reports what it cannot write", async () => {
    const { store, writer } = writing();
    const failures: unknown[] = [];
    writer.start((error) => failures.push(error));
    writer.meter.count(7, "served");
    store.failing = "before";
    await expect(writer.write()).rejects.toThrow();
    writer.meter.count(7, "served");
    store.failing = null;
    await writer.stop();
    expect([store.served, failures.length]).toEqual([2, 0]);
    writer.meter.count(7, "served");
    store.failing = "before";
    await writer.stop();
    expect(failures).toHaveLength(1);
  });

  test("writes counts made during a batch in the next one", async () => {
    const { store, writer } = writing();
    writer.meter.count(7, "served");
    const underWay = writer.write();
    writer.meter.count(7, "served");
    expect(writer.write()).toBe(underWay);
    await underWay;
    expect(store.served).toBe(1);
    await writer.write();
    expect(store.served).toBe(2);
  });
});
