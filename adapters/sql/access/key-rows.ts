import { sql } from "kysely";
import type { KeyRecord } from "../../../core/keys/key.ts";
import type { Role } from "../../../core/permissions.ts";
import type { Queries } from "../query/driver.ts";
import type { Row } from "../query/tables.ts";
import { IS_USAGE_VISIBLE } from "./key-visibility.ts";
import type { VisibilityKind } from "./visibility.ts";

/** A key joined with its dealer link, its user and its last use. */
export type KeyRow = Omit<
  Row<"api_keys">,
  "bound_since" | "bootstrap" | "search_folded" | "notified_days" | "notified_expiry"
> & {
  readonly linked_dealer: number | null;
  readonly last_used_at: string | null;
  readonly old_ends_at: string | null;
  readonly old_start: string | null;
  readonly old_last_used_at: string | null;
  readonly old_uses: number | null;
  readonly old_day: string | null;
  readonly user_role: Role | null;
  readonly user_dealer: number | null;
  readonly user_permissions: number | null;
  readonly user_active: 0 | 1 | null;
  readonly user_ended_by: Role | null;
};

/** Keys with everything that determines their rights, and the part of their last use that the reader may see. */
export const selectKeys = (on: Queries, seen: VisibilityKind) =>
  on
    .selectFrom("api_keys")
    .leftJoin("dealer_keys", "dealer_keys.key_id", "api_keys.id")
    .leftJoin("users", "users.id", "api_keys.user_id")
    .leftJoin("key_usage", (join) =>
      join.onRef("key_usage.key_id", "=", "api_keys.id").on(IS_USAGE_VISIBLE[seen]("key_usage.last_used_at")),
    )
    // A key has at most one old secret: the previous one is removed when another secret becomes old.
    .leftJoin("key_secrets as old", (join) =>
      join.onRef("old.key_id", "=", "api_keys.id").on("old.ends_at", "is not", null),
    )
    .leftJoin("old_secret_uses", (join) =>
      join.onRef("old_secret_uses.hash", "=", "old.hash").on(IS_USAGE_VISIBLE[seen]("old_secret_uses.last_used_at")),
    )
    .select([
      "api_keys.id",
      "api_keys.name",
      "api_keys.description",
      "api_keys.app_type",
      "api_keys.app_id",
      "api_keys.key_start",
      "api_keys.association",
      "api_keys.user_id",
      "api_keys.permissions",
      "api_keys.rate_limit",
      "api_keys.public",
      "api_keys.allowed_origins",
      "api_keys.allowed_networks",
      "api_keys.owner_email",
      "api_keys.active",
      "api_keys.ended_by",
      "api_keys.disabled_reason",
      "api_keys.idle_noticed_at",
      "api_keys.expires_at",
      "api_keys.created_at",
      "api_keys.updated_at",
      "dealer_keys.dealer_id as linked_dealer",
      "key_usage.last_used_at",
      "old.ends_at as old_ends_at",
      "old.start as old_start",
      "old_secret_uses.last_used_at as old_last_used_at",
      "old_secret_uses.uses as old_uses",
      // On the day of a move both dealers used the key, so neither of them may see that day. The same is true for an
      // hour of usage.
      sql<string | null>`CASE WHEN ${IS_USAGE_VISIBLE[seen]("old_secret_uses.day")} THEN old_secret_uses.day END`.as(
        "old_day",
      ),
      "users.role as user_role",
      "users.dealer_id as user_dealer",
      "users.permissions as user_permissions",
      "users.active as user_active",
      "users.ended_by as user_ended_by",
    ]);

/** The last use or change of a key that `selectKeys` reads. */
export const LAST_SEEN = sql<string>`CASE WHEN key_usage.last_used_at > api_keys.updated_at THEN key_usage.last_used_at
  ELSE api_keys.updated_at END`;

/** The record of a row. */
export const keyOf = (row: KeyRow): KeyRecord => ({
  id: row.id,
  name: row.name,
  description: row.description,
  appType: row.app_type,
  appId: row.app_id,
  keyStart: row.key_start,
  association: row.association,
  dealerId: row.association === "dealer" ? row.linked_dealer : null,
  userId: row.user_id,
  holder:
    row.user_role === null
      ? null
      : {
          role: row.user_role,
          dealerId: row.user_dealer,
          permissions: row.user_permissions ?? 0,
          active: row.user_active === 1,
          endedBy: row.user_ended_by,
        },
  ownPermissions: row.permissions,
  rateLimit: row.rate_limit,
  isPublic: row.public === 1,
  allowedOrigins: row.allowed_origins === null ? null : JSON.parse(row.allowed_origins),
  allowedNetworks: row.allowed_networks === null ? null : JSON.parse(row.allowed_networks),
  active: row.active === 1,
  endedBy: row.ended_by,
  disabledReason: row.disabled_reason,
  idleNoticedAt: row.idle_noticed_at,
  ownerEmail: row.owner_email,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  oldSecret:
    row.old_ends_at === null
      ? null
      : {
          start: row.old_start,
          endsAt: row.old_ends_at,
          lastUsedAt: row.old_last_used_at,
          uses: row.old_uses ?? 0,
          usesDay: row.old_day,
        },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
