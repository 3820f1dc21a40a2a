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

/** One answer for every failure: nobody learns which addresses have an account. */
const FAILED = new Failure({ kind: "sign-in-failed" });

/** The id of no user, queried for unknown addresses so that they take as long. */
const NOBODY = 0;

/** Signing in: password, then the second factor where the user has one. */
export const makeSignIn = (ports: Ports) => {
  const { accounts, sessions, challenges, factors, authenticator } = ports;
  const { lockout, devices, cookies, entries, record, clock } = ports;

  /** The origin under which this client's attempts on an account count; a failure when it may make none. */
  const originOf = async (client: Client, user: UserRecord | null): Promise<AttemptOrigin | Failure> => {
    const device = await devices.of(client);
    if (device !== null && device.userId === user?.id) return { device: device.id };
    return client.waitSeconds === null ? { address: client.limitedAs } : lockedOut(client.waitSeconds);
  };

  const begin = async (client: Client, email: string, user: UserRecord | null) => {
    const origin = await originOf(client, user);
    return origin instanceof Failure ? origin : lockout.begin(email, origin);
  };

  /** The proof as it is checked and remembered; `null` for an unknown recovery code. */
  const knownProofOf = async (user: UserRecord, proof: Proof): Promise<KnownProof | null> => {
    if ("code" in proof) return proof;
    const hashes = await accounts.recoveryHashes(user.id);
    const recoveryHash = await authenticator.recoveryHash(proof.recoveryCode, hashes);
    return recoveryHash === null ? null : { recoveryHash };
  };

  /** True for a code of the user's second factor; a known recovery code is one already. */
  const isRight = async (user: UserRecord, proof: KnownProof): Promise<boolean> => {
    if ("recoveryHash" in proof) return true;
    const factor = await factors.find(user.id);
    return factor?.isConfirmed === true && authenticator.isCode(proof.code, factor.secret);
  };

  /** The entry for a proof that is right, was never used, and is not one too many; `null` for any other. */
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

  /** Ends the row of failures, and makes the browser known. */
  const completeSignIn = (
    entry: SignInResult,
    { user, client, attempt }: { readonly user: UserRecord; readonly client: Client; readonly attempt: Attempt },
  ): Promise<SignInResult> =>
    entries.finish(
      entry,
      async () => {
        await attempt.succeeded();
        await record.signedIn(user, client);
        // Expired sessions and challenges are deleted when somebody signs in.
        await sessions.removeExpired(clock.now());
        return { ...entry, cookies: [...entry.cookies, await devices.remember(user.id, client)] };
      },
      () => record.signedOut(user, client, clientActor(client, user)),
    );

  return {
    /** Checks a password. Unknown addresses take the same path as known ones, and as long. */
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

    /** Checks the second factor after the right password; failures count like wrong passwords. */
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
