import type { PresentedKey } from "../../../core/keys/key.ts";
import type { Role } from "../../../core/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";

/** The signed-in user. */
export interface Session {
  readonly user: PresentedUser;
  readonly dealer: { readonly id: number; readonly name: string } | null;
  readonly second_factor: boolean;
  /** True when the user must set up a second factor first. */
  readonly second_factor_required: boolean;
  readonly session_id: string;
  readonly recovery_codes_left: number;
  readonly version: string;
}

/** A sign-in in progress. */
export interface SignIn {
  /** True if the user must still give a code. */
  readonly second_factor: boolean;
}

/** The user whom an invitation link is for. */
export interface Invitation {
  readonly kind: "first" | "invitation";
  readonly name: string;
  readonly email: string | null;
  readonly expires_at: string;
}

/** A new invitation link, shown once. */
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

/** How a user left the last time, and where the keys went. */
export interface Leave {
  readonly left: {
    readonly at: string;
    readonly keys: number;
    readonly transferred: boolean;
    readonly new_owner_id: number | null;
    readonly new_owner_name: string | null;
    readonly undo_until: string;
  } | null;
}

/** What an undone leave gave back. */
export interface GivenBack {
  readonly keys: number;
  readonly omitted: number;
}

/** A key with its secret, which the service returns only once. */
export interface KeyWithSecret extends PresentedKey {
  readonly api_key: string;
}

/** A key after a change, with its new secret if one was requested. */
export interface ChangedKey extends PresentedKey {
  readonly api_key?: string;
}

/** The new secret of one of a user's keys. */
export interface NewSecret {
  readonly id: number;
  /** The name of the key. */
  readonly name: string;
  readonly api_key: string;
}

/** A user after a change, with the new secrets of their keys if they were requested. */
export interface ChangedUser extends PresentedUser {
  readonly keys?: readonly NewSecret[];
}

/** Labels of the roles. */
export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  super_admin: "Super-admin",
  dealer_admin: "Dealer admin",
  user: "User",
};
