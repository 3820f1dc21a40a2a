import Type from "typebox";
import { authorityOfKey, authorityOfUser } from "../access/authority.ts";
import { admit } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { callerMustManageUserOfKey } from "../access/rules/caller-must-manage-user-of-key.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../access/rules/nobody-hands-out-more-than-they-hold.ts";
import { endedByAfter, onlyHigherRankReactivates, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { sensitiveChangesNeedRecentProof } from "../access/rules/sensitive-changes-need-recent-proof.ts";
import { useCase } from "../access/use-case.ts";
import { visibilityOfUsers } from "../access/visibility.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import type { KeyRecord } from "../keys/key.ts";
import type { Role } from "../permissions.ts";
import { id, oneOf } from "../schema.ts";
import { validator } from "../validation.ts";
import type { UserRecord } from "./user.ts";
import { LAST_SUPER_ADMIN, type UserChangeContext } from "./user-repository.ts";

/** Body of POST /portal/api/users/:id/leave. */
export const OffboardingBody = Type.Object({
  keys: oneOf(["revoke", "transfer"], { description: "What happens to the user's keys." }),
  to_user_id: Type.Optional(id({ description: "The user who gets the keys. Only with `transfer`." })),
});
const leaving = validator(OffboardingBody);

/** A leaving user, all their keys, and the user who shall get them, if there is one whom the caller sees. */
interface Leaver {
  readonly user: UserRecord;
  readonly keys: readonly KeyRecord[];
  readonly newOwner: UserRecord | null;
}

/** What becomes of a leaving user and their keys. */
export interface Offboarding extends Leaver {
  /** The rank that deactivated the user. */
  readonly endedBy: Role | null;
  /** The keys that change: they are revoked, or belong to the new owner. */
  readonly changes: readonly { readonly before: KeyRecord; readonly after: KeyRecord }[];
  /** The keys that come back if the leave is undone: not those that had been revoked before. */
  readonly keyIds: readonly number[];
}

export interface OffboardingRepository {
  /**
   * Deactivates a user, and revokes or transfers their keys, as `decide` says of what they are now. All of them stay
   * locked, and all of it happens or nothing. `null` if the caller does not see the user.
   */
  offboard(
    leaving: UserChangeContext & { readonly newOwnerId: number | null },
    decide: (present: Leaver) => Outcome<Offboarding>,
  ): Promise<Outcome<Offboarding> | null | typeof LAST_SUPER_ADMIN>;
}

interface Ports {
  readonly offboardings: OffboardingRepository;
  readonly clock: Clock;
}

const formIssues = ({ keys, to_user_id }: Readonly<Record<string, unknown>>): Issue[] => {
  if (keys === "transfer" && to_user_id === undefined)
    return [{ path: "to_user_id", message: "is required to transfer keys" }];
  if (keys === "revoke" && to_user_id !== undefined)
    return [{ path: "to_user_id", message: "must not be sent when keys are revoked" }];
  return [];
};

/** The user who gets the keys. The caller must see them, and they must be active. */
const newOwnerIn = (principal: Principal, newOwnerId: number, { user, newOwner }: Leaver): Outcome<UserRecord> => {
  if (newOwner === null) return invalid({ path: "to_user_id", message: `user ${newOwnerId} does not exist` });
  if (newOwner.id === user.id) return invalid({ path: "to_user_id", message: "must be another user" });
  if (!newOwner.active) return invalid({ path: "to_user_id", message: `user ${newOwnerId} is not active` });
  return callerMustManageUserOfKey(principal, newOwner.id, newOwner) ?? newOwner;
};

/** Every key must pass the same rules as if it were changed alone. */
const refusalOf = (principal: Principal, { user, keys, newOwner }: Leaver): Failure | null => {
  const operation = newOwner === null ? "key.revoke" : "key.update";
  const changes = keys.map((key) => {
    const before = authorityOfKey(key);
    return { before, after: newOwner === null ? before : authorityOfKey({ ...key, holder: newOwner }) };
  });
  const verdicts = [
    keys.length === 0 ? null : admit(principal, operation),
    // Keys of a deactivated user work again if another user gets them.
    keys.length === 0 || newOwner === null ? null : onlyHigherRankReactivates(rankOf(principal), user),
    ...changes.map(
      ({ before, after }) =>
        nobodyHandsOutMoreThanTheyHold(principal, before) ?? nobodyHandsOutMoreThanTheyHold(principal, after),
    ),
    sensitiveChangesNeedRecentProof(principal, "user.leave", {
      before: authorityOfUser(user),
      after: newOwner && authorityOfUser(newOwner),
    }),
    ...changes.map((change) => sensitiveChangesNeedRecentProof(principal, operation, change)),
  ];
  return verdicts.find((verdict) => verdict !== null) ?? null;
};

/** What a key becomes; `null` if it does not change. */
const keyLeft = (
  key: KeyRecord,
  newOwner: UserRecord | null,
  { rank, now }: { readonly rank: Role; readonly now: Timestamp },
): KeyRecord | null => {
  if (newOwner !== null) return { ...key, userId: newOwner.id, holder: newOwner, updatedAt: now };
  const endedBy = endedByAfter(rank, key, { active: false, endedAgain: true });
  // A key that is already revoked does not change, unless somebody of higher rank revokes it now.
  return !key.active && endedBy === key.endedBy ? null : { ...key, active: false, endedBy, oldSecret: null };
};

/** What becomes of a user who leaves, and of their keys, or why the caller may not do that. */
export const userLeft = (
  principal: Principal,
  { newOwnerId, now }: { readonly newOwnerId: number | null; readonly now: Timestamp },
  present: Leaver,
): Outcome<Offboarding> => {
  const { user, keys } = present;
  const tooStrong = nobodyHandsOutMoreThanTheyHold(principal, authorityOfUser(user));
  if (tooStrong !== null) return tooStrong;
  const newOwner = newOwnerId === null ? null : newOwnerIn(principal, newOwnerId, present);
  if (newOwner instanceof Failure) return newOwner;
  const refused = refusalOf(principal, { user, keys, newOwner });
  if (refused !== null) return refused;
  const rank = rankOf(principal);
  const endedBy = endedByAfter(rank, user, { active: false, endedAgain: true });
  const changes = keys.flatMap((before) => {
    const after = keyLeft(before, newOwner, { rank, now });
    return after === null ? [] : [{ before, after }];
  });
  const keyIds = changes.filter(({ before }) => newOwner !== null || before.active).map(({ after }) => after.id);
  return { user, keys, newOwner, endedBy, changes, keyIds };
};

/** Ends the access of a leaving user, completely or not at all. */
export const makeOffboarding = ({ offboardings, clock }: Ports) => ({
  leave: useCase("user.leave", async (principal, id: number, input: unknown): Promise<Outcome<Offboarding>> => {
    const body = leaving.parse(input, formIssues);
    if (body instanceof Failure) return body;
    const wanted = { newOwnerId: body.to_user_id ?? null, now: clock.now() };
    const context = { ...wanted, id, visibility: visibilityOfUsers(principal), by: principal };
    const left = await offboardings.offboard(context, (present) => userLeft(principal, wanted, present));
    if (left === LAST_SUPER_ADMIN) return new Failure({ kind: "last-super-admin" });
    return left ?? notFound("user", id);
  }),
});

export type OffboardingUsers = ReturnType<typeof makeOffboarding>;
