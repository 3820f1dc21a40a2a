import type { Clock } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { UserRecord } from "../users/user.ts";
import type { AccountRepository } from "./account-repository.ts";
import type { Authenticator, Client, KnownProof, Proof, SignInCookies, SignInResult } from "./authenticator.ts";
import type { ChallengeRepository } from "./challenges.ts";
import { clientActor } from "./client-actor.ts";
import type { Devices } from "./devices.ts";
import { type Attempt, type AttemptOrigin, type Lockout, lockedOut } from "./lockout.ts";
import type { SecondFactorRepository } from "./second-factors.ts";
import type { SessionStarter } from "./session-starter.ts";
import type { SessionRepository } from "./sessions.ts";
import type { SignInRecord } from "./sign-in-record.ts";

interface Ports {
  readonly accounts: AccountRepository;
  readonly sessions: Pick<SessionRepository, "removeExpired">;
  readonly challenges: ChallengeRepository;
  readonly factors: Pick<SecondFactorRepository, "find">;
  readonly authenticator: Authenticator;
  readonly lockout: Lockout;
  readonly devices: Devices;
  readonly cookies: Pick<SignInCookies, "challengeOf">;
  readonly entries: SessionStarter;
  readonly record: SignInRecord;
  readonly clock: Clock;
}

/** The only answer to all failures, so that nobody learns which addresses have an account. */
const FAILED = new Failure({ kind: "sign-in-failed" });

/** An id that no user has. It is looked up for unknown addresses, so that they take as long as known ones. */
const NOBODY = 0;

/** Signs users in, by password and then by the second factor if the user has one. */
export const makeSignIn = (ports: Ports) => {
  const { accounts, sessions, challenges, factors, authenticator } = ports;
  const { lockout, devices, cookies, entries, record, clock } = ports;

  /** The origin that this client's attempts on an account count for. A failure if no attempts are allowed. */
  const originOf = async (client: Client, user: UserRecord | null): Promise<AttemptOrigin | Failure> => {
    const device = await devices.of(client);
    if (device !== null && device.userId === user?.id) return { device: device.id };
    return client.waitSeconds === null ? { address: client.limitedAs } : lockedOut(client.waitSeconds);
  };

  const begin = async (client: Client, email: string, user: UserRecord | null) => {
    const origin = await originOf(client, user);
    return origin instanceof Failure ? origin : lockout.begin(email, origin);
  };

  /** The proof in the form in which it is checked and recorded. `null` for an unknown recovery code. */
  const knownProofOf = async (user: UserRecord, proof: Proof): Promise<KnownProof | null> => {
    if ("code" in proof) return proof;
    const hashes = await accounts.recoveryHashes(user.id);
    const recoveryHash = await authenticator.recoveryHash(proof.recoveryCode, hashes);
    return recoveryHash === null ? null : { recoveryHash };
  };

  /** True for a correct code of the user's second factor. Recovery codes have been checked before. */
  const isRight = async (user: UserRecord, proof: KnownProof): Promise<boolean> => {
    if ("recoveryHash" in proof) return true;
    const factor = await factors.find(user.id);
    return factor?.isConfirmed === true && authenticator.isCode(proof.code, factor.secret);
  };

  /**
   * The result of a sign-in if the proof is correct and was not used before, and its challenge has attempts left.
   * `null` otherwise.
   */
  const signInWithProof = async (
    user: UserRecord,
    { challenge, proof, client }: { readonly challenge: string; readonly proof: Proof; readonly client: Client },
  ): Promise<SignInResult | null> => {
    const passwordHash = await accounts.passwordHash(user.id);
    const known = await knownProofOf(user, proof);
    if (passwordHash === null || known === null) return null;
    if (!(await lockout.takeCode(user.id, Object.values(known).join()))) return null;
    if (!(await challenges.countAttempt(challenge, clock.now())) || !(await isRight(user, known))) return null;
    const recoveryHash = "recoveryHash" in known ? known.recoveryHash : null;
    return entries.prove({ user, passwordHash, client }, { challenge, recoveryHash });
  };

  /** Resets the count of failures, and makes the browser known. */
  const completeSignIn = (
    entry: SignInResult,
    { user, client, attempt }: { readonly user: UserRecord; readonly client: Client; readonly attempt: Attempt },
  ): Promise<SignInResult> =>
    entries.finish(
      entry,
      async () => {
        await attempt.succeeded();
        await record.signedIn(user, client);
        // Each sign-in also deletes expired sessions and challenges.
        await sessions.removeExpired(clock.now());
        return { ...entry, cookies: [...entry.cookies, await devices.remember(user.id, client)] };
      },
      () => record.signedOut(user, client, clientActor(client, user)),
    );

  return {
    /** Checks a password. For unknown addresses the same steps are taken, so that they take as long. */
    async signIn(
      { email, password }: { email: string; password: string },
      client: Client,
    ): Promise<Outcome<SignInResult>> {
      const user = await accounts.findByEmail(email);
      const attempt = await begin(client, email, user);
      if (attempt instanceof Failure) return attempt;
      const passwordHash = await accounts.passwordHash(user?.id ?? NOBODY);
      const isPassword = await authenticator.isPassword(password, passwordHash);
      const entry =
        isPassword && user !== null && passwordHash !== null
          ? await entries.begin({ user, passwordHash, client })
          : null;
      if (entry === null || user === null) {
        record.failed(user, client, "password");
        await attempt.failed(user, clientActor(client, user));
        return FAILED;
      }
      if (entry.needsSecondFactor) {
        await attempt.passed();
        return entry;
      }
      return completeSignIn(entry, { user, client, attempt });
    },

    /** Checks the second factor after a correct password. Failures count like wrong passwords. */
    async prove(proof: Proof, client: Client): Promise<Outcome<SignInResult>> {
      const challenge = await cookies.challengeOf(client);
      const userId = challenge === null ? null : await challenges.userOf(challenge, clock.now());
      const user = userId === null ? null : await accounts.find(userId);
      if (challenge === null || user === null) return FAILED;
      const attempt = await begin(client, user.email, user);
      if (attempt instanceof Failure) return attempt;
      const entry = await signInWithProof(user, { challenge, proof, client });
      if (entry === null) {
        record.failed(user, client, "code");
        await attempt.failed(user, clientActor(client, user));
        return FAILED;
      }
      return completeSignIn(entry, { user, client, attempt });
    },
  };
};

export type SignIn = ReturnType<typeof makeSignIn>;
