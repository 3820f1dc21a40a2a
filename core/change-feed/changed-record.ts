import Type from "typebox";
import type { Timestamp } from "../clock.ts";
import { commaList, type Input, id, integer, text } from "../schema.ts";

/** The kinds of records that a copy consists of, in the order in which it needs them. */
export const RECORD_KINDS = ["dealer", "vehicle", "image"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** What a copy does with a record: it keeps it as it is now, or removes it. */
export const CHANGE_OPS = ["upsert", "remove"] as const;

/** A record as a copy must have it. */
export interface FeedItem {
  readonly kind: RecordKind;
  readonly op: (typeof CHANGE_OPS)[number];
  readonly id: number;
  /** The dealer of the record, or the one that it was removed from. */
  readonly dealer_id: number;
  /** When the record changed last. */
  readonly at: Timestamp;
  /** The record as JSON text, in the same form as the API answers it; `null` if it is removed. */
  readonly record: string | null;
}

/** For how many days a cursor works. Removals are forgotten later. */
export const FEED_DAYS = 30;
const MAX_WAIT_SECONDS = 25;
const MAX_CURSOR = 500;

const reading = {
  after: Type.Optional(
    text(1, MAX_CURSOR, {
      description:
        "The `next` of the page before, or the `id` of an event. Without it, the whole inventory comes first; with `now`, only what changes from now on. Any key with the same binding can continue.",
    }),
  ),
  kinds: Type.Optional(
    commaList(RECORD_KINDS, {
      description:
        "The kinds of records, repeated or separated by commas. Default: all that the key may read. `dealer` needs `dealers:read`.",
    }),
  ),
  dealer_id: Type.Optional(
    id({ description: "Only records of this dealer. For a key that is bound to a dealer, it is always the key's." }),
  ),
};

/** Query of GET /api/changes. */
export const ChangesQuery = Type.Object({
  ...reading,
  limit: Type.Optional(
    integer(1, 1000, {
      description: "Maximum number of records. There are fewer if they are long.",
      default: 100,
    }),
  ),
  wait: Type.Optional(
    integer(0, MAX_WAIT_SECONDS, {
      description: "If nothing has changed, the number of seconds for which the answer is held until something has.",
      default: 0,
    }),
  ),
});
export type ChangesQuery = Input<typeof ChangesQuery>;

/** Query of GET /api/changes/stream. */
export const StreamQuery = Type.Object(reading);
export type StreamQuery = Input<typeof StreamQuery>;
