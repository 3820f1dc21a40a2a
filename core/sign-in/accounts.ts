import { authorityOfUser } from "../access/authority.ts";
import { type HourlyLimits, hourlySubject } from "../access/hourly-limits.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../access/rules/nobody-hands-out-more-than-they-hold.ts";
import { ownSignInIsChangedOnTheAccountPage } from "../access/rules/own-sign-in-is-changed-on-the-account-page.ts";
import { sensitiveChangesNeedRecentProof } from "../access/rules/sensitive-changes-need-recent-proof.ts";
import { useCase } from "../access/use-case.ts";
import { visibilityOfUsers } from "../access/visibility.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import type { UserRecord } from "../users/user.ts";
import type { UserRepository } from "../users/user-repository.ts";
import type { AccountRepository, InvitationRepository, SignInChange } from "./account-repository.ts";
import type { Tokens } from "./authenticator.ts";
import { INVITATION_SECONDS } from "./invitations.ts";
import type { Lockout } from "./lockout.ts";
import type { SecurityEvents } from "./security-events.ts";
import { presentSession, type SessionRepository, type SessionSelection } from "./sessions.ts";

/** Sends invitations by mail in the background. */
export interface Mailer {
  invite(user: Pick<UserRecord, "id" | "name" | "email">, url: string, expiresAt: Timestamp): void;
}

interface Ports {
  readonly users: Pick<UserRepository, "find">;
  readonly accounts: AccountRepository;
  readonly invitations: InvitationRepository;
  readonly sessions: SessionRepository;
  readonly lockout: Pick<Lockout, "lockedUntil">;
  readonly tokens: Tokens;
  /** `null` if no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly clock: Clock;
  readonly events: SecurityEvents;
  readonly hourly: HourlyLimits;
  readonly invitationsPerHour: number;
}

/** An invitation with its link, which is not shown again. */
export interface IssuedInvitation {
  readonly url: string;
  readonly expiresAt: Timestamp;
  /** True if the invitation is also sent by mail. */
  readonly sent: boolean;
}

/**
 * How other users sign in. Callers who see a user can see it. Only a caller who has all rights of the user can change
 * it. Users change their own sign-in on their account page instead.
 */
export const makeAccounts = (ports: Ports) => {
  const { users, accounts, invitations, sessions, lockout, tokens, mailer, clock, events, hourly, invitationsPerHour } =
    ports;

  /** Why the caller may not change how this user signs in; `null` if it may. */
  const refusalOf =
    (principal: Principal, operation: Operation) =>
    (user: UserRecord): Failure | null => {
      const authority = authorityOfUser(user);
      return (
        nobodyHandsOutMoreThanTheyHold(principal, authority) ??
        ownSignInIsChangedOnTheAccountPage(principal, user.id) ??
        sensitiveChangesNeedRecentProof(principal, operation, { before: authority, after: authority })
      );
    };

  const signInChange = (principal: Principal, operation: Operation, id: number): SignInChange => ({
    ...{ id, visibility: visibilityOfUsers(principal), now: clock.now(), by: principal },
    refusal: refusalOf(principal, operation),
  });

  const countInvitation = async (principal: Principal): Promise<Failure | null> => {
    const subject = hourlySubject("invitations", principal);
    const retrySeconds = subject === null ? 0 : await hourly.take(subject, invitationsPerHour);
    const reason = `You have made the ${invitationsPerHour} invitations that one may make in an hour; wait, or have INVITATIONS_PER_HOUR raised`;
    return retrySeconds === 0 ? null : new Failure({ kind: "too-often", reason, retrySeconds });
  };

  return {
    /**
     * Makes a link with which the user sets a new password. `linkOf` puts a token into it. An earlier link becomes
     * invalid.
     */
    invite: useCase(
      "user.invite",
      async (principal, id: number, linkOf: (token: string) => string): Promise<Outcome<IssuedInvitation>> => {
        const { token, hash } = tokens.issue();
        const change = signInChange(principal, "user.invite", id);
        const refusal = (user: UserRecord): Failure | null =>
          change.refusal(user) ?? (user.active ? null : invalid({ path: "", message: "the user is not active" }));
        const seen = await users.find(id, change.visibility);
        if (seen === null) return notFound("user", id);
        // What is refused already does not count.
        const refused = refusal(seen) ?? (await countInvitation(principal));
        if (refused !== null) return refused;
        const expiresAt = clock.after(INVITATION_SECONDS);
        const invitation = { ...change, refusal, tokenHash: hash, expiresAt };
        const user = (await invitations.invite(invitation)) ?? notFound("user", id);
        if (user instanceof Failure) return user;
        await events.record({ event: "user.invited", concerned: user, by: principal });
        const url = linkOf(token);
        mailer?.invite(user, url, expiresAt);
        return { url, expiresAt, sent: mailer !== null };
      },
    ),

    state: useCase("user.account", async (principal, id: number) => {
      const state = await accounts.state(id, visibilityOfUsers(principal), clock.now());
      if (state === null) return notFound("user", id);
      return {
        second_factor: state.secondFactor,
        invited_until: state.invitedUntil,
        has_password: state.hasPassword,
        locked_until: await lockout.lockedUntil(state.email),
      };
    }),

    sessions: useCase("user.sessions", async (principal, id: number) => {
      const found = await sessions.listOf(id, visibilityOfUsers(principal), clock.now());
      return found?.map((session) => presentSession(session, null)) ?? notFound("user", id);
    }),

    /** Ends one session of a user, or all. Returns the number of ended sessions. */
    endSessions: useCase(
      "user.end-sessions",
      async (principal, id: number, which: SessionSelection): Promise<Outcome<number>> => {
        const change = signInChange(principal, "user.end-sessions", id);
        const done = (await sessions.endOf({ ...change, which })) ?? notFound("user", id);
        if (done instanceof Failure) return done;
        const { user, ended } = done;
        if (ended > 0) await events.record({ event: "user.sessions-ended", concerned: user, by: principal });
        if (ended === 0 && typeof which === "object" && "only" in which) return notFound("session", which.only);
        return ended;
      },
    ),

    /** Resets the second factor of a user who has lost it; doing it twice is no error. */
    resetSecondFactor: useCase(
      "user.reset-second-factor",
      async (principal, id: number): Promise<Outcome<UserRecord>> => {
        const change = signInChange(principal, "user.reset-second-factor", id);
        const done = (await accounts.resetSecondFactor(change)) ?? notFound("user", id);
        if (done instanceof Failure) return done;
        const { user, wasSet } = done;
        if (wasSet) await events.record({ event: "user.second-factor-reset", concerned: user, by: principal });
        return user;
      },
    ),
  };
};

export type Accounts = ReturnType<typeof makeAccounts>;
