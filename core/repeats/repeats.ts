import type { Alarm, Clock } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import {
  AnsweredElsewhere,
  type FoundAnswer,
  type KeptAnswer,
  type KeptAnswerRepository,
  type NamedRequest,
  RunsElsewhere,
} from "./kept-answer.ts";
import { type KeptShare, keptShares } from "./kept-shares.ts";

/** How long a repeated request waits for the first one, which still runs. */
const WAIT_MS = 2000;
const HOUR_SECONDS = 3600;

interface Parts {
  readonly answers: KeptAnswerRepository;
  readonly clock: Clock;
  readonly alarm: Alarm;
  /** Waits a moment before it is seen again whether another instance has finished. */
  readonly pause: () => Promise<void>;
  /** How long answers are kept. */
  readonly hours: number;
  /** How much is kept for one dealer. */
  readonly share: KeptShare;
  /** Has `tidy` called soon. */
  readonly tidySoon: () => void;
}

/** A change that runs once, however often it is sent. */
interface Sent<Result> {
  readonly request: NamedRequest;
  /** A hash of what was sent. */
  readonly fingerprint: string;
  readonly work: () => Promise<Result>;
  /** What is kept of a result; `null` for a refusal, which is not kept. */
  readonly keptOf: (result: Result) => KeptAnswer | null;
}

/** The result of a request that ran, or the answer that the first one got. */
type OnceDone<Result> = { readonly result: Result } | { readonly kept: FoundAnswer };

/** The failure of a request whose name was used for another one. */
const REUSED = new Failure({ kind: "idempotency-key-reused" });
/** The failure of a request whose first one still runs. */
const IN_PROGRESS = new Failure({ kind: "idempotency-in-progress" });

const nameOf = ({ keyId, binding, method, path, name }: NamedRequest): string =>
  JSON.stringify([keyId, binding, method, path, name]);

/** Runs changes that may be sent again, each once. */
export const makeRepeats = ({ answers, clock, alarm, pause, hours, share, tidySoon }: Parts) => {
  const underWay = new Map<string, Promise<void>>();
  const shares = keptShares(share);

  /** Waits until the first request has ended. Returns false if it takes too long. */
  const hasEnded = (first: Promise<void>, ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const cancel = alarm(ms, () => resolve(false));
      void first.then(() => {
        cancel();
        resolve(true);
      });
    });

  /** Runs the request, unless another instance does. */
  const run = async <Result>({ request, work, keptOf }: Sent<Result>): Promise<OnceDone<Result> | null> => {
    const name = nameOf(request);
    const ended = Promise.withResolvers<void>();
    underWay.set(name, ended.promise);
    const now = clock.now();
    try {
      const change = { request, now, expiresAt: clock.after(hours * HOUR_SECONDS) };
      const result = await answers.keepWith(change, work, keptOf);
      const kept = keptOf(result);
      if (kept !== null && shares.add(request.holder, kept.bytes)) tidySoon();
      // A refusal may come from what the first request did on another instance.
      if (kept === null && (await answers.find(request, now)) !== null) return null;
      return { result };
    } catch (error) {
      if (error instanceof AnsweredElsewhere) return null;
      if (!(error instanceof RunsElsewhere)) throw error;
      await pause();
      return null;
    } finally {
      underWay.delete(name);
      ended.resolve();
    }
  };

  return {
    /** True if an answer is kept for the request. */
    isKept: async (request: NamedRequest): Promise<boolean> => (await answers.find(request, clock.now())) !== null,

    /** Runs a request, or finds the answer that the first one got. */
    async once<Result>(sent: Sent<Result>): Promise<Outcome<OnceDone<Result>>> {
      const { request, fingerprint } = sent;
      const name = nameOf(request);
      const until = clock.steadyMs() + WAIT_MS;
      for (;;) {
        const kept = await answers.find(request, clock.now());
        if (kept !== null) return kept.fingerprint === fingerprint ? { kept } : REUSED;
        const left = until - clock.steadyMs();
        if (left < 0) return IN_PROGRESS;
        const first = underWay.get(name);
        if (first === undefined) {
          const done = await run(sent);
          if (done !== null) return done;
        } else if (!(await hasEnded(first, left))) return IN_PROGRESS;
      }
    },

    /** Removes the answers that have expired, and the oldest ones of those who have more than their share. */
    async tidy(): Promise<void> {
      while (await answers.removeExpired(clock.now()));
      for (const holder of shares.take()) while (await answers.removeBeyond(holder, share));
    },
  };
};

export type Repeats = ReturnType<typeof makeRepeats>;
