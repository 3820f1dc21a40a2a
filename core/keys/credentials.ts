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

/** Told, within a look-up that finds nobody, whose secret it was: of a key that must be refused. */
export type WhenRefused = (keyId: number) => void;

/** Finds who a hashed secret stands for; `null` when it stands for nobody. */
export interface Credentials {
  find(secretHash: string, refused?: WhenRefused): Later<Credential | null>;
  /** True when `find` answers at once, with a credential. */
  isKnown(secretHash: string): boolean;
}

const earlier = (one: Timestamp | null, other: Timestamp | null): Timestamp | null =>
  one === null || (other !== null && other < one) ? other : one;

/**
 * The credential of a stored key; `null` when the key must be refused: revoked, a dealer key without its link,
 * a user key whose user is missing, inactive or, as a dealer's admin, without a dealer. Fails closed (contract of keys).
 */
export const credentialOf = (key: KeyRecord, secretHash: string, secretEndsAt: Timestamp | null): Credential | null => {
  if (!key.active) return null;
  if (key.association === "dealer" && key.dealerId === null) return null;
  if (key.association === "user") {
    if (key.holder === null || !key.holder.active) return null;
    if (key.holder.role === "dealer_admin" && key.holder.dealerId === null) return null;
  }
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
