import Type from "typebox";
import type { Actor } from "../access/principal.ts";
import { useCase } from "../access/use-case.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, invalid, type Outcome } from "../failure.ts";
import { email, text } from "../schema.ts";
import type { UserRecord } from "../users/user.ts";
import type { Users } from "../users/users.ts";
import { validator } from "../validation.ts";
import type { AccountRepository } from "./account-repository.ts";
import type { Authenticator, Client, RecoveryCodes, SignInResult, Tokens } from "./authenticator.ts";
import { password, passwordIssues } from "./invitations.ts";
import type { Lockout } from "./lockout.ts";
import type { CommonPasswords } from "./password-rules.ts";
import type { SecondFactorRepository } from "./second-factors.ts";
import type { SecurityEvents } from "./security-events.ts";
import type { SessionStarter } from "./session-starter.ts";
import {
  isRecentProof,
  presentSession,
  SESSION_IDLE_SECONDS,
  SESSION_USE_INTERVAL_SECONDS,
  type SessionRepository,
  type SignedIn,
} from "./sessions.ts";
import type { SignInRecord } from "./sign-in-record.ts";

interface Ports {
  readonly users: Pick<Users, "changeOwnEmail">;
  readonly accounts: AccountRepository;
  readonly sessions: Pick<SessionRepository, "find" | "list" | "end" | "recordUse">;
  readonly factors: SecondFactorRepository;
  readonly entries: SessionStarter;
  readonly authenticator: Authenticator;
  readonly lockout: Lockout;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly events: SecurityEvents;
  readonly record: Pick<SignInRecord, "signedOut">;
  readonly isCommonPassword: CommonPasswords;
}

/** Text that is only compared, and is either right or wrong. */
const comparedText = () => text(1, 1000);

const passwordChange = validator(Type.Object({ current_password: comparedText(), new_password: password() }));
const withPassword = validator(Type.Object({ password: comparedText() }));
const emailChange = validator(Type.Object({ email: email(), password: comparedText() }));
const withCode = validator(Type.Object({ code: comparedText() }));

/** Authenticator apps show codes in two groups, so blanks are ignored. */
const withoutBlanks = (code: string): string => code.replaceAll(/\s/g, "");

const fieldFailure = (path: string, message: string): Failure => invalid({ path, message });
const NO_CODES: RecoveryCodes = { codes: [], hashes: [] };
const ALREADY_ON = fieldFailure("", "there is a second factor already");
const NOT_ON = invalid({ path: "", message: "there is no second factor" });

/** What users can do with their own account. The password proves that it is really the user who has the session. */
export const makeOwnAccount = (ports: Ports) => {
  const { users, accounts, sessions, factors, entries, authenticator } = ports;
  const { lockout, tokens, clock, events, record, isCommonPassword } = ports;

  /** `null` for the correct password. A failure counts for this session only. */
  const checkPassword = async (
    { user, session }: Pick<SignedIn, "user" | "session">,
    { path, given, by }: { readonly path: string; readonly given: string; readonly by: Actor },
  ): Promise<Failure | null> => {
    const attempt = await lockout.beginOwn(user.id, session.id);
    if (attempt instanceof Failure) return attempt;
    if (await authenticator.isPassword(given, await accounts.passwordHash(user.id))) {
      await attempt.succeeded();
      return null;
    }
    await attempt.failed(user, by);
    return fieldFailure(path, "is not your password");
  };

  /** Replaces the recovery codes. `null` if the user has no second factor. */
  const renewCodes = async (user: UserRecord, by: Actor): Promise<readonly string[] | null> => {
    const { codes, hashes } = await authenticator.newRecoveryCodes();
    return (await accounts.setRecoveryCodes({ userId: user.id, hashes, now: clock.now(), by })) ? codes : null;
  };

  const switchOff = async (user: UserRecord, by: Actor): Promise<void> => {
    if (await accounts.removeSecondFactor(user.id, clock.now(), by))
      await events.record({ event: "user.second-factor-off", concerned: user, by });
  };

  /** The session of this token. `null` if it has ended. */
  const present = async (token: string, now: Timestamp): Promise<SignedIn | null> => {
    const current = await sessions.find(tokens.hashOf(token), now);
    return current && { ...current, provedRecently: isRecentProof(current.provedAt, clock) };
  };

  return {
    /** The same without recording a use: nobody did anything. */
    stillSignedIn: (token: string): Promise<SignedIn | null> => present(token, clock.now()),

    /** The session of this token, whose use is recorded. `null` if it has ended. */
    async signedIn(token: string): Promise<SignedIn | null> {
      const now = clock.now();
      const current = await present(token, now);
      if (current !== null && current.session.lastSeenAt <= clock.after(-SESSION_USE_INTERVAL_SECONDS)) {
        const { id, endsAt } = current.session;
        let until = clock.after(SESSION_IDLE_SECONDS);
        if (until > endsAt) until = endsAt;
        await sessions.recordUse(id, now, until);
      }
      return current;
    },

    async sessions({ user, session }: SignedIn) {
      return (await sessions.list(user.id, clock.now())).map((one) => presentSession(one, session.id));
    },

    /** Ends one of the user's own sessions. Returns false if it does not exist. */
    async endSession({ user }: SignedIn, id: number, by: Actor): Promise<boolean> {
      return (await sessions.end({ userId: user.id, which: { only: id }, now: clock.now(), by })) > 0;
    },

    /** Ends the current session. */
    async signOut({ user, session }: SignedIn, client: Client, by: Actor): Promise<void> {
      const ended = await sessions.end({ userId: user.id, which: { only: session.id }, now: clock.now(), by });
      if (ended > 0) await record.signedOut(user, client, by);
    },

    async endOthers({ user, session }: SignedIn, by: Actor): Promise<number> {
      return sessions.end({ userId: user.id, which: { allBut: session.id }, now: clock.now(), by });
    },

    /** Changes the password, and ends all other sessions of the user. */
    async changePassword(signedIn: SignedIn, input: unknown, by: Actor): Promise<Outcome<null>> {
      const body = passwordChange.parse(input, ({ new_password }) =>
        passwordIssues({
          path: "new_password",
          chosen: new_password,
          owner: signedIn.user,
          isCommon: isCommonPassword,
        }),
      );
      if (body instanceof Failure) return body;
      const refused = await checkPassword(signedIn, { path: "current_password", given: body.current_password, by });
      if (refused !== null) return refused;
      const { user, session } = signedIn;
      const hash = await authenticator.hashPassword(body.new_password);
      await accounts.changePassword({
        userId: user.id,
        passwordHash: hash,
        keptSession: session.id,
        now: clock.now(),
        by,
      });
      await events.record({ event: "user.password-changed", concerned: user, by });
      return null;
    },

    /**
     * Changes the user's own email address. This needs the permission to change users, because the address is part of
     * the record.
     */
    changeEmail: useCase(
      "user.update",
      async (by, signedIn: SignedIn, input: unknown): Promise<Outcome<UserRecord>> => {
        const body = emailChange.parse(input);
        if (body instanceof Failure) return body;
        const refused = await checkPassword(signedIn, { path: "password", given: body.password, by });
        return refused ?? users.changeOwnEmail(by, body.email);
      },
    ),

    /** Offers a secret for the user's authenticator app. It is active only after confirmation. */
    async offerSecondFactor(signedIn: SignedIn, input: unknown, by: Actor) {
      const body = withPassword.parse(input);
      if (body instanceof Failure) return body;
      const refused = await checkPassword(signedIn, { path: "password", given: body.password, by });
      if (refused !== null) return refused;
      const { user } = signedIn;
      const { secret, typed, uri } = authenticator.newSecondFactor(user.email);
      const isOffered = await factors.offer({ userId: user.id, secret, now: clock.now(), by });
      return isOffered ? { uri, secret: typed } : ALREADY_ON;
    },

    /** Activates the second factor. From then on, sign-in requires it. */
    async confirmSecondFactor(
      { user, session, secondFactor }: SignedIn,
      { input, client, by }: { readonly input: unknown; readonly client: Client; readonly by: Actor },
    ): Promise<Outcome<{ readonly entry: SignInResult; readonly codes: readonly string[] }>> {
      const body = withCode.parse(input);
      if (body instanceof Failure) return body;
      if (secondFactor) return ALREADY_ON;
      const attempt = await lockout.beginOwn(user.id, session.id);
      if (attempt instanceof Failure) return attempt;
      const passwordHash = await accounts.passwordHash(user.id);
      const code = withoutBlanks(body.code);
      const factor = await factors.find(user.id);
      const isRight = factor !== null && authenticator.isCode(code, factor.secret);
      // Hashing takes the longest, and may exceed the time of the request. Nothing has been changed at this point.
      const { codes, hashes } = isRight ? await authenticator.newRecoveryCodes() : NO_CODES;
      // The code is used up before the factor is active, so that the code that activates it cannot be used to sign in
      // as well.
      if (factor === null || !isRight || !(await lockout.takeCode(user.id, code))) {
        await attempt.failed(user, by);
        return fieldFailure("code", "is not the code that the app shows now");
      }
      await attempt.succeeded();
      const confirmed = { before: session, factor, recoveryHashes: hashes };
      const entry = passwordHash === null ? null : await entries.confirm({ user, passwordHash, client }, confirmed);
      if (entry === null) return new Failure({ kind: "sign-in-failed" });
      await entries.finish(
        entry,
        async () => {
          await events.record({ event: "user.second-factor-on", concerned: user, by });
          return entry;
        },
        // Otherwise the factor would be active although nobody got the recovery codes.
        () => switchOff(user, { ...by, authorization: null }),
      );
      return { entry, codes };
    },

    async removeSecondFactor(signedIn: SignedIn, input: unknown, by: Actor): Promise<Outcome<null>> {
      const body = withPassword.parse(input);
      if (body instanceof Failure) return body;
      const refused = await checkPassword(signedIn, { path: "password", given: body.password, by });
      if (refused !== null) return refused;
      await switchOff(signedIn.user, by);
      return null;
    },

    /** Makes new recovery codes. The old ones become invalid. */
    async renewRecoveryCodes(signedIn: SignedIn, input: unknown, by: Actor): Promise<Outcome<readonly string[]>> {
      const body = withPassword.parse(input);
      if (body instanceof Failure) return body;
      const refused = await checkPassword(signedIn, { path: "password", given: body.password, by });
      if (refused !== null) return refused;
      const { user } = signedIn;
      const codes = await renewCodes(user, by);
      if (codes === null) return NOT_ON;
      await events.record({ event: "user.recovery-codes-renewed", concerned: user, by });
      return codes;
    },
  };
};

export type OwnAccount = ReturnType<typeof makeOwnAccount>;
