import type { RecoveryCodes } from "../../core/sign-in/authenticator.ts";
import type { Passwords } from "./passwords.ts";
import { tokens } from "./tokens.ts";

const CODES = 10;
/** Letters and digits that cannot be mistaken for each other. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
/**
 * The largest multiple of the alphabet's length in a byte. Using larger values would make some letters more frequent.
 */
const UNBIASED = 248;
/** The length of a code's label. The label is stored with the hash, so that only one hash has to be compared. */
const LABEL_LENGTH = 3;
/** The length of a code with its label. The other 17 characters are 84 random bits. */
const CODE_LENGTH = 20;

const randomCode = (): string => {
  let code = "";
  while (code.length < CODE_LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(CODE_LENGTH * 2)))
      if (byte < UNBIASED && code.length < CODE_LENGTH) code += ALPHABET[byte % ALPHABET.length];
  return code;
};

const labelOf = (code: string): string => code.slice(0, LABEL_LENGTH);

/** A code as users see it, in groups of five. */
const inGroups = (code: string): string => (code.match(/.{1,5}/g) ?? []).join("-");

/** Normalizes a code. Hyphens, blanks and case do not matter. */
const normalized = (code: string): string => code.replaceAll(/[\s-]/g, "").toLowerCase();

/** Ten new codes, and the form in which they are stored: labels and password hashes. */
export const newRecoveryCodes = async ({ hashPassword }: Passwords): Promise<RecoveryCodes> => {
  const codes = new Map<string, string>();
  while (codes.size < CODES) {
    const code = randomCode();
    codes.set(labelOf(code), code);
  }
  const hashes: string[] = [];
  // One after another, because hashing all at once would use all processors.
  for (const [label, code] of codes) hashes.push(`${label}:${await hashPassword(code)}`);
  return { codes: [...codes.values()].map(inGroups), hashes };
};

/** The stored hash that matches a code. `null` if none matches. Codes of earlier versions are stored as SHA-256. */
export const recoveryHash = async (
  { isPassword }: Passwords,
  code: string,
  hashes: readonly string[],
): Promise<string | null> => {
  const typed = normalized(code);
  const old = tokens.hashOf(typed);
  if (hashes.includes(old)) return old;
  const labelled = hashes.find((hash) => hash.startsWith(`${labelOf(typed)}:`)) ?? null;
  const isRight = await isPassword(typed, labelled === null ? null : labelled.slice(LABEL_LENGTH + 1));
  return isRight ? labelled : null;
};
