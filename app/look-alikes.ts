import { editsBetween } from "../core/nearest-word.ts";
import type { Environment } from "./config-error.ts";
import { VARIABLES } from "./variables.ts";

/** Of names up to this length, two letters more or less make other words: HOST, HOME, POST. */
const SHORT = 5;

/** Names near ours that the system and usual programs use. */
const USUAL: ReadonlySet<string> = new Set(
  "CI EDITOR HOME HOSTNAME HOSTS LANG LANGUAGE LOGNAME LS_COLORS MAIL OLDPWD OS PATH PGHOST PGPORT POST PWD ROOT SHELL SHLVL SORT TERM TEST TMP TMPDIR TZ USER".split(
    " ",
  ),
);

/** A variable that is set, and the one that was probably meant. */
interface LookAlike {
  readonly variable: string;
  readonly meant: string;
}

const lettersOf = (name: string): ReadonlySet<string> => new Set(name);

/** The number of letters that only the first name has. Each of them takes an edit of its own. */
const lettersOnlyIn = (name: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  let only = 0;
  for (const letter of name) if (!other.has(letter)) only++;
  return only;
};

/** The known names with their letters, and the most edits that lead to them. */
const KNOWN = Object.keys(VARIABLES).map((known) => ({
  known,
  letters: lettersOf(known),
  most: known.length > SHORT ? 2 : 1,
}));

/** The known variable that was probably meant. Letters are compared first: counting edits takes much longer. */
const meantBy = (name: string): string | undefined => {
  const letters = lettersOf(name);
  return KNOWN.find(
    ({ known, letters: others, most }) =>
      Math.abs(name.length - known.length) <= most &&
      lettersOnlyIn(letters, others) <= most &&
      lettersOnlyIn(others, letters) <= most &&
      editsBetween(name, known) <= most,
  )?.known;
};

/** The variables that are not known, but one or two letters away from a known one. */
export const lookAlikes = (environment: Environment): readonly LookAlike[] =>
  Object.keys(environment).flatMap((variable) => {
    if (variable in VARIABLES || USUAL.has(variable.toUpperCase())) return [];
    const meant = meantBy(variable.toUpperCase());
    return meant === undefined ? [] : [{ variable, meant }];
  });

/** What the log and check-config say of it. */
export const lookAlikeWarning = ({ variable, meant }: LookAlike): string =>
  `${variable} is not a variable of this service and has no effect; was ${meant} meant?`;
