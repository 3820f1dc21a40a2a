import { type Authority, authorityOfKey } from "../access/authority.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import { callerMustManageUserOfKey } from "../access/rules/caller-must-manage-user-of-key.ts";
import { keysNetworksAreNotWidened } from "../access/rules/keys-networks-are-not-widened.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../access/rules/nobody-hands-out-more-than-they-hold.ts";
import { endedByAfter, onlyHigherRankReactivatesKey, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { regularUserMayNotRetieKey } from "../access/rules/regular-user-may-not-retie-key.ts";
import { sensitiveChangesNeedRecentProof } from "../access/rules/sensitive-changes-need-recent-proof.ts";
import { visibilityOfUsers } from "../access/visibility.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, invalid, type Outcome } from "../failure.ts";
import { unknownRecords } from "../named-records.ts";
import { type Holder, isInGrace, type KeyRecord } from "./key.ts";
import type { KeyDecision, KeyFields } from "./key-repository.ts";
import type { Secrets } from "./secrets.ts";

/** A change of a key's fields that a caller requests. */
interface WantedFields {
  readonly operation: Operation;
  readonly plan: (key: KeyRecord) => Outcome<KeyFields>;
  /** True if the change ends the key. The key may have ended already. */
  readonly ends?: boolean;
  /** True if the change also replaces the secret. */
  readonly rotates?: boolean;
}

/**
 * The user to whom a key shall belong, if the caller may manage that user. `found` is `null` if there is none whom the
 * caller sees.
 */
export const holderIn = (principal: Principal, userId: number | null, found: Holder | null): Outcome<Holder | null> => {
  if (userId === null) return null;
  if (found === null && visibilityOfUsers(principal) === "everything")
    return invalid(unknownRecords({ path: "user_id", word: "user" }, [userId]));
  return callerMustManageUserOfKey(principal, userId, found) ?? found;
};

/** The failure unless the caller holds what the key may do, and has proved who they are where that is asked for. */
const mayChange = (
  principal: Principal,
  operation: Operation,
  { before, after }: { readonly before: Authority; readonly after: Authority | null },
): Failure | null =>
  nobodyHandsOutMoreThanTheyHold(principal, before) ??
  sensitiveChangesNeedRecentProof(principal, operation, { before, after });

/**
 * The fields of a key after a change, if the caller could create the key both as it is and as it will be. `named` is the
 * user whom the change names, if the caller sees them.
 */
export const keyChanged = (
  principal: Principal,
  { operation, plan, ends = false, rotates = false }: WantedFields,
  { key, named }: { readonly key: KeyRecord; readonly named: Holder | null },
): Outcome<KeyFields> => {
  const before = authorityOfKey(key);
  const tooStrong = nobodyHandsOutMoreThanTheyHold(principal, before);
  if (tooStrong !== null) return tooStrong;
  const planned = plan(key);
  if (planned instanceof Failure) return planned;
  const rank = rankOf(principal);
  const fields = { ...planned, endedBy: endedByAfter(rank, key, { active: planned.active, endedAgain: ends }) };
  const refused = onlyHigherRankReactivatesKey(rank, key, fields) ?? regularUserMayNotRetieKey(principal, key, fields);
  if (refused !== null) return refused;
  const holder = fields.userId === key.userId ? key.holder : holderIn(principal, fields.userId, named);
  if (holder instanceof Failure) return holder;
  const after = authorityOfKey({ ...fields, holder });
  return (
    nobodyHandsOutMoreThanTheyHold(principal, after) ??
    (rotates || fields.allowedNetworks !== key.allowedNetworks
      ? keysNetworksAreNotWidened(principal, fields.allowedNetworks)
      : null) ??
    sensitiveChangesNeedRecentProof(principal, operation, { before, after }) ??
    fields
  );
};

/**
 * Gives a key a new secret. The previous one works for `graceSeconds` more, but not after the key's expiry. A key that
 * has ended gets no such time: otherwise the old secret would work again after a reactivation.
 */
export const keyRotated = (
  principal: Principal,
  key: KeyRecord,
  {
    graceSeconds,
    secrets,
    clock,
  }: { readonly graceSeconds: number; readonly secrets: Pick<Secrets, "issue">; readonly clock: Pick<Clock, "after"> },
): Outcome<KeyDecision> => {
  const authority = authorityOfKey(key);
  const refused =
    nobodyHandsOutMoreThanTheyHold(principal, authority) ??
    keysNetworksAreNotWidened(principal, key.allowedNetworks) ??
    sensitiveChangesNeedRecentProof(principal, "key.rotate", { before: authority, after: authority });
  if (refused !== null) return refused;
  const isEnded = !key.active || key.holder?.active === false;
  const graceEnds = clock.after(isEnded ? 0 : graceSeconds);
  const previousEndsAt = key.expiresAt !== null && key.expiresAt < graceEnds ? key.expiresAt : graceEnds;
  return { does: "rotate", secret: secrets.issue(key.appType, key.appId), previousEndsAt };
};

/** Ends the old secret of a rotated key at once. If no old secret works, it changes nothing. */
export const graceEnded = (principal: Principal, key: KeyRecord, now: Timestamp): Outcome<KeyDecision | null> => {
  const authority = authorityOfKey(key);
  const refused = mayChange(principal, "key.end-grace", { before: authority, after: authority });
  return refused ?? (isInGrace(key, now) ? { does: "end-grace" } : null);
};

/** Removes a key. */
export const keyRemoved = (principal: Principal, key: KeyRecord): Outcome<KeyDecision> =>
  mayChange(principal, "key.delete", { before: authorityOfKey(key), after: null }) ?? { does: "remove" };
