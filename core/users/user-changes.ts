import { authorityOfUser } from "../access/authority.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../access/rules/nobody-hands-out-more-than-they-hold.ts";
import { nobodyRaisesTheirOwnRole } from "../access/rules/nobody-raises-their-own-role.ts";
import { endingAfter, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { ownEmailIsChangedOnTheAccountPage } from "../access/rules/own-sign-in-is-changed-on-the-account-page.ts";
import { sensitiveChangesNeedRecentProof } from "../access/rules/sensitive-changes-need-recent-proof.ts";
import { Failure, invalid, type Outcome } from "../failure.ts";
import type { KeyRecord } from "../keys/key.ts";
import type { Secrets } from "../keys/secrets.ts";
import { setOfPairs } from "../permissions.ts";
import { isOn } from "../schema.ts";
import { rotationsOfKeys } from "./key-rotation.ts";
import { roleIssues, type UserChanges, type UserRecord } from "./user.ts";
import type { UserDecision, UserFields } from "./user-repository.ts";

/** The fields of a user that the rules compare before and after a change. */
export const subjectOf = (user: UserFields) => ({ ...authorityOfUser(user), email: user.email, role: user.role });

/** A change of a user that a caller requests. */
interface WantedChange {
  readonly operation: Operation;
  readonly plan: (user: UserRecord) => Outcome<UserFields>;
  /** True if the change deactivates the user, who may be inactive already. */
  readonly ends?: boolean;
  /** Makes the new secrets of all keys of the user, if they shall get new ones. */
  readonly secrets?: Pick<Secrets, "issue"> | null;
}

/** The fields of a user after a PUT, or why the caller may not send them. */
export const fieldsAfter = (principal: Principal, user: UserRecord, body: UserChanges): Outcome<UserFields> => {
  const role = body.role ?? user.role;
  const dealerId = body.dealer_id === undefined ? user.dealerId : body.dealer_id;
  const issues = roleIssues(role, dealerId);
  if (issues.length > 0) return invalid(...issues);
  const fields: UserFields = {
    name: body.name ?? user.name,
    email: body.email ?? user.email,
    role,
    dealerId,
    permissions: body.permissions === undefined ? user.permissions : setOfPairs(body.permissions),
    active: isOn(body.active ?? user.active),
    endedBy: user.endedBy,
  };
  return (
    ownEmailIsChangedOnTheAccountPage(principal, user, fields) ??
    nobodyRaisesTheirOwnRole(principal, user, fields) ??
    fields
  );
};

/** What becomes of a user, if the caller has the user's rights both before and after the change. */
export const userChanged = (
  principal: Principal,
  { operation, plan, ends = false, secrets = null }: WantedChange,
  { user, keys }: { readonly user: UserRecord; readonly keys: readonly KeyRecord[] },
): Outcome<UserDecision> => {
  const tooStrong = nobodyHandsOutMoreThanTheyHold(principal, authorityOfUser(user));
  if (tooStrong !== null) return tooStrong;
  const planned = plan(user);
  if (planned instanceof Failure) return planned;
  const endedBy = endingAfter(rankOf(principal), user, { active: planned.active, endedAgain: ends });
  if (endedBy instanceof Failure) return endedBy;
  const fields = { ...planned, endedBy };
  const refused =
    nobodyHandsOutMoreThanTheyHold(principal, authorityOfUser(fields)) ??
    sensitiveChangesNeedRecentProof(principal, operation, { before: subjectOf(user), after: subjectOf(fields) });
  if (refused !== null) return refused;
  const rotations = secrets === null ? null : rotationsOfKeys(principal, secrets, { user, keys, after: fields });
  return rotations instanceof Failure ? rotations : { fields, rotations };
};
