import { Argument, type Command, Option } from "commander";
import { EVERY_PERMISSION, type PermissionPair, pairsOfSet, permissionsOf } from "../../core/permissions.ts";
import { ConfigError } from "../config-error.ts";
import { usageError } from "./exit.ts";

/**
 * Parses a whole number in plain digits. If the text has another form, or the number is out of range, the error begins
 * with `name`.
 */
const wholeNumber =
  (name: string, least: number, most: number) =>
  (text: string): number => {
    const number = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw usageError(
      `${name}: must be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`}`,
    );
  };

/** An option whose value is a whole number from `least` to `most`. */
export const numberOption = (
  flags: string,
  description: string,
  { least = 1, most = Number.MAX_SAFE_INTEGER }: { readonly least?: number; readonly most?: number } = {},
): Option => {
  const option = new Option(flags, description);
  return option.argParser(wholeNumber(option.long ?? flags, least, most));
};

/** An option whose value is one of a few words. Help and completion list them. The core refuses any other word. */
export const choiceOption = (flags: string, description: string, words: readonly string[]): Option =>
  new Option(flags, description).choices(words).argParser((text) => text);

/** The same for words that the core does not check: of one value, or of several as in `<words...>`. */
export const checkedChoiceOption = (flags: string, description: string, words: readonly string[]): Option => {
  const option = new Option(flags, description).choices(words);
  const checked = (text: string): string => {
    if (words.includes(text)) return text;
    throw usageError(`${option.long}: must be one of ${words.join(", ")}`);
  };
  if (!option.variadic) return option.argParser(checked);
  return option.argParser((text, before: readonly string[] = []) => [...before, checked(text)]);
};

const PAIRS = pairsOfSet(EVERY_PERMISSION);
const PERMISSIONS = permissionsOf(EVERY_PERMISSION);

const pairOf = (text: string, before: readonly PermissionPair[] = []): PermissionPair[] => {
  const pair = PAIRS.find(({ resource, action }) => `${resource}:${action}` === text);
  if (pair === undefined) throw usageError(`--permission: must be one of ${PERMISSIONS.join(", ")}`);
  return [...before, pair];
};

/** The option `--permission`, which can be repeated and takes several values at a time. */
export const permissionOption = (otherwise: string): Option =>
  new Option("--permission <pairs...>", `one or more permissions; default: ${otherwise}`)
    .choices(PERMISSIONS)
    .argParser(pairOf);

/** The option `--json`, for programs. */
export const jsonOption = (): Option => new Option("--json", "print JSON with the field names of the API");

/** Reads an option whose form is that of an environment variable. Errors name the option. */
export const readAs = <Value>(option: string, read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    throw error instanceof ConfigError ? usageError(`${option}: ${error.fault}`) : error;
  }
};

/** Marks an option as required in the help. The core reports all missing fields together. */
export const required = (option: Option): Option => {
  option.description += " (required)";
  return option;
};

/** Adds the number of a record as an argument of a command. */
export const withId = (command: Command, what: string): Command =>
  command.addArgument(
    new Argument("<id>", `the number of the ${what}`).argParser(wholeNumber("<id>", 1, Number.MAX_SAFE_INTEGER)),
  );

/** The path of a file as an argument of a command. */
export const fileArgument = (description: string): Argument =>
  new Argument("<file>", description).argParser((text) => {
    if (text.trim() === "") throw usageError("<file>: must be the path of a file");
    return text;
  });

/** A command that only has subcommands. */
export const group = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description).helpCommand(false);

/** Options of a command that creates a record. */
export interface RecordOptions {
  readonly json?: true;
  readonly permission?: readonly PermissionPair[];
  readonly [field: string]: unknown;
}

/**
 * The fields of a record in the form that the core expects: `--app-type` becomes `app_type`. Options that were not
 * given are left out.
 */
export const fieldsOf = ({ json: _, permission, ...options }: RecordOptions): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
      value,
    ]),
  ),
  ...(permission !== undefined && { permissions: permission }),
});
