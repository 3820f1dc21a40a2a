import type { Clock } from "../../core/clock.ts";
import type { Authenticator } from "../../core/sign-in/authenticator.ts";
import type { Passwords } from "./passwords.ts";
import { newRecoveryCodes, recoveryHash } from "./recovery-codes.ts";
import { base32Of, isTotp, newTotpSecret, totpUri } from "./totp.ts";

/** Passwords with argon2id, codes by RFC 6238, and recovery codes. */
export const makeAuthenticator = (passwords: Passwords, clock: Pick<Clock, "nowMs">): Authenticator => ({
  ...passwords,
  newSecondFactor(email) {
    const secret = newTotpSecret();
    return { secret, typed: base32Of(secret), uri: totpUri(secret, email) };
  },
  isCode: (code, secret) => isTotp(secret, code, clock.nowMs()),
  newRecoveryCodes: () => newRecoveryCodes(passwords),
  recoveryHash: (code, hashes) => recoveryHash(passwords, code, hashes),
});
