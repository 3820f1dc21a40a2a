import { fold, foldEmail } from "../text.ts";

/** The minimum and maximum length of a password, in Unicode characters. */
export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 128;

/** Returns true for the most common passwords. The text must be in lower case. */
export type CommonPasswords = (text: string) => boolean;

/** The owner of a password. A password must contain much more than the owner's name and address. */
export interface PasswordOwner {
  /** `null` if it is unknown. */
  readonly email: string | null;
}

/** The normal form in which passwords are compared and hashed. */
export const normalPassword = (password: string): string => password.normalize("NFC");

/** Sequences of neighbours: on keyboards, on the number pad, and in the alphabet. */
const ROWS = [
  "`1234567890-=",
  "qwertyuiop[]",
  "asdfghjkl;'",
  "zxcvbnm,./",
  "!@#$%^&*()_+",
  "qwertzuiop",
  "yxcvbnm",
  "azertyuiop",
  "qsdfghjklm",
  "wxcvbn",
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "1qaz",
  "2wsx",
  "3edc",
  "4rfv",
  "5tgb",
  "6yhn",
  "7ujm",
  "8ik",
  "9ol",
  "147",
  "2580",
  "369",
] as const;

/** Pairs of keys that join neighbouring columns, as in `1q2w3e4r`. */
const COLUMNS = ["q2", "w3", "e4", "r5", "t6", "y7", "u8", "i9", "o0", "z2", "x3", "c4", "v5", "b6", "n7"] as const;

const neighbours = (): ReadonlySet<string> => {
  const pairs = new Set<string>();
  for (const row of [...ROWS, ...COLUMNS])
    for (let at = 1; at < row.length; at++) {
      pairs.add(`${row[at - 1]}${row[at]}`);
      pairs.add(`${row[at]}${row[at - 1]}`);
    }
  return pairs;
};
const NEIGHBOURS = neighbours();

/** Shorter runs occur in ordinary words as well. */
const MIN_RUN_LENGTH = 3;

const ASCII = /^[\x20-\x7e]*$/;

const isStep = (before: string, after: string): boolean =>
  before === after ? ASCII.test(after) : NEIGHBOURS.has(before + after);

/** True if the text consists of runs, in which each character neighbours or repeats the one before. */
const isRuns = (characters: readonly string[]): boolean => {
  let runs = 1;
  for (let at = 1; at < characters.length; at++) if (!isStep(characters[at - 1] ?? "", characters[at] ?? "")) runs++;
  return runs * MIN_RUN_LENGTH <= characters.length;
};

/** A repeated piece counts as a pattern up to this length. */
const SHORT_PIECE = 4;

/** The pieces whose repetition makes the text. The last repetition may be incomplete. */
const repeatedPieces = (characters: readonly string[]): string[] => {
  const pieces: string[] = [];
  for (let length = 1; length * 2 <= characters.length; length++)
    if (characters.every((character, at) => at < length || character === characters[at - length]))
      pieces.push(characters.slice(0, length).join(""));
  return pieces;
};

const isPattern = (piece: string): boolean => ASCII.test(piece) && piece.length <= SHORT_PIECE;

/** The letters and digits of a text, in the form in which they are compared. */
const lettersAndDigits = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");

const SERVICE_NAMES = ["vehicleinventoryservice", "vehicleinventory"] as const;
/** Shorter names occur in ordinary words as well. */
const MIN_NAME_LENGTH = 4;
/** The number of letters and digits that a password needs in addition to a name. */
const MIN_REST = 6;

/** True if the text contains little more than one of these names. */
const isLittleMoreThan = (text: string, names: readonly string[]): boolean => {
  const whole = lettersAndDigits(text);
  return names
    .map(lettersAndDigits)
    .filter((name) => name !== "")
    .some((name) => {
      if (whole === name) return true;
      if (name.length < MIN_NAME_LENGTH || !whole.includes(name)) return false;
      return whole.replaceAll(name, "").length < MIN_REST;
    });
};

const lengthFault = `must be text of ${MIN_PASSWORD} to ${MAX_PASSWORD} characters, without NUL characters or lone surrogates`;

/**
 * Says what is wrong with a new password, as words that follow the name of the field. `null` for an acceptable
 * password. Do not pass more than `MAX_PASSWORD` characters: the cost grows with the square of the length.
 */
export const passwordFault = (chosen: string, owner: PasswordOwner, isCommon: CommonPasswords): string | null => {
  const folded = fold(normalPassword(chosen)).normalize("NFC");
  const characters = [...folded];
  if ([...normalPassword(chosen)].length < MIN_PASSWORD) return lengthFault;
  if (isCommon(folded)) return "is one of the most common passwords; choose several words that do not belong together";
  if (/^\p{Nd}+$/u.test(folded)) return "must not be digits alone";
  if (isRuns(characters)) return "must not be runs of neighbouring keys, letters or digits";
  if (repeatedPieces(characters).some((piece) => isCommon(piece) || isPattern(piece)))
    return "must not repeat a common password or a short pattern";
  const email = owner.email === null ? [] : [owner.email, owner.email.slice(0, owner.email.lastIndexOf("@"))];
  if (isLittleMoreThan(folded, email.map(foldEmail))) return "must be more than your email address";
  if (isLittleMoreThan(folded, SERVICE_NAMES)) return "must be more than the name of this service";
  return null;
};
