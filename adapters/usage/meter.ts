import { type Clock, hourOf, momentAt } from "../../core/clock.ts";
import {
  type Denial,
  HEARD_EVERY_MS,
  KEPT_DENIALS,
  type LastUse,
  OUTCOMES,
  type UsageBatch,
  type UsageMeter,
  type UsageOutcome,
} from "../../core/keys/usage-repository.ts";

/** Keys counted at a time; requests of further ones count nowhere until a batch was taken. */
const MAX_KEYS = 20_000;
/** Counts of hours that ended before they could be written; the oldest go first. */
const MAX_ENDED = 100_000;
const MAX_DENIALS = 20_000;
/** A key's last use is written at most once in this time (contract of keys). */
const WRITE_USE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MAX_AGENT = 200;

/** What one key was used for since the last batch was taken. */
interface Tally extends Record<UsageOutcome, number> {
  readonly keyId: number;
  /** The last use, in milliseconds since the epoch; 0 before the first. */
  usedMs: number;
  /** The last use that was handed out to be written, and when that was. */
  writtenMs: number;
  handedOutMs: number;
  heardMs: number;
  address: string | null;
  userAgent: string | null;
  denials: Denial[];
}

type Counted = UsageBatch["hours"][number];

/** What a meter has counted and nobody has taken yet. */
export interface Untaken {
  readonly hours: readonly Counted[];
  readonly uses: UsageBatch["uses"];
  readonly denials: UsageBatch["denials"];
}

/** A meter, and what it has counted. */
export interface Counter extends UsageMeter {
  /** Everything counted since the last time, which is then forgotten here. */
  take(): Untaken;
  /** The same of one key, or of all, without forgetting it; the last use included that is not to be written yet. */
  peek(keyId?: number): Untaken;
  /** True when nothing was counted since it was taken. */
  readonly isEmpty: boolean;
}

const tallyOf = (keyId: number): Tally => ({
  keyId,
  served: 0,
  denied: 0,
  limited: 0,
  failed: 0,
  unauthorized: 0,
  usedMs: 0,
  writtenMs: 0,
  handedOutMs: Number.NEGATIVE_INFINITY,
  heardMs: Number.NEGATIVE_INFINITY,
  address: null,
  userAgent: null,
  denials: [],
});

const isCounted = (tally: Tally): boolean => OUTCOMES.some((outcome) => tally[outcome] > 0);

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/** A user agent as it may be kept: bounded, and of one line. */
const keptAgent = (userAgent: string): string => userAgent.slice(0, MAX_AGENT).replaceAll(CONTROLS, "").toWellFormed();

/**
 * Counts the requests of keys by the hour they were answered in. A request of a known key costs one look-up and an
 * addition, and makes no object. What is not taken stays, within bounds.
 */
export const usageCounter = (clock: Clock): Counter => {
  const tallies = new Map<number, Tally>();
  let ended: Counted[] = [];
  let denials = 0;
  let hour = "";
  let hourStartsMs = 0;
  let hourEndsMs = 0;

  const countsOf = (tally: Tally): Counted => ({
    keyId: tally.keyId,
    hour,
    served: tally.served,
    denied: tally.denied,
    limited: tally.limited,
    failed: tally.failed,
    unauthorized: tally.unauthorized,
  });

  /** Moves the counts of the present hour to those that are ready to be written. */
  const closeHour = (): void => {
    for (const tally of tallies.values()) {
      if (!isCounted(tally)) continue;
      ended.push(countsOf(tally));
      for (const outcome of OUTCOMES) tally[outcome] = 0;
    }
    if (ended.length > MAX_ENDED) ended = ended.slice(-MAX_ENDED);
  };

  const enterHour = (nowMs: number): void => {
    closeHour();
    hour = hourOf(momentAt(nowMs));
    hourStartsMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    hourEndsMs = hourStartsMs + HOUR_MS;
  };

  const newTally = (keyId: number): Tally | null => {
    if (tallies.size >= MAX_KEYS) return null;
    const tally = tallyOf(keyId);
    tallies.set(keyId, tally);
    return tally;
  };

  const isUseDue = (tally: Tally): boolean =>
    tally.usedMs > tally.writtenMs && clock.nowMs() - tally.handedOutMs >= WRITE_USE_MS;

  const lastUseOf = (tally: Tally): LastUse & { keyId: number } => ({
    keyId: tally.keyId,
    at: momentAt(tally.usedMs),
    address: tally.address,
    user_agent: tally.userAgent,
  });

  const denialsOf = (tally: Tally) => tally.denials.map((denial) => ({ keyId: tally.keyId, ...denial }));

  return {
    count(keyId, outcome) {
      const nowMs = clock.nowMs();
      if (nowMs >= hourEndsMs || nowMs < hourStartsMs) enterHour(nowMs);
      const tally = tallies.get(keyId) ?? newTally(keyId);
      if (tally === null) return false;
      tally[outcome]++;
      if (outcome === "unauthorized") return false;
      tally.usedMs = nowMs;
      return Math.abs(nowMs - tally.heardMs) >= HEARD_EVERY_MS;
    },

    hear(keyId, address, userAgent) {
      const tally = tallies.get(keyId);
      if (tally === undefined) return;
      tally.heardMs = tally.usedMs;
      tally.address = address;
      tally.userAgent = userAgent === null ? null : keptAgent(userAgent);
    },

    deny(keyId, denial) {
      const tally = tallies.get(keyId);
      if (tally === undefined) return;
      if (tally.denials.length >= KEPT_DENIALS) tally.denials.shift();
      else if (denials >= MAX_DENIALS) return;
      else denials++;
      tally.denials.push({ at: clock.now(), ...denial });
    },

    take() {
      closeHour();
      const taken = {
        hours: ended,
        uses: [...tallies.values()].filter(isUseDue).map(lastUseOf),
        denials: denials === 0 ? [] : [...tallies.values()].flatMap(denialsOf),
      };
      ended = [];
      denials = 0;
      const nowMs = clock.nowMs();
      for (const tally of tallies.values()) {
        tally.denials = [];
        if (isUseDue(tally)) {
          tally.writtenMs = tally.usedMs;
          tally.handedOutMs = nowMs;
        } else if (nowMs - tally.handedOutMs >= WRITE_USE_MS) tallies.delete(tally.keyId);
      }
      return taken;
    },

    peek(keyId) {
      const some =
        keyId === undefined ? [...tallies.values()] : [tallies.get(keyId)].filter((one) => one !== undefined);
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
        ended.length === 0 && denials === 0 && ![...tallies.values()].some((one) => isCounted(one) || isUseDue(one))
      );
    },
  };
};
