import { authorityOfKey } from "../access/authority.ts";
import { admit, scopeOf } from "../access/decide.ts";
import { DEFAULT_PERMISSIONS, type PermissionPair, setOfPairs } from "../access/permissions.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import { callerMustManageUserOfKey } from "../access/rules/caller-must-manage-user-of-key.ts";
import { newRecordsBelongToTheCallersDealer } from "../access/rules/new-records-belong-to-the-callers-dealer.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../access/rules/nobody-hands-out-more-than-they-hold.ts";
import { endedByAfter, onlyHigherRankReactivatesKey, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { onlySuperAdminMakesNoneKeys } from "../access/rules/only-super-admin-makes-none-keys.ts";
import { regularUserMayNotRetieKey } from "../access/rules/regular-user-may-not-retie-key.ts";
import { sensitiveChangesNeedRecentProof } from "../access/rules/sensitive-changes-need-recent-proof.ts";
import { visibilityOfKeys, visibilityOfUsers } from "../access/visibility.ts";
import type { Clock } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import type { Slice } from "../long-items.ts";
import { COUNT_ONLY, type Listing, orderOf, slicedPageOf } from "../page.ts";
import { retryOnConflict } from "../retry.ts";
import type { UserRepository } from "../users/user-repository.ts";
import { requireChange } from "../validation.ts";
import {
  type Holder,
  type KeyExportQuery,
  type KeyQuery,
  type KeyRecord,
  keyChanges,
  newKey,
  rotation,
} from "./key.ts";
import {
  associationOf,
  bothTiesIssues,
  expiryFormatIssues,
  expiryIssues,
  fieldsAfter,
  isOn,
  permissionSetOf,
  tieIssues,
  timestampOf,
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

/** A key with its secret, which is shown only here. */
export interface IssuedKey {
  readonly record: KeyRecord;
  readonly apiKey: string;
}

/** A changed key, with its new secret if it was rotated. */
export interface ChangedKey {
  readonly record: KeyRecord;
  readonly apiKey: string | null;
}

const recordOf = (outcome: Outcome<ChangedKey>): Outcome<KeyRecord> =>
  outcome instanceof Failure ? outcome : outcome.record;

/** The keys of an export, newest first. */
export interface KeyExport {
  /** How many the filters find when they are asked for. */
  readonly total: number;
  /** See KeyRepository for what reading them holds. */
  readonly keys: Iterable<Slice<KeyRecord>>;
}

/** A change of one key that a caller asks for. */
interface Change {
  readonly principal: Principal;
  readonly operation: Operation;
  readonly id: number;
  readonly plan: (key: KeyRecord) => Outcome<KeyFields>;
  /** Also ends the key, even one that has ended. */
  readonly ends?: boolean;
  /** Also ends its secret. */
  readonly rotates?: boolean;
}

/** Key use cases (interface 6.4 and 5.6 to 5.9). A key that the caller does not see does not exist for it. */
export const makeKeys = ({ keys, users, secrets, clock }: Ports) => {
  const find = async (principal: Principal, id: number): Promise<Outcome<KeyRecord>> =>
    (await keys.find(id, visibilityOfKeys(principal))) ?? notFound("key", id);

  /** The user whom a key shall belong to, if the caller may manage that user. */
  const holderOf = async (principal: Principal, userId: number | null): Promise<Outcome<Holder | null>> => {
    if (userId === null) return null;
    const visibility = visibilityOfUsers(principal);
    const user = await users.find(userId, visibility);
    if (user === null && visibility === "everything")
      return invalid({ path: "user_id", message: `user ${userId} does not exist` });
    return callerMustManageUserOfKey(principal, userId, user) ?? user;
  };

  /** Changes a key by `plan`, if the caller could hand out the key both before and after. */
  const change = async ({
    principal,
    operation,
    id,
    plan,
    ends = false,
    rotates = false,
  }: Change): Promise<Outcome<ChangedKey>> => {
    const refused = admit(principal, operation);
    if (refused !== null) return refused;
    return retryOnConflict(async (): Promise<Outcome<ChangedKey> | null> => {
      const key = await find(principal, id);
      if (key instanceof Failure) return key;
      const before = authorityOfKey(key);
      const tooStrong = nobodyHandsOutMoreThanTheyHold(principal, before);
      if (tooStrong !== null) return tooStrong;
      const planned = plan(key);
      if (planned instanceof Failure) return planned;
      const rank = rankOf(principal);
      const fields = { ...planned, endedBy: endedByAfter(rank, key, { active: planned.active, endedAgain: ends }) };
      const refused =
        onlyHigherRankReactivatesKey(rank, key, fields) ?? regularUserMayNotRetieKey(principal, key, fields);
      if (refused !== null) return refused;
      const holder = fields.userId === key.userId ? key.holder : await holderOf(principal, fields.userId);
      if (holder instanceof Failure) return holder;
      const after = authorityOfKey({ ...fields, holder });
      const becomesTooStrong =
        nobodyHandsOutMoreThanTheyHold(principal, after) ??
        sensitiveChangesNeedRecentProof(principal, operation, { before, after });
      if (becomesTooStrong !== null) return becomesTooStrong;
      const secret = rotates ? secrets.issue(fields.appType, fields.appId) : null;
      const changed = await keys.update({
        seen: key,
        visibility: visibilityOfKeys(principal),
        fields,
        now: clock.now(),
        by: principal,
        secret,
      });
      if (changed === null || changed instanceof Failure) return changed;
      return changed === UNKNOWN_HOLDER
        ? unknownDealer(fields.dealerId)
        : { record: changed, apiKey: secret === null ? null : secret.key };
    });
  };

  const issue = async (principal: Principal, input: unknown): Promise<Outcome<IssuedKey>> => {
    const refused = admit(principal, "key.create");
    if (refused !== null) return refused;
    const now = clock.now();
    const scope = scopeOf(principal);
    const body = newKey.parse(input, (fields) => [...expiryIssues(clock, now, fields), ...tieIssues(scope, fields)]);
    if (body instanceof Failure) return body;
    const notSuperAdmin = onlySuperAdminMakesNoneKeys(principal, body.association);
    if (notSuperAdmin !== null) return notSuperAdmin;
    const userId = body.user_id ?? null;
    const dealerId = userId === null ? newRecordsBelongToTheCallersDealer(scope, body.dealer_id ?? null) : null;
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
      ownPermissions: userId === null ? (permissionSetOf(body.permissions) ?? DEFAULT_PERMISSIONS[body.app_type]) : 0,
      rateLimit: body.rate_limit ?? null,
      active: isOn(body.active ?? true),
      endedBy: endedByAfter(rankOf(principal), null, { active: isOn(body.active ?? true), endedAgain: false }),
      expiresAt: timestampOf(clock, body.expires_at),
    };
    const after = authorityOfKey({ ...fields, holder });
    const tooStrong = nobodyHandsOutMoreThanTheyHold(principal, after);
    if (tooStrong !== null) return tooStrong;
    if (holder !== null && body.permissions !== undefined && setOfPairs(body.permissions) !== holder.permissions)
      return invalid(USER_KEY_PERMISSIONS);
    const unproved = sensitiveChangesNeedRecentProof(principal, "key.create", { before: null, after });
    if (unproved !== null) return unproved;
    const secret = secrets.issue(fields.appType, fields.appId);
    const record = await keys.insert({ key: fields, secret, now, by: principal });
    if (record instanceof Failure) return record;
    return record === UNKNOWN_HOLDER ? unknownDealer(dealerId) : { record, apiKey: secret.key };
  };

  /** Changes fields; with `rotate` the key also gets a new secret in the same transaction. */
  const put = async (principal: Principal, id: number, input: unknown): Promise<Outcome<ChangedKey>> => {
    const refused = admit(principal, "key.update");
    if (refused !== null) return refused;
    const body = requireChange(
      keyChanges.parse(input, (fields) => [...expiryFormatIssues(clock, fields), ...bothTiesIssues(fields)]),
    );
    if (body instanceof Failure) return body;
    const ends = body.active !== undefined && !isOn(body.active);
    return change({
      principal,
      operation: "key.update",
      id,
      plan: (key) => fieldsAfter(clock, key, body),
      ends,
      rotates: isOn(body.rotate ?? false),
    });
  };

  /** The keys that a caller sees, and those of them that a query means. */
  const readable = (principal: Principal, query: KeyExportQuery) => ({
    visibility: visibilityOfKeys(principal),
    filter: {
      ...(query.dealer_id !== undefined && { dealerId: query.dealer_id }),
      ...(query.user_id !== undefined && { userId: query.user_id }),
      ...(query.app_type !== undefined && { appType: query.app_type }),
      ...(query.active !== undefined && { active: query.active }),
      ...(query.status !== undefined && { status: { is: query.status, at: clock.now() } }),
      ...(query.association !== undefined && { association: query.association }),
      ...(query.q !== undefined && {
        search: {
          q: query.q,
          // Finding a key by a name would tell the name.
          inDealerNames: admit(principal, "dealer.read") === null,
          inUserNames: admit(principal, "user.read") === null,
        },
      }),
    },
  });

  return {
    create: issue,
    change: put,

    /** Changes fields as `change` does, without rotation. */
    async update(principal: Principal, id: number, input: unknown): Promise<Outcome<KeyRecord>> {
      return recordOf(await put(principal, id, input));
    },

    async list(principal: Principal, query: KeyQuery): Promise<Outcome<Listing<KeyRecord>>> {
      const refused = admit(principal, "key.list");
      if (refused !== null) return refused;
      return keys.list({ ...readable(principal, query), page: slicedPageOf(query), order: orderOf(query) });
    },

    /** All keys that the list finds, newest first. */
    async export(principal: Principal, query: KeyExportQuery): Promise<Outcome<KeyExport>> {
      const refused = admit(principal, "key.export");
      if (refused !== null) return refused;
      const wanted = readable(principal, query);
      const { total } = await keys.list({ ...wanted, page: COUNT_ONLY });
      return { total, keys: keys.all(wanted) };
    },

    async get(principal: Principal, id: number): Promise<Outcome<KeyRecord>> {
      return admit(principal, "key.read") ?? find(principal, id);
    },

    /** Revokes; a second time is no error (interface 3.3). */
    async revoke(principal: Principal, id: number): Promise<Outcome<KeyRecord>> {
      return recordOf(
        await change({
          principal,
          operation: "key.revoke",
          id,
          plan: (key) => ({ ...key, active: false }),
          ends: true,
        }),
      );
    },

    /** Adds one pair. A user key has no pairs of its own. */
    async grant(principal: Principal, id: number, pair: PermissionPair): Promise<Outcome<KeyRecord>> {
      const plan = (key: KeyRecord) => withPermissions(key, key.ownPermissions | setOfPairs([pair]));
      return recordOf(await change({ principal, operation: "key.grant", id, plan }));
    },

    /** Removes one pair; one that the key does not have is no error. */
    async withdraw(principal: Principal, id: number, pair: PermissionPair): Promise<Outcome<KeyRecord>> {
      const plan = (key: KeyRecord) => withPermissions(key, key.ownPermissions & ~setOfPairs([pair]));
      return recordOf(await change({ principal, operation: "key.withdraw", id, plan }));
    },

    /** A new secret for the same key; the previous one works for `grace_seconds`, but not past the key's expiry. */
    async rotate(principal: Principal, id: number, input: unknown): Promise<Outcome<IssuedKey>> {
      const refused = admit(principal, "key.rotate");
      if (refused !== null) return refused;
      const body = rotation.parse(input === undefined ? {} : input);
      if (body instanceof Failure) return body;
      return retryOnConflict(async (): Promise<Outcome<IssuedKey> | null> => {
        const key = await find(principal, id);
        if (key instanceof Failure) return key;
        const authority = authorityOfKey(key);
        const refused =
          nobodyHandsOutMoreThanTheyHold(principal, authority) ??
          sensitiveChangesNeedRecentProof(principal, "key.rotate", { before: authority, after: authority });
        if (refused !== null) return refused;
        const secret = secrets.issue(key.appType, key.appId);
        // An ended key gets no grace period: reactivating it would revive the old secret.
        const isEnded = !key.active || key.holder?.active === false;
        const graceEnds = clock.after(isEnded ? 0 : (body.grace_seconds ?? 0));
        const endsAt = key.expiresAt !== null && key.expiresAt < graceEnds ? key.expiresAt : graceEnds;
        const record = await keys.rotate({
          seen: key,
          visibility: visibilityOfKeys(principal),
          secret,
          previousEndsAt: endsAt,
          now: clock.now(),
          by: principal,
        });
        return record === null ? null : { record, apiKey: secret.key };
      });
    },

    /** Ends the old secret of a rotated key at once; where none works, that is no error and changes nothing. */
    async endGrace(principal: Principal, id: number): Promise<Outcome<KeyRecord>> {
      const refused = admit(principal, "key.end-grace");
      if (refused !== null) return refused;
      return retryOnConflict(async (): Promise<Outcome<KeyRecord> | null> => {
        const key = await find(principal, id);
        if (key instanceof Failure) return key;
        const authority = authorityOfKey(key);
        const refused =
          nobodyHandsOutMoreThanTheyHold(principal, authority) ??
          sensitiveChangesNeedRecentProof(principal, "key.end-grace", { before: authority, after: authority });
        if (refused !== null) return refused;
        return keys.endGrace({
          seen: key,
          visibility: visibilityOfKeys(principal),
          now: clock.now(),
          by: principal,
        });
      });
    },

    async remove(principal: Principal, id: number): Promise<Outcome<true>> {
      const refused = admit(principal, "key.delete");
      if (refused !== null) return refused;
      return retryOnConflict(async (): Promise<Outcome<true> | null> => {
        const key = await find(principal, id);
        if (key instanceof Failure) return key;
        const before = authorityOfKey(key);
        const refused =
          nobodyHandsOutMoreThanTheyHold(principal, before) ??
          sensitiveChangesNeedRecentProof(principal, "key.delete", { before, after: null });
        if (refused !== null) return refused;
        return (
          (await keys.remove({
            seen: key,
            visibility: visibilityOfKeys(principal),
            now: clock.now(),
            by: principal,
          })) || null
        );
      });
    },
  };
};

export type Keys = ReturnType<typeof makeKeys>;
