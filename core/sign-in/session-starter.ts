import type { Clock } from "../clock.ts";
import { timestampAt } from "../clock.ts";
import type { UserRecord } from "../users/user.ts";
import type { Client, SignInCookies, SignInResult, Tokens } from "./authenticator.ts";
import { CHALLENGE_SECONDS } from "./challenges.ts";
import type { SecondFactor } from "./second-factors.ts";
import {
  type NewSession,
  SESSION_IDLE_SECONDS,
  SESSION_MAX_SECONDS,
  type SessionRecord,
  type SessionRepository,
} from "./sessions.ts";
import { agentOf } from "./sign-in-record.ts";

/** True if nobody gets the result of the request, because its time is over or its client has disconnected. */
export type IsAbandoned = () => boolean;

interface Ports {
  readonly sessions: Pick<SessionRepository, "begin" | "beginProved" | "beginConfirmed" | "withdraw">;
  readonly cookies: SignInCookies;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly isAbandoned: IsAbandoned;
}

/** The user of a sign-in, who must still have the password with this hash. */
interface SignInCandidate {
  readonly user: UserRecord;
  readonly passwordHash: string;
  readonly client: Client;
}

/** Starts a session after a correct sign-in, or a challenge if the second factor is still missing. */
export const makeSessionStarter = ({ sessions, cookies, tokens, clock, isAbandoned }: Ports) => {
  const newSession = ({ user, passwordHash, client }: SignInCandidate) => {
    const { token, hash } = tokens.issue();
    // The clock is read only once, so that all times of a session fit together exactly.
    const nowMs = clock.nowMs();
    const after = (seconds: number) => timestampAt(nowMs + seconds * 1000);
    const session: NewSession = {
      userId: user.id,
      passwordHash,
      tokenHash: hash,
      address: client.address,
      userAgent: String(agentOf(client).user_agent ?? ""),
      now: after(0),
      expiresAt: after(SESSION_IDLE_SECONDS),
      endsAt: after(SESSION_MAX_SECONDS),
    };
    return { token, session, challengeEnds: after(CHALLENGE_SECONDS) };
  };

  return {
    /** The result of a correct password. `null` if the user is no longer active, or has another password by now. */
    async begin(entrant: SignInCandidate): Promise<SignInResult | null> {
      const { token, session, challengeEnds: endsAt } = newSession(entrant);
      const challenge = tokens.issue().token;
      const begun = await sessions.begin(session, { token: challenge, endsAt });
      if (begun === null) return null;
      if (begun === "challenge") {
        const owed = [await cookies.session(null), await cookies.challenge(challenge)];
        return { cookies: owed, needsSecondFactor: true, sessionToken: null };
      }
      return { cookies: [await cookies.session(token)], needsSecondFactor: false, sessionToken: token };
    },

    /** The result of a correct code after the password. The challenge and the recovery code are used up. */
    async prove(
      entrant: SignInCandidate,
      used: { readonly challenge: string; readonly recoveryHash: string | null },
    ): Promise<SignInResult | null> {
      const { token, session } = newSession(entrant);
      if (!(await sessions.beginProved(session, used))) return null;
      const changes = [await cookies.session(token), await cookies.challenge(null)];
      return { cookies: changes, needsSecondFactor: false, sessionToken: token };
    },

    /**
     * The result of a confirmed second factor: a new session in place of the one in which it was confirmed. `null` if
     * that session has ended.
     */
    async confirm(
      entrant: SignInCandidate,
      confirmed: {
        readonly before: SessionRecord;
        readonly factor: SecondFactor;
        readonly recoveryHashes: readonly string[];
      },
    ): Promise<SignInResult | null> {
      const { token, session } = newSession(entrant);
      const { before, factor, recoveryHashes } = confirmed;
      const change = { replaced: before.id, sealed: factor.sealed, recoveryHashes };
      if (!(await sessions.beginConfirmed(session, change))) return null;
      return { cookies: [await cookies.session(token)], needsSecondFactor: false, sessionToken: token };
    },

    /**
     * Does the rest of the work before the client gets the result of a sign-in. If that fails, or nobody waits for the
     * result any more, the session ends, because nobody has its token, and `undo` reverts the rest.
     */
    async finish(
      entry: SignInResult,
      rest: () => Promise<SignInResult>,
      undo: () => Promise<unknown> = async () => {},
    ) {
      const takeBack = async (): Promise<void> => {
        if (entry.sessionToken !== null) await sessions.withdraw(tokens.hashOf(entry.sessionToken));
        await undo();
      };
      let complete: SignInResult;
      try {
        complete = await rest();
      } catch (error) {
        await takeBack();
        throw error;
      }
      if (isAbandoned()) await takeBack();
      return complete;
    },
  };
};

export type SessionStarter = ReturnType<typeof makeSessionStarter>;
