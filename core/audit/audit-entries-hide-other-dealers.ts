import type { Visibility } from "../access/visibility.ts";
import { NAME_FIELDS } from "./actions.ts";
import type { AuditEntry } from "./audit-entry.ts";

/** Shown to dealers instead of an actor from outside: a super-admin, the command line, or a caller without a dealer. */
const OPERATOR: AuditEntry["actor"] = { type: "operator", id: null, name: "Operator" };

/** An actor, with the user and the dealer that the actor belongs to. */
interface ActingParty {
  readonly actor: AuditEntry["actor"];
  readonly userId: number | null;
  readonly dealerId: number | null;
}

/** The field that names the owner of each kind of record. Other records do not change owners. */
const OWNER_FIELD: Readonly<Record<string, string>> = {
  vehicles: "dealer_id",
  users: "dealer_id",
  keys: "bound_dealer_id",
  feeds: "dealer_ids",
};

/** A value that names several dealers, or all, has no single owner. */
const ownerNamed = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value;
  return value.length === 1 ? value[0] : null;
};

/** The new owner of the record, or `undefined` if the owner did not change. */
const newOwnerOf = ({ resource, dealer_id, before, after }: AuditEntry): unknown => {
  if (before === null || after === null) return undefined;
  const home = ownerNamed(after[OWNER_FIELD[resource ?? ""] ?? ""]);
  return home === dealer_id ? undefined : home;
};

/**
 * The visible changes of a record. If it changes owners, the old dealer sees only that it left, and the new dealer how
 * it arrived.
 */
const visibleChanges = (
  dealerId: number,
  entry: AuditEntry,
): Pick<AuditEntry, "dealer_id" | "record_name" | "before" | "after"> => {
  const { dealer_id, resource, record_name, before, after } = entry;
  if (newOwnerOf(entry) === undefined) return { dealer_id, record_name, before, after };
  if (dealer_id === dealerId)
    return { dealer_id, record_name, before: { dealer_id: dealerId }, after: { dealer_id: null } };
  // If the record was renamed in the same change, `record_name` is the name that it had at the previous dealer.
  const isRenamed = resource !== null && NAME_FIELDS[resource].some((field) => after !== null && field in after);
  return { dealer_id: dealerId, record_name: isRenamed ? null : record_name, before: { dealer_id: null }, after };
};

/**
 * The actor, as the reader may see it. Dealers do not see actors from outside, and callers who see only their own
 * entries do not see other users.
 */
export const visibleActor = (visibility: Visibility, { actor, userId, dealerId }: ActingParty): AuditEntry["actor"] => {
  if (visibility === "everything") return actor;
  const isOwn = "dealerId" in visibility ? dealerId === visibility.dealerId : userId === visibility.userId;
  return isOwn ? actor : OPERATOR;
};

/**
 * An audit entry, as its reader may see it. Super-admins see everything, and users see all of their own entries. A
 * dealer sees neither what happened to a record at another dealer nor who acted from outside. `actorDealerId` is the
 * actor's dealer.
 */
export const auditEntriesHideOtherDealers = (
  visibility: Visibility,
  entry: AuditEntry,
  actorDealerId: number | null,
): AuditEntry => {
  if (visibility === "everything" || !("dealerId" in visibility)) return entry;
  const seen = { ...entry, ...visibleChanges(visibility.dealerId, entry) };
  return actorDealerId === visibility.dealerId ? seen : { ...seen, actor: OPERATOR, address: null, request_id: null };
};
