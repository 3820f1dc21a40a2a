import { type Actor, SERVICE } from "../access/principal.ts";
import { FAILED_AUTHENTICATIONS, type RateLimiter } from "../access/rate-limits.ts";
import type { Clock } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { UserRecord } from "../users/user.ts";
import type { AccountRepository } from "./account-repository.ts";
import type { Authenticator, Client, Entry, Proof } from "./authenticator.ts";
import { type Attempt, type Lockout, lockedOut } from "./lockout.ts";
import type { SessionRepository } from "./sessions.ts";

interface Ports {
  readonly accounts: AccountRepository;
  readonly sessions: SessionRepository;
  readonly authenticator: Authenticator;
  readonly lockout: Lockout;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
}

/** One answer, whatever was wrong: nobody learns which addresses have an account. */
const FAILED = new Failure({ kind: "sign-in-failed" });
const REMEMBERED_ADDRESSES = 10_000;

/** The client itself: before sign-in nobody else is known to act. */
export const clientActor = (client: Client, user: UserRecord | null): Actor => ({
  ...SERVICE,
  name: user?.name ?? "Somebody",
  userId: user?.id ?? null,
  via: "portal",
  address: client.address,
  requestId: client.requestId,
});

/** Signing in: password, then the second factor where the user has one. */
export const makeSignIn = ({ accounts, sessions, authenticator, lockout, limiter, clock }: Ports) => {
  /** Addresses that have used up their failures, and until when: not even a right password is looked at meanwhile. */
  const turnedAway = new Map<string, number>();

  const waitOf = (limitedAs: string): number => Math.ceil(((turnedAway.get(limitedAs) ?? 0) - clock.steadyMs()) / 1000);

  const fail = async (client: Client, attempt: Attempt | null, user: UserRecord | null): Promise<Failure> => {
    await attempt?.failed(user, clientActor(client, user));
    const { admitted, retrySeconds } = await limiter.take(`sign-in:${client.limitedAs}`, FAILED_AUTHENTICATIONS);
    if (admitted) return FAILED;
    if (turnedAway.size >= REMEMBERED_ADDRESSES) turnedAway.clear();
    turnedAway.set(client.limitedAs, clock.steadyMs() + retrySeconds * 1000);
    return lockedOut(retrySeconds);
  };

  return {
    /** Checks a password. Unknown addresses take the same way as known ones, and as long. */
    async signIn({ email, password }: { email: string; password: string }, client: Client): Promise<Outcome<Entry>> {
      const wait = waitOf(client.limitedAs);
      if (wait > 0) return lockedOut(wait);
      const attempt = await lockout.begin(email);
      if (attempt instanceof Failure) return attempt;
      const user = await accounts.findByEmail(email);
      const entry = await authenticator.signIn(user?.id ?? null, password, client);
      if (entry === null || user === null) return fail(client, attempt, user);
      await (entry.owesSecondFactor ? attempt.passed() : attempt.succeeded());
      // What has expired is cleared away when somebody comes in.
      await sessions.removeExpired(clock.now());
      return entry;
    },

    /** Checks the second factor of who gave the right password; failures count for the account like wrong passwords. */
    async prove(proof: Proof, client: Client): Promise<Outcome<Entry>> {
      const wait = waitOf(client.limitedAs);
      if (wait > 0) return lockedOut(wait);
      const userId = await authenticator.challenged(client);
      const user = userId === null ? null : await accounts.find(userId);
      if (user === null) return fail(client, null, null);
      const attempt = await lockout.begin(user.email);
      if (attempt instanceof Failure) return attempt;
      const isFresh = !("code" in proof) || (await lockout.takeCode(user.id, proof.code));
      const entry = isFresh ? await authenticator.prove(proof, client) : null;
      if (entry === null) return fail(client, attempt, user);
      await attempt.succeeded();
      return entry;
    },
  };
};

export type SignIn = ReturnType<typeof makeSignIn>;
