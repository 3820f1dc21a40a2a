import type { DealerScope } from "../access/decide.ts";
import type { Timestamp } from "../clock.ts";
import type { Dealer } from "../dealers/fields.ts";
import type { StoredImage } from "../images/image.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { RecordKind } from "./changed-record.ts";
import type { Position, WalkedVehicle } from "./feed-place.ts";

/**
 * What became of a record at a dealer. The last two are of images that went the same way together with their vehicle.
 */
export type RecordState = "present" | "gone" | "moved" | "gone-with-vehicle" | "moved-with-vehicle";

/** The last change of a record at one dealer. */
export interface ChangedRecord {
  readonly kind: RecordKind;
  readonly id: number;
  readonly dealer_id: number;
  readonly state: RecordState;
  readonly at: Timestamp;
  readonly position: Position;
}

/** A vehicle as it is answered. */
export interface ShownVehicle {
  readonly id: number;
  readonly dealer_id: number;
  readonly updated_at: Timestamp;
  /** JSON. */
  readonly document: string;
}

/** The end of what everybody can see. */
export interface FeedHead {
  readonly numbering: string;
  /** No change before it becomes visible later. */
  readonly position: Position;
}

/**
 * Changed records and the inventory. If a dealer is given, every statement reads only what is that dealer's, and takes the same
 * time however much others have.
 */
export interface ChangeFeedRepository {
  head(): MaybePromise<FeedHead>;
  /** Up to `limit` changed records after a position, in their order. `until` is the position of a head. */
  changed(
    dealer: DealerScope,
    range: { readonly after: Position; readonly until: Position; readonly limit: number },
  ): MaybePromise<readonly ChangedRecord[]>;
  /** Up to `limit` active dealers after one, by their ids. */
  dealersAfter(dealer: DealerScope, id: number, limit: number): MaybePromise<readonly Dealer[]>;
  /** Up to `limit` vehicles after one, newest first. */
  vehiclesAfter(
    dealer: DealerScope,
    vehicle: WalkedVehicle | null,
    limit: number,
  ): MaybePromise<readonly (ShownVehicle & WalkedVehicle)[]>;
  /** All images of these vehicles, by their ids. */
  imagesOf(dealer: DealerScope, vehicleIds: readonly number[]): MaybePromise<readonly StoredImage[]>;
  /** Those of these active dealers that are there. */
  dealers(dealer: DealerScope, ids: readonly number[]): MaybePromise<readonly Dealer[]>;
  /** Those of these vehicles that are there. */
  vehicles(dealer: DealerScope, ids: readonly number[]): MaybePromise<readonly ShownVehicle[]>;
  /** Those of these images that are there. */
  images(dealer: DealerScope, ids: readonly number[]): MaybePromise<readonly StoredImage[]>;
  /** Forgets some of what ended before; returns how many. */
  purgeSome(before: Timestamp): Promise<number>;
}
