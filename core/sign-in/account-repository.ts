import type { Actor } from "../access/principal.ts";
import type { Visibility } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";
import type { Failure } from "../failure.ts";
import type { UserRecord } from "../users/user.ts";
import type { EMAIL_TAKEN, UserChangeContext } from "../users/user-repository.ts";

/** How a user signs in, without secrets. */
interface AccountState {
  readonly email: string;
  readonly secondFactor: boolean;
  /** When the invitation expires. `null` if there is no invitation. */
  readonly invitedUntil: Timestamp | null;
  readonly hasPassword: boolean;
}

/**
 * A change of how another user signs in. It is made unless `refusal` says why not of the user, who stays locked. If the
 * caller cannot see the user, its result is `null`.
 */
export interface SignInChange extends UserChangeContext {
  readonly refusal: (user: UserRecord) => Failure | null;
}

/** Accounts in the database: passwords, second factors and recovery codes. */
export interface AccountRepository {
  /** The active user with this address who has a password. Case does not matter. */
  findByEmail(email: string): Promise<UserRecord | null>;
  /** An active user. */
  find(userId: number): Promise<UserRecord | null>;
  /** How a user signs in; `null` if the reader cannot see the user. */
  state(id: number, visibility: Visibility, now: Timestamp): Promise<AccountState | null>;
  passwordHash(userId: number): Promise<string | null>;
  /** The hashes of the unused recovery codes. */
  recoveryHashes(userId: number): Promise<readonly string[]>;
  /** Replaces the password, and ends all sessions of the user except one. */
  changePassword(change: {
    readonly userId: number;
    readonly passwordHash: string;
    readonly keptSession: number;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<void>;
  /** Replaces the hashes of the recovery codes. Returns false if the user has no second factor. */
  setRecoveryCodes(change: {
    readonly userId: number;
    readonly hashes: readonly string[];
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<boolean>;
  /** Removes the user's own second factor. Returns true if there was a confirmed one. */
  removeSecondFactor(userId: number, now: Timestamp, by: Actor): Promise<boolean>;
  /** Removes another user's second factor. `wasSet` is true if there was a confirmed one. */
  resetSecondFactor(
    change: SignInChange,
  ): Promise<{ readonly user: UserRecord; readonly wasSet: boolean } | null | Failure>;
}

/** `first` creates the first super-admin. `invitation` sets the password of an existing user. */
export type InvitationKind = "first" | "invitation";

/** An invitation that can be used. */
interface Invitation {
  readonly kind: InvitationKind;
  /** The invited user. `null` for the first super-admin. */
  readonly user: UserRecord | null;
  readonly expiresAt: Timestamp;
}

/** The name and email address of the first super-admin. */
export interface FirstUser {
  readonly name: string;
  readonly email: string;
}

/** Invitations in the database. Only hashes of their tokens are stored. */
export interface InvitationRepository {
  find(tokenHash: string, now: Timestamp): Promise<Invitation | null>;
  /** Invites a user. An earlier invitation of the same user becomes invalid. */
  invite(
    invitation: SignInChange & { readonly tokenHash: string; readonly expiresAt: Timestamp },
  ): Promise<UserRecord | null | Failure>;
  /**
   * Uses up an invitation: sets the password and ends the user's sessions, in one transaction. For `first`, it creates
   * the first super-admin. `null` if the invitation is invalid. Only one of two concurrent calls succeeds.
   */
  use(acceptance: {
    readonly tokenHash: string;
    readonly passwordHash: string;
    readonly first: FirstUser | null;
    readonly now: Timestamp;
  }): Promise<UserRecord | null | typeof EMAIL_TAKEN>;
  /**
   * Stores an invitation for the first super-admin, unless somebody can sign in or was invited already. True if it was
   * stored. Invitations made before `replaced` become invalid. Later ones stay valid, so that the links of all
   * instances that start together work.
   */
  offerFirst(offer: {
    readonly tokenHash: string;
    readonly now: Timestamp;
    readonly expiresAt: Timestamp;
    readonly replaced: Timestamp;
  }): Promise<boolean>;
}
