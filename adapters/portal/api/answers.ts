import type { Role } from "../../../core/access/permissions.ts";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { PresentedUser } from "../../../core/users/user.ts";

/** Who is signed in. */
export interface Session {
  readonly user: PresentedUser;
  readonly dealer: { readonly id: number; readonly name: string } | null;
  readonly second_factor: boolean;
  /** True when nothing else is open until a second factor is set up. */
  readonly second_factor_required: boolean;
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

/** A key after a change, with its new secret where one was wanted. */
export interface ChangedKey extends PresentedKey {
  readonly api_key?: string;
}

/** The new secret of one of a user's keys. */
export interface NewSecret {
  readonly id: number;
  /** What the key is called. */
  readonly name: string;
  readonly api_key: string;
}

/** A user after a change, with the new secrets of their keys where they were wanted. */
export interface ChangedUser extends PresentedUser {
  readonly keys?: readonly NewSecret[];
}

/** Roles in words. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  super_admin: "Super-admin",
  dealer_admin: "Dealer admin",
  user: "User",
};
