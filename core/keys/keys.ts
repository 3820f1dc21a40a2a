import { authorityOfKey } from "../access/authority.ts";
import { scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { keysNetworksAreNotWidened } from "../access/rules/keys-networks-are-not-widened.ts";
import { newRecordsBelongToTheCallersDealer } from "../access/rules/new-records-belong-to-the-callers-dealer.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../access/rules/nobody-hands-out-more-than-they-hold.ts";
import { endedByAfter, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { onlySuperAdminMakesNoneKeys } from "../access/rules/only-super-admin-makes-none-keys.ts";
import { sensitiveChangesNeedRecentProof } from "../access/rules/sensitive-changes-need-recent-proof.ts";
import { type Caller, useCase } from "../access/use-case.ts";
import { visibilityOfKeys, visibilityOfUsers } from "../access/visibility.ts";
import type { Clock } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import { type KnownDealers, type NamingField, namingDealers, withUnknownRecords } from "../named-records.ts";
import { DEFAULT_PERMISSIONS, type PermissionPair, setOfPairs } from "../permissions.ts";
import { isOn } from "../schema.ts";
import { requireChange } from "../validation.ts";
import type { Holders } from "./holders.ts";
import { type KeyRecord, keyChanges, newKey, rotation } from "./key.ts";
import { graceEnded, holderIn, keyChanged, keyRemoved, keyRotated } from "./key-changes.ts";
import { makeKeyLists } from "./key-lists.ts";
import {
  associationOf,
  bothTiesIssues,
  expiryFormatIssues,
  expiryIssues,
  fieldsAfter,
  latestExpiry,
  permissionSetOf,
  tieIssues,
  timestampOf,
  USER_KEY_PERMISSIONS,
  unknownDealer,
  withPermissions,
} from "./key-plan.ts";
import { type ChangedKey, type KeyFields, type KeyRepository, UNKNOWN_HOLDER } from "./key-repository.ts";
import { publicKeyIssues } from "./public-keys.ts";
import type { IssuedKey, Secrets } from "./secrets.ts";

interface Ports {
  readonly keys: KeyRepository;
  readonly users: Holders;
  readonly dealers: KnownDealers;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** How many days ahead keys may expire at most; `null` if they need not expire. */
  readonly maxKeyDays?: number | null;
}

const recordOf = (outcome: Outcome<ChangedKey>): Outcome<KeyRecord> =>
  outcome instanceof Failure ? outcome : outcome.record;

/** A change of a key that a caller requests. */
interface Change {
  readonly principal: Principal;
  readonly id: number;
  /** The dealer or user that the change names. */
  readonly ties?: { readonly dealer_id?: number | null; readonly user_id?: number | null };
  readonly decide: Parameters<KeyRepository["change"]>[1];
}

/** The use cases of keys (interface 6.4 and 5.6 to 5.9). For a caller, a key that it cannot see does not exist. */
export const makeKeys = ({ keys, users, dealers, secrets, clock, maxKeyDays = null }: Ports) => {
  const rules = { clock, maxKeyDays };
  const ofUser: NamingField = {
    path: "user_id",
    word: "user",
    known: async ([id = 0]) => new Set((await users.find(id, "everything")) === null ? [] : [id]),
  };

  /** A refusal of a body that also names the dealer and the user that do not exist, to those who see all users. */
  const refusedBody = (principal: Principal, refusal: Failure, input: unknown): Promise<Failure> => {
    const seesAll = visibilityOfUsers(principal) === "everything";
    return withUnknownRecords(refusal, input, seesAll ? [namingDealers("dealer_id", dealers), ofUser] : []);
  };

  const change = async ({ principal, id, ties = {}, decide }: Change): Promise<Outcome<ChangedKey>> => {
    const { user_id = null, dealer_id = null } = ties;
    const user = user_id === null ? null : { id: user_id, visibility: visibilityOfUsers(principal) };
    const context = { id, visibility: visibilityOfKeys(principal), user, now: clock.now(), by: principal };
    const changed = await keys.change(context, decide);
    if (changed === null) return notFound("key", id);
    return changed === UNKNOWN_HOLDER ? unknownDealer(dealer_id) : changed;
  };

  /** Changes the fields of a key. */
  const changeFields = (
    named: Omit<Change, "decide">,
    wanted: Parameters<typeof keyChanged>[1],
  ): Promise<Outcome<ChangedKey>> =>
    change({
      ...named,
      decide: (key, user) => {
        const fields = keyChanged(named.principal, wanted, { key, named: user });
        if (fields instanceof Failure) return fields;
        const secret = wanted.rotates ? secrets.issue(fields.appType, fields.appId) : null;
        return { does: "change", fields, secret };
      },
    });

  const issue = useCase("key.create", async (principal, input: unknown): Promise<Outcome<IssuedKey>> => {
    const now = clock.now();
    const scope = scopeOf(principal);
    const body = newKey.parse(input, (fields) => [...expiryIssues(rules, now, fields), ...tieIssues(scope, fields)]);
    if (body instanceof Failure) return refusedBody(principal, body, input);
    const notSuperAdmin = onlySuperAdminMakesNoneKeys(principal, body.association);
    if (notSuperAdmin !== null) return notSuperAdmin;
    const userId = body.user_id ?? null;
    const dealerId = userId === null ? newRecordsBelongToTheCallersDealer(scope, body.dealer_id ?? null) : null;
    const found = userId === null ? null : await users.find(userId, visibilityOfUsers(principal));
    const holder = holderIn(principal, userId, found);
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
      ownerEmail: body.owner_email ?? null,
      active: isOn(body.active ?? true),
      endedBy: endedByAfter(rankOf(principal), null, { active: isOn(body.active ?? true), endedAgain: false }),
      disabledReason: null,
      expiresAt: timestampOf(clock, body.expires_at) ?? latestExpiry(rules),
    };
    const notPublic = publicKeyIssues(null, fields, body);
    if (notPublic.length > 0) return refusedBody(principal, invalid(...notPublic), input);
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
    if (body instanceof Failure) return refusedBody(principal, body, input);
    return changeFields(
      { principal, id, ties: body },
      {
        operation: "key.update",
        plan: (key) => fieldsAfter({ ...rules, caller: principal }, key, body),
        ends: body.active !== undefined && !isOn(body.active),
        rotates: isOn(body.rotate ?? false),
      },
    );
  });

  return {
    create: issue,
    change: put,

    /** Changes fields without a rotation. */
    async update(caller: Caller, id: number, input: unknown): Promise<Outcome<KeyRecord>> {
      return recordOf(await put(caller, id, input));
    },

    ...makeKeyLists({ keys, clock }),

    get: useCase(
      "key.read",
      async (principal, id: number): Promise<Outcome<KeyRecord>> =>
        (await keys.find(id, visibilityOfKeys(principal))) ?? notFound("key", id),
    ),

    /** Gives the key a new secret. The previous one works for `grace_seconds` more. */
    rotate: useCase("key.rotate", async (principal, id: number, input: unknown): Promise<Outcome<IssuedKey>> => {
      const body = rotation.parse(input === undefined ? {} : input);
      if (body instanceof Failure) return body;
      const rotated = await change({
        principal,
        id,
        decide: (key) => keyRotated(principal, key, { graceSeconds: body.grace_seconds ?? 0, secrets, clock }),
      });
      if (rotated instanceof Failure) return rotated;
      if (rotated.apiKey === null) throw new Error("a rotated key has no new secret");
      return { record: rotated.record, apiKey: rotated.apiKey };
    }),

    /** Ends the old secret of a rotated key at once; it is no error if there is none that works. */
    endGrace: useCase("key.end-grace", async (principal, id: number): Promise<Outcome<KeyRecord>> => {
      const decide = (key: KeyRecord) => graceEnded(principal, key, clock.now());
      return recordOf(await change({ principal, id, decide }));
    }),

    /** Revokes a key; doing it twice is no error (interface 3.3). */
    revoke: useCase("key.revoke", async (principal, id: number): Promise<Outcome<KeyRecord>> => {
      const plan = (key: KeyRecord) => ({ ...key, active: false });
      return recordOf(await changeFields({ principal, id }, { operation: "key.revoke", plan, ends: true }));
    }),

    /** Adds one permission. A user key has no permissions of its own. */
    grant: useCase("key.grant", async (principal, id: number, pair: PermissionPair): Promise<Outcome<KeyRecord>> => {
      const plan = (key: KeyRecord) => withPermissions(key, key.ownPermissions | setOfPairs([pair]));
      return recordOf(await changeFields({ principal, id }, { operation: "key.grant", plan }));
    }),

    /** Removes one permission. It is no error if the key does not have it. */
    withdraw: useCase(
      "key.withdraw",
      async (principal, id: number, pair: PermissionPair): Promise<Outcome<KeyRecord>> => {
        const plan = (key: KeyRecord) => withPermissions(key, key.ownPermissions & ~setOfPairs([pair]));
        return recordOf(await changeFields({ principal, id }, { operation: "key.withdraw", plan }));
      },
    ),

    remove: useCase("key.delete", async (principal, id: number): Promise<Outcome<true>> => {
      const removed = await change({ principal, id, decide: (key) => keyRemoved(principal, key) });
      return removed instanceof Failure ? removed : true;
    }),
  };
};

export type Keys = ReturnType<typeof makeKeys>;
