import type { KeyFields } from "../../../core/keys/key-repository.ts";
import { fold } from "../../../core/text.ts";
import type { Row } from "../query/tables.ts";

const FIELDS = [
  "name",
  "description",
  "app_type",
  "app_id",
  "association",
  "user_id",
  "permissions",
  "rate_limit",
  "public",
  "allowed_origins",
  "allowed_networks",
  "owner_email",
  "active",
  "ended_by",
  "disabled_reason",
  "expires_at",
  "search_folded",
] as const satisfies (keyof Row<"api_keys">)[];

/** The columns of a new key. */
export const INSERTED = [...FIELDS, "key_start", "bootstrap", "created_at", "updated_at"] as const;

/** The columns that fields of a key are stored in. */
export const keyColumnsOf = (key: KeyFields): Pick<Row<"api_keys">, (typeof FIELDS)[number]> => ({
  name: key.name,
  description: key.description,
  app_type: key.appType,
  app_id: key.appId,
  association: key.association,
  user_id: key.userId,
  permissions: key.ownPermissions,
  rate_limit: key.rateLimit,
  public: key.isPublic ? 1 : 0,
  allowed_origins: key.allowedOrigins && JSON.stringify(key.allowedOrigins),
  allowed_networks: key.allowedNetworks && JSON.stringify(key.allowedNetworks),
  owner_email: key.ownerEmail,
  active: key.active ? 1 : 0,
  ended_by: key.endedBy,
  disabled_reason: key.disabledReason,
  expires_at: key.expiresAt,
  search_folded: fold([key.name, key.description ?? "", key.appId].join("\n")),
});
