import type { DealerScope } from "../access/decide.ts";
import type { Visibility } from "../access/visibility.ts";
import type { ChannelName } from "../channels/titles.ts";
import type { Timestamp } from "../clock.ts";
import type { LeftOutReason } from "../feeds/feed-repository.ts";
import type { UsageCounts } from "../keys/usage-repository.ts";

/** One dealer, at one moment. Every statement restricts its rows to the scope: a dealer outside of it has none. */
export interface DealerNow {
  readonly scope: DealerScope;
  readonly dealerId: number;
  readonly now: Timestamp;
}

/** A number of vehicles, and the sum of their ages in milliseconds. */
export interface AgeSum {
  readonly vehicles: number;
  readonly ms: number;
}

/** The lot of a dealer. */
export interface Lot extends AgeSum {
  readonly cents: number;
  /** It changes whenever the dealer's vehicles or their images change. */
  readonly mark: number;
}

/** A vehicle on the lot whose days have just reached a line. */
export interface CrossingVehicle {
  readonly id: number;
  readonly title: string | null;
  readonly year: number;
  readonly make: string;
  readonly model: string;
  readonly stock_number: string | null;
  readonly listed_at: Timestamp;
  readonly cents: number;
  /** The address of its primary image, or else its first one. */
  readonly image_url: string | null;
  /** Its version, for those who change it. */
  readonly updated_at: Timestamp;
}

/** What the channel of a feed got when its rows were counted last. */
export interface FeedCount {
  readonly id: number;
  readonly name: string;
  readonly channel: ChannelName;
  readonly rows: number;
  readonly left_out: number;
  /** `null` if nothing was left out, or if it was not kept. */
  readonly reason: LeftOutReason | null;
}

/** Vehicles that were found: how many there are, and the first of them. */
export interface FoundVehicles<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}

/** A vehicle on the lot whose price was changed, with the prices that the last files of its sources said, the latest first. */
export interface RepricedVehicle {
  readonly id: number;
  readonly price: number;
  readonly said: readonly number[];
}

/** The last import of a dealer that was completed. */
export interface LastImport {
  readonly id: number;
  readonly rows: number;
  readonly failed: number;
}

/** The requests of a key in a period, and the code with which most of its latest denials were answered. */
export interface KeyRequests extends UsageCounts {
  readonly id: number;
  readonly name: string;
  readonly code: string | null;
}

/** What is on a dealer's lot today. No statement reads more if other dealers have more. */
export interface TodayRepository {
  /** `null` if there is no such dealer in scope. The cost does not depend on the number of vehicles. */
  lot(of: DealerNow): Promise<Lot | null>;
  /** Vehicles on the lot that were listed after a moment, with their ages now. */
  listedAfter(of: DealerNow, moment: Timestamp): Promise<AgeSum>;
  /** Vehicles that were listed up to a moment and sold after it, with their ages then. */
  soldAfter(of: DealerNow, moment: Timestamp): Promise<AgeSum>;
  /**
   * The number of vehicles on the lot without images. It visits each vehicle on the lot, unless it has counted them for
   * this mark already.
   */
  withoutImages(of: DealerNow, mark: number): Promise<number>;
  /** Vehicles on the lot that were listed within any of these periods, those listed first come first. */
  listedWithin(
    of: DealerNow,
    periods: readonly { readonly after: Timestamp; readonly to: Timestamp }[],
    most: number,
  ): Promise<FoundVehicles<CrossingVehicle>>;
  /** Of the vehicles that were sold last and after a moment, up to `among`: those whose sale has no price, the last sold first. */
  soldWithoutPrice(
    of: DealerNow,
    sought: { readonly after: Timestamp; readonly among: number; readonly most: number },
  ): Promise<FoundVehicles<number>>;
  /** Of the vehicles whose prices were changed last, as many as `most`: those of which files said a price. */
  repriced(of: DealerNow, most: number): Promise<readonly RepricedVehicle[]>;
  /** The active feeds of this dealer alone whose rows were counted, those that leave out most come first. */
  feeds(of: DealerNow): Promise<readonly FeedCount[]>;
  lastImport(of: DealerNow): Promise<LastImport | null>;
  /** The keys of the dealer that the caller sees and that were used from the hour `first` on. */
  keys(of: DealerNow, visibility: Visibility, first: Timestamp): Promise<readonly KeyRequests[]>;
}
