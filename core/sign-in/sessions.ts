import type { Actor, Principal } from "../access/principal.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { principalOfUser, type UserRecord } from "../users/user.ts";
import type { AsSeen } from "./account-repository.ts";

/** How long a session lasts, in seconds: when it is not used, and at most. */
export const SESSION_IDLE_SECONDS = 12 * 60 * 60;
export const SESSION_LONGEST_SECONDS = 7 * 24 * 60 * 60;
/** The use of a session is noted once in this time. */
export const SESSION_NOTED_SECONDS = 60;

/** How long a proof of who somebody is counts as recent, and how far the clocks of instances may be apart. */
const PROOF_SECONDS = 30 * 60;
const CLOCK_SKEW_SECONDS = 60;

/** One place where a user is signed in. */
export interface SessionRecord {
  readonly id: number;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Timestamp;
  readonly lastSeenAt: Timestamp;
  /** When it ends unless it is used before. */
  readonly expiresAt: Timestamp;
  /** When it ends, used or not. */
  readonly endsAt: Timestamp;
}

/** A session that is valid at this moment, and its user as the user is at this moment. */
interface FoundSession {
  readonly session: SessionRecord;
  readonly user: UserRecord;
  readonly secondFactor: boolean;
  readonly recoveryCodesLeft: number;
  /** When the user last proved who they are: by signing in, or since. */
  readonly provedAt: Timestamp;
}

/** Who is signed in. */
export interface SignedIn extends FoundSession {
  /** True when the proof is recent enough for changes that ask for one. */
  readonly provedRecently: boolean;
}

/** Whether a proof is recent; one from the future, seen after a clock was set back, is not. */
export const isRecentProof = (provedAt: Timestamp, clock: Clock): boolean =>
  provedAt > clock.after(-PROOF_SECONDS) && provedAt <= clock.after(CLOCK_SKEW_SECONDS);

/** Who is signed in, as a caller; `null` for one who may not be one. */
export const callerOf = ({ user, session, provedRecently }: SignedIn): Principal | null => {
  const principal = principalOfUser(user, session.id);
  return principal && { ...principal, provedRecently };
};

/** Some of a user's sessions. */
export type SomeSessions = "all" | { readonly only: number } | { readonly allBut: number };

/** Sessions in the database. Their tokens are known by their hashes alone. */
export interface SessionRepository {
  /** The session and its active user; `null` for one that is unknown, ended or expired. One statement. */
  find(tokenHash: string, now: Timestamp): Promise<FoundSession | null>;
  /**
   * Lets a session that has just begun go on if its user is active and has this password still, and ends it otherwise:
   * to compare a password takes long enough for either to change meanwhile. Says which; `null` for no session yet.
   */
  letGoOn(tokenHash: string | null, userId: number, passwordHash: string): Promise<boolean>;
  /** Notes that the session's user has proved once more who they are. */
  prove(id: number, now: Timestamp): Promise<void>;
  /** Notes that a session was used. */
  note(id: number, now: Timestamp, expiresAt: Timestamp): Promise<void>;
  /** The user's own valid sessions, the one used last first. */
  list(userId: number, now: Timestamp): Promise<readonly SessionRecord[]>;
  /** Another user's. */
  listOf(user: AsSeen, now: Timestamp): Promise<readonly SessionRecord[] | null>;
  /** Ends some of the user's own valid sessions and says how many. */
  end(userId: number, which: SomeSessions, now: Timestamp, by: Actor): Promise<number>;
  /** Another user's. */
  endOf(user: AsSeen, which: SomeSessions, now: Timestamp, by: Actor): Promise<number | null>;
  /** Clears away what has expired, whoever's it was. */
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
