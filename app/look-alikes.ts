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

const isMeant = (name: string, known: string): boolean =>
  Math.abs(name.length - known.length) <= 2 &&
  editsBetween(name.toUpperCase(), known) <= (known.length > SHORT ? 2 : 1);

/** The variables that are not known, but one or two letters away from a known one. */
export const lookAlikes = (environment: Environment): readonly LookAlike[] =>
  Object.keys(environment).flatMap((variable) => {
    if (variable in VARIABLES || USUAL.has(variable.toUpperCase())) return [];
    const meant = Object.keys(VARIABLES).find((known) => isMeant(variable, known));
    return meant === undefined ? [] : [{ variable, meant }];
  });

/** What the log and check-config say of it. */
export const lookAlikeWarning = ({ variable, meant }: LookAlike): string =>
  `${variable} is not a variable of this service and has no effect; was ${meant} meant?`;
