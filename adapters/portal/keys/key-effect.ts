import { authorityOfKey, powersOfKey } from "../../../core/access/authority.ts";
import { admit, scopeOf } from "../../../core/access/decide.ts";
import { type Operation, POLICY } from "../../../core/access/policy.ts";
import { isSuperAdmin, type Powers } from "../../../core/access/principal.ts";
import { callerMustManageUserOfKey } from "../../../core/access/rules/caller-must-manage-user-of-key.ts";
import { newRecordsBelongToTheCallersDealer } from "../../../core/access/rules/new-records-belong-to-the-callers-dealer.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../../../core/access/rules/nobody-hands-out-more-than-they-hold.ts";
import {
  type Visibility,
  visibilityOfAudit,
  visibilityOfKeys,
  visibilityOfUsers,
} from "../../../core/access/visibility.ts";
import { ACTIONS, type PermissionSet, RESOURCES, type Resource } from "../../../core/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { powersOf, traitsOf } from "../session/powers.ts";
import type { KeyDraft } from "./key-draft.ts";

/** What a key will be able to do, and which records it will see. */
export interface KeyEffect {
  /** False until the key's dealer or user is chosen; until then the other values mean nothing. */
  readonly isChosen: boolean;
  /** The key as a caller. */
  readonly powers: Powers;
  /** The dealer it is bound to; `null` for none. */
  readonly dealerId: number | null;
  readonly isSuperAdmin: boolean;
  /** The user to whom the key belongs. */
  readonly user: PresentedUser | null;
  /** The requested permissions that the signed-in user does not hold, and that the service therefore refuses. */
  readonly notHeld: PermissionSet;
  /** Why the service will refuse the key, by the same rules; `null` if it will not. */
  readonly refusal: string | null;
}

/** The effect of a draft that `creator` saves; the service makes the final decision. */
export const effectOf = (draft: KeyDraft, creator: PresentedUser, holder: PresentedUser | null): KeyEffect => {
  const caller = powersOf(creator);
  const user = draft.association === "user" ? holder : null;
  const dealerId = newRecordsBelongToTheCallersDealer(scopeOf(caller), Number(draft.dealer_id) || null);
  const key = {
    association: draft.association,
    dealerId: draft.association === "dealer" ? dealerId : null,
    userId: user === null ? null : user.id,
    holder: user && traitsOf(user),
    ownPermissions: draft.permissions,
    appType: draft.app_type,
    rateLimit: Number(draft.rate_limit) || null,
  };
  const powers = powersOfKey(key);
  const isChosen = { dealer: dealerId !== null, user: user !== null, none: true }[draft.association];
  const refused =
    (user && callerMustManageUserOfKey(caller, user.id, key.holder)) ??
    (isChosen ? nobodyHandsOutMoreThanTheyHold(caller, authorityOfKey(key)) : null);
  return {
    isChosen,
    powers,
    dealerId: scopeOf(powers),
    isSuperAdmin: isSuperAdmin(powers),
    user,
    notHeld: powers.permissions & ~caller.permissions,
    refusal: refused?.cause.kind === "escalation" ? refused.cause.reason : null,
  };
};

const OPERATIONS = Object.keys(POLICY) as Operation[];

/** The actions that the key can take on a resource: each allows at least one operation. */
export const actionsOn = ({ powers, notHeld }: KeyEffect, resource: Resource) => {
  const granted = { ...powers, permissions: powers.permissions & ~notHeld };
  const admitted = new Set<string | null>(
    OPERATIONS.filter((operation) => admit(granted, operation) === null).map((operation) => POLICY[operation].needs),
  );
  return ACTIONS.filter((action) => admitted.has(`${resource}:${action}`));
};

/** The wording for everybody's records, one dealer's, or the user's own. */
type Words = readonly [all: string, ofDealer: string, ofUser: string];

const inWords = (visibility: Visibility, [all, ofDealer, ofUser]: Words): string =>
  visibility === "everything" ? all : "dealerId" in visibility ? ofDealer : ofUser;

/** The resources of which a key may see other records than all, or all of one dealer's. */
const VISIBLE_RECORDS: Partial<Readonly<Record<Resource, (effect: KeyEffect, dealer: string) => string>>> = {
  dealers: ({ dealerId }, dealer) => (dealerId === null ? "all dealers" : `${dealer} only`),
  keys: ({ powers, user }, dealer) => {
    const ofUser = user === null ? "no keys" : `keys of ${user.name} only`;
    return inWords(visibilityOfKeys(powers), ["all keys", `keys of ${dealer} only`, ofUser]);
  },
  users: ({ powers, user }, dealer) => {
    const ofUser = user === null ? "no users" : `${user.name} only`;
    return inWords(visibilityOfUsers(powers), ["all users", `users of ${dealer} only`, ofUser]);
  },
  audit: ({ powers }, dealer) =>
    inWords(visibilityOfAudit(powers), ["every entry", `entries of ${dealer} only`, "its own actions only"]),
};

/** The records of a resource that the key will see, in words. */
export const visibleTo = (effect: KeyEffect, resource: Resource, dealer: string): string =>
  VISIBLE_RECORDS[resource]?.(effect, dealer) ??
  (effect.dealerId === null ? `all ${resource}` : `${resource} of ${dealer} only`);

/** The resources on which the key can take any action. */
export const reachedResources = (effect: KeyEffect): Resource[] =>
  RESOURCES.filter((resource) => actionsOn(effect, resource).length > 0);
