import type { Actor, Way } from "../../core/access/principal.ts";
import type { AuditFilter, AuditLog } from "../../core/audit/audit.ts";
import { type AuditEntry, type AuditedResource, actorOf, changedFields } from "../../core/audit/audit-entry.ts";
import type { SqlDatabase } from "./database.ts";
import { listing } from "./listing.ts";
import { sightValues } from "./sight.ts";
import { param } from "./statement.ts";

const COLUMNS = [
  "id",
  "created_at",
  "actor_key_id",
  "actor_user_id",
  "actor_name",
  "via",
  "action",
  "resource",
  "resource_id",
  "dealer_id",
  "before",
  "after",
  "address",
  "request_id",
] as const;

interface AuditRow {
  readonly id: number;
  readonly created_at: string;
  readonly actor_key_id: Actor["keyId"];
  readonly actor_user_id: Actor["userId"];
  readonly actor_name: string;
  readonly via: Way;
  readonly action: AuditEntry["action"];
  readonly resource: AuditedResource | null;
  readonly resource_id: number | null;
  readonly dealer_id: number | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
}

const fieldsOf = (json: string | null): Readonly<Record<string, unknown>> | null =>
  json === null ? null : JSON.parse(json);

const entryOf = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.created_at,
  actor: actorOf({ keyId: row.actor_key_id, userId: row.actor_user_id, name: row.actor_name, via: row.via }),
  via: row.via,
  action: row.action,
  resource: row.resource,
  resource_id: row.resource_id,
  dealer_id: row.dealer_id,
  ...changedFields(fieldsOf(row.before), fieldsOf(row.after)),
  address: row.address,
  request_id: row.request_id,
});

/** The column each plain filter compares. */
const COMPARED = {
  keyId: "actor_key_id",
  userId: "actor_user_id",
  via: "via",
  resource: "resource",
  resourceId: "resource_id",
  dealerId: "dealer_id",
  action: "action",
} as const satisfies Partial<Record<keyof AuditFilter, (typeof COLUMNS)[number]>>;

/** The audit log in SQL; see the port for what it guarantees. */
export const makeAuditLog = (db: SqlDatabase): AuditLog => {
  const list = listing<AuditRow>(db, "audit_entries", (has) => {
    let query = db.build.selectFrom("audit_entries").select(COLUMNS).$castTo<AuditRow>();
    if (has("sightDealer")) query = query.where("dealer_id", "=", param("sightDealer"));
    if (has("sightUser")) query = query.where("actor_user_id", "=", param("sightUser"));
    for (const [filter, column] of Object.entries(COMPARED))
      if (has(filter)) query = query.where(column, "=", param(filter));
    if (has("from")) query = query.where("created_at", ">=", param("from"));
    if (has("to")) query = query.where("created_at", "<", param("to"));
    return query;
  });

  return {
    async list(sight, filter, page, after) {
      const place = after && { created_at: after.at, id: after.id };
      const { total, items } = await list(
        { ...sightValues(sight), ...filter },
        { ...page, limit: page.limit + 1 },
        place,
      );
      return { total, items: items.slice(0, page.limit).map(entryOf), more: items.length > page.limit };
    },
  };
};
