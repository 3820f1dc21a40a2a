import { type Clock, hourOf } from "../../core/clock.ts";
import { KEPT_DAYS, type UsageBatch, type UsageMeter, type UsageStore } from "../../core/keys/usage-repository.ts";
import { type Untaken, usageCounter } from "./meter.ts";

const WRITE_MS = 10_000;
const REMOVE_MS = 3_600_000;
const KEPT_SECONDS = KEPT_DAYS * 86_400;

/** What keys are used for: counted at once, written with a timer. */
export interface UsageWriter {
  readonly meter: UsageMeter;
  /** Writes what was counted, and what could not be written before. Fails when it cannot be written. */
  write(): Promise<void>;
  /** Writes, and removes what is too old if that was not done within the hour: what the timer does. */
  tend(): Promise<void>;
  /** What was counted and is not known to be written, of one key or of all. */
  unwritten(keyId?: number): Untaken;
  /** Resolves when nothing is being written. */
  idle(): Promise<void>;
  /** How often something was begun to be written. */
  readonly writes: number;
  /** Starts writing with a timer; `report` hears of failures, which are tried again. */
  start(report: (error: unknown) => void): void;
  /** Stops the timer and writes what is unwritten. */
  stop(): Promise<void>;
}

const ofKey = <Row extends { readonly keyId: number }>(rows: readonly Row[], keyId?: number): readonly Row[] =>
  keyId === undefined ? rows : rows.filter((row) => row.keyId === keyId);

/**
 * Writes batches of counts under a name of its own. A batch that failed is handed in again as it was, before anything
 * newer, since its commit may only have gone unheard: the store knows by name and number what it has already.
 */
export const usageWriter = (store: UsageStore, clock: Clock, name: string): UsageWriter => {
  const counter = usageCounter(clock);
  let batches = 0;
  let writes = 0;
  let pending: UsageBatch | null = null;
  let writing: Promise<void> | null = null;
  let removedMs = Number.NEGATIVE_INFINITY;
  let timer: Timer | undefined;
  let report: (error: unknown) => void = () => {};

  const addPending = async (): Promise<void> => {
    if (pending === null) return;
    await store.add(name, pending, clock.now());
    pending = null;
  };

  const addAll = async (): Promise<void> => {
    if (pending !== null) await addPending();
    if (counter.isEmpty) return;
    pending = { number: ++batches, ...counter.take() };
    await addPending();
  };

  const write = (): Promise<void> => {
    if (writing !== null) return writing;
    writes++;
    writing = addAll().finally(() => {
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

  const tend = async (): Promise<void> => {
    await write();
    await removeOld();
  };

  const idle = async (): Promise<void> => {
    // Whoever began it hears of its failure.
    await writing?.catch(() => {});
  };

  return {
    meter: counter,
    write,
    tend,
    idle,
    get writes() {
      return writes;
    },
    unwritten(keyId) {
      const untaken = counter.peek(keyId);
      if (pending === null) return untaken;
      return {
        hours: [...ofKey(pending.hours, keyId), ...untaken.hours],
        uses: [...ofKey(pending.uses, keyId), ...untaken.uses],
        denials: [...ofKey(pending.denials, keyId), ...untaken.denials],
      };
    },
    start(onFailure) {
      report = onFailure;
      timer = setInterval(() => void tend().catch(report), WRITE_MS);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await idle();
      await write().catch(report);
    },
  };
};
