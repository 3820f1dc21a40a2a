import type { Actor } from "../../../core/access/principal.ts";
import { AUDITED, type AuditedResource, actionOf, recordNameIn } from "../../../core/audit/actions.ts";
import type { AuditDraft } from "../../../core/audit/audit-entry.ts";
import type { Timestamp } from "../../../core/clock.ts";
import type { ChangeActor } from "../../../core/history/change.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { params, type SqlValue, type Statement, statement } from "../query/statement.ts";
import type { NewRow } from "../query/tables.ts";
import { type EntryFields, entryFields } from "./entry-fields.ts";

/**
 * The columns of an entry that are known only to the change itself, with the column of the change's result for each.
 */
export const RECORD_COLUMNS = {
  action: "action",
  resource_id: "resource_id",
  record_name: "record_name",
  dealer_id: "owner_id",
  before: "before",
} as const;
/** The names of RECORD_COLUMNS. */
export const RECORD_COLUMN_NAMES = Object.keys(RECORD_COLUMNS) as (keyof typeof RECORD_COLUMNS)[];

/** The columns of an entry that are known before the change, with their PostgreSQL types. */
export const CONTEXT_COLUMNS = {
  created_at: "TEXT",
  actor_key_id: "BIGINT",
  actor_user_id: "BIGINT",
  actor_name: "TEXT",
  via: "TEXT",
  resource: "TEXT",
  after: "TEXT",
  address: "TEXT",
  request_id: "TEXT",
  actor_dealer_id: "BIGINT",
  import_id: "BIGINT",
  change_id: "TEXT",
  reverts: "TEXT",
} as const;
/** The names of CONTEXT_COLUMNS. */
export const CONTEXT_COLUMN_NAMES = Object.keys(CONTEXT_COLUMNS) as (keyof typeof CONTEXT_COLUMNS)[];

/** The actor's dealer as it is stored: 0 if there is none, `null` if it is unknown. */
export const actorDealerOf = ({ dealerId }: Actor): number | null => (dealerId === undefined ? null : (dealerId ?? 0));

/** The actor of a change as JSON, in the form that histories of vehicles and recent changes store. */
export const changeActorOf = (by: Actor): string =>
  JSON.stringify({
    keyId: by.keyId,
    userId: by.userId,
    name: by.name,
    via: by.via,
    dealerId: actorDealerOf(by),
    ...(by.change !== undefined && { changeId: by.change.id }),
    ...(by.change?.reverts !== undefined && { reverts: by.change.reverts }),
  } satisfies ChangeActor);

/** Who makes a change, when, and the new values. */
export interface AuditContext {
  readonly at: Timestamp;
  readonly by: Actor;
  readonly resource: AuditedResource;
  /** The new values; `null` if the record is deleted. */
  readonly after: EntryFields | null;
  /** The fields of a vehicle that are set, if its old values can be given back. */
  readonly fields?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** An entry to write: who made the change, when, and what it changed. */
interface NewEntry extends AuditDraft {
  readonly at: Timestamp;
  readonly by: Actor;
}

/** The values of CONTEXT_COLUMNS. */
export const contextValues = ({
  at,
  by,
  resource,
  after,
}: AuditContext): Record<keyof typeof CONTEXT_COLUMNS, SqlValue> => ({
  created_at: at,
  actor_key_id: by.keyId,
  actor_user_id: by.userId,
  actor_name: by.name,
  via: by.via,
  resource,
  after,
  address: by.address,
  request_id: by.requestId,
  actor_dealer_id: actorDealerOf(by),
  import_id: by.importId ?? null,
  change_id: by.change?.id ?? null,
  reverts: by.change?.reverts ?? null,
});

/** Inserts an entry; every column is a parameter. */
export const entryQuery = (db: SqlDatabase) =>
  db
    .insertInto("audit_entries")
    .values(params([...CONTEXT_COLUMN_NAMES, ...RECORD_COLUMN_NAMES]) satisfies NewRow<"audit_entries">);

/** The values of an entry. */
type EntryValues = Readonly<Record<keyof typeof CONTEXT_COLUMNS | keyof typeof RECORD_COLUMNS, SqlValue>>;

/** The compiled statement of `entryQuery`. */
export const entryInsertion = (db: SqlDatabase): Statement<unknown, EntryValues> => statement(() => entryQuery(db));

/** Writes an audit entry within the transaction of the change it is about. */
export const auditTrail = (db: SqlDatabase) => {
  const inserted = entryInsertion(db);
  return async (tx: Sql, { at, by, resourceId, dealerId, ...draft }: NewEntry): Promise<void> => {
    const resource = AUDITED[draft.action];
    const before = draft.before as Fields | null;
    const after = draft.after as Fields | null;
    await tx.all(inserted, {
      ...contextValues({ at, by, resource, after: after === null ? null : entryFields(after) }),
      action: actionOf(draft.action, before, after),
      resource_id: resourceId,
      record_name: draft.recordName ?? recordNameIn(resource, before ?? after),
      dealer_id: dealerId,
      before: before === null ? null : entryFields(before),
    });
  };
};
