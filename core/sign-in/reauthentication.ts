import Type from "typebox";
import type { Actor } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import { Failure, invalid, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import { text } from "../schema.ts";
import { validator } from "../validation.ts";
import type { AccountRepository } from "./account-repository.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Lockout } from "./lockout.ts";
import type { SecondFactorRepository } from "./second-factors.ts";
import type { SessionRepository, SignedIn } from "./sessions.ts";

interface Ports {
  readonly accounts: Pick<AccountRepository, "passwordHash">;
  readonly sessions: Pick<SessionRepository, "prove">;
  readonly factors: Pick<SecondFactorRepository, "find">;
  readonly authenticator: Pick<Authenticator, "isPassword" | "isCode">;
  readonly lockout: Pick<Lockout, "beginOwn" | "takeCode">;
  readonly clock: Clock;
}

/** Body of POST /portal/api/reauthenticate. */
const Proof = Type.Object({
  password: Type.Optional(text(1, 1000)),
  code: Type.Optional(text(1, 100)),
});

const oneOfBoth = ({ password, code }: Readonly<Record<string, unknown>>): Issue[] =>
  (password === undefined) === (code === undefined)
    ? [{ path: "password", message: "is required, or code in its place" }]
    : [];

const proof = validator(Proof);

/**
 * Lets the user of a session prove their identity again, before changes that must not be possible in an unattended
 * session.
 */
export const makeReauthentication = ({ accounts, sessions, factors, authenticator, lockout, clock }: Ports) => {
  const isPassword = async ({ user }: SignedIn, password: string): Promise<boolean> =>
    authenticator.isPassword(password, await accounts.passwordHash(user.id));

  /**
   * Each code works only once, here or at sign-in. So a code that somebody has seen on the screen is of no use to them.
   */
  const isCode = async ({ user, secondFactor }: SignedIn, code: string): Promise<boolean> => {
    const digits = code.replaceAll(/\s/g, "");
    if (!secondFactor || !(await lockout.takeCode(user.id, digits))) return false;
    const factor = await factors.find(user.id);
    return factor !== null && authenticator.isCode(digits, factor.secret);
  };

  return {
    /** Failures count for this session only. They lock out neither others nor the user elsewhere. */
    async reauthenticate(signedIn: SignedIn, input: unknown, by: Actor): Promise<Outcome<null>> {
      const body = proof.parse(input, oneOfBoth);
      if (body instanceof Failure) return body;
      const attempt = await lockout.beginOwn(signedIn.user.id, signedIn.session.id);
      if (attempt instanceof Failure) return attempt;
      const { password, code = "" } = body;
      const isRight = password === undefined ? await isCode(signedIn, code) : await isPassword(signedIn, password);
      if (!isRight) {
        await attempt.failed(signedIn.user, by);
        return password === undefined
          ? invalid({ path: "code", message: "is not the code that the app shows now, or was used before" })
          : invalid({ path: "password", message: "is not your password" });
      }
      await attempt.succeeded();
      await sessions.prove(signedIn.session.id, clock.now());
      return null;
    },
  };
};

export type Reauthentication = ReturnType<typeof makeReauthentication>;
