import type { Operation } from "../access/policy.ts";
import type { Actor, Via } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import { resourceOfOperation } from "../resources.ts";
import { type Action, AUDITED_RESOURCES, type Audited, type AuditedResource } from "./actions.ts";

/** What an operation is about, if the audit log has a name for it. */
export const resourceOf = (operation: Operation): AuditedResource | null =>
  AUDITED_RESOURCES.find((resource) => resource === resourceOfOperation(operation)) ?? null;

type Fields = Readonly<Record<string, unknown>>;

/** A change to be recorded, with fields of the record before and after it, but without secrets. */
export interface AuditDraft {
  readonly action: Audited;
  /** `null` where several records change together. */
  readonly resourceId: number | null;
  /** The dealer that the record belonged to when it was changed. */
  readonly dealerId: number | null;
  readonly before: object | null;
  readonly after: object | null;
  /** What the record was called. It may be left out if `before` or `after` contains the name. */
  readonly recordName?: string | null;
}

/** A recorded change or denial. */
export interface AuditEntry {
  readonly id: number;
  readonly at: Timestamp;
  readonly actor: {
    /** A reader of a dealer sees every actor from outside that dealer as `operator`. */
    readonly type: "key" | "user" | "command" | "service" | "operator";
    readonly id: number | null;
    /** The name of the key or user at that time. */
    readonly name: string;
  };
  readonly via: Via;
  readonly action: Action;
  readonly resource: AuditedResource | null;
  readonly resource_id: number | null;
  /**
   * What the record was called when it was changed. An image has the name of its vehicle. `null` if the name is
   * unknown.
   */
  readonly record_name: string | null;
  /**
   * The record's dealer; of a move, the dealer before it. A reader whose dealer received the record sees that dealer.
   */
  readonly dealer_id: number | null;
  /** The changed fields before the change; the whole record when it was removed. */
  readonly before: Fields | null;
  /** The same fields after the change; the whole record when it was created. */
  readonly after: Fields | null;
  readonly address: string | null;
  readonly request_id: string | null;
  /** The import that the change comes from. */
  readonly import_id: number | null;
  /** The change that it is a part of, so that it can be reverted as a whole. */
  readonly change_id: string | null;
  /** The change that it reverts. */
  readonly reverts: string | null;
}

/** The actor of an entry: a signed-in user or a key. */
export const actorOf = ({
  keyId,
  userId,
  name,
  via,
}: Pick<Actor, "keyId" | "userId" | "name" | "via">): AuditEntry["actor"] => {
  if (keyId !== null) return { type: "key", id: keyId, name };
  if (via === "command" || via === "service") return { type: via, id: null, name };
  return { type: "user", id: userId, name };
};

/** Fields that every update changes, and that therefore say nothing about it. */
const UNREPORTED_FIELDS: ReadonlySet<string> = new Set([
  "updated_at",
  "last_used_at",
  "idle_ends_at",
  "grace_last_used_at",
  "grace_uses_today",
  "invited",
]);

/** The fields in which two states of a record differ. If one of the states is missing, the other is returned whole. */
export const changesBetween = (before: Fields | null, after: Fields | null): Pick<AuditEntry, "before" | "after"> => {
  if (before === null || after === null) return { before, after };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !UNREPORTED_FIELDS.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const only = (fields: Fields): Fields =>
    Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
  return { before: only(before), after: only(after) };
};
