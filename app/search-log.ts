import type { Log } from "../adapters/http/server/request-log.ts";
import type { WordsListener } from "../adapters/sql/search/vehicle-words.ts";

const LOG_PERCENT = 10;

/** Logs the progress of making the words of vehicles: the beginning, every tenth, and the end. */
export const searchLog = (events: Log["events"], failed: (error: unknown) => void): WordsListener => {
  let next = 0;
  return {
    failed,
    progress({ state, percent }) {
      if (state === "off") return events.info("search is off: no words of vehicles are kept");
      // All words are there already: an empty database needs no message, nor does any other start.
      if (percent < next || (state === "ready" && next === 0)) return;
      next = percent - (percent % LOG_PERCENT) + LOG_PERCENT;
      events.info({ percent }, state === "ready" ? "the words of all vehicles are made" : "words of vehicles are made");
    },
  };
};
