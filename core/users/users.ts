import { authorityOfUser } from "../access/authority.ts";
import { scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { newUserBelongsToTheCallersDealer } from "../access/rules/new-records-belong-to-the-callers-dealer.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../access/rules/nobody-hands-out-more-than-they-hold.ts";
import { endedByAfter, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { sensitiveChangesNeedRecentProof } from "../access/rules/sensitive-changes-need-recent-proof.ts";
import { type Caller, useCase } from "../access/use-case.ts";
import { visibilityOfUsers } from "../access/visibility.ts";
import type { Clock } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import type { Secrets } from "../keys/secrets.ts";
import { type KnownDealers, namingDealers, unknownRecords, withUnknownRecords } from "../named-records.ts";
import { type Listing, orderOf, slicedPageOf } from "../page.ts";
import { ROLE_PERMISSIONS, setOfPairs } from "../permissions.ts";
import { isOn } from "../schema.ts";
import { requireChange } from "../validation.ts";
import { newUser, roleIssues, type UserQuery, type UserRecord, userChanges } from "./user.ts";
import { fieldsAfter, subjectOf, userChanged } from "./user-changes.ts";
import {
  type ChangedUser,
  EMAIL_TAKEN,
  LAST_SUPER_ADMIN,
  NO_SUCH_DEALER,
  type UserFields,
  type UserRefusal,
  type UserRepository,
} from "./user-repository.ts";

/** What a repository answers in place of a user, beside failures. */
type Refusal = Exclude<UserRefusal, Failure>;

const failureOf = (refusal: Refusal, dealerId: number | null): Failure => {
  if (refusal === EMAIL_TAKEN) return new Failure({ kind: "email-taken" });
  if (refusal === LAST_SUPER_ADMIN) return new Failure({ kind: "last-super-admin" });
  return invalid(unknownRecords({ path: "dealer_id", word: "dealer" }, [dealerId]));
};

const isRefusal = (value: unknown): value is Refusal =>
  value === EMAIL_TAKEN || value === NO_SUCH_DEALER || value === LAST_SUPER_ADMIN;

interface Ports {
  readonly users: UserRepository;
  readonly dealers: KnownDealers;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

const userIn = (outcome: Outcome<ChangedUser>): Outcome<UserRecord> =>
  outcome instanceof Failure ? outcome : outcome.user;

/**
 * The use cases of users. A bound caller sees and manages its dealer's users. Nobody grants more rights than they have.
 */
export const makeUsers = ({ users, dealers, secrets, clock }: Ports) => {
  /** A refusal of a body that also names a dealer that does not exist, to those who see all users. */
  const refusedBody = (principal: Principal, refusal: Failure, input: unknown): Promise<Failure> => {
    const seesAll = visibilityOfUsers(principal) === "everything";
    return withUnknownRecords(refusal, input, seesAll ? [namingDealers("dealer_id", dealers)] : []);
  };

  const change = async (
    principal: Principal,
    id: number,
    {
      dealerId = null,
      ...wanted
    }: Parameters<typeof userChanged>[1] & { readonly dealerId?: number | null | undefined },
  ): Promise<Outcome<ChangedUser>> => {
    const withKeys = wanted.secrets !== undefined && wanted.secrets !== null;
    const context = { id, visibility: visibilityOfUsers(principal), withKeys, now: clock.now(), by: principal };
    const changed = await users.change(context, (user, keys) => userChanged(principal, wanted, { user, keys }));
    if (changed === null) return notFound("user", id);
    return isRefusal(changed) ? failureOf(changed, dealerId) : changed;
  };

  /** Changes fields. With `rotate_keys`, all keys of the user get new secrets in the same transaction. */
  const put = useCase("user.update", async (principal, id: number, input: unknown): Promise<Outcome<ChangedUser>> => {
    const body = requireChange(userChanges.parse(input));
    if (body instanceof Failure) return refusedBody(principal, body, input);
    return change(principal, id, {
      operation: "user.update",
      plan: (user) => fieldsAfter(principal, user, body),
      ends: body.active !== undefined && !isOn(body.active),
      secrets: isOn(body.rotate_keys ?? false) ? secrets : null,
      dealerId: body.dealer_id,
    });
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

    get: useCase(
      "user.read",
      async (principal, id: number): Promise<Outcome<UserRecord>> =>
        (await users.find(id, visibilityOfUsers(principal))) ?? notFound("user", id),
    ),

    /**
     * Creates a user. The dealer of a bound caller replaces the one sent. This does not apply to a super-admin, whom a
     * bound caller may not create anyway.
     */
    create: useCase("user.create", async (principal, input: unknown): Promise<Outcome<UserRecord>> => {
      const scope = scopeOf(principal);
      const body = newUser.parse(input, ({ role, dealer_id }) =>
        roleIssues(role, newUserBelongsToTheCallersDealer(scope, role, dealer_id)),
      );
      if (body instanceof Failure) return refusedBody(principal, body, input);
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
      const plan = (user: UserRecord): UserFields => ({ ...user, email });
      return userIn(await change(principal, principal.userId ?? 0, { operation: "user.update", plan }));
    }),

    /** Deactivates a user; doing it twice is no error. From then on the user's keys are refused. */
    deactivate: useCase("user.deactivate", async (principal, id: number): Promise<Outcome<UserRecord>> => {
      const plan = (user: UserRecord): UserFields => ({ ...user, active: false });
      return userIn(await change(principal, id, { operation: "user.deactivate", plan, ends: true }));
    }),
  };
};

export type Users = ReturnType<typeof makeUsers>;
