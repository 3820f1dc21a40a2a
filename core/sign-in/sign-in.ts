import type { Clock } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { UserRecord } from "../users/user.ts";
import type { AccountRepository } from "./account-repository.ts";
import type { Authenticator, Client, Entry, KnownProof, Proof, Tokens } from "./authenticator.ts";
import { clientActor } from "./client-actor.ts";
import type { Devices } from "./devices.ts";
import { type AttemptOrigin, type Lockout, lockedOut } from "./lockout.ts";
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

/** One answer for every failure: nobody learns which addresses have an account. */
const FAILED = new Failure({ kind: "sign-in-failed" });

/** The id of no user, queried for unknown addresses so that they take as long. */
const NOBODY = 0;

/** Signing in: password, then the second factor where the user has one. */
export const makeSignIn = ({ accounts, sessions, authenticator, lockout, devices, tokens, record, clock }: Ports) => {
  /** The origin under which this client's attempts on an account count; a failure when it may make none. */
  const placeOf = async (client: Client, user: UserRecord | null): Promise<AttemptOrigin | Failure> => {
    const device = await devices.of(client);
    if (device !== null && device.userId === user?.id) return { device: device.id };
    return client.waitSeconds === null ? { address: client.limitedAs } : lockedOut(client.waitSeconds);
  };

  const begin = async (client: Client, email: string, user: UserRecord | null) => {
    const place = await placeOf(client, user);
    return place instanceof Failure ? place : lockout.begin(email, place);
  };

  /** The proof for the authenticator; `null` for an unknown recovery code. */
  const knownOf = async (user: UserRecord, proof: Proof): Promise<KnownProof | null> => {
    if ("code" in proof) return proof;
    const hashes = await accounts.recoveryHashes(user.id);
    const recoveryHash = await authenticator.recoveryHash(proof.recoveryCode, hashes);
    return recoveryHash === null ? null : { recoveryHash };
  };

  /** The entry, if the user is still active with the same password; `null` otherwise. */
  const unlessChanged = async (
    entry: Entry | null,
    user: UserRecord | null,
    passwordHash: string | null,
  ): Promise<Entry | null> => {
    if (entry === null || user === null || passwordHash === null) return null;
    const { sessionToken } = entry;
    const tokenHash = sessionToken === null ? null : tokens.hashOf(sessionToken);
    return (await sessions.keepIfUnchanged(tokenHash, user.id, passwordHash)) ? entry : null;
  };

  /** Signs in, and makes the browser known. */
  const letIn = async (entry: Entry, user: UserRecord, client: Client): Promise<Entry> => {
    await record.cameIn(user, client);
    return { ...entry, cookies: [...entry.cookies, await devices.remember(user.id, client)] };
  };

  return {
    /** Checks a password. Unknown addresses take the same path as known ones, and as long. */
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
      // Expired sessions are deleted when somebody signs in.
      await sessions.removeExpired(clock.now());
      if (entry.owesSecondFactor) {
        await attempt.passed();
        return entry;
      }
      await attempt.succeeded();
      return letIn(entry, user, client);
    },

    /** Checks the second factor after the right password; failures count like wrong passwords. */
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
