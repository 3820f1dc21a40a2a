import { scopeOf } from "../access/decide.ts";
import { type Caller, isAdmitted } from "../access/use-case.ts";
import { type Clock, msOf, type Timestamp } from "../clock.ts";
import { figureSightOf, LOW_SCORE } from "../dealers/figure-sight.ts";
import { ageBorders } from "../report/age-groups.ts";
import type { DealerFiguresRepository, LastFile, StoredFigures } from "./figures-repository.ts";

/** Why a dealer needs help. */
export const HELP_REASONS = ["quality", "left_out", "refused_keys", "failed_rows"] as const;
type HelpReason = (typeof HELP_REASONS)[number];

/** How a dealer stands, as `include=figures` answers it. */
export interface DealerFigures {
  readonly vehicles: number;
  readonly ages: readonly number[];
  /** In whole days. */
  readonly average_age: number | null;
  readonly quality: number | null;
  readonly left_out: number | null;
  readonly refused_keys: number | null;
  readonly last_file: LastFile | null;
  readonly last_change: Timestamp;
  readonly needs_help: readonly HelpReason[];
}

const DAY_MS = 86_400_000;

const reasonsOf = ({ quality, leftOut, refusedKeys, lastFile }: StoredFigures): HelpReason[] => {
  const reasons: Readonly<Record<HelpReason, boolean>> = {
    quality: quality !== null && quality < LOW_SCORE,
    left_out: (leftOut ?? 0) > 0,
    refused_keys: (refusedKeys ?? 0) > 0,
    failed_rows: (lastFile?.failed ?? 0) > 0,
  };
  return HELP_REASONS.filter((reason) => reasons[reason]);
};

const presented = (stored: StoredFigures, nowMs: number): DealerFigures => ({
  vehicles: stored.vehicles,
  ages: stored.ages,
  average_age: stored.listedMs === null ? null : Math.max(0, Math.floor((nowMs - stored.listedMs) / DAY_MS)),
  quality: stored.quality,
  left_out: stored.leftOut,
  refused_keys: stored.refusedKeys,
  last_file: stored.lastFile,
  last_change: stored.lastChange,
  needs_help: reasonsOf(stored),
});

/** Adds figures to lists of dealers. */
export const makeDealerFigures = ({ figures, clock }: { figures: DealerFiguresRepository; clock: Clock }) => ({
  /** Adds the figures to these dealers, as far as the caller may see them. A dealer out of reach gets none. */
  async addTo<Item extends { readonly id?: number }>(
    caller: Caller,
    dealers: readonly Item[],
  ): Promise<readonly (Item & { readonly figures?: DealerFigures })[]> {
    if (!isAdmitted(caller, "dealer.today")) return dealers;
    const nowMs = msOf(clock.now());
    const found = await figures.of({
      ids: dealers.flatMap(({ id }) => (id === undefined ? [] : [id])),
      scope: scopeOf(caller),
      sight: figureSightOf(caller, nowMs),
      borders: ageBorders(nowMs),
    });
    const byId = new Map(found.map((stored) => [stored.id, presented(stored, nowMs)]));
    return dealers.map((dealer) => {
      const known = byId.get(dealer.id ?? 0);
      return known === undefined ? dealer : { ...dealer, figures: known };
    });
  },
});

export type FiguresOfDealers = ReturnType<typeof makeDealerFigures>;
