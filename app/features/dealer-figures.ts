import { makeDealerFiguresRepository } from "../../adapters/sql/dealer-figures/repository.ts";
import { makeDealerScores } from "../../adapters/sql/dealer-figures/scores.ts";
import { recurring } from "../../adapters/system/recurring.ts";
import { makeDealerFigures } from "../../core/dealer-figures/figures.ts";
import { makeScoreKeeper } from "../../core/dealer-figures/score-keeper.ts";
import { type Feature, reportingFailures } from "./feature.ts";
import type { Shared } from "./shared.ts";

const SCORES_MS = 30_000;

/** How dealers stand, for those who look after many. */
export const wireDealerFigures = ({ db, lots, settings, clock, pause }: Shared) => {
  const dealerFigures = makeDealerFigures({ figures: makeDealerFiguresRepository(db), clock });
  const keepScores = makeScoreKeeper({ scores: makeDealerScores(db), lots, settings, clock, pause });
  return {
    uses: { dealerFigures, keepScores },
    routes: () => [],
    works: [reportingFailures(recurring(clock, SCORES_MS, keepScores))],
  } satisfies Feature;
};
