import { availableParallelism } from "node:os";
import { accountRoutes } from "../../adapters/http/portal/accounts.ts";
import { brandingEndpoints } from "../../adapters/http/portal/branding.ts";
import type { PortalEndpoint } from "../../adapters/http/portal/endpoint.ts";
import { hashingGate } from "../../adapters/http/portal/hashing-gate.ts";
import { ownAccountEndpoints } from "../../adapters/http/portal/own-account.ts";
import { signInEndpoints } from "../../adapters/http/portal/sign-in.ts";
import type { Route } from "../../adapters/http/protocol/route.ts";
import { SECOND_FACTOR_REQUIRED, type Sessions } from "../../adapters/http/server/entry-point.ts";
import { makeAuthenticator } from "../../adapters/sign-in/authenticator.ts";
import { isCommonPassword } from "../../adapters/sign-in/common-passwords.ts";
import { cookieNames, expiredCookie, sessionTokenOf } from "../../adapters/sign-in/cookies.ts";
import { signedDevices } from "../../adapters/sign-in/devices.ts";
import { signedEntryCookies } from "../../adapters/sign-in/entry-cookies.ts";
import { type PasswordCost, passwordsOf } from "../../adapters/sign-in/passwords.ts";
import { tokens } from "../../adapters/sign-in/tokens.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeAccountRepository } from "../../adapters/sql/sign-in/accounts.ts";
import { makeAttemptRepository } from "../../adapters/sql/sign-in/attempts.ts";
import { makeChallengeRepository } from "../../adapters/sql/sign-in/challenges.ts";
import { makeHourlyLimits } from "../../adapters/sql/sign-in/hourly-limits.ts";
import { makeInvitationRepository } from "../../adapters/sql/sign-in/invitations.ts";
import type { UnlockedSecrets } from "../../adapters/sql/sign-in/sealed-secrets.ts";
import { makeSecondFactorRepository } from "../../adapters/sql/sign-in/second-factors.ts";
import { serviceSecret } from "../../adapters/sql/sign-in/service-secret.ts";
import { makeSessionRepository } from "../../adapters/sql/sign-in/sessions.ts";
import { makeOffboardingRepository } from "../../adapters/sql/users/offboarding.ts";
import { makeLeaveRepository } from "../../adapters/sql/users/undo-offboarding.ts";
import { secrets } from "../../adapters/system/secrets.ts";
import {
  type SecondFactorRule,
  usersMustSetUpSecondFactor,
} from "../../core/access/rules/users-must-set-up-second-factor.ts";
import type { Clock } from "../../core/clock.ts";
import type { DealerRepository } from "../../core/dealers/dealer-repository.ts";
import type { Quotas } from "../../core/quotas.ts";
import type { InstallationSettings } from "../../core/settings/settings.ts";
import { type Mailer, makeAccounts } from "../../core/sign-in/accounts.ts";
import { makeInvitations } from "../../core/sign-in/invitations.ts";
import { makeLockout } from "../../core/sign-in/lockout.ts";
import { makeOwnAccount } from "../../core/sign-in/own-account.ts";
import { makeReauthentication } from "../../core/sign-in/reauthentication.ts";
import type { SecurityEvents } from "../../core/sign-in/security-events.ts";
import { type IsAbandoned, makeSessionStarter } from "../../core/sign-in/session-starter.ts";
import { callerOf, type SignedIn } from "../../core/sign-in/sessions.ts";
import { makeSignIn } from "../../core/sign-in/sign-in.ts";
import { makeSignInRecord } from "../../core/sign-in/sign-in-record.ts";
import { makeOffboarding } from "../../core/users/offboarding.ts";
import { makeUndoOffboarding } from "../../core/users/undo-offboarding.ts";
import type { UserRepository } from "../../core/users/user-repository.ts";
import { makeUsers } from "../../core/users/users.ts";
import { VERSION } from "../version.ts";

/** The maximum number of passwords that are hashed at the same time. Half of the processors stay free. */
const MAX_HASHES = Math.max(1, Math.floor(availableParallelism() / 2));
/** The maximum number of passwords that wait. Together they take a second or two. */
const MAX_WAITING_HASHES = 40;

/** The queues of password hashing: one for clients that are not signed in, and one for signed-in users. */
export const hashingGates = () => ({
  anybody: hashingGate(MAX_HASHES, MAX_WAITING_HASHES),
  "signed in": hashingGate(1, MAX_WAITING_HASHES),
});

/** What the use cases of accounts and sign-in are made from. */
export interface AccountParts {
  readonly db: SqlDatabase;
  /**
   * The same database, for what requests record besides their change, such as attempts to sign in. No deadline ends
   * these writes.
   */
  readonly backgroundDb: SqlDatabase;
  readonly clock: Clock;
  readonly repositories: { readonly users: UserRepository; readonly dealers: DealerRepository };
  /** Is called after changes of access. */
  readonly onAccessChange: () => void;
  /** The address that browsers use; `null` if it is taken from each request. */
  readonly publicUrl: string | null;
  readonly mailer: Mailer | null;
  /** Resolves with the database's secrets after it was migrated. */
  readonly unlocked: () => Promise<UnlockedSecrets>;
  /** Tells whether the request that the caller works for was abandoned. */
  readonly isAbandoned: IsAbandoned;
  readonly quotas: Quotas;
  /** The cost of hashing a password. */
  readonly passwordCost: PasswordCost;
  /** Records security events of accounts. */
  readonly events: SecurityEvents;
}

/** Makes the use cases of accounts and sign-in for one database. */
export const composeAccounts = ({
  db,
  backgroundDb,
  clock,
  repositories,
  onAccessChange,
  publicUrl,
  mailer,
  quotas,
  passwordCost,
  events,
  unlocked,
  isAbandoned,
}: AccountParts) => {
  const { users, dealers } = repositories;
  const secure = publicUrl?.startsWith("https:") ?? false;
  const record = makeSignInRecord({ events, clock });
  const accounts = makeAccountRepository(db);
  const sessions = makeSessionRepository(db, backgroundDb);
  const invitations = makeInvitationRepository(db, onAccessChange);
  const offboardings = makeOffboardingRepository(db, onAccessChange, quotas);
  const lockout = makeLockout({ attempts: makeAttemptRepository(backgroundDb), tokens, clock, events });
  const devices = signedDevices(() => serviceSecret(db, "devices"), clock, secure);
  const authenticator = makeAuthenticator(passwordsOf(passwordCost), clock);
  const factors = makeSecondFactorRepository(db, unlocked);
  const cookies = signedEntryCookies(async () => (await unlocked()).cookieKey, secure);
  const entries = makeSessionStarter({ sessions, cookies, tokens, clock, isAbandoned });
  return {
    secure,
    accounts: makeAccounts({
      users,
      accounts,
      invitations,
      sessions,
      lockout,
      tokens,
      mailer,
      clock,
      events,
      hourly: makeHourlyLimits(db, clock),
      invitationsPerHour: quotas.invitationsPerHour,
    }),
    leaving: {
      ...makeOffboarding({ offboardings, clock }),
      ...makeUndoOffboarding({ leaves: makeLeaveRepository(db, onAccessChange, quotas), users, clock }),
    },
    invitations: makeInvitations({
      invitations,
      authenticator,
      entries,
      tokens,
      lockout,
      devices,
      clock,
      events,
      isCommonPassword,
    }),
    own: makeOwnAccount({
      users: makeUsers({ users, dealers, secrets, clock }),
      accounts,
      sessions,
      factors,
      entries,
      authenticator,
      lockout,
      tokens,
      clock,
      events,
      record,
      isCommonPassword,
    }),
    signIn: makeSignIn({
      accounts,
      sessions,
      challenges: makeChallengeRepository(backgroundDb),
      factors,
      authenticator,
      lockout,
      devices,
      cookies,
      entries,
      record,
      clock,
    }),
    devices,
    reauthentication: makeReauthentication({ accounts, sessions, factors, authenticator, lockout, clock }),
  };
};

type SignInParts = ReturnType<typeof composeAccounts>;

/**
 * Makes the portal's part for signing in: routes for the accounts of other users, endpoints for one's own account, and
 * sessions.
 */
export const composePortal = ({
  repositories: { dealers },
  settings,
  parts,
  publicUrl,
  requireSecondFactor,
}: {
  readonly repositories: { readonly dealers: DealerRepository };
  readonly settings: InstallationSettings;
  readonly parts: SignInParts;
  readonly publicUrl: string | null;
  readonly requireSecondFactor: SecondFactorRule;
}) => {
  const { secure, own } = parts;
  const signedIn = async (request: Request): Promise<SignedIn | null> => {
    const token = sessionTokenOf(request.headers.get("cookie"), secure);
    return token === null ? null : own.signedIn(token);
  };
  const callerIn = (found: SignedIn | null) => {
    if (found === null) return null;
    return usersMustSetUpSecondFactor(requireSecondFactor, found) ? SECOND_FACTOR_REQUIRED : callerOf(found);
  };
  const sessions: Sessions = {
    identify: async (request) => callerIn(await signedIn(request)),
    async identifyAgain(request) {
      const token = sessionTokenOf(request.headers.get("cookie"), secure);
      return token === null ? null : callerIn(await own.stillSignedIn(token));
    },
  };
  const routes: Route[] = accountRoutes(parts.accounts, parts.leaving, publicUrl);
  const endpoints: PortalEndpoint[] = [
    ...brandingEndpoints(settings),
    ...signInEndpoints(parts.signIn, parts.invitations),
    ...ownAccountEndpoints({
      account: own,
      reauthentication: parts.reauthentication,
      dealerName: async (id) => (await dealers.find(id, null))?.name ?? null,
      expiredCookies: [expiredCookie(cookieNames(secure).session, secure)],
      version: VERSION,
      requireSecondFactor,
    }),
  ];
  return { sessions, signedIn, routes, endpoints };
};
