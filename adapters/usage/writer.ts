import { type Clock, hourOf, type Timers } from "../../core/clock.ts";
import { RETENTION_DAYS, type UsageBatch, type UsageMeter, type UsageStore } from "../../core/keys/usage-repository.ts";
import { type CountedUsage, usageCounter } from "./meter.ts";

const WRITE_MS = 10_000;
const REMOVE_MS = 3_600_000;
const KEPT_SECONDS = RETENTION_DAYS * 86_400;

/** The usage of keys, which is counted at once and stored by a timer. */
export interface UsageWriter {
  readonly meter: UsageMeter;
  /** Stores the counts, including those that could not be stored before. Rejects if that fails. */
  write(): Promise<void>;
  /** The work of the timer: stores the counts, and once an hour deletes those that are too old. */
  writeAndClean(): Promise<void>;
  /** The counts of one key, or of all, that may not be stored yet. */
  unsaved(keyId?: number): CountedUsage;
  /** Resolves when no write is in progress. */
  whenIdle(): Promise<void>;
  /** The number of writes that were started. */
  readonly writes: number;
  /** Starts the timer. `report` is called with failures, which are tried again. */
  start(report: (error: unknown) => void): void;
  /** Stops the timer, and stores the remaining counts. */
  stop(): Promise<void>;
}

const ofKey = <Row extends { readonly keyId: number }>(rows: readonly Row[], keyId?: number): readonly Row[] =>
  keyId === undefined ? rows : rows.filter((row) => row.keyId === keyId);

/**
 * Stores batches of counts under a unique name. A batch that failed is sent again unchanged before any newer one, as it
 * may have been committed without an answer. The store recognises it by the name and its number.
 */
export const usageWriter = (store: UsageStore, clock: Clock & Timers, name: string): UsageWriter => {
  const counter = usageCounter(clock);
  let batches = 0;
  let writes = 0;
  let pending: UsageBatch | null = null;
  let writing: Promise<void> | null = null;
  let removedMs = Number.NEGATIVE_INFINITY;
  let endTimer = (): void => {};
  let report: (error: unknown) => void = () => {};

  const storePending = async (): Promise<void> => {
    if (pending === null) return;
    await store.add(name, pending, clock.now());
    pending = null;
  };

  const storeAll = async (): Promise<void> => {
    if (pending !== null) await storePending();
    if (counter.isEmpty) return;
    pending = { number: ++batches, ...counter.take() };
    await storePending();
  };

  const write = (): Promise<void> => {
    if (writing !== null) return writing;
    writes++;
    writing = storeAll().finally(() => {
      writing = null;
    });
    return writing;
  };

  const removeOld = async (): Promise<void> => {
    const nowMs = clock.nowMs();
    if (nowMs - removedMs < REMOVE_MS) return;
    removedMs = nowMs;
    await store.removeBefore(hourOf(clock.after(-KEPT_SECONDS)));
  };

  const writeAndClean = async (): Promise<void> => {
    await write();
    await removeOld();
  };

  const whenIdle = async (): Promise<void> => {
    // The failure goes to the caller who started the write.
    await writing?.catch(() => {});
  };

  return {
    meter: counter,
    write,
    writeAndClean,
    whenIdle,
    get writes() {
      return writes;
    },
    unsaved(keyId) {
      const counted = counter.peek(keyId);
      if (pending === null) return counted;
      return {
        hours: [...ofKey(pending.hours, keyId), ...counted.hours],
        uses: [...ofKey(pending.uses, keyId), ...counted.uses],
        denials: [...ofKey(pending.denials, keyId), ...counted.denials],
      };
    },
    start(onFailure) {
      report = onFailure;
      endTimer = clock.every(WRITE_MS, () => writeAndClean().catch(report));
    },
    async stop() {
      endTimer();
      await whenIdle();
      await write().catch(report);
    },
  };
};
