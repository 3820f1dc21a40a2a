import { authorityOfKey } from "../access/authority.ts";
import { scopeOf } from "../access/decide.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import { callerMustManageUserOfKey } from "../access/rules/caller-must-manage-user-of-key.ts";
import { keysNetworksAreNotWidened } from "../access/rules/keys-networks-are-not-widened.ts";
import { newRecordsBelongToTheCallersDealer } from "../access/rules/new-records-belong-to-the-callers-dealer.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../access/rules/nobody-hands-out-more-than-they-hold.ts";
import { endedByAfter, onlyHigherRankReactivatesKey, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { onlySuperAdminMakesNoneKeys } from "../access/rules/only-super-admin-makes-none-keys.ts";
import { regularUserMayNotRetieKey } from "../access/rules/regular-user-may-not-retie-key.ts";
import { sensitiveChangesNeedRecentProof } from "../access/rules/sensitive-changes-need-recent-proof.ts";
import { type Caller, useCase } from "../access/use-case.ts";
import { visibilityOfKeys, visibilityOfUsers } from "../access/visibility.ts";
import type { Clock } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import { DEFAULT_PERMISSIONS, type PermissionPair, setOfPairs } from "../permissions.ts";
import { retryOnConflict } from "../retry.ts";
import { requireChange } from "../validation.ts";
import type { Holders } from "./holders.ts";
import { type Holder, type KeyRecord, keyChanges, newKey } from "./key.ts";
import { makeKeyLists } from "./key-lists.ts";
import {
  associationOf,
  bothTiesIssues,
  expiryFormatIssues,
  expiryIssues,
  fieldsAfter,
  isOn,
  latestExpiry,
  permissionSetOf,
  tieIssues,
  timestampOf,
  USER_KEY_PERMISSIONS,
  unknownDealer,
  withPermissions,
} from "./key-plan.ts";
import { type KeyFields, type KeyRepository, UNKNOWN_HOLDER } from "./key-repository.ts";
import { publicKeyIssues } from "./public-keys.ts";
import { makeRotation } from "./rotation.ts";
import type { IssuedKey, Secrets } from "./secrets.ts";

interface Ports {
  readonly keys: KeyRepository;
  readonly users: Holders;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** How many days ahead keys may expire at most; `null` if they need not expire. */
  readonly maxKeyDays?: number | null;
}

/** A changed key, and its new secret if it was rotated. */
export interface ChangedKey {
  readonly record: KeyRecord;
  readonly apiKey: string | null;
}

const recordOf = (outcome: Outcome<ChangedKey>): Outcome<KeyRecord> =>
  outcome instanceof Failure ? outcome : outcome.record;

/** A change of a key that a caller requests. */
interface Change {
  readonly principal: Principal;
  readonly operation: Operation;
  readonly id: number;
  readonly plan: (key: KeyRecord) => Outcome<KeyFields>;
  /** True if the change ends the key. The key may have ended already. */
  readonly ends?: boolean;
  /** True if the change also replaces the secret. */
  readonly rotates?: boolean;
}

/** The use cases of keys (interface 6.4 and 5.6 to 5.9). For a caller, a key that it cannot see does not exist. */
export const makeKeys = ({ keys, users, secrets, clock, maxKeyDays = null }: Ports) => {
  const rules = { clock, maxKeyDays };
  const find = async (principal: Principal, id: number): Promise<Outcome<KeyRecord>> =>
    (await keys.find(id, visibilityOfKeys(principal))) ?? notFound("key", id);

  /** The user to whom a key shall belong, if the caller may manage that user. */
  const holderOf = async (principal: Principal, userId: number | null): Promise<Outcome<Holder | null>> => {
    if (userId === null) return null;
    const visibility = visibilityOfUsers(principal);
    const user = await users.find(userId, visibility);
    if (user === null && visibility === "everything")
      return invalid({ path: "user_id", message: `user ${userId} does not exist` });
    return callerMustManageUserOfKey(principal, userId, user) ?? user;
  };

  /** Changes a key by `plan`, if the caller could create the key both as it is and as it will be. */
  const change = async ({
    principal,
    operation,
    id,
    plan,
    ends = false,
    rotates = false,
  }: Change): Promise<Outcome<ChangedKey>> => {
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
        (rotates || fields.allowedNetworks !== key.allowedNetworks
          ? keysNetworksAreNotWidened(principal, fields.allowedNetworks)
          : null) ??
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

  const issue = useCase("key.create", async (principal, input: unknown): Promise<Outcome<IssuedKey>> => {
    const now = clock.now();
    const scope = scopeOf(principal);
    const body = newKey.parse(input, (fields) => [...expiryIssues(rules, now, fields), ...tieIssues(scope, fields)]);
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
      isPublic: isOn(body.public ?? false),
      allowedOrigins: body.allowed_origins ?? null,
      allowedNetworks: body.allowed_networks ?? null,
      active: isOn(body.active ?? true),
      endedBy: endedByAfter(rankOf(principal), null, { active: isOn(body.active ?? true), endedAgain: false }),
      disabledReason: null,
      expiresAt: timestampOf(clock, body.expires_at) ?? latestExpiry(rules),
    };
    const notPublic = publicKeyIssues(null, fields, body);
    if (notPublic.length > 0) return invalid(...notPublic);
    const after = authorityOfKey({ ...fields, holder });
    const tooStrong =
      nobodyHandsOutMoreThanTheyHold(principal, after) ?? keysNetworksAreNotWidened(principal, fields.allowedNetworks);
    if (tooStrong !== null) return tooStrong;
    if (holder !== null && body.permissions !== undefined && setOfPairs(body.permissions) !== holder.permissions)
      return invalid(USER_KEY_PERMISSIONS);
    const unproved = sensitiveChangesNeedRecentProof(principal, "key.create", { before: null, after });
    if (unproved !== null) return unproved;
    const secret = secrets.issue(fields.appType, fields.appId);
    const record = await keys.insert({ key: fields, secret, now, by: principal });
    if (record instanceof Failure) return record;
    return record === UNKNOWN_HOLDER ? unknownDealer(dealerId) : { record, apiKey: secret.key };
  });

  /** Changes fields. With `rotate`, the key also gets a new secret in the same transaction. */
  const put = useCase("key.update", async (principal, id: number, input: unknown): Promise<Outcome<ChangedKey>> => {
    const body = requireChange(
      keyChanges.parse(input, (fields) => [...expiryFormatIssues(clock, fields), ...bothTiesIssues(fields)]),
    );
    if (body instanceof Failure) return body;
    const ends = body.active !== undefined && !isOn(body.active);
    return change({
      principal,
      operation: "key.update",
      id,
      plan: (key) => fieldsAfter({ ...rules, caller: principal }, key, body),
      ends,
      rotates: isOn(body.rotate ?? false),
    });
  });

  return {
    create: issue,
    change: put,

    /** Changes fields without a rotation. */
    async update(caller: Caller, id: number, input: unknown): Promise<Outcome<KeyRecord>> {
      return recordOf(await put(caller, id, input));
    },

    ...makeKeyLists({ keys, clock }),
    ...makeRotation({ keys, secrets, clock }),

    get: useCase("key.read", async (principal, id: number): Promise<Outcome<KeyRecord>> => find(principal, id)),

    /** Revokes a key; doing it twice is no error (interface 3.3). */
    revoke: useCase("key.revoke", async (principal, id: number): Promise<Outcome<KeyRecord>> => {
      const plan = (key: KeyRecord) => ({ ...key, active: false });
      return recordOf(await change({ principal, operation: "key.revoke", id, plan, ends: true }));
    }),

    /** Adds one permission. A user key has no permissions of its own. */
    grant: useCase("key.grant", async (principal, id: number, pair: PermissionPair): Promise<Outcome<KeyRecord>> => {
      const plan = (key: KeyRecord) => withPermissions(key, key.ownPermissions | setOfPairs([pair]));
      return recordOf(await change({ principal, operation: "key.grant", id, plan }));
    }),

    /** Removes one permission. It is no error if the key does not have it. */
    withdraw: useCase(
      "key.withdraw",
      async (principal, id: number, pair: PermissionPair): Promise<Outcome<KeyRecord>> => {
        const plan = (key: KeyRecord) => withPermissions(key, key.ownPermissions & ~setOfPairs([pair]));
        return recordOf(await change({ principal, operation: "key.withdraw", id, plan }));
      },
    ),

    remove: useCase("key.delete", async (principal, id: number): Promise<Outcome<true>> => {
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
    }),
  };
};

export type Keys = ReturnType<typeof makeKeys>;
