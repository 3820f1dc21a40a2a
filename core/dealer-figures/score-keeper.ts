import type { Clock } from "../clock.ts";
import { dealerQuality, qualityCounter } from "../readiness/dealer-quality.ts";
import type { LotRepository } from "../readiness/lot-repository.ts";
import type { SettingsRepository } from "../settings/settings-repository.ts";
import type { DealerScores } from "./figures-repository.ts";

interface Ports {
  readonly scores: DealerScores;
  readonly lots: Pick<LotRepository, "shared" | "lot">;
  readonly settings: Pick<SettingsRepository, "read">;
  readonly clock: Clock;
  /** Resolves later, so that other work can run meanwhile. */
  readonly pause: () => Promise<void>;
}

const DAY_SECONDS = 86_400;
/** A dealer that changes all the time is not judged more often. */
const PAUSE_SECONDS = 300;
/** The dealers that are judged at most in one run, and the vehicles after which it ends. */
const MOST_DEALERS = 100;
const MOST_VEHICLES = 5000;

/**
 * Judges anew the vehicles of dealers that changed since they were judged, or were judged a day ago, for the rules also
 * depend on the day. What is left is done by the next run.
 */
export const makeScoreKeeper =
  ({ scores, lots, settings, clock, pause }: Ports) =>
  async (): Promise<void> => {
    const now = clock.now();
    const judging = { now, distanceUnit: (await settings.read()).distance_unit };
    let judged = 0;
    const due = { changed: clock.after(-PAUSE_SECONDS), before: clock.after(-DAY_SECONDS), most: MOST_DEALERS };
    for (const { dealerId, mark } of await scores.due(due)) {
      if (judged >= MOST_VEHICLES) return;
      const [lot, counter] = [dealerQuality(judging, await lots.shared(dealerId)), qualityCounter()];
      for await (const some of lots.lot(dealerId)) {
        for (const vehicle of some) lot.add(vehicle);
        await pause();
      }
      await lot.addTo(counter, pause);
      const { score, vehicles } = counter.quality();
      await scores.keep({ dealerId, mark, score, at: now });
      judged += vehicles;
    }
  };
