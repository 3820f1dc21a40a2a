import type { Sight } from "../keys/key-repository.ts";
import type { AuditEntry } from "./audit-entry.ts";

/** Who acted from outside a dealer, as that dealer is told: super-admins, the command line, callers of no dealer. */
const OPERATOR: AuditEntry["actor"] = { type: "operator", id: null, name: "Operator" };

/** The field that says whose a record of this kind is; other records do not change hands. */
const HOME: Readonly<Record<string, string>> = { vehicles: "dealer_id", users: "dealer_id", keys: "bound_dealer_id" };

/** Whose the record became; `undefined` where it stayed whose it was. */
const newHomeOf = ({ resource, dealer_id, before, after }: AuditEntry): unknown => {
  if (before === null || after === null) return undefined;
  const home = after[HOME[resource ?? ""] ?? ""];
  return home === dealer_id ? undefined : home;
};

/** Of a record that changes hands, the old dealer is told that it left, the new one how it arrived. */
const changesAsSeen = (dealerId: number, entry: AuditEntry): Pick<AuditEntry, "dealer_id" | "before" | "after"> => {
  const { dealer_id, before, after } = entry;
  if (newHomeOf(entry) === undefined) return { dealer_id, before, after };
  return dealer_id === dealerId
    ? { dealer_id, before: { dealer_id: dealerId }, after: { dealer_id: null } }
    : { dealer_id: dealerId, before: { dealer_id: null }, after };
};

/**
 * An entry as a reader may know it. Super-admins know all, and users what they did themselves. A dealer knows neither the
 * life of a record with another dealer, nor who acted from outside: `actorDealerId` is the dealer the actor was bound to.
 */
export const entryAsSeen = (sight: Sight, entry: AuditEntry, actorDealerId: number | null): AuditEntry => {
  if (sight === "everything" || !("dealerId" in sight)) return entry;
  const seen = { ...entry, ...changesAsSeen(sight.dealerId, entry) };
  return actorDealerId === sight.dealerId ? seen : { ...seen, actor: OPERATOR, address: null, request_id: null };
};
