import { powersOfKey } from "../access/authority.ts";
import { authorizationOf } from "../access/authorization.ts";
import type { Principal } from "../access/principal.ts";
import { dealersAdminNeedsADealer } from "../access/rules/dealers-admin-needs-a-dealer.ts";
import type { Timestamp } from "../clock.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { KeyRecord } from "./key.ts";
import { isTooStrongToBePublic } from "./public-keys.ts";

/** The principal of a secret, and when the secret expires. `null` means never. */
export interface Credential {
  readonly principal: Principal;
  readonly endsAt: Timestamp | null;
}

/** The reasons to refuse a stored key. They are for the log, never for the client. */
type StoredRefusal =
  | "revoked"
  | "too_strong_for_public"
  | "dealer_link_missing"
  | "user_missing"
  | "user_inactive"
  | "user_without_dealer";

/** The reasons to refuse a key. `expired` includes a secret whose grace period after a rotation is over. */
export type KeyRefusal = "missing" | "malformed" | "unknown" | "expired" | StoredRefusal;

/** Called if a stored key is refused, with the key's id and the reason. */
export type WhenRefused = (keyId: number, reason: StoredRefusal) => void;

/** Finds the principal for the hash of a secret. `null` if there is none. */
export interface Credentials {
  find(secretHash: string, refused?: WhenRefused): MaybePromise<Credential | null>;
  /** True if `find` answers at once with a credential. */
  isKnown(secretHash: string): boolean;
}

const earlier = (one: Timestamp | null, other: Timestamp | null): Timestamp | null =>
  one === null || (other !== null && other < one) ? other : one;

/** The reason to refuse a stored key, or `null` if the key is valid (interface 3.3). */
export const refusalOf = (key: KeyRecord): StoredRefusal | null => {
  if (!key.active) return "revoked";
  // An instance of an earlier version may have given it more.
  if (isTooStrongToBePublic(key)) return "too_strong_for_public";
  if (key.association === "dealer" && key.dealerId === null) return "dealer_link_missing";
  if (key.association !== "user") return null;
  if (key.holder === null) return "user_missing";
  if (!key.holder.active) return "user_inactive";
  return dealersAdminNeedsADealer(key.holder);
};

/** The credential of a stored key, or `null` if the key must be refused. In doubt it refuses. */
export const credentialOf = (key: KeyRecord, secretHash: string, secretEndsAt: Timestamp | null): Credential | null => {
  if (refusalOf(key) !== null) return null;
  const powers = powersOfKey(key);
  return {
    endsAt: earlier(key.expiresAt, secretEndsAt),
    principal: {
      keyId: key.id,
      name: key.name,
      via: "api",
      address: null,
      requestId: null,
      authorization: authorizationOf({ secretHash }, powers),
      ...powers,
      ...(secretEndsAt !== null && { oldSecret: secretHash }),
      ...(key.expiresAt !== null && { expiresAt: key.expiresAt }),
      ...(key.isPublic && { isPublic: true }),
      ...(key.allowedOrigins !== null && { allowedOrigins: key.allowedOrigins }),
      ...(key.allowedNetworks !== null && { allowedNetworks: key.allowedNetworks }),
      appType: key.appType,
    },
  };
};

/** True while a credential works. */
export const isCurrent = (credential: Credential, now: Timestamp): boolean =>
  credential.endsAt === null || now < credential.endsAt;
