import { describe, expect, test } from "bun:test";
import { includingUnsaved } from "../../../adapters/usage/including-unsaved.ts";
import { usageWriter } from "../../../adapters/usage/writer.ts";
import type { UsageBatch, UsageRepository } from "../../../core/keys/usage-repository.ts";
import { fakeClock } from "../../support/clock.ts";
import { wholeHistoryOf } from "../../support/usage.ts";

const ALWAYS = { first: "2000-01-01T00:00:00.000Z", last: "2100-01-01T00:00:00.000Z" };
const KEY = 7;

/** A database that reports when a batch reaches it, and answers reads only when released. */
const slowDatabase = () => {
  const batches: UsageBatch[] = [];
  let confirm = (): void => {};
  let answer = async (): Promise<void> => {};
  const written: UsageRepository = {
    async of() {
      const hours = batches.flatMap((batch) => batch.hours).map(({ keyId: _, ...hour }) => hour);
      await answer();
      return { hours, lastUse: null, denials: [] };
    },
    visibleKeys: async (_, keyIds) => keyIds.map(wholeHistoryOf),
    byKey: async () => [],
    sums: async () => [],
    totals: async () => [],
  };
  const store = {
    async add(_: string, batch: UsageBatch): Promise<void> {
      batches.push(batch);
      await new Promise<void>((resolve) => {
        confirm = resolve;
      });
    },
    removeBefore: async () => {},
  };
  const writer = usageWriter(store, fakeClock(), "here");
  const seen = includingUnsaved(written, writer);
  return {
    writer,
    confirm: () => confirm(),
    duringRead: (work: () => Promise<void>) => {
      answer = async () => {
        answer = async () => {};
        await work();
      };
    },
    served: async () => (await seen.of(wholeHistoryOf(KEY), ALWAYS)).hours.reduce((sum, { served }) => sum + served, 0),
  };
};

describe("usage that includes unsaved counts", () => {
  test("does not count a batch twice if it was committed but not yet confirmed", async () => {
    const { writer, confirm, served } = slowDatabase();
    writer.meter.count(KEY, "served");
    const writing = writer.write();
    const read = served();
    await new Promise((resume) => setImmediate(resume));
    confirm();
    await writing;
    expect(await read).toBe(1);
  });

  test("does not miss a batch that is stored while the database is read", async () => {
    const { writer, confirm, duringRead, served } = slowDatabase();
    writer.meter.count(KEY, "served");
    duringRead(async () => {
      const writing = writer.write();
      confirm();
      await writing;
    });
    expect(await served()).toBe(1);
  });
});
