import type { Operation } from "../access/policy.ts";
import type { Actor, Via } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import { resourceOfOperation } from "../resources.ts";
import { type Action, AUDITED_RESOURCES, type Audited, type AuditedResource } from "./actions.ts";

/** What an operation is about, if the audit log has a name for it. */
export const resourceOf = (operation: Operation): AuditedResource | null =>
  AUDITED_RESOURCES.find((resource) => resource === resourceOfOperation(operation)) ?? null;

type Fields = Readonly<Record<string, unknown>>;

/** A change to be recorded: fields of the record before and after it, without secrets. */
export interface AuditDraft {
  readonly action: Audited;
  /** `null` where several records change together. */
  readonly resourceId: number | null;
  /** Whose record it was when it was changed. */
  readonly dealerId: number | null;
  readonly before: object | null;
  readonly after: object | null;
  /** What the record was called; left out if `before` or `after` tells it. */
  readonly recordName?: string | null;
}

/** One recorded change, or denial. */
export interface AuditEntry {
  readonly id: number;
  readonly at: Timestamp;
  readonly actor: {
    /** To a dealer, an actor from outside it is only an `operator`. */
    readonly type: "key" | "user" | "command" | "service" | "operator";
    readonly id: number | null;
    /** The name of the key or user at that time. */
    readonly name: string;
  };
  readonly via: Via;
  readonly action: Action;
  readonly resource: AuditedResource | null;
  readonly resource_id: number | null;
  /** What the record was called when it was changed, of an image its vehicle; `null` if nobody knows. */
  readonly record_name: string | null;
  /** The dealer of the record; the reader's own when the reader's dealer received it. */
  readonly dealer_id: number | null;
  /** The changed fields before the change; the whole record when it was removed. */
  readonly before: Fields | null;
  /** The same fields after the change; the whole record when it was created. */
  readonly after: Fields | null;
  readonly address: string | null;
  readonly request_id: string | null;
  /** The import that the change comes from. */
  readonly import_id: number | null;
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

/** Changes with every update and so says nothing about it. */
const UNREPORTED_FIELDS: ReadonlySet<string> = new Set([
  "updated_at",
  "last_used_at",
  "grace_last_used_at",
  "grace_uses_today",
  "invited",
]);

/** The fields in which two states of a record differ; a state without its counterpart stays whole. */
export const changesBetween = (before: Fields | null, after: Fields | null): Pick<AuditEntry, "before" | "after"> => {
  if (before === null || after === null) return { before, after };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !UNREPORTED_FIELDS.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const only = (fields: Fields): Fields =>
    Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
  return { before: only(before), after: only(after) };
};
