import type { Actor, Principal } from "../access/principal.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { principalOfUser, type UserRecord } from "../users/user.ts";
import type { UserVersion } from "./account-repository.ts";

/** How long a session lasts in seconds: unused, and at most. */
export const SESSION_IDLE_SECONDS = 12 * 60 * 60;
export const SESSION_MAX_SECONDS = 7 * 24 * 60 * 60;
/** The use of a session is recorded at most once in this time. */
export const SESSION_USE_INTERVAL_SECONDS = 60;

/** How long a proof counts as recent, and how far the clocks of instances may differ. */
const PROOF_SECONDS = 30 * 60;
const CLOCK_SKEW_SECONDS = 60;

/** One session of a user. */
export interface SessionRecord {
  readonly id: number;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Timestamp;
  readonly lastSeenAt: Timestamp;
  /** When it ends if it is not used. */
  readonly expiresAt: Timestamp;
  /** When it ends in any case. */
  readonly endsAt: Timestamp;
}

/** A valid session, with its user as of now. */
interface FoundSession {
  readonly session: SessionRecord;
  readonly user: UserRecord;
  readonly secondFactor: boolean;
  readonly recoveryCodesLeft: number;
  /** When the user last proved their identity, at sign-in or later. */
  readonly provedAt: Timestamp;
}

/** The signed-in user. */
export interface SignedIn extends FoundSession {
  /** True when the proof is recent enough for changes that need one. */
  readonly provedRecently: boolean;
}

/** True for a recent proof; false for one from the future, after a clock was set back. */
export const isRecentProof = (provedAt: Timestamp, clock: Clock): boolean =>
  provedAt > clock.after(-PROOF_SECONDS) && provedAt <= clock.after(CLOCK_SKEW_SECONDS);

/** The signed-in user as principal; `null` for a user who may not be one. */
export const callerOf = ({ user, session, provedRecently }: SignedIn): Principal | null => {
  const principal = principalOfUser(user, session.id);
  return principal && { ...principal, provedRecently };
};

/** A session that begins if its user is still active and has the password with this hash. */
export interface NewSession {
  readonly userId: number;
  readonly passwordHash: string;
  readonly tokenHash: string;
  readonly address: string;
  /** Empty if the client named none. */
  readonly userAgent: string;
  readonly now: Timestamp;
  readonly expiresAt: Timestamp;
  readonly endsAt: Timestamp;
}

/** Some of a user's sessions. */
export type SessionSelection = "all" | { readonly only: number } | { readonly allBut: number };

/** Sessions in the database. Only hashes of their tokens are stored. */
export interface SessionRepository {
  /** The session and its active user; `null` when unknown, ended or expired. One statement. */
  find(tokenHash: string, now: Timestamp): Promise<FoundSession | null>;
  /**
   * Begins a session, or a challenge if the user has a confirmed second factor. `null` unless the user is still active
   * with the same password: both may change while a password is compared.
   */
  begin(
    session: NewSession,
    challenge: { readonly token: string; readonly endsAt: Timestamp },
  ): Promise<"session" | "challenge" | null>;
  /**
   * Begins a session and uses up the challenge and the recovery code; false, with nothing begun, unless all are valid.
   */
  beginProved(
    session: NewSession,
    used: { readonly challenge: string; readonly recoveryHash: string | null },
  ): Promise<boolean>;
  /**
   * Confirms the second factor that is stored as `sealed`, and begins a session in place of the one in which that
   * happened. False, with nothing changed, unless that session goes on and its user has the same password.
   */
  beginConfirmed(
    session: NewSession,
    confirmed: { readonly replaced: number; readonly sealed: string; readonly recoveryHashes: readonly string[] },
  ): Promise<boolean>;
  /** Ends a session whose token nobody got. */
  withdraw(tokenHash: string): Promise<void>;
  /** Records that the session's user has proved their identity again. */
  prove(id: number, now: Timestamp): Promise<void>;
  /** Records that a session was used. */
  recordUse(id: number, now: Timestamp, expiresAt: Timestamp): Promise<void>;
  /** The user's own valid sessions, the last used first. */
  list(userId: number, now: Timestamp): Promise<readonly SessionRecord[]>;
  /** Another user's. */
  listOf(user: UserVersion, now: Timestamp): Promise<readonly SessionRecord[] | null>;
  /** Ends some of the user's own valid sessions; answers how many. */
  end(ending: {
    readonly userId: number;
    readonly which: SessionSelection;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<number>;
  /** Another user's. */
  endOf(ending: {
    readonly user: UserVersion;
    readonly which: SessionSelection;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<number | null>;
  /** Deletes expired sessions and challenges of all users. */
  removeExpired(now: Timestamp): Promise<void>;
}

/** A session as answered. */
export const presentSession = (session: SessionRecord, currentId: number | null) => ({
  id: session.id,
  created_at: session.createdAt,
  last_seen_at: session.lastSeenAt,
  expires_at: session.expiresAt,
  address: session.address,
  user_agent: session.userAgent,
  current: session.id === currentId,
});
