import { Failure, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import { fold } from "../text.ts";

/** The maximum number of codes of a dealer, and of characters of one. */
export const MAX_CODES = 20;
export const MAX_CODE = 100;
/** The beginning of codes that are a dealer's store code at Google. */
const OF_GOOGLE = "google:";

/** Longer texts cannot be a code, however they are written. */
const MAX_WRITTEN = 4 * MAX_CODE;

/**
 * A code in the form in which codes are compared: without regard to case, blanks around it and around a colon, and how
 * many blanks are within it. `null` if the text cannot be a code. Zeros at the beginning count.
 */
export const foldCode = (code: string): string | null => {
  const text = code.trim();
  if (text === "" || text.length > MAX_WRITTEN) return null;
  return fold(text.normalize("NFC").split(/\s+/u).join(" ").split(" :").join(":").split(": ").join(":"));
};

/** The codes of a dealer in the form in which they are compared. */
export const foldedCodes = (codes: readonly string[]): readonly string[] =>
  [...new Set(codes.flatMap((code) => foldCode(code) ?? []))].sort();

/** An issue if a dealer would have one code twice. */
export const requireDifferentCodes = ({ codes }: Readonly<Record<string, unknown>>): Issue[] => {
  if (!Array.isArray(codes)) return [];
  const folded = codes.map((code) => (typeof code === "string" ? foldCode(code) : null));
  const repeated = folded.findIndex((code, index) => code !== null && folded.indexOf(code) < index);
  return repeated === -1
    ? []
    : [{ path: "codes", message: `has ${JSON.stringify(codes[repeated])} twice: case and blanks do not matter` }];
};

/** Thrown for a change that is not made, because another dealer has one of the codes. */
export class TakenCode extends Error {
  override readonly name = "TakenCode";
  constructor(readonly code: string) {
    super("another dealer has the code");
  }
}

/** Waits for a change of a dealer. The failure names a code of another dealer, which only callers of no dealer send. */
export const catchingTakenCode = async <Result>(change: Promise<Result>): Promise<Outcome<Result>> => {
  try {
    return await change;
  } catch (error) {
    if (error instanceof TakenCode) return new Failure({ kind: "dealer-code-taken", code: error.code });
    throw error;
  }
};

/** A dealer's store code at Google; `undefined` if none of its codes is one. The first one counts, as it is written. */
export const googleCodeOf = (codes: readonly string[]): string | undefined => {
  const code = codes.find((one) => foldCode(one)?.startsWith(OF_GOOGLE) === true);
  const store = code?.slice(code.indexOf(":") + 1).trim();
  return store === "" ? undefined : store;
};
