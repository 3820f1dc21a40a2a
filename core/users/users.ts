import { authorityOfUser } from "../access/authority.ts";
import { scopeOf } from "../access/decide.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import { newUserBelongsToTheCallersDealer } from "../access/rules/new-records-belong-to-the-callers-dealer.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../access/rules/nobody-hands-out-more-than-they-hold.ts";
import { nobodyRaisesTheirOwnRole } from "../access/rules/nobody-raises-their-own-role.ts";
import { endedByAfter, endingAfter, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { ownEmailIsChangedOnTheAccountPage } from "../access/rules/own-sign-in-is-changed-on-the-account-page.ts";
import { sensitiveChangesNeedRecentProof } from "../access/rules/sensitive-changes-need-recent-proof.ts";
import { type Caller, useCase } from "../access/use-case.ts";
import { visibilityOfUsers } from "../access/visibility.ts";
import type { Clock } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import type { KeyRepository } from "../keys/key-repository.ts";
import type { KeyRotation, Secrets } from "../keys/secrets.ts";
import { type Listing, orderOf, slicedPageOf } from "../page.ts";
import { ROLE_PERMISSIONS, setOfPairs } from "../permissions.ts";
import { retryOnConflict } from "../retry.ts";
import { requireChange } from "../validation.ts";
import { rotationOfKeys } from "./key-rotation.ts";
import { newUser, roleIssues, type UserQuery, type UserRecord, userChanges } from "./user.ts";
import {
  EMAIL_TAKEN,
  LAST_SUPER_ADMIN,
  NO_SUCH_DEALER,
  type UserFields,
  type UserRefusal,
  type UserRepository,
} from "./user-repository.ts";

const failureOf = (refusal: UserRefusal, dealerId: number | null): Failure => {
  if (refusal === EMAIL_TAKEN) return new Failure({ kind: "email-taken" });
  if (refusal instanceof Failure) return refusal;
  if (refusal === LAST_SUPER_ADMIN) return new Failure({ kind: "last-super-admin" });
  return invalid({ path: "dealer_id", message: `dealer ${dealerId} does not exist` });
};

/** The fields of a user that the rules compare before and after a change. */
const subjectOf = (user: UserFields) => ({ ...authorityOfUser(user), email: user.email, role: user.role });

const isOn = (flag: boolean | 0 | 1): boolean => flag === true || flag === 1;

const isRefusal = (value: unknown): value is UserRefusal =>
  value instanceof Failure || value === EMAIL_TAKEN || value === NO_SUCH_DEALER || value === LAST_SUPER_ADMIN;

interface Ports {
  readonly users: UserRepository;
  readonly keys: Pick<KeyRepository, "list">;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** A changed user, and the keys that were rotated. */
export interface ChangedUser {
  readonly user: UserRecord;
  /** `null` if no rotation was requested. */
  readonly keys: readonly KeyRotation[] | null;
}

/** A change of a user that a caller requests. */
interface Change {
  readonly principal: Principal;
  readonly operation: Operation;
  readonly id: number;
  readonly plan: (user: UserRecord) => Outcome<UserFields>;
  /** True if the change deactivates the user, who may be inactive already. */
  readonly ends?: boolean;
  /** True if the change also replaces the secrets of all keys of the user. */
  readonly rotates?: boolean;
}

const userIn = (outcome: Outcome<ChangedUser>): Outcome<UserRecord> =>
  outcome instanceof Failure ? outcome : outcome.user;

/**
 * The use cases of users. A bound caller sees and manages its dealer's users. Nobody grants more rights than they have.
 */
export const makeUsers = ({ users, keys, secrets, clock }: Ports) => {
  const find = async (principal: Principal, id: number): Promise<Outcome<UserRecord>> =>
    (await users.find(id, visibilityOfUsers(principal))) ?? notFound("user", id);

  /** Changes a user by `plan`, if the caller has the user's rights both before and after the change. */
  const change = async ({
    principal,
    operation,
    id,
    plan,
    ends = false,
    rotates = false,
  }: Change): Promise<Outcome<ChangedUser>> => {
    return retryOnConflict(async (): Promise<Outcome<ChangedUser> | null> => {
      const user = await find(principal, id);
      if (user instanceof Failure) return user;
      const tooStrong = nobodyHandsOutMoreThanTheyHold(principal, authorityOfUser(user));
      if (tooStrong !== null) return tooStrong;
      const planned = plan(user);
      if (planned instanceof Failure) return planned;
      const rank = rankOf(principal);
      const endedBy = endingAfter(rank, user, { active: planned.active, endedAgain: ends });
      if (endedBy instanceof Failure) return endedBy;
      const fields = { ...planned, endedBy };
      const becomesTooStrong = nobodyHandsOutMoreThanTheyHold(principal, authorityOfUser(fields));
      if (becomesTooStrong !== null) return becomesTooStrong;
      const unproved = sensitiveChangesNeedRecentProof(principal, operation, {
        before: subjectOf(user),
        after: subjectOf(fields),
      });
      if (unproved !== null) return unproved;
      const rotations = rotates ? await rotationOfKeys(principal, { keys, secrets }, { user, after: fields }) : null;
      if (rotations instanceof Failure) return rotations;
      const changed = await users.update({
        seen: user,
        visibility: visibilityOfUsers(principal),
        fields,
        now: clock.now(),
        by: principal,
        rotations,
      });
      if (isRefusal(changed)) return failureOf(changed, fields.dealerId);
      return changed === null ? null : { user: changed, keys: rotations };
    });
  };

  /** Changes fields. With `rotate_keys`, all keys of the user get new secrets in the same transaction. */
  const put = useCase("user.update", async (principal, id: number, input: unknown): Promise<Outcome<ChangedUser>> => {
    const body = requireChange(userChanges.parse(input));
    if (body instanceof Failure) return body;
    const ends = body.active !== undefined && !isOn(body.active);
    const plan = (user: UserRecord): Outcome<UserFields> => {
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
    return change({ principal, operation: "user.update", id, plan, ends, rotates: isOn(body.rotate_keys ?? false) });
  });

  return {
    list: useCase("user.list", async (principal, query: UserQuery): Promise<Outcome<Listing<UserRecord>>> => {
      return users.list({
        visibility: visibilityOfUsers(principal),
        filter: {
          ...(query.dealer_id !== undefined && { dealerId: query.dealer_id }),
          ...(query.role !== undefined && { role: query.role }),
          ...(query.active !== undefined && { active: query.active }),
          ...(query.q !== undefined && { search: query.q }),
        },
        page: slicedPageOf(query),
        order: orderOf(query),
      });
    }),

    get: useCase("user.read", async (principal, id: number): Promise<Outcome<UserRecord>> => find(principal, id)),

    /**
     * Creates a user. The dealer of a bound caller replaces the one sent. This does not apply to a super-admin, whom a
     * bound caller may not create anyway.
     */
    create: useCase("user.create", async (principal, input: unknown): Promise<Outcome<UserRecord>> => {
      const scope = scopeOf(principal);
      const body = newUser.parse(input, ({ role, dealer_id }) =>
        roleIssues(role, newUserBelongsToTheCallersDealer(scope, role, dealer_id)),
      );
      if (body instanceof Failure) return body;
      const fields: UserFields = {
        name: body.name,
        email: body.email,
        role: body.role,
        dealerId: newUserBelongsToTheCallersDealer(scope, body.role, body.dealer_id ?? null),
        permissions: body.permissions === undefined ? ROLE_PERMISSIONS[body.role] : setOfPairs(body.permissions),
        active: isOn(body.active ?? true),
        endedBy: endedByAfter(rankOf(principal), null, { active: isOn(body.active ?? true), endedAgain: false }),
      };
      const tooStrong = nobodyHandsOutMoreThanTheyHold(principal, authorityOfUser(fields));
      if (tooStrong !== null) return tooStrong;
      const unproved = sensitiveChangesNeedRecentProof(principal, "user.create", {
        before: null,
        after: subjectOf(fields),
      });
      if (unproved !== null) return unproved;
      const created = await users.insert(fields, clock.now(), principal);
      return isRefusal(created) ? failureOf(created, fields.dealerId) : created;
    }),

    change: put,

    /** Changes fields without a rotation. */
    async update(caller: Caller, id: number, input: unknown): Promise<Outcome<UserRecord>> {
      return userIn(await put(caller, id, input));
    },

    /** Changes the signed-in user's own address. The password must have been checked before. */
    changeOwnEmail: useCase("user.update", async (principal, email: string): Promise<Outcome<UserRecord>> => {
      const changed = await change({
        principal,
        operation: "user.update",
        id: principal.userId ?? 0,
        plan: (user) => ({ ...user, email }),
      });
      return userIn(changed);
    }),

    /** Deactivates a user; doing it twice is no error. From then on the user's keys are refused. */
    deactivate: useCase("user.deactivate", async (principal, id: number): Promise<Outcome<UserRecord>> => {
      const plan = (user: UserRecord): UserFields => ({ ...user, active: false });
      return userIn(await change({ principal, operation: "user.deactivate", id, plan, ends: true }));
    }),
  };
};

export type Users = ReturnType<typeof makeUsers>;
