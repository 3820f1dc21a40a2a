import type { Actor, Principal } from "../access/principal.ts";
import type { Visibility } from "../access/visibility.ts";
import type { Clock, Timestamp } from "../clock.ts";
import type { Failure } from "../failure.ts";
import { principalOfUser, type UserRecord } from "../users/user.ts";
import type { SignInChange } from "./account-repository.ts";

/** The seconds until a session ends if it is not used, and in any case. */
export const SESSION_IDLE_SECONDS = 12 * 60 * 60;
export const SESSION_MAX_SECONDS = 7 * 24 * 60 * 60;
/** The use of a session is recorded at most once in this time, in seconds. */
export const SESSION_USE_INTERVAL_SECONDS = 60;

/** For how long a proof is recent, and by how much the clocks of instances may differ, in seconds. */
const PROOF_SECONDS = 30 * 60;
const CLOCK_SKEW_SECONDS = 60;

/** One session of a user. */
export interface SessionRecord {
  readonly id: number;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Timestamp;
  readonly lastSeenAt: Timestamp;
  /** When the session ends if it is not used. */
  readonly expiresAt: Timestamp;
  /** When the session ends in any case. */
  readonly endsAt: Timestamp;
}

/** A valid session with its present user. */
interface FoundSession {
  readonly session: SessionRecord;
  readonly user: UserRecord;
  readonly secondFactor: boolean;
  readonly recoveryCodesLeft: number;
  /** When the user last proved their identity, at sign-in or later. */
  readonly provedAt: Timestamp;
}

/** A signed-in user. */
export interface SignedIn extends FoundSession {
  /** True if the proof is recent enough for changes that need one. */
  readonly provedRecently: boolean;
}

/** True for a recent proof. False for a proof in the future, which exists if a clock was set back. */
export const isRecentProof = (provedAt: Timestamp, clock: Clock): boolean =>
  provedAt > clock.after(-PROOF_SECONDS) && provedAt <= clock.after(CLOCK_SKEW_SECONDS);

/** The signed-in user as a principal. `null` if the user may not act. */
export const callerOf = ({ user, session, provedRecently }: SignedIn): Principal | null => {
  const principal = principalOfUser(user, session.id);
  return principal && { ...principal, provedRecently };
};

/** A session that is started only if the user is still active and has the password with this hash. */
export interface NewSession {
  readonly userId: number;
  readonly passwordHash: string;
  readonly tokenHash: string;
  readonly address: string;
  /** Empty if the client sent none. */
  readonly userAgent: string;
  readonly now: Timestamp;
  readonly expiresAt: Timestamp;
  readonly endsAt: Timestamp;
}

/** Which of a user's sessions are meant. */
export type SessionSelection = "all" | { readonly only: number } | { readonly allBut: number };

/** Sessions in the database, which stores only hashes of their tokens. */
export interface SessionRepository {
  /** The session with its active user. `null` if it is unknown, has ended or has expired. One statement. */
  find(tokenHash: string, now: Timestamp): Promise<FoundSession | null>;
  /**
   * Starts a session, or a challenge if the user has a confirmed second factor. `null` if the user is no longer active
   * or has another password: both may change while a password is compared.
   */
  begin(
    session: NewSession,
    challenge: { readonly token: string; readonly endsAt: Timestamp },
  ): Promise<"session" | "challenge" | null>;
  /**
   * Starts a session, and uses up the challenge and the recovery code. Returns false, and starts nothing, unless all of
   * them are valid.
   */
  beginProved(
    session: NewSession,
    used: { readonly challenge: string; readonly recoveryHash: string | null },
  ): Promise<boolean>;
  /**
   * Confirms the second factor that is stored as `sealed`, and replaces the session in which that happened by a new
   * one. Returns false, and changes nothing, if that session has ended or its user has another password.
   */
  beginConfirmed(
    session: NewSession,
    confirmed: { readonly replaced: number; readonly sealed: string; readonly recoveryHashes: readonly string[] },
  ): Promise<boolean>;
  /** Ends a session whose token nobody has received. */
  withdraw(tokenHash: string): Promise<void>;
  /** Records that the user of a session has proved their identity again. */
  prove(id: number, now: Timestamp): Promise<void>;
  /** Records that a session was used. */
  recordUse(id: number, now: Timestamp, expiresAt: Timestamp): Promise<void>;
  /** The user's own valid sessions, in the order of their last use, the latest first. */
  list(userId: number, now: Timestamp): Promise<readonly SessionRecord[]>;
  /** The sessions of a user; `null` if the reader cannot see the user. */
  listOf(id: number, visibility: Visibility, now: Timestamp): Promise<readonly SessionRecord[] | null>;
  /** Ends some of the user's own valid sessions. Returns their number. */
  end(ending: {
    readonly userId: number;
    readonly which: SessionSelection;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<number>;
  /** Ends sessions of another user. */
  endOf(
    ending: SignInChange & { readonly which: SessionSelection },
  ): Promise<{ readonly user: UserRecord; readonly ended: number } | null | Failure>;
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
