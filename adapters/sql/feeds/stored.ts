import type { Actor } from "../../../core/access/principal.ts";
import type { Visibility } from "../../../core/access/visibility.ts";
import { visibleActor } from "../../../core/audit/audit-entries-hide-other-dealers.ts";
import { actorOf } from "../../../core/audit/audit-entry.ts";
import type { Timestamp } from "../../../core/clock.ts";
import type { FeedFetch, FeedFields } from "../../../core/feeds/feed.ts";
import type { FeedState, FoundFeed, StoredFeed } from "../../../core/feeds/feed-repository.ts";
import type { Row } from "../query/tables.ts";

/** The columns of a feed's settings. */
const FIELD_COLUMNS = ["name", "channel", "dealer_id", "dealer_ids", "settings", "active", "ended_by"] as const;
/** The columns of a feed's maker. */
const MAKER_COLUMNS = ["actor_key_id", "actor_user_id", "actor_name", "actor_dealer_id", "via"] as const;

/** The columns of a new feed. */
export const INSERTED = [
  ...FIELD_COLUMNS,
  ...MAKER_COLUMNS,
  "created_at",
  "updated_at",
  "deleted_at",
  "held",
  "seen_state",
  "modified_at",
  "counted_state",
  "counted_rows",
  "counted_left_out",
  "counted_reason",
  "hour_at",
  "hour_count",
] as const;

/** The columns of a feed as it is returned, without its fetches. */
export const FEED_COLUMNS = ["id", "created_at", "updated_at", "held", ...FIELD_COLUMNS, ...MAKER_COLUMNS] as const;
type FeedRow = Pick<Row<"feeds">, (typeof FEED_COLUMNS)[number]>;

/** The dealer of a feed that is for one dealer only; `null` for a feed of several dealers. */
export const ownerOf = ({ dealer_ids }: Pick<FeedFields, "dealer_ids">): number | null =>
  dealer_ids?.length === 1 ? (dealer_ids[0] ?? null) : null;

/** The values of FIELD_COLUMNS. */
export const fieldColumns = ({ fields, endedBy }: FeedState) => {
  const { name, channel, dealer_ids, active, ...settings } = fields;
  return {
    name,
    channel,
    dealer_id: ownerOf(fields),
    dealer_ids: dealer_ids === null ? null : JSON.stringify(dealer_ids),
    settings: JSON.stringify(settings),
    active: active ? (1 as const) : (0 as const),
    ended_by: endedBy,
  };
};

/** The values of MAKER_COLUMNS. */
export const makerColumns = (by: Actor) => ({
  actor_key_id: by.keyId,
  actor_user_id: by.userId,
  actor_name: by.name,
  actor_dealer_id: by.dealerId ?? 0,
  via: by.via,
});

type StoredSettings = Omit<FeedFields, "name" | "channel" | "dealer_ids" | "active" | "price_type"> &
  Partial<Pick<FeedFields, "price_type">>;

/** The settings of a feed. */
export const fieldsOf = (row: Omit<Pick<FeedRow, (typeof FIELD_COLUMNS)[number]>, "ended_by">): FeedFields => ({
  name: row.name,
  channel: row.channel,
  dealer_ids: row.dealer_ids === null ? null : JSON.parse(row.dealer_ids),
  // Feeds of earlier versions have none.
  price_type: null,
  ...(JSON.parse(row.settings) as StoredSettings),
  active: row.active === 1,
});

/** A feed as it is stored. */
export const storedOf = (row: FeedRow): StoredFeed => ({
  id: row.id,
  fields: fieldsOf(row),
  endedBy: row.ended_by,
  updatedAt: row.updated_at,
  held: row.held === null ? null : JSON.parse(row.held),
});

/** A feed as a reader sees it, with its maker. */
export const answeredOf = (
  row: FeedRow,
  {
    visibility,
    fetches,
    graceUntil,
  }: {
    readonly visibility: Visibility;
    readonly fetches: readonly FeedFetch[];
    readonly graceUntil: Timestamp | null;
  },
): FoundFeed => ({
  feed: {
    id: row.id,
    ...fieldsOf(row),
    held: row.held === null ? null : JSON.parse(row.held),
    grace_until: graceUntil,
    fetches,
    by: visibleActor(visibility, {
      actor: actorOf({ keyId: row.actor_key_id, userId: row.actor_user_id, name: row.actor_name, via: row.via }),
      userId: row.actor_user_id,
      dealerId: row.actor_dealer_id || null,
    }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  },
  maker: { keyId: row.actor_key_id, userId: row.actor_user_id },
});
