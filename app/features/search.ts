import { spellingSweep } from "../../adapters/sql/search/spelling-sweep.ts";
import { searchWords } from "../../adapters/sql/search/words.ts";
import { recurring } from "../../adapters/system/recurring.ts";
import { type Feature, reportingFailures } from "./feature.ts";
import type { Shared } from "./shared.ts";

const SWEEP_MS = 60 * 60_000;

/** The words by which records are found. */
export const wireSearch = ({ db, clock, words }: Shared) => {
  const sweep = spellingSweep(db);
  const sweeping = recurring(clock, SWEEP_MS, sweep.run);
  return {
    uses: { vehicleWords: words },
    works: [
      reportingFailures(searchWords(db)),
      words,
      reportingFailures({
        start: sweeping.start,
        stop: () => {
          sweep.end();
          return sweeping.stop();
        },
      }),
    ],
  } satisfies Feature;
};
