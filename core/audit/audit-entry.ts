import type { Operation } from "../access/policy.ts";
import type { Actor, Channel } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import { type ResourceWith, resourceOfOperation, resourcesWith } from "../resources.ts";

/** What an entry of the audit log can be about. */
export const AUDITED_RESOURCES = resourcesWith("audited");
export type AuditedResource = ResourceWith<"audited">;

/** Every change that is recorded, and what it is a change of. */
export const AUDITED = {
  "vehicle.created": "vehicles",
  "vehicle.changed": "vehicles",
  "vehicle.removed": "vehicles",
  "vehicle.seeded": "vehicles",
  "image.added": "images",
  "image.changed": "images",
  "image.ordered": "images",
  "image.removed": "images",
  "dealer.created": "dealers",
  "dealer.changed": "dealers",
  "dealer.seeded": "dealers",
  "key.created": "keys",
  "key.changed": "keys",
  "key.rotated": "keys",
  "key.grace-ended": "keys",
  "key.removed": "keys",
  "user.created": "users",
  "user.changed": "users",
  "user.signed-in": "users",
  "user.signed-out": "users",
  "user.sign-in-failed": "users",
  "user.invited": "users",
  "user.invitation-used": "users",
  "user.password-changed": "users",
  "user.second-factor-on": "users",
  "user.second-factor-off": "users",
  "user.second-factor-reset": "users",
  "user.recovery-codes-renewed": "users",
  "user.sessions-ended": "users",
  "user.locked-out": "users",
} as const satisfies Record<string, AuditedResource>;
export type Audited = keyof typeof AUDITED;

/** The recorded denials. */
export const DENIED = "access.denied";

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
  readonly via: Channel;
  readonly action: Audited | typeof DENIED;
  readonly resource: AuditedResource | null;
  readonly resource_id: number | null;
  /** The dealer of the record; the reader's own when the reader's dealer received it. */
  readonly dealer_id: number | null;
  /** The changed fields before the change; the whole record when it was removed. */
  readonly before: Fields | null;
  /** The same fields after the change; the whole record when it was created. */
  readonly after: Fields | null;
  readonly address: string | null;
  readonly request_id: string | null;
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
const SILENT: ReadonlySet<string> = new Set(["updated_at", "last_used_at", "grace_last_used_at", "grace_uses_today"]);

/** The fields in which two states of a record differ; a state without its counterpart stays whole. */
export const changesBetween = (before: Fields | null, after: Fields | null): Pick<AuditEntry, "before" | "after"> => {
  if (before === null || after === null) return { before, after };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !SILENT.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const only = (fields: Fields): Fields =>
    Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
  return { before: only(before), after: only(after) };
};
