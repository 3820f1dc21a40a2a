import { permissionsOfKey } from "../access/authority.ts";
import type { DealerScope } from "../access/decide.ts";
import { allowsAddress } from "../access/networks.ts";
import type { Actor } from "../access/principal.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { type Failure, invalid, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import { unknownRecords } from "../named-records.ts";
import { type PermissionPair, type PermissionSet, setOfPairs } from "../permissions.ts";
import { isOn } from "../schema.ts";
import type { KeyChanges, KeyRecord } from "./key.ts";
import type { KeyFields } from "./key-repository.ts";
import { publicKeyIssues } from "./public-keys.ts";

/** How long keys may live: `maxKeyDays` at most, or as long as they like. */
export interface ExpiryRules {
  readonly clock: Clock;
  readonly maxKeyDays: number | null;
}

/** The failure for a dealer that does not exist. */
export const unknownDealer = (dealerId: number | null): Failure =>
  invalid(unknownRecords({ path: "dealer_id", word: "dealer" }, [dealerId]));

/** The issue if permissions were sent for a user's key. */
export const USER_KEY_PERMISSIONS: Issue = {
  path: "permissions",
  message: "a user key has its user's permissions; change the user's instead",
};

/** The permissions sent, as a set. `undefined` if none were sent. */
export const permissionSetOf = (pairs: readonly PermissionPair[] | undefined): PermissionSet | undefined =>
  pairs === undefined ? undefined : setOfPairs(pairs);

/** The date and time sent, or `null` if none was sent. */
export const timestampOf = (clock: Clock, text: string | null | undefined): Timestamp | null =>
  text === null || text === undefined ? null : clock.parse(text);

/** The association of a key that is tied to this dealer or user. */
export const associationOf = (dealerId: number | null, userId: number | null) =>
  userId !== null ? "user" : dealerId !== null ? "dealer" : "none";

type Fields = Readonly<Record<string, unknown>>;

/** The issues with the format of an expiry. */
export const expiryFormatIssues = (clock: Clock, { expires_at }: Fields): Issue[] =>
  typeof expires_at === "string" && clock.parse(expires_at) === null
    ? [{ path: "expires_at", message: "must be an ISO 8601 date and time with a zone, such as 2030-01-01T00:00:00Z" }]
    : [];

const DAY_SECONDS = 24 * 60 * 60;

/** When keys may expire at the latest; `null` if they may never expire. */
export const latestExpiry = ({ clock, maxKeyDays }: ExpiryRules): Timestamp | null =>
  maxKeyDays === null ? null : clock.after(maxKeyDays * DAY_SECONDS);

/** The issues with an expiry that is further ahead than the operator lets keys live. */
const longLivedIssues = (rules: ExpiryRules, expiresAt: Timestamp | null): Issue[] => {
  const latest = latestExpiry(rules);
  return latest === null || (expiresAt !== null && expiresAt <= latest)
    ? []
    : [{ path: "expires_at", message: `must be at most ${rules.maxKeyDays} days ahead (MAX_KEY_DAYS)` }];
};

/** The issues with an expiry that a key is to have. */
const wantedExpiryIssues = (rules: ExpiryRules, now: Timestamp, expiresAt: Timestamp | null): Issue[] =>
  expiresAt !== null && expiresAt <= now
    ? [{ path: "expires_at", message: "must be in the future" }]
    : longLivedIssues(rules, expiresAt);

/** The issues with the expiry of a new key. */
export const expiryIssues = (rules: ExpiryRules, now: Timestamp, fields: Fields): Issue[] => {
  const unreadable = expiryFormatIssues(rules.clock, fields);
  const expiresAt = typeof fields.expires_at === "string" ? rules.clock.parse(fields.expires_at) : null;
  return expiresAt === null ? unreadable : wantedExpiryIssues(rules, now, expiresAt);
};

/** The issues with networks by which a caller would lock out itself. */
const lockoutIssues = (
  { keyId, address }: Pick<Actor, "keyId" | "address">,
  { id }: Pick<KeyRecord, "id">,
  { allowed_networks, confirm_lockout = false }: KeyChanges,
): Issue[] =>
  keyId !== id ||
  address === null ||
  isOn(confirm_lockout) ||
  !allowed_networks ||
  allowsAddress(allowed_networks, address)
    ? []
    : [
        {
          path: "allowed_networks",
          message: `must hold your own address ${address}, or you are locked out; with confirm_lockout it need not`,
        },
      ];

/** A key belongs to a dealer or to a user, but not to both. */
export const bothTiesIssues = ({ dealer_id, user_id }: Fields): Issue[] =>
  typeof dealer_id === "number" && typeof user_id === "number"
    ? [{ path: "user_id", message: "must not be sent together with dealer_id" }]
    : [];

/** The issues with the association of a new key. `scope` is the dealer of a bound caller. */
export const tieIssues = (scope: DealerScope, fields: Fields): Issue[] => {
  const association = associationOf(
    typeof fields.dealer_id === "number" ? fields.dealer_id : scope,
    typeof fields.user_id === "number" ? fields.user_id : null,
  );
  const agrees = fields.association === undefined || fields.association === association;
  // If a bound caller asks for "none", the body is consistent, but the caller lacks the right: that is a 403.
  return agrees || (scope !== null && fields.association === "none")
    ? bothTiesIssues(fields)
    : [...bothTiesIssues(fields), associationIssue(association)];
};

const associationIssue = (association: string): Issue => ({
  path: "association",
  message: `must agree with dealer_id and user_id, which make it ${association}`,
});

/** The key with these permissions of its own. Refused for a user's key, which has no permissions of its own. */
export const withPermissions = (key: KeyRecord, ownPermissions: PermissionSet): Outcome<KeyFields> => {
  if (key.association === "user") return invalid(USER_KEY_PERMISSIONS);
  const changed = { ...key, ownPermissions };
  const issues = publicKeyIssues(key, changed, { permissions: ownPermissions });
  return issues.length > 0 ? invalid(...issues) : changed;
};

/** The dealer and user of a key after a change. Setting one of them clears the other. */
const tiesAfter = (key: KeyRecord, body: KeyChanges) => {
  if (body.dealer_id === undefined && body.user_id === undefined)
    return { association: key.association, dealerId: key.dealerId, userId: key.userId };
  const userId = typeof body.dealer_id === "number" ? null : body.user_id === undefined ? key.userId : body.user_id;
  const dealerId = userId !== null ? null : body.dealer_id === undefined ? key.dealerId : body.dealer_id;
  return { association: associationOf(dealerId, userId), dealerId, userId } as const;
};

/** The fields of a key after a PUT, or all issues that the body has for this key. */
export const fieldsAfter = (
  { clock, maxKeyDays, caller }: ExpiryRules & { readonly caller: Pick<Actor, "keyId" | "address"> },
  key: KeyRecord,
  body: KeyChanges,
): Outcome<KeyFields> => {
  const issues: Issue[] = [];
  if (body.app_id !== undefined && body.app_id !== key.appId)
    issues.push({ path: "app_id", message: "cannot be changed" });
  const ties = tiesAfter(key, body);
  if (body.association !== undefined && body.association !== ties.association)
    issues.push(associationIssue(ties.association));
  const expiresAt = body.expires_at === undefined ? key.expiresAt : timestampOf(clock, body.expires_at);
  if (expiresAt !== key.expiresAt) issues.push(...wantedExpiryIssues({ clock, maxKeyDays }, clock.now(), expiresAt));
  issues.push(...lockoutIssues(caller, key, body));
  const sent = permissionSetOf(body.permissions);
  if (ties.association === "user" && sent !== undefined && sent !== permissionsOfKey(key))
    issues.push(USER_KEY_PERMISSIONS);
  const active = isOn(body.active ?? key.active);
  const fields: KeyFields = {
    name: body.name ?? key.name,
    description: body.description === undefined ? key.description : body.description,
    appType: body.app_type ?? key.appType,
    appId: key.appId,
    ...ties,
    ownPermissions: ties.association === "user" ? 0 : (sent ?? key.ownPermissions),
    rateLimit: body.rate_limit === undefined ? key.rateLimit : body.rate_limit,
    isPublic: isOn(body.public ?? key.isPublic),
    allowedOrigins: body.allowed_origins === undefined ? key.allowedOrigins : body.allowed_origins,
    allowedNetworks: body.allowed_networks === undefined ? key.allowedNetworks : body.allowed_networks,
    ownerEmail: body.owner_email === undefined ? key.ownerEmail : body.owner_email,
    active,
    endedBy: key.endedBy,
    disabledReason: active ? null : key.disabledReason,
    expiresAt,
  };
  issues.push(...publicKeyIssues(key, fields, body));
  return issues.length > 0 ? invalid(...issues) : fields;
};
