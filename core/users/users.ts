import { admit, scopeOf } from "../access/decide.ts";
import { ROLE_PERMISSIONS, setOfPairs } from "../access/permissions.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import { endedByAfter, onlyHigherRankReactivates, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { refuseOwnChange } from "../access/rules/own-sign-in.ts";
import { refuseUnproved } from "../access/rules/recent-proof.ts";
import type { Clock } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import { reachOfUser, refuseMore, sightOfUsers } from "../keys/delegation.ts";
import type { KeyRepository } from "../keys/key-repository.ts";
import type { KeyRotation, Secrets } from "../keys/secrets.ts";
import { type Listing, slicedPageOf } from "../page.ts";
import { undisturbed } from "../reach.ts";
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

const touched = (user: UserFields) => ({ ...reachOfUser(user), email: user.email, role: user.role });

const isOn = (flag: boolean | 0 | 1): boolean => flag === true || flag === 1;

const isRefusal = (value: unknown): value is UserRefusal =>
  value instanceof Failure || value === EMAIL_TAKEN || value === NO_SUCH_DEALER || value === LAST_SUPER_ADMIN;

interface Ports {
  readonly users: UserRepository;
  readonly keys: Pick<KeyRepository, "list">;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** A changed user, with the keys that got new secrets. */
export interface ChangedUser {
  readonly user: UserRecord;
  /** `null` where no new secrets were asked for. */
  readonly keys: readonly KeyRotation[] | null;
}

/** What a change means besides the fields that it changes: that the user is ended, if once more; that all secrets are. */
interface Meant {
  readonly ends?: boolean;
  readonly rotates?: boolean;
}

const userIn = (outcome: Outcome<ChangedUser>): Outcome<UserRecord> =>
  outcome instanceof Failure ? outcome : outcome.user;

/** User use cases. A bound caller sees and manages its dealer's users; nobody hands out more than they hold. */
export const makeUsers = ({ users, keys, secrets, clock }: Ports) => {
  const find = async (principal: Principal, id: number): Promise<Outcome<UserRecord>> =>
    (await users.find(id, sightOfUsers(principal))) ?? notFound("user", id);

  /** Changes a user as `plan` says, if neither the user before nor after can do more than the caller. */
  const change = async (
    principal: Principal,
    operation: Operation,
    id: number,
    plan: (user: UserRecord) => Outcome<UserFields>,
    { ends = false, rotates = false }: Meant = {},
  ): Promise<Outcome<ChangedUser>> => {
    const refused = admit(principal, operation);
    if (refused !== null) return refused;
    return undisturbed(async (): Promise<Outcome<ChangedUser> | null> => {
      const user = await find(principal, id);
      if (user instanceof Failure) return user;
      const tooStrong = refuseMore(principal, reachOfUser(user));
      if (tooStrong !== null) return tooStrong;
      const planned = plan(user);
      if (planned instanceof Failure) return planned;
      const rank = rankOf(principal);
      const fields = { ...planned, endedBy: endedByAfter(rank, user, planned.active, ends) };
      const revived = fields.active ? onlyHigherRankReactivates(rank, user) : null;
      if (revived !== null) return revived;
      const becomesTooStrong = refuseMore(principal, reachOfUser(fields));
      if (becomesTooStrong !== null) return becomesTooStrong;
      const unproved = refuseUnproved(principal, operation, touched(user), touched(fields));
      if (unproved !== null) return unproved;
      const rotations = rotates ? await rotationOfKeys(principal, { keys, secrets }, user, fields) : null;
      if (rotations instanceof Failure) return rotations;
      const changed = await users.update(user, sightOfUsers(principal), fields, clock.now(), principal, rotations);
      if (isRefusal(changed)) return failureOf(changed, fields.dealerId);
      return changed === null ? null : { user: changed, keys: rotations };
    });
  };

  /** Changes fields; with `rotate_keys` all keys of the user get other secrets in the same transaction. */
  const put = async (principal: Principal, id: number, input: unknown): Promise<Outcome<ChangedUser>> => {
    const refused = admit(principal, "user.update");
    if (refused !== null) return refused;
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
      return refuseOwnChange(principal, id, user, fields) ?? fields;
    };
    return change(principal, "user.update", id, plan, { ends, rotates: isOn(body.rotate_keys ?? false) });
  };

  return {
    async list(principal: Principal, query: UserQuery): Promise<Outcome<Listing<UserRecord>>> {
      const refused = admit(principal, "user.list");
      if (refused !== null) return refused;
      return users.list(
        sightOfUsers(principal),
        {
          ...(query.dealer_id !== undefined && { dealerId: query.dealer_id }),
          ...(query.role !== undefined && { role: query.role }),
          ...(query.active !== undefined && { active: query.active }),
        },
        slicedPageOf(query),
      );
    },

    async get(principal: Principal, id: number): Promise<Outcome<UserRecord>> {
      return admit(principal, "user.read") ?? find(principal, id);
    },

    /** Creates a user; a bound caller's dealer overrides the one sent, except for a super-admin, which it may not make. */
    async create(principal: Principal, input: unknown): Promise<Outcome<UserRecord>> {
      const refused = admit(principal, "user.create");
      if (refused !== null) return refused;
      const scope = scopeOf(principal);
      const body = newUser.parse(input, ({ role, dealer_id }) =>
        roleIssues(role, role === "super_admin" ? dealer_id : (scope ?? dealer_id)),
      );
      if (body instanceof Failure) return body;
      const fields: UserFields = {
        name: body.name,
        email: body.email,
        role: body.role,
        dealerId: body.role === "super_admin" ? null : (scope ?? body.dealer_id ?? null),
        permissions: body.permissions === undefined ? ROLE_PERMISSIONS[body.role] : setOfPairs(body.permissions),
        active: isOn(body.active ?? true),
        endedBy: endedByAfter(rankOf(principal), null, isOn(body.active ?? true), false),
      };
      const tooStrong = refuseMore(principal, reachOfUser(fields));
      if (tooStrong !== null) return tooStrong;
      const unproved = refuseUnproved(principal, "user.create", null, touched(fields));
      if (unproved !== null) return unproved;
      const created = await users.insert(fields, clock.now(), principal);
      return isRefusal(created) ? failureOf(created, fields.dealerId) : created;
    },

    change: put,

    /** Changes fields, as `change` does, for who does not ask for other secrets. */
    async update(principal: Principal, id: number, input: unknown): Promise<Outcome<UserRecord>> {
      return userIn(await put(principal, id, input));
    },

    /** Gives the signed-in user another address, for who has proved with the present password that they are the user. */
    async changeOwnEmail(principal: Principal, email: string): Promise<Outcome<UserRecord>> {
      const changed = await change(principal, "user.update", principal.userId ?? 0, (user) => ({ ...user, email }));
      return userIn(changed);
    },

    /** Deactivates; again is no error. The user's keys are refused from then on. */
    async deactivate(principal: Principal, id: number): Promise<Outcome<UserRecord>> {
      const plan = (user: UserRecord): UserFields => ({ ...user, active: false });
      return userIn(await change(principal, "user.deactivate", id, plan, { ends: true }));
    },
  };
};

export type Users = ReturnType<typeof makeUsers>;
