import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { UserRecord } from "../users/user.ts";
import type { EMAIL_TAKEN } from "../users/user-repository.ts";

/** How a user signs in, without secrets. */
interface AccountState {
  readonly secondFactor: boolean;
  /** When the invitation expires; `null` without one. */
  readonly invitedUntil: Timestamp | null;
  readonly hasPassword: boolean;
}

/**
 * A user at the version on which a decision was made. Methods that take one change only a user who is still at that
 * version, and answer `null` otherwise: the caller must then decide again.
 */
export type UserVersion = Pick<UserRecord, "id" | "updatedAt">;

/** Accounts in the database: passwords, second factors, recovery codes. */
export interface AccountRepository {
  /** The active user with this address who has a password, without regard to the address's case. */
  findByEmail(email: string): Promise<UserRecord | null>;
  /** An active user. */
  find(userId: number): Promise<UserRecord | null>;
  state(user: UserVersion, now: Timestamp): Promise<AccountState | null>;
  passwordHash(userId: number): Promise<string | null>;
  /** Hashes of the unused recovery codes. */
  recoveryHashes(userId: number): Promise<readonly string[]>;
  /** Replaces the password and ends all sessions but one. */
  changePassword(change: {
    readonly userId: number;
    readonly passwordHash: string;
    readonly keptSession: number;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<void>;
  /** Replaces the hashes of the recovery codes; false without a second factor. */
  setRecoveryCodes(change: {
    readonly userId: number;
    readonly hashes: readonly string[];
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<boolean>;
  /** Removes the user's own second factor; true when there was a confirmed one. */
  removeSecondFactor(userId: number, now: Timestamp, by: Actor): Promise<boolean>;
  /** Removes another user's second factor; true when there was a confirmed one. */
  resetSecondFactor(user: UserVersion, now: Timestamp, by: Actor): Promise<boolean | null>;
}

/** `first` creates the first super-admin; `invitation` sets the password of an existing user. */
export type InvitationKind = "first" | "invitation";

/** An invitation that can be used. */
interface Invitation {
  readonly kind: InvitationKind;
  /** The user invited; `null` for the first. */
  readonly user: UserRecord | null;
  readonly expiresAt: Timestamp;
}

/** Name and email address of the first super-admin. */
export interface FirstUser {
  readonly name: string;
  readonly email: string;
}

/** Invitations in the database. Only hashes of their tokens are stored. */
export interface InvitationRepository {
  find(tokenHash: string, now: Timestamp): Promise<Invitation | null>;
  /** Invites an active user; an earlier invitation of the same user becomes void. */
  invite(invitation: {
    readonly user: UserVersion;
    readonly tokenHash: string;
    readonly now: Timestamp;
    readonly expiresAt: Timestamp;
    readonly by: Actor;
  }): Promise<true | null>;
  /**
   * Consumes an invitation: sets the password and ends the user's sessions, in one transaction. `first` creates the
   * first super-admin. `null` when the invitation is void; of two concurrent calls, one succeeds.
   */
  use(acceptance: {
    readonly tokenHash: string;
    readonly passwordHash: string;
    readonly first: FirstUser | null;
    readonly now: Timestamp;
  }): Promise<UserRecord | null | typeof EMAIL_TAKEN>;
  /**
   * Stores an invitation for the first super-admin, unless somebody can sign in or was invited; true when it did.
   * Earlier ones, from before `replaced`, become void. Later ones stay: instances that start together print links that
   * work.
   */
  offerFirst(offer: {
    readonly tokenHash: string;
    readonly now: Timestamp;
    readonly expiresAt: Timestamp;
    readonly replaced: Timestamp;
  }): Promise<boolean>;
}
