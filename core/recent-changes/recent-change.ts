import Type from "typebox";
import type { AuditEntry } from "../audit/audit-entry.ts";
import type { ChangeKind } from "../changes/named-change.ts";
import type { Timestamp } from "../clock.ts";
import { PageQuery } from "../page.ts";
import { type Input, id, oneOf, text } from "../schema.ts";

/** A change as it is stored: of one dealer, or of all dealers in the reader's scope. */
export interface StoredChange {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly at: Timestamp;
  readonly by: AuditEntry["actor"];
  readonly vehicles: number;
  /** How many of the vehicles it changed in fields that can be reverted. */
  readonly revertible: number;
  /** The vehicle, if it is only one. */
  readonly vehicleId: number | null;
  readonly fields: readonly string[];
  readonly reverts: string | null;
  readonly revertedAt: Timestamp | null;
  /** The change that reverted it last. */
  readonly revertedBy: string | null;
}

/** A change as it is answered. */
export interface RecentChange {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly at: Timestamp;
  /** A reader of a dealer sees people from outside that dealer only as `operator`. */
  readonly by: AuditEntry["actor"];
  readonly vehicles: number;
  /** The vehicle, if it is only one. */
  readonly vehicle_id: number | null;
  /** The names of the changed fields. */
  readonly fields: readonly string[];
  readonly revertible: boolean;
  /** The change that this one reverted. */
  readonly reverts: string | null;
  readonly reverted_at: Timestamp | null;
}

/** True if it changed something that can be reverted. Creations, removals and reversals cannot. */
export const isRevertible = ({ kind, revertible }: Pick<StoredChange, "kind" | "revertible">): boolean =>
  kind !== "reversal" && revertible > 0;

/** A stored change as it is answered. */
export const recentChangeOf = ({ vehicleId, revertedAt, revertedBy: _, ...change }: StoredChange): RecentChange => ({
  id: change.id,
  kind: change.kind,
  at: change.at,
  by: change.by,
  vehicles: change.vehicles,
  vehicle_id: vehicleId,
  fields: change.fields,
  revertible: isRevertible(change),
  reverts: change.reverts,
  reverted_at: revertedAt,
});

/** Query of GET /api/recent-changes. */
export const RecentChangesQuery = Type.Object({
  dealer_id: Type.Optional(
    id({ description: "Only changes of this dealer's vehicles. For a bound key, it is replaced by the key's dealer." }),
  ),
  limit: PageQuery.limit,
  cursor: Type.Optional(
    text(1, 500, {
      description: "`meta.next_cursor` of the previous page. The list continues exactly where that page ended.",
    }),
  ),
});
export type RecentChangesQuery = Input<typeof RecentChangesQuery>;

/** Query of POST /api/recent-changes/:id/revert. */
export const RevertQuery = Type.Object({
  after: Type.Optional(
    id({ description: "`next` of the previous answer, where the change has more vehicles than one request reverts." }),
  ),
  dealer_id: Type.Optional(
    id({ description: "Only this dealer's vehicles. For a bound key, it is replaced by the key's dealer." }),
  ),
  include: Type.Optional(
    oneOf(["names"], { description: "`names` adds the name and the stock number of each vehicle that is there." }),
  ),
});
export type RevertQuery = Input<typeof RevertQuery>;
