import Type from "typebox";
import type { Via } from "../access/principal.ts";
import { type AuditEntry, actorOf } from "../audit/audit-entry.ts";
import type { Timestamp } from "../clock.ts";
import { PageQuery } from "../page.ts";
import { type Input, oneOf, text } from "../schema.ts";

/** The fields whose changes are kept, in the order in which changes of one moment are listed. */
export const HISTORY_FIELDS = ["dealer_id", "mileage", "price", "stage", "status"] as const;
export type HistoryField = (typeof HISTORY_FIELDS)[number];

/** Who made a change. `dealerId` is 0 if the actor has no dealer, and `null` if the actor's dealer is unknown. */
export interface ChangeActor {
  readonly keyId: number | null;
  readonly userId: number | null;
  readonly name: string;
  readonly via: Via;
  readonly dealerId: number | null;
  /** The change that this one is a part of, and the change that it reverts. */
  readonly changeId?: string;
  readonly reverts?: string;
}

/** A change as it is stored, with numbers as text and prices in cents. */
export interface StoredChange {
  readonly at: Timestamp;
  readonly field: HistoryField;
  readonly old_value: string | null;
  readonly new_value: string | null;
  /** `null` if nobody recorded who it was. */
  readonly actor: ChangeActor | null;
  /** Of a reverted change and its reversal, the reversal. */
  readonly reverted_by: string | null;
}

/** A change of a vehicle as it is answered. */
export interface Change {
  readonly at: Timestamp;
  readonly field: HistoryField;
  readonly old: string | number | null;
  readonly new: string | number | null;
  /** `null` if nobody recorded who it was. */
  readonly by: AuditEntry["actor"] | null;
  readonly via: Via | null;
  /** The change of several fields or vehicles that it is a part of. */
  readonly change_id: string | null;
  /** The change that it reverted, and the one that reverted it. Such pairs count in no figure. */
  readonly reverts: string | null;
  readonly reverted_by: string | null;
}

const VALUES: Readonly<Record<HistoryField, (stored: string) => string | number>> = {
  dealer_id: Number,
  status: String,
  stage: String,
  price: (cents) => Number(cents) / 100,
  mileage: Number,
};

/** A stored change as it is answered to callers who may see all of it. */
export const changeOf = ({ at, field, old_value, new_value, actor, reverted_by }: StoredChange): Change => {
  const answered = (value: string | null) => (value === null ? null : VALUES[field](value));
  return {
    at,
    field,
    old: answered(old_value),
    new: answered(new_value),
    by: actor && actorOf(actor),
    via: actor?.via ?? null,
    change_id: actor?.changeId ?? null,
    reverts: actor?.reverts ?? null,
    reverted_by: reverted_by === actor?.changeId ? null : reverted_by,
  };
};

/** Query of GET /api/vehicles/:id/history. */
export const HistoryQuery = Type.Object({
  field: Type.Optional(oneOf(HISTORY_FIELDS, { description: "Only changes of this field." })),
  ...PageQuery,
  cursor: Type.Optional(
    text(1, 500, {
      description: "`meta.next_cursor` of the previous page. The list continues exactly where that page ended.",
    }),
  ),
});
export type HistoryQuery = Input<typeof HistoryQuery>;
