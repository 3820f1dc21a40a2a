import { NAME_FIELDS } from "../../audit/actions.ts";
import type { AuditEntry } from "../../audit/audit-entry.ts";
import type { Visibility } from "../visibility.ts";

/** Shown to dealers in place of an actor from outside: super-admins, the command line, callers without a dealer. */
const OPERATOR: AuditEntry["actor"] = { type: "operator", id: null, name: "Operator" };

/** Who did something, with the user and the dealer behind it. */
interface ActingParty {
  readonly actor: AuditEntry["actor"];
  readonly userId: number | null;
  readonly dealerId: number | null;
}

/** The field that names the owner of each kind of record; other records do not change owners. */
const OWNER_FIELD: Readonly<Record<string, string>> = {
  vehicles: "dealer_id",
  users: "dealer_id",
  keys: "bound_dealer_id",
  feeds: "dealer_ids",
};

/** What names several dealers, or all, belongs to none of them. */
const ownerNamed = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value;
  return value.length === 1 ? value[0] : null;
};

/** The new owner of the record; `undefined` if it did not change. */
const newOwnerOf = ({ resource, dealer_id, before, after }: AuditEntry): unknown => {
  if (before === null || after === null) return undefined;
  const home = ownerNamed(after[OWNER_FIELD[resource ?? ""] ?? ""]);
  return home === dealer_id ? undefined : home;
};

/** If a record changes owners, the old dealer sees that it left, and the new dealer how it arrived. */
const visibleChanges = (
  dealerId: number,
  entry: AuditEntry,
): Pick<AuditEntry, "dealer_id" | "record_name" | "before" | "after"> => {
  const { dealer_id, resource, record_name, before, after } = entry;
  if (newOwnerOf(entry) === undefined) return { dealer_id, record_name, before, after };
  if (dealer_id === dealerId)
    return { dealer_id, record_name, before: { dealer_id: dealerId }, after: { dealer_id: null } };
  // A record that was renamed with the move has its earlier name from the dealer before.
  const isRenamed = resource !== null && NAME_FIELDS[resource].some((field) => after !== null && field in after);
  return { dealer_id: dealerId, record_name: isRenamed ? null : record_name, before: { dealer_id: null }, after };
};

/**
 * Who did something, as the reader may see it: a dealer is not told of people from outside, nor users of each other.
 */
export const visibleActor = (visibility: Visibility, { actor, userId, dealerId }: ActingParty): AuditEntry["actor"] => {
  if (visibility === "everything") return actor;
  const isOwn = "dealerId" in visibility ? dealerId === visibility.dealerId : userId === visibility.userId;
  return isOwn ? actor : OPERATOR;
};

/**
 * An entry as its reader may see it. Super-admins see everything, and users see all of what they did themselves. A
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
