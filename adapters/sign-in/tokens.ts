import type { RecoveryCodes, Tokens } from "../../core/sign-in/authenticator.ts";

const TOKEN_BYTES = 32;
const RECOVERY_CODES = 10;
/** Letters and digits that nobody takes for one another. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
const CODE_LENGTH = 12;

const hashOf = (text: string): string => Bun.SHA256.hash(text, "hex");

/** Random tokens of 256 bits in base64url, known to the database by their SHA-256 alone. */
export const tokens: Tokens = {
  issue() {
    const token = Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))).toString("base64url");
    return { token, hash: hashOf(token) };
  },
  hashOf,
};

/** A recovery code as it is compared: typed with or without the hyphen, in capitals or not. */
export const hashOfRecoveryCode = (code: string): string => hashOf(code.replaceAll(/[\s-]/g, "").toLowerCase());

const recoveryCode = (): string => {
  let code = "";
  while (code.length < CODE_LENGTH)
    // The largest multiple of the alphabet's length in a byte: beyond it some letters would come up more often.
    for (const byte of crypto.getRandomValues(new Uint8Array(CODE_LENGTH * 2)))
      if (byte < 248 && code.length < CODE_LENGTH) code += ALPHABET[byte % ALPHABET.length];
  return code.replace(/^.{6}/, "$&-");
};

/** Ten codes of 59 bits, and the hashes that are kept of them. */
export const newRecoveryCodes = (): RecoveryCodes => {
  const codes = Array.from({ length: RECOVERY_CODES }, recoveryCode);
  return { codes, hashes: codes.map(hashOfRecoveryCode) };
};
