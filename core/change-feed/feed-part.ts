import type { DealerScope } from "../access/decide.ts";
import type { Dealer } from "../dealers/fields.ts";
import { type ImageDelivery, presentImage, type StoredImage } from "../images/image.ts";
import type { ChangeFeedRepository, ShownVehicle } from "./change-feed-repository.ts";
import type { FeedItem, RecordKind } from "./changed-record.ts";

/** The number of records that one statement reads. On SQLite, other requests wait until it ends. */
export const STEP = 100;
/** A page ends with the record that makes it longer than this. */
export const PAGE_BYTES = 1024 * 1024;
/** A page ends after this many steps, even if they found little for it. */
export const MAX_STEPS = 20;

/** What a reader wants to see. */
export interface FeedReader {
  /** The only dealer whose records are read; `null` for all dealers. */
  readonly dealer: DealerScope;
  readonly kinds: ReadonlySet<RecordKind>;
}

/** An item, and the place directly behind it. */
export interface Placed<Place> {
  readonly item: FeedItem;
  readonly place: Place;
}

/** Items in their order, and the place where reading continues. */
export interface FeedPart<Place, End = Place> {
  readonly items: readonly Placed<Place>[];
  readonly place: End;
  /** True if more may follow. */
  readonly more: boolean;
}

/** What reading the feed needs. */
export interface FeedSources {
  readonly records: ChangeFeedRepository;
  readonly delivery: ImageDelivery | null;
  /** Lets other work run in between. */
  readonly pause: () => Promise<void>;
}

/** A vehicle as it is now. */
export const vehicleItem = ({ id, dealer_id, updated_at, document }: ShownVehicle): FeedItem => ({
  kind: "vehicle",
  op: "upsert",
  id,
  dealer_id,
  at: updated_at,
  record: document,
});

/** A dealer as it is now. */
export const dealerItem = (dealer: Dealer): FeedItem => ({
  kind: "dealer",
  op: "upsert",
  id: dealer.id,
  dealer_id: dealer.id,
  at: dealer.updated_at,
  record: JSON.stringify(dealer),
});

/** An image as it is now, of a vehicle of this dealer. */
export const imageItem = (delivery: ImageDelivery | null, image: StoredImage, dealerId: number): FeedItem => ({
  kind: "image",
  op: "upsert",
  id: image.id,
  dealer_id: dealerId,
  at: image.created_at,
  record: JSON.stringify(presentImage(delivery, image)),
});

/** The length of an item's record. */
export const lengthOf = ({ record }: FeedItem): number => record?.length ?? 0;
