import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { UserRecord } from "../users/user.ts";
import type { EMAIL_TAKEN } from "../users/user-repository.ts";

/** How a user signs in, without anything secret. */
interface AccountState {
  readonly secondFactor: boolean;
  /** Until when an invitation can be used; `null` without one. */
  readonly invitedUntil: Timestamp | null;
  readonly hasPassword: boolean;
}

/**
 * A user as who decided about them saw them. What takes one touches only a user who is still the same: whoever has got
 * another dealer or role meanwhile must be looked at anew, and is answered with `null`.
 */
export type AsSeen = Pick<UserRecord, "id" | "updatedAt">;

/** How users sign in, in the database. */
export interface AccountRepository {
  /** The active user with this address who has a password, without regard to the address's case. */
  findByEmail(email: string): Promise<UserRecord | null>;
  /** An active user. */
  find(userId: number): Promise<UserRecord | null>;
  state(user: AsSeen, now: Timestamp): Promise<AccountState | null>;
  passwordHash(userId: number): Promise<string | null>;
  /** What is kept of the recovery codes that were not used yet. */
  recoveryHashes(userId: number): Promise<readonly string[]>;
  /** Replaces the password and ends all sessions but one. */
  changePassword(userId: number, passwordHash: string, keptSession: number, now: Timestamp, by: Actor): Promise<void>;
  /** Replaces the hashes of the recovery codes; false without a second factor. */
  setRecoveryCodes(userId: number, hashes: readonly string[], now: Timestamp, by: Actor): Promise<boolean>;
  /** Takes the user's own second factor away; true when there was one that counted. */
  removeSecondFactor(userId: number, now: Timestamp, by: Actor): Promise<boolean>;
  /** Takes another user's second factor away; true when there was one that counted. */
  resetSecondFactor(user: AsSeen, now: Timestamp, by: Actor): Promise<boolean | null>;
}

/** `first` makes the first super-admin; `invitation` sets a password for a user who is there. */
export type InvitationKind = "first" | "invitation";

/** An invitation that can be used. */
interface Invitation {
  readonly kind: InvitationKind;
  /** The user invited; `null` for the first. */
  readonly user: UserRecord | null;
  readonly expiresAt: Timestamp;
}

/** What the first super-admin says of themselves. */
export interface FirstUser {
  readonly name: string;
  readonly email: string;
}

/** Invitations in the database. Their tokens are known by their hashes alone. */
export interface InvitationRepository {
  find(tokenHash: string, now: Timestamp): Promise<Invitation | null>;
  /** Invites an active user; an invitation of the same user before is void. */
  invite(user: AsSeen, tokenHash: string, now: Timestamp, expiresAt: Timestamp, by: Actor): Promise<true | null>;
  /**
   * Uses an invitation up: sets the password and ends the user's sessions, in one transaction. `first` is given for the
   * first super-admin, who is made by it. `null` when it cannot be used any more: of two that use it at once one does.
   */
  use(
    tokenHash: string,
    passwordHash: string,
    first: FirstUser | null,
    now: Timestamp,
  ): Promise<UserRecord | null | typeof EMAIL_TAKEN>;
  /**
   * Offers the place of the first super-admin, unless somebody can sign in or was invited; says whether it did. Offers
   * made before `replaced` are void, those made since remain: several instances that start at once print links that work.
   */
  offerFirst(tokenHash: string, now: Timestamp, expiresAt: Timestamp, replaced: Timestamp): Promise<boolean>;
}
