import type { Clock } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { UserRecord } from "../users/user.ts";
import type { AccountRepository } from "./account-repository.ts";
import type { Authenticator, Client, Entry, KnownProof, Proof, Tokens } from "./authenticator.ts";
import { clientActor } from "./client-actor.ts";
import type { Devices } from "./devices.ts";
import { type Lockout, lockedOut, type Place } from "./lockout.ts";
import type { SessionRepository } from "./sessions.ts";
import type { SignInRecord } from "./sign-in-record.ts";

interface Ports {
  readonly accounts: AccountRepository;
  readonly sessions: SessionRepository;
  readonly authenticator: Authenticator;
  readonly lockout: Lockout;
  readonly devices: Devices;
  readonly tokens: Pick<Tokens, "hashOf">;
  readonly record: SignInRecord;
  readonly clock: Clock;
}

/** One answer, whatever was wrong: nobody learns which addresses have an account. */
const FAILED = new Failure({ kind: "sign-in-failed" });

/** The number of no user: asked for where there is none, so that it takes as long. */
const NOBODY = 0;

/** Signing in: password, then the second factor where the user has one. */
export const makeSignIn = ({ accounts, sessions, authenticator, lockout, devices, tokens, record, clock }: Ports) => {
  /** Where this client's attempts on an account are counted; a failure for one that may not make any on this one. */
  const placeOf = async (client: Client, user: UserRecord | null): Promise<Place | Failure> => {
    const device = await devices.of(client);
    if (device !== null && device.userId === user?.id) return { device: device.id };
    return client.waitSeconds === null ? { address: client.limitedAs } : lockedOut(client.waitSeconds);
  };

  const begin = async (client: Client, email: string, user: UserRecord | null) => {
    const place = await placeOf(client, user);
    return place instanceof Failure ? place : lockout.begin(email, place);
  };

  /** The proof as the authenticator knows it; `null` for a recovery code that the user does not have. */
  const knownOf = async (user: UserRecord, proof: Proof): Promise<KnownProof | null> => {
    if ("code" in proof) return proof;
    const hashes = await accounts.recoveryHashes(user.id);
    const recoveryHash = await authenticator.recoveryHash(proof.recoveryCode, hashes);
    return recoveryHash === null ? null : { recoveryHash };
  };

  /** The entry, if the user is active and has the same password as before it was earned; `null` otherwise. */
  const unlessChanged = async (
    entry: Entry | null,
    user: UserRecord | null,
    passwordHash: string | null,
  ): Promise<Entry | null> => {
    if (entry === null || user === null || passwordHash === null) return null;
    const { sessionToken } = entry;
    const tokenHash = sessionToken === null ? null : tokens.hashOf(sessionToken);
    return (await sessions.letGoOn(tokenHash, user.id, passwordHash)) ? entry : null;
  };

  /** Lets in, and knows the browser from now on. */
  const letIn = async (entry: Entry, user: UserRecord, client: Client): Promise<Entry> => {
    await record.cameIn(user, client);
    return { ...entry, cookies: [...entry.cookies, await devices.remember(user.id, client)] };
  };

  return {
    /** Checks a password. Unknown addresses take the same way as known ones, and as long. */
    async signIn({ email, password }: { email: string; password: string }, client: Client): Promise<Outcome<Entry>> {
      const user = await accounts.findByEmail(email);
      const attempt = await begin(client, email, user);
      if (attempt instanceof Failure) return attempt;
      const passwordHash = await accounts.passwordHash(user?.id ?? NOBODY);
      const earned = await authenticator.signIn(user?.id ?? null, password, client);
      const entry = await unlessChanged(earned, user, passwordHash);
      if (entry === null || user === null) {
        record.failed(user, client, "password");
        await attempt.failed(user, clientActor(client, user));
        return FAILED;
      }
      // What has expired is cleared away when somebody comes in.
      await sessions.removeExpired(clock.now());
      if (entry.owesSecondFactor) {
        await attempt.passed();
        return entry;
      }
      await attempt.succeeded();
      return letIn(entry, user, client);
    },

    /** Checks the second factor of who gave the right password; failures count for the account like wrong passwords. */
    async prove(proof: Proof, client: Client): Promise<Outcome<Entry>> {
      const userId = await authenticator.challenged(client);
      const user = userId === null ? null : await accounts.find(userId);
      if (user === null) return FAILED;
      const attempt = await begin(client, user.email, user);
      if (attempt instanceof Failure) return attempt;
      const passwordHash = await accounts.passwordHash(user.id);
      const known = await knownOf(user, proof);
      const isFresh = known !== null && (await lockout.takeCode(user.id, Object.values(known).join()));
      const earned = isFresh ? await authenticator.prove(known, client) : null;
      const entry = await unlessChanged(earned, user, passwordHash);
      if (entry === null) {
        record.failed(user, client, "code");
        await attempt.failed(user, clientActor(client, user));
        return FAILED;
      }
      await attempt.succeeded();
      return letIn(entry, user, client);
    },
  };
};

export type SignIn = ReturnType<typeof makeSignIn>;
