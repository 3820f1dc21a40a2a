import type { DealerScope } from "../access/decide.ts";
import type { Timestamp } from "../clock.ts";
import type { FigureSight } from "../dealers/figure-sight.ts";

/** The last completed import of a dealer. */
export interface LastFile {
  readonly import_id: number;
  readonly at: Timestamp;
  /** The rows that failed. */
  readonly failed: number;
}

/** What is stored about a dealer. `null` stands for what is unknown and for what the reader may not see. */
export interface StoredFigures {
  readonly id: number;
  readonly vehicles: number;
  /** The mean time at which its vehicles on the lot were listed, in milliseconds. */
  readonly listedMs: number | null;
  /** The vehicles on the lot by age, the youngest first. */
  readonly ages: readonly number[];
  readonly quality: number | null;
  readonly leftOut: number | null;
  readonly refusedKeys: number | null;
  readonly lastFile: LastFile | null;
  readonly lastChange: Timestamp;
}

/** Reads the figures of dealers. */
export interface DealerFiguresRepository {
  /** Those of these dealers that are in scope. `borders` are the moments of listing between the ages, the latest first. */
  of(wanted: {
    readonly ids: readonly number[];
    readonly scope: DealerScope;
    readonly sight: FigureSight;
    readonly borders: readonly Timestamp[];
  }): Promise<readonly StoredFigures[]>;
}

/** The quality of dealers' vehicles as it was judged last. */
export interface DealerScores {
  /**
   * Dealers that changed since they were judged, if that was before `changed`, and all that were judged before `before`.
   * Those judged first come first.
   */
  due(limits: {
    readonly changed: Timestamp;
    readonly before: Timestamp;
    readonly most: number;
  }): Promise<readonly { readonly dealerId: number; readonly mark: number }[]>;
  /** Keeps a score, unless the dealer is gone. `mark` says which state of the dealer was judged. */
  keep(score: {
    readonly dealerId: number;
    readonly mark: number;
    readonly score: number | null;
    readonly at: Timestamp;
  }): Promise<void>;
}
