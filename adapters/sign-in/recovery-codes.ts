import type { RecoveryCodes } from "../../core/sign-in/authenticator.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { tokens } from "./tokens.ts";

const CODES = 10;
/** Letters and digits that nobody takes for one another. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
/** The largest multiple of the alphabet's length in a byte: beyond it some letters would come up more often. */
const UNBIASED = 248;
/** What tells a user's codes apart: it stands beside the hash, so that one hash is compared and not all. */
const LABEL_LENGTH = 3;
/** With the label; the other 17 characters are 84 random bits. */
const CODE_LENGTH = 20;

const randomCode = (): string => {
  let code = "";
  while (code.length < CODE_LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(CODE_LENGTH * 2)))
      if (byte < UNBIASED && code.length < CODE_LENGTH) code += ALPHABET[byte % ALPHABET.length];
  return code;
};

const labelOf = (code: string): string => code.slice(0, LABEL_LENGTH);

/** A code as it is compared: typed with or without the hyphens, in capitals or not. */
const normal = (code: string): string => code.replaceAll(/[\s-]/g, "").toLowerCase();

/** Ten codes, and the password hashes that are kept of them behind their labels. */
export const newRecoveryCodes = async (): Promise<RecoveryCodes> => {
  const codes = new Map<string, string>();
  while (codes.size < CODES) {
    const code = randomCode();
    codes.set(labelOf(code), code);
  }
  const hashes: string[] = [];
  // One after the other: together they would take every processor for a moment.
  for (const [label, code] of codes) hashes.push(`${label}:${await hashPassword(code)}`);
  return { codes: [...codes.values()].map((code) => code.replaceAll(/.{5}(?=.)/g, "$&-")), hashes };
};

/** The hash of a code among those that are kept; `null` when there is none. Codes of before are known by their SHA-256. */
export const recoveryHash = async (code: string, hashes: readonly string[]): Promise<string | null> => {
  const typed = normal(code);
  const old = tokens.hashOf(typed);
  if (hashes.includes(old)) return old;
  const labelled = hashes.find((hash) => hash.startsWith(`${labelOf(typed)}:`)) ?? null;
  const isRight = await isPassword(typed, labelled === null ? null : labelled.slice(LABEL_LENGTH + 1));
  return isRight ? labelled : null;
};
