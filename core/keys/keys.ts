import { admit, scopeOf } from "../access/decide.ts";
import { DEFAULT_PERMISSIONS, type PermissionPair, type Role, setOfPairs } from "../access/permissions.ts";
import type { Operation } from "../access/policy.ts";
import { isSuperAdmin, type Principal } from "../access/principal.ts";
import {
  type Ending,
  endedByAfter,
  onlyHigherRankReactivates,
  rankOf,
} from "../access/rules/only-higher-rank-reactivates.ts";
import { refuseUnproved } from "../access/rules/recent-proof.ts";
import type { Clock } from "../clock.ts";
import { escalation, Failure, invalid, notFound, type Outcome } from "../failure.ts";
import { type Listing, slicedPageOf } from "../page.ts";
import { undisturbed } from "../reach.ts";
import type { UserRepository } from "../users/user-repository.ts";
import { requireChange } from "../validation.ts";
import { reachOfKey, refuseMore, refuseUser, sightOfKeys, sightOfUsers } from "./delegation.ts";
import { type Holder, type KeyQuery, type KeyRecord, keyChanges, newKey, rotation } from "./key.ts";
import {
  associationOf,
  bothTiesIssues,
  changedFields,
  expiryIssues,
  formIssues,
  isOn,
  momentOf,
  setOf,
  tieIssues,
  USER_KEY_PERMISSIONS,
  unknownDealer,
  withPermissions,
} from "./key-plan.ts";
import { type KeyFields, type KeyRepository, UNKNOWN_HOLDER } from "./key-repository.ts";
import type { Secrets } from "./secrets.ts";

interface Ports {
  readonly keys: KeyRepository;
  readonly users: Pick<UserRepository, "find">;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** A key with its secret, which is shown here and nowhere else. */
export interface ShownKey {
  readonly record: KeyRecord;
  readonly apiKey: string;
}

/** A changed key, with its secret where it got a new one. */
export interface ChangedKey {
  readonly record: KeyRecord;
  readonly apiKey: string | null;
}

const recordOf = (outcome: Outcome<ChangedKey>): Outcome<KeyRecord> =>
  outcome instanceof Failure ? outcome : outcome.record;

/** What a change means besides the fields that it changes: that the key is ended, if once more; that its secrets are. */
interface Meant {
  readonly ends?: boolean;
  readonly rotates?: boolean;
}

/** A key works again when it is activated, and when it is tied to somebody else than a user who was ended. */
const refuseRevival = (rank: Role, key: KeyRecord, after: KeyFields): Failure | null => {
  const isOfOthers = after.userId !== key.userId;
  const ended: Ending[] = [...(after.active ? [key] : []), ...(isOfOthers && key.holder !== null ? [key.holder] : [])];
  return ended.map((one) => onlyHigherRankReactivates(rank, one)).find((refused) => refused !== null) ?? null;
};

/** Key use cases (specification 4.3, 5.6 to 5.8). A key out of the caller's sight does not exist for it. */
export const makeKeys = ({ keys, users, secrets, clock }: Ports) => {
  const find = async (principal: Principal, id: number): Promise<Outcome<KeyRecord>> =>
    (await keys.find(id, sightOfKeys(principal))) ?? notFound("key", id);

  /** The user a key is to be tied to, if the caller may manage it. */
  const holderOf = async (principal: Principal, userId: number | null): Promise<Outcome<Holder | null>> => {
    if (userId === null) return null;
    const user = await users.find(userId, sightOfUsers(principal));
    if (user === null && isSuperAdmin(principal))
      return invalid({ path: "user_id", message: `user ${userId} does not exist` });
    return refuseUser(principal, userId, user) ?? user;
  };

  /** Changes a key as `plan` says, after checking that neither the key before nor after can do more than the caller. */
  const change = async (
    principal: Principal,
    operation: Operation,
    id: number,
    plan: (key: KeyRecord) => Outcome<KeyFields>,
    { ends = false, rotates = false }: Meant = {},
  ): Promise<Outcome<ChangedKey>> => {
    const refused = admit(principal, operation);
    if (refused !== null) return refused;
    return undisturbed(async (): Promise<Outcome<ChangedKey> | null> => {
      const key = await find(principal, id);
      if (key instanceof Failure) return key;
      const tooStrong = refuseMore(principal, reachOfKey(key));
      if (tooStrong !== null) return tooStrong;
      const planned = plan(key);
      if (planned instanceof Failure) return planned;
      const rank = rankOf(principal);
      const fields = { ...planned, endedBy: endedByAfter(rank, key, planned.active, ends) };
      const revived = refuseRevival(rank, key, fields);
      if (revived !== null) return revived;
      if (principal.role === "user" && (fields.userId !== key.userId || fields.dealerId !== key.dealerId))
        return escalation("You may not change what a key is tied to");
      const holder = fields.userId === key.userId ? key.holder : await holderOf(principal, fields.userId);
      if (holder instanceof Failure) return holder;
      const reach = reachOfKey({ ...key, ...fields, holder });
      const becomesTooStrong =
        refuseMore(principal, reach) ?? refuseUnproved(principal, operation, reachOfKey(key), reach);
      if (becomesTooStrong !== null) return becomesTooStrong;
      const secret = rotates ? secrets.issue(fields.appType, fields.appId) : null;
      const changed = await keys.update(key, sightOfKeys(principal), fields, clock.now(), principal, secret);
      if (changed === null || changed instanceof Failure) return changed;
      return changed === UNKNOWN_HOLDER
        ? unknownDealer(fields.dealerId)
        : { record: changed, apiKey: secret === null ? null : secret.key };
    });
  };

  const issue = async (principal: Principal, input: unknown): Promise<Outcome<ShownKey>> => {
    const refused = admit(principal, "key.create");
    if (refused !== null) return refused;
    const now = clock.now();
    const scope = scopeOf(principal);
    const body = newKey.parse(input, (fields) => [...expiryIssues(clock, now, fields), ...tieIssues(scope, fields)]);
    if (body instanceof Failure) return body;
    if (body.association === "none" && !isSuperAdmin(principal))
      return escalation("Only a super-admin may make a key without a dealer or user");
    const userId = body.user_id ?? null;
    const dealerId = userId === null ? (scope ?? body.dealer_id ?? null) : null;
    const holder = await holderOf(principal, userId);
    if (holder instanceof Failure) return holder;
    const fields: KeyFields = {
      name: body.name,
      description: body.description ?? null,
      appType: body.app_type,
      appId: body.app_id,
      association: associationOf(dealerId, userId),
      dealerId,
      userId,
      ownPermissions: userId === null ? (setOf(body.permissions) ?? DEFAULT_PERMISSIONS[body.app_type]) : 0,
      rateLimit: body.rate_limit ?? null,
      active: isOn(body.active ?? true),
      endedBy: endedByAfter(rankOf(principal), null, isOn(body.active ?? true), false),
      expiresAt: momentOf(clock, body.expires_at),
    };
    const reach = reachOfKey({
      ...fields,
      holder,
      id: 0,
      keyStart: "",
      lastUsedAt: null,
      createdAt: now,
      updatedAt: now,
    });
    const tooStrong = refuseMore(principal, reach);
    if (tooStrong !== null) return tooStrong;
    if (holder !== null && body.permissions !== undefined && setOfPairs(body.permissions) !== holder.permissions)
      return invalid(USER_KEY_PERMISSIONS);
    const unproved = refuseUnproved(principal, "key.create", null, reach);
    if (unproved !== null) return unproved;
    const secret = secrets.issue(fields.appType, fields.appId);
    const record = await keys.insert(fields, secret, now, principal);
    if (record instanceof Failure) return record;
    return record === UNKNOWN_HOLDER ? unknownDealer(dealerId) : { record, apiKey: secret.key };
  };

  /** Changes fields; a key that is to be rotated as well gets another secret in the same transaction. */
  const put = async (principal: Principal, id: number, input: unknown): Promise<Outcome<ChangedKey>> => {
    const refused = admit(principal, "key.update");
    if (refused !== null) return refused;
    const body = requireChange(
      keyChanges.parse(input, (fields) => [...formIssues(clock, fields), ...bothTiesIssues(fields)]),
    );
    if (body instanceof Failure) return body;
    const ends = body.active !== undefined && !isOn(body.active);
    return change(principal, "key.update", id, (key) => changedFields(clock, key, body), {
      ends,
      rotates: isOn(body.rotate ?? false),
    });
  };

  return {
    create: issue,
    change: put,

    /** Changes fields, as `change` does, for who does not ask for another secret. */
    async update(principal: Principal, id: number, input: unknown): Promise<Outcome<KeyRecord>> {
      return recordOf(await put(principal, id, input));
    },

    async list(principal: Principal, query: KeyQuery): Promise<Outcome<Listing<KeyRecord>>> {
      const refused = admit(principal, "key.list");
      if (refused !== null) return refused;
      return keys.list(
        sightOfKeys(principal),
        {
          ...(query.dealer_id !== undefined && { dealerId: query.dealer_id }),
          ...(query.user_id !== undefined && { userId: query.user_id }),
          ...(query.app_type !== undefined && { appType: query.app_type }),
          ...(query.active !== undefined && { active: query.active }),
          ...(query.status !== undefined && { status: { is: query.status, at: clock.now() } }),
          ...(query.association !== undefined && { association: query.association }),
          ...(query.q !== undefined && { search: query.q }),
        },
        slicedPageOf(query),
        { by: query.sort ?? "created", ascending: query.order === "asc" },
      );
    },

    async get(principal: Principal, id: number): Promise<Outcome<KeyRecord>> {
      return admit(principal, "key.read") ?? find(principal, id);
    },

    /** Revokes; again is no error (specification 3). */
    async revoke(principal: Principal, id: number): Promise<Outcome<KeyRecord>> {
      return recordOf(await change(principal, "key.revoke", id, (key) => ({ ...key, active: false }), { ends: true }));
    },

    /** Adds one pair. A user key has no pairs of its own. */
    async grant(principal: Principal, id: number, pair: PermissionPair): Promise<Outcome<KeyRecord>> {
      const plan = (key: KeyRecord) => withPermissions(key, key.ownPermissions | setOfPairs([pair]));
      return recordOf(await change(principal, "key.grant", id, plan));
    },

    /** Removes one pair; one that the key does not have is no error. */
    async withdraw(principal: Principal, id: number, pair: PermissionPair): Promise<Outcome<KeyRecord>> {
      const plan = (key: KeyRecord) => withPermissions(key, key.ownPermissions & ~setOfPairs([pair]));
      return recordOf(await change(principal, "key.withdraw", id, plan));
    },

    /** A new secret for the same key; the one before works for `grace_seconds`, never past the key's expiry. */
    async rotate(principal: Principal, id: number, input: unknown): Promise<Outcome<ShownKey>> {
      const refused = admit(principal, "key.rotate");
      if (refused !== null) return refused;
      const body = rotation.parse(input ?? {});
      if (body instanceof Failure) return body;
      return undisturbed(async (): Promise<Outcome<ShownKey> | null> => {
        const key = await find(principal, id);
        if (key instanceof Failure) return key;
        const reach = reachOfKey(key);
        const refused = refuseMore(principal, reach) ?? refuseUnproved(principal, "key.rotate", reach, reach);
        if (refused !== null) return refused;
        const secret = secrets.issue(key.appType, key.appId);
        // What is ended has no secret in grace: whoever activates it again would bring that back to life.
        const isEnded = !key.active || key.holder?.active === false;
        const graceEnds = clock.after(isEnded ? 0 : (body.grace_seconds ?? 0));
        const endsAt = key.expiresAt !== null && key.expiresAt < graceEnds ? key.expiresAt : graceEnds;
        const record = await keys.rotate(key, sightOfKeys(principal), secret, endsAt, clock.now(), principal);
        return record === null ? null : { record, apiKey: secret.key };
      });
    },

    async remove(principal: Principal, id: number): Promise<Outcome<true>> {
      const refused = admit(principal, "key.delete");
      if (refused !== null) return refused;
      return undisturbed(async (): Promise<Outcome<true> | null> => {
        const key = await find(principal, id);
        if (key instanceof Failure) return key;
        const reach = reachOfKey(key);
        const refused = refuseMore(principal, reach) ?? refuseUnproved(principal, "key.delete", reach, null);
        if (refused !== null) return refused;
        return (await keys.remove(key, sightOfKeys(principal), clock.now(), principal)) || null;
      });
    },
  };
};

export type Keys = ReturnType<typeof makeKeys>;
