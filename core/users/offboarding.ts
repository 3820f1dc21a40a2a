import Type from "typebox";
import { authorityOfKey, authorityOfUser } from "../access/authority.ts";
import { admit } from "../access/decide.ts";
import type { Actor, Principal } from "../access/principal.ts";
import { callerMustManageUserOfKey } from "../access/rules/caller-must-manage-user-of-key.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../access/rules/nobody-hands-out-more-than-they-hold.ts";
import { onlyHigherRankReactivates, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { sensitiveChangesNeedRecentProof } from "../access/rules/sensitive-changes-need-recent-proof.ts";
import { useCase } from "../access/use-case.ts";
import { visibilityOfUsers } from "../access/visibility.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import type { KeyRecord } from "../keys/key.ts";
import type { KeyRepository } from "../keys/key-repository.ts";
import { keysOfUser } from "../keys/keys-of-user.ts";
import type { Role } from "../permissions.ts";
import { retryOnConflict } from "../retry.ts";
import { id, oneOf } from "../schema.ts";
import { validator } from "../validation.ts";
import type { UserRecord } from "./user.ts";
import { LAST_SUPER_ADMIN, type UserRepository } from "./user-repository.ts";

/** Body of POST /portal/api/users/:id/leave. */
export const OffboardingBody = Type.Object({
  keys: oneOf(["revoke", "transfer"], { description: "What happens to the user's keys." }),
  to_user_id: Type.Optional(id({ description: "The user who gets the keys. Only with `transfer`." })),
});
const leaving = validator(OffboardingBody);

/** A leaving user and their keys, as they were read. If any of them has changed since, nothing is done. */
export interface Offboarding {
  readonly user: UserRecord;
  readonly keys: readonly KeyRecord[];
  /** The user who gets the keys. `null` revokes them. */
  readonly newOwner: UserRecord | null;
  /** The rank of the caller. */
  readonly rank: Role;
}

export interface OffboardingRepository {
  /**
   * Deactivates the user, and revokes or transfers every key, in one transaction. `null` if anything has changed since
   * it was read.
   */
  offboard(
    offboarding: Offboarding,
    now: Timestamp,
    by: Actor,
  ): Promise<true | null | typeof LAST_SUPER_ADMIN | Failure>;
}

interface Ports {
  readonly users: Pick<UserRepository, "find">;
  readonly keys: Pick<KeyRepository, "list">;
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

/** Ends the access of a leaving user, completely or not at all. */
export const makeOffboarding = ({ users, keys, offboardings, clock }: Ports) => {
  /** The user who gets the keys. The caller must see them, and they must be active. */
  const newOwnerOf = async (
    principal: Principal,
    user: UserRecord,
    newOwnerId: number,
  ): Promise<Outcome<UserRecord>> => {
    const newOwner = await users.find(newOwnerId, visibilityOfUsers(principal));
    if (newOwner === null) return invalid({ path: "to_user_id", message: `user ${newOwnerId} does not exist` });
    if (newOwner.id === user.id) return invalid({ path: "to_user_id", message: "must be another user" });
    if (!newOwner.active) return invalid({ path: "to_user_id", message: `user ${newOwnerId} is not active` });
    return callerMustManageUserOfKey(principal, newOwner.id, newOwner) ?? newOwner;
  };

  /** Every key must pass the same rules as if it were changed alone. */
  const refuse = (principal: Principal, { user, keys: held, newOwner, rank }: Offboarding): Failure | null => {
    const operation = newOwner === null ? "key.revoke" : "key.update";
    const changes = held.map((key) => {
      const before = authorityOfKey(key);
      return { before, after: newOwner === null ? before : authorityOfKey({ ...key, holder: newOwner }) };
    });
    const verdicts = [
      held.length === 0 ? null : admit(principal, operation),
      // Keys of a deactivated user work again if another user gets them.
      held.length === 0 || newOwner === null ? null : onlyHigherRankReactivates(rank, user),
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

  return {
    leave: useCase("user.leave", async (principal, userId: number, input: unknown): Promise<Outcome<Offboarding>> => {
      const body = leaving.parse(input, formIssues);
      if (body instanceof Failure) return body;
      return retryOnConflict(async (): Promise<Outcome<Offboarding> | null> => {
        const user = await users.find(userId, visibilityOfUsers(principal));
        if (user === null) return notFound("user", userId);
        const tooStrong = nobodyHandsOutMoreThanTheyHold(principal, authorityOfUser(user));
        if (tooStrong !== null) return tooStrong;
        const newOwner = body.to_user_id === undefined ? null : await newOwnerOf(principal, user, body.to_user_id);
        if (newOwner instanceof Failure) return newOwner;
        const offboarding: Offboarding = {
          user,
          keys: await keysOfUser(keys, user.id),
          newOwner,
          rank: rankOf(principal),
        };
        const notAllowed = refuse(principal, offboarding);
        if (notAllowed !== null) return notAllowed;
        const offboarded = await offboardings.offboard(offboarding, clock.now(), principal);
        if (offboarded instanceof Failure) return offboarded;
        if (offboarded === LAST_SUPER_ADMIN) return new Failure({ kind: "last-super-admin" });
        return offboarded && offboarding;
      });
    }),
  };
};

export type OffboardingUsers = ReturnType<typeof makeOffboarding>;
