import type { Powers, Principal } from "../access/principal.ts";
import { warrantOf } from "../access/warrant.ts";
import type { Timestamp } from "../clock.ts";
import type { Later } from "../later.ts";
import { boundDealerOf, type KeyRecord, permissionsOfKey, rateLimitOfKey } from "./key.ts";

/** Who a secret stands for, and until when; `null` is without end. */
export interface Credential {
  readonly principal: Principal;
  readonly endsAt: Timestamp | null;
}

/** Why a stored key is refused; for those who run the service, never for who sent it. */
type StoredRefusal = "revoked" | "dealer_link_missing" | "user_missing" | "user_inactive" | "user_without_dealer";

/** Why a key is refused. `expired` is also a secret whose grace after a rotation is over. */
export type KeyRefusal = "missing" | "malformed" | "unknown" | "expired" | StoredRefusal;

/** Told, within a look-up that finds nobody, whose secret it was: of a key that must be refused, and why. */
export type WhenRefused = (keyId: number, reason: StoredRefusal) => void;

/** Finds who a hashed secret stands for; `null` when it stands for nobody. */
export interface Credentials {
  find(secretHash: string, refused?: WhenRefused): Later<Credential | null>;
  /** True when `find` answers at once, with a credential. */
  isKnown(secretHash: string): boolean;
}

const earlier = (one: Timestamp | null, other: Timestamp | null): Timestamp | null =>
  one === null || (other !== null && other < one) ? other : one;

/** Why a stored key must be refused; `null` when it need not be (contract of keys). */
export const refusalOf = (key: KeyRecord): StoredRefusal | null => {
  if (!key.active) return "revoked";
  if (key.association === "dealer" && key.dealerId === null) return "dealer_link_missing";
  if (key.association !== "user") return null;
  if (key.holder === null) return "user_missing";
  if (!key.holder.active) return "user_inactive";
  return key.holder.role === "dealer_admin" && key.holder.dealerId === null ? "user_without_dealer" : null;
};

/** The credential of a stored key; `null` when the key must be refused. Fails closed. */
export const credentialOf = (key: KeyRecord, secretHash: string, secretEndsAt: Timestamp | null): Credential | null => {
  if (refusalOf(key) !== null) return null;
  const powers: Powers = {
    association: key.association,
    permissions: permissionsOfKey(key),
    dealerId: boundDealerOf(key),
    userId: key.userId,
    role: key.holder?.role ?? null,
    rateLimit: rateLimitOfKey(key),
  };
  return {
    endsAt: earlier(key.expiresAt, secretEndsAt),
    principal: {
      keyId: key.id,
      name: key.name,
      via: "api",
      address: null,
      requestId: null,
      warrant: warrantOf({ secretHash }, powers),
      ...powers,
      appType: key.appType,
    },
  };
};

/** True while a credential works. */
export const isCurrent = (credential: Credential, now: Timestamp): boolean =>
  credential.endsAt === null || now < credential.endsAt;
