import type { SharedRateLimiter } from "../../../adapters/rate-limit/redis.ts";

/** A connection to Redis that notes what it is asked, and can be cut, and whose answers can be held back. */
export const lineOf = (real: SharedRateLimiter) => {
  let gate = Promise.resolve();
  const line = {
    asked: [] as { readonly what: "count" | "report" | "probe"; readonly subject?: string; readonly told?: object }[],
    answered: 0,
    isClosed: false,
    /** Holds the answers to what is asked from now on. Returns what lets them go. */
    hold(): () => void {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      return held.resolve;
    },
    /** Holds no answers to what is asked from now on. */
    pass() {
      gate = Promise.resolve();
    },
    cut: () => real.close(),
    reports: () => line.asked.filter(({ what }) => what === "report"),
  };
  const later = async <Answer>(asked: (typeof line.asked)[number], answer: Promise<Answer>): Promise<Answer> => {
    line.asked.push(asked);
    const held = gate;
    try {
      return await answer;
    } finally {
      line.answered++;
      await held;
    }
  };
  const store: SharedRateLimiter = {
    ...real,
    countRequest: (subject, limit) => later({ what: "count", subject }, real.countRequest(subject, limit)),
    addUnreported: (subject, told) => later({ what: "report", subject, told }, real.addUnreported(subject, told)),
    probe: () => later({ what: "probe" }, real.probe()),
    close() {
      line.isClosed = true;
      real.close();
    },
  };
  return { line, store };
};
/** What is seen and done of a recorded connection. */
export type Line = ReturnType<typeof lineOf>["line"];
