import { makeKeptAnswers } from "../../adapters/sql/repeats/repository.ts";
import { makeAlarm } from "../../adapters/system/alarms.ts";
import { recurring } from "../../adapters/system/recurring.ts";
import { makeRepeats } from "../../core/repeats/repeats.ts";
import { type Feature, reportingFailures } from "./feature.ts";
import type { Shared } from "./shared.ts";

const TIDY_MS = 10 * 60_000;
/** After so long it is seen again whether another instance has answered a request. */
const PAUSE_MS = 25;
const MEBIBYTE = 1024 * 1024;

/** Changes that may be sent again, and are made once. */
export const wireRepeats = ({ transactions, clock, idempotencyHours, quotas, background }: Shared) => {
  const repeats = makeRepeats({
    answers: makeKeptAnswers(transactions),
    clock,
    alarm: makeAlarm(clock),
    pause: () => Bun.sleep(PAUSE_MS),
    hours: idempotencyHours,
    share: { answers: quotas.keptAnswersPerDealer, bytes: quotas.keptAnswersMibPerDealer * MEBIBYTE },
    tidySoon: () => background(() => turns.soon()),
  });
  const turns = recurring(clock, TIDY_MS, () => repeats.tidy());
  return {
    uses: { repeats },
    works: [reportingFailures(turns)],
  } satisfies Feature;
};
