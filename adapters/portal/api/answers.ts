import type { Role } from "../../../core/access/permissions.ts";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { PresentedUser } from "../../../core/users/user.ts";

/** Who is signed in. */
export interface Session {
  readonly user: PresentedUser;
  readonly dealer: { readonly id: number; readonly name: string } | null;
  readonly second_factor: boolean;
  readonly session_id: string;
  readonly recovery_codes_left: number;
  readonly version: string;
}

/** A sign-in that is under way. */
export interface SignIn {
  /** True when a code is still wanted. */
  readonly second_factor: boolean;
}

/** What an invitation link is for. */
export interface Invitation {
  readonly kind: "first" | "invitation";
  readonly name: string;
  readonly email: string | null;
  readonly expires_at: string;
}

/** An invitation link as it was made, to be shown this once. */
export interface SentInvitation {
  readonly url: string;
  readonly expires_at: string;
  readonly sent: boolean;
}

/** A browser in which a user is signed in. */
export interface OpenSession {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly current: boolean;
}

/** How a user signs in. */
export interface Account {
  readonly second_factor: boolean;
  readonly invited_until: string | null;
  readonly has_password: boolean;
  readonly locked_until: string | null;
}

/** A key with its secret, as it is answered once. */
export interface ShownKey extends PresentedKey {
  readonly api_key: string;
}

/** Requests of one hour by how they ended. */
export interface HourOfRequests {
  readonly hour: string;
  readonly served: number;
  readonly denied: number;
  readonly limited: number;
  readonly failed: number;
  readonly unauthorized: number;
}

/** What a key was used for. */
export interface KeyUsage {
  readonly key_id: number;
  readonly hours: readonly HourOfRequests[];
  readonly last_use: {
    readonly at: string;
    readonly address: string | null;
    readonly user_agent: string | null;
  } | null;
  readonly recent_denials: readonly Denial[];
}

/** A request of a key that was refused. */
export interface Denial {
  readonly at: string;
  readonly status: number;
  readonly code: string;
  readonly method: string;
  readonly route: string;
  readonly address: string | null;
}

/** The last 24 hours of a key, hour by hour, oldest first. */
export interface KeyPulse {
  readonly key_id: number;
  readonly hours: readonly number[];
}

/** What the first page shows. */
export interface OverviewFigures {
  readonly requests: readonly HourOfRequests[];
  readonly expiring_keys: readonly PresentedKey[];
  readonly expiring_total: number;
  readonly idle_keys: readonly PresentedKey[];
  readonly idle_total: number;
  readonly active_keys: number;
  readonly vehicles: number;
  readonly dealers: number;
}

/** Roles in words. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  super_admin: "Super-admin",
  dealer_admin: "Dealer admin",
  user: "User",
};
