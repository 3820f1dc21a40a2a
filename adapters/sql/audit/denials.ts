import { DENIED } from "../../../core/audit/actions.ts";
import type { DenialQueue, DeniedOperation } from "../../../core/audit/denials.ts";
import type { Clock, Timestamp } from "../../../core/clock.ts";
import type { SqlDatabase } from "../query/database.ts";
import { actorDealerOf, entryInsertion } from "./trail.ts";

const SAVE_MS = 1000;
/**
 * The maximum number of entries for one caller in a minute: a flood of refused requests must not become a flood of
 * entries.
 */
const MAX_ENTRIES_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The maximum number of entries that are kept while the database is unavailable. Later ones are dropped. */
const MAX_UNWRITTEN = 10_000;
const MAX_COUNTED_SUBJECTS = 10_000;

/** Records denials in batches, by a timer. */
export interface DenialLog extends DenialQueue {
  /** Starts the timer; `report` receives failures, which are retried. */
  start(report: (error: unknown) => void): void;
  /** Stops the timer and writes what is pending. */
  stop(): Promise<void>;
}

/**
 * Counts the events of each subject in windows of time. A subject's window begins with its first event. When there are
 * too many subjects, all counts are forgotten.
 */
const counter = (clock: Clock, windowMs: number) => {
  const windows = new Map<string, { readonly since: number; count: number }>();
  return (subject: string): number => {
    const now = clock.steadyMs();
    const known = windows.get(subject);
    if (known !== undefined && now - known.since < windowMs) return ++known.count;
    if (windows.size >= MAX_COUNTED_SUBJECTS) windows.clear();
    windows.set(subject, { since: now, count: 1 });
    return 1;
  };
};

/**
 * Records denied operations: each attempted change, and each attempt by a signed-in user. Denied reads by a key are
 * recorded once an hour for each operation, as a client may repeat them all day.
 */
export const makeDenialLog = (db: SqlDatabase, clock: Clock): DenialLog => {
  const inserted = entryInsertion(db);
  const thisMinute = counter(clock, MINUTE_MS);
  const thisHour = counter(clock, HOUR_MS);
  let unwritten: { readonly at: Timestamp; readonly denial: DeniedOperation }[] = [];
  let writing: Promise<void> = Promise.resolve();
  let timer: Timer | null = null;

  const write = async (): Promise<void> => {
    const batch = unwritten;
    if (batch.length === 0) return;
    unwritten = [];
    try {
      await db.write(async (tx) => {
        for (const { at, denial } of batch)
          await tx.all(inserted, {
            created_at: at,
            actor_key_id: denial.by.keyId,
            actor_user_id: denial.by.userId,
            actor_name: denial.by.name,
            via: denial.by.via,
            action: DENIED,
            resource: denial.resource,
            resource_id: denial.resourceId,
            dealer_id: denial.dealerId,
            before: null,
            after: JSON.stringify({ operation: denial.operation, code: denial.code }),
            address: denial.by.address,
            request_id: denial.by.requestId,
            actor_dealer_id: actorDealerOf(denial.by),
            record_name: null,
            import_id: null,
            change_id: null,
            reverts: null,
          });
      });
    } catch (error) {
      unwritten = [...batch, ...unwritten];
      throw error;
    }
  };

  const flush = (): Promise<void> => {
    writing = writing.catch(() => {}).then(write);
    return writing;
  };

  return {
    record(denial) {
      const caller = denial.by.keyId === null ? `user:${denial.by.userId}` : `key:${denial.by.keyId}`;
      const repeats = denial.by.keyId !== null && !denial.isChange;
      if (repeats && thisHour(`${caller} ${denial.operation} ${denial.code}`) > 1) return;
      if (thisMinute(caller) > MAX_ENTRIES_PER_MINUTE || unwritten.length >= MAX_UNWRITTEN) return;
      unwritten.push({ at: clock.now(), denial });
    },
    flush,
    start(report) {
      timer = setInterval(() => void flush().catch(report), SAVE_MS);
      timer.unref();
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      await flush();
    },
  };
};
