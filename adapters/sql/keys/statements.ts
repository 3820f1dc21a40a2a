import { type Compilable, type RawBuilder, type SqlBool, sql } from "kysely";
import type { KeyFields } from "../../../core/keys/key-repository.ts";
import { fold } from "../../../core/text.ts";
import { selectKeys } from "../access/key-rows.ts";
import { IS_KEY_VISIBLE } from "../access/key-visibility.ts";
import type { VisibilityKind } from "../access/visibility.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, params, statement } from "../query/statement.ts";
import type { NewRow, Row } from "../query/tables.ts";

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

/** Statements on keys. Those that read or change a key exist once for each kind of visibility. */
export const keyStatements = (db: SqlDatabase) => {
  const byVisibility = <Row>(query: (sees: RawBuilder<SqlBool>, seen: VisibilityKind) => Compilable<Row>) => ({
    everything: statement(() => query(IS_KEY_VISIBLE.everything, "everything")),
    dealer: statement(() => query(IS_KEY_VISIBLE.dealer, "dealer")),
    user: statement(() => query(IS_KEY_VISIBLE.user, "user")),
  });
  const changed = db.nextTimestamp("updated_at", param("now"));
  return {
    found: byVisibility((sees, seen) => selectKeys(db, seen).where("api_keys.id", "=", param("id")).where(sees)),
    // Changes of access run one after another, but an instance of an earlier version may hold the key.
    locked: statement(() =>
      db.selectFrom("api_keys").select("id").where("id", "=", param("id")).modifyEnd(db.forUpdate),
    ),
    // For the caller who has just changed the key. The key may not be visible to that caller any more, but it shows no
    // more usage than before.
    afterChange: byVisibility((_, seen) => selectKeys(db, seen).where("api_keys.id", "=", param("id"))),
    insert: statement(() =>
      db
        .insertInto("api_keys")
        .values(
          params(INSERTED) satisfies Omit<
            NewRow<"api_keys">,
            "bound_since" | "notified_days" | "notified_expiry" | "idle_noticed_at"
          >,
        )
        .returning("id"),
    ),
    update: byVisibility((sees) =>
      db
        .updateTable("api_keys")
        .set({ ...params(FIELDS), updated_at: changed })
        .where("api_keys.id", "=", param("id"))
        .where(sees)
        .returning("id"),
    ),
    updateStart: byVisibility((sees) =>
      db
        .updateTable("api_keys")
        .set({ key_start: param("key_start"), updated_at: changed })
        .where("api_keys.id", "=", param("id"))
        .where(sees)
        .returning("id"),
    ),
    start: statement(() =>
      db
        .updateTable("api_keys")
        .set({ key_start: param("key_start") })
        .where("id", "=", param("id")),
    ),
    remove: byVisibility((sees) =>
      db.deleteFrom("api_keys").where("api_keys.id", "=", param("id")).where(sees).returning("id"),
    ),
    link: statement(() => db.insertInto("dealer_keys").values(params(["dealer_id", "key_id"]))),
    unlink: statement(() => db.deleteFrom("dealer_keys").where("key_id", "=", param("key_id"))),
    addSecret: statement(() => db.insertInto("key_secrets").values(params(["hash", "key_id", "ends_at"]))),
    endOlder: statement(() =>
      db.deleteFrom("key_secrets").where("key_id", "=", param("key_id")).where("ends_at", "is not", null),
    ),
    endPrevious: statement(() =>
      db
        .updateTable("key_secrets")
        .set({ ends_at: param("ends_at"), start: param("start") })
        .where("key_id", "=", param("key_id")),
    ),
    // It is not deleted, so that later requests with it still count as requests of the key.
    endGrace: statement(() =>
      db
        .updateTable("key_secrets")
        .set({ ends_at: param("now") })
        .where("key_id", "=", param("key_id"))
        .where("ends_at", "is not", null),
    ),
    secretKnown: statement(() => db.selectFrom("key_secrets").select("key_id").where("hash", "=", param("hash"))),
    anyKey: statement(() => db.selectFrom("api_keys").select("id").limit(sql.lit(1))),
    bootstrapKey: statement(() => selectKeys(db, "everything").where("api_keys.bootstrap", "=", 1)),
  };
};
