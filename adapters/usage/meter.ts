import { type Clock, dayOf, hourOf, timestampAt } from "../../core/clock.ts";
import {
  CLIENT_RECORDED_EVERY_MS,
  type Denial,
  type LastUse,
  MAX_STORED_DENIALS,
  type OldSecretUse,
  OUTCOMES,
  type UsageBatch,
  type UsageMeter,
  type UsageOutcome,
} from "../../core/keys/usage-repository.ts";

/**
 * The maximum number of keys that are counted at a time. Requests of further keys are not counted until the next batch
 * is taken.
 */
const MAX_KEYS = 20_000;
/** The maximum number of counts of past hours that are not stored yet. The oldest are dropped first. */
const MAX_ENDED = 100_000;
const MAX_DENIALS = 20_000;
/** A key's last use is stored at most once in this time (interface 2.4). */
const WRITE_USE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MAX_AGENT = 200;

/** The usage of one key since the last batch. */
interface KeyCounts extends Record<UsageOutcome, number> {
  readonly keyId: number;
  /** The last use, in milliseconds since the epoch; 0 before the first. */
  usedMs: number;
  /** The last use that was passed on for storage, and when that was. */
  writtenMs: number;
  takenMs: number;
  clientRecordedMs: number;
  address: string | null;
  userAgent: string | null;
  denials: Denial[];
}

type Counted = UsageBatch["hours"][number];

/** The counts of a meter that have not been taken yet. */
export interface CountedUsage {
  readonly hours: readonly Counted[];
  readonly uses: UsageBatch["uses"];
  readonly denials: UsageBatch["denials"];
}

/** A meter whose counts can be read. */
export interface Counter extends UsageMeter {
  /** Returns everything counted since the last call, and resets it. */
  take(): Omit<UsageBatch, "number">;
  /**
   * Returns the same for one key, or for all, without resetting it. It includes a last use that need not be stored yet,
   * but not the uses of old secrets.
   */
  peek(keyId?: number): CountedUsage;
  /** True if nothing was counted since the last `take`. */
  readonly isEmpty: boolean;
}

const noCountsOf = (keyId: number): KeyCounts => ({
  keyId,
  served: 0,
  denied: 0,
  limited: 0,
  failed: 0,
  unauthorized: 0,
  usedMs: 0,
  writtenMs: 0,
  takenMs: Number.NEGATIVE_INFINITY,
  clientRecordedMs: Number.NEGATIVE_INFINITY,
  address: null,
  userAgent: null,
  denials: [],
});

const isCounted = (counts: KeyCounts): boolean => OUTCOMES.some((outcome) => counts[outcome] > 0);

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/** A user agent in the form in which it is stored: on one line and of limited length. */
const storableAgent = (userAgent: string): string =>
  userAgent.slice(0, MAX_AGENT).replaceAll(CONTROLS, "").toWellFormed();

/**
 * Counts the requests of keys by the hour of the answer. A request with a known key takes one look-up and one addition,
 * and allocates no memory. Counts that are not taken are kept, up to a maximum.
 */
export const usageCounter = (clock: Clock): Counter => {
  const countsByKey = new Map<number, KeyCounts>();
  let oldSecrets = new Map<string, OldSecretUse>();
  let ended: Counted[] = [];
  let denials = 0;
  let hour = "";
  let hourStartsMs = 0;
  let hourEndsMs = 0;

  const countsOf = (counts: KeyCounts): Counted => ({
    keyId: counts.keyId,
    hour,
    served: counts.served,
    denied: counts.denied,
    limited: counts.limited,
    failed: counts.failed,
    unauthorized: counts.unauthorized,
  });

  /** Moves the counts of the current hour to those that can be stored. */
  const closeHour = (): void => {
    for (const counts of countsByKey.values()) {
      if (!isCounted(counts)) continue;
      ended.push(countsOf(counts));
      for (const outcome of OUTCOMES) counts[outcome] = 0;
    }
    if (ended.length > MAX_ENDED) ended = ended.slice(-MAX_ENDED);
  };

  const enterHour = (nowMs: number): void => {
    closeHour();
    hour = hourOf(timestampAt(nowMs));
    hourStartsMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    hourEndsMs = hourStartsMs + HOUR_MS;
  };

  const addKey = (keyId: number): KeyCounts | null => {
    if (countsByKey.size >= MAX_KEYS) return null;
    const counts = noCountsOf(keyId);
    countsByKey.set(keyId, counts);
    return counts;
  };

  const isUseDue = (counts: KeyCounts): boolean =>
    counts.usedMs > counts.writtenMs && clock.nowMs() - counts.takenMs >= WRITE_USE_MS;

  const lastUseOf = (counts: KeyCounts): LastUse & { keyId: number } => ({
    keyId: counts.keyId,
    at: timestampAt(counts.usedMs),
    address: counts.address,
    user_agent: counts.userAgent,
  });

  const denialsOf = (counts: KeyCounts) => counts.denials.map((denial) => ({ keyId: counts.keyId, ...denial }));

  return {
    count(keyId, outcome) {
      const nowMs = clock.nowMs();
      if (nowMs >= hourEndsMs || nowMs < hourStartsMs) enterHour(nowMs);
      const counts = countsByKey.get(keyId) ?? addKey(keyId);
      if (counts === null) return false;
      counts[outcome]++;
      if (outcome === "unauthorized") return false;
      counts.usedMs = nowMs;
      return Math.abs(nowMs - counts.clientRecordedMs) >= CLIENT_RECORDED_EVERY_MS;
    },

    recordClient(keyId, address, userAgent) {
      const counts = countsByKey.get(keyId);
      if (counts === undefined) return;
      counts.clientRecordedMs = counts.usedMs;
      counts.address = address;
      counts.userAgent = userAgent === null ? null : storableAgent(userAgent);
    },

    countOldSecret(hash) {
      const at = clock.now();
      const day = dayOf(at);
      const before = oldSecrets.get(hash);
      if (before === undefined && oldSecrets.size >= MAX_KEYS) return;
      // Only the uses of the last day are ever shown.
      oldSecrets.set(hash, { hash, day, uses: before?.day === day ? before.uses + 1 : 1, at });
    },

    deny(keyId, denial) {
      const counts = countsByKey.get(keyId);
      if (counts === undefined) return;
      if (counts.denials.length >= MAX_STORED_DENIALS) counts.denials.shift();
      else if (denials >= MAX_DENIALS) return;
      else denials++;
      counts.denials.push({ at: clock.now(), ...denial });
    },

    take() {
      closeHour();
      const taken = {
        hours: ended,
        uses: [...countsByKey.values()].filter(isUseDue).map(lastUseOf),
        denials: denials === 0 ? [] : [...countsByKey.values()].flatMap(denialsOf),
        oldSecrets: [...oldSecrets.values()],
      };
      oldSecrets = new Map();
      ended = [];
      denials = 0;
      const nowMs = clock.nowMs();
      for (const counts of countsByKey.values()) {
        counts.denials = [];
        if (isUseDue(counts)) {
          counts.writtenMs = counts.usedMs;
          counts.takenMs = nowMs;
        } else if (nowMs - counts.takenMs >= WRITE_USE_MS) countsByKey.delete(counts.keyId);
      }
      return taken;
    },

    peek(keyId) {
      const some =
        keyId === undefined ? [...countsByKey.values()] : [countsByKey.get(keyId)].filter((one) => one !== undefined);
      return {
        hours: [
          ...(keyId === undefined ? ended : ended.filter((row) => row.keyId === keyId)),
          ...some.filter(isCounted).map(countsOf),
        ],
        uses: some.filter(({ usedMs }) => usedMs > 0).map(lastUseOf),
        denials: some.flatMap(denialsOf),
      };
    },

    get isEmpty() {
      return (
        ended.length === 0 &&
        denials === 0 &&
        oldSecrets.size === 0 &&
        ![...countsByKey.values()].some((one) => isCounted(one) || isUseDue(one))
      );
    },
  };
};
