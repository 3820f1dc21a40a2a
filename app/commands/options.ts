import { type Command, InvalidArgumentError, Option } from "commander";
import { EVERY_PERMISSION, type PermissionPair, pairsOfSet, permissionsOf } from "../../core/access/permissions.ts";

/** Parses a whole number in plain digits; what is none, or out of range, is an error of the command line. */
export const wholeNumber =
  (least = 0, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(
      most === Number.MAX_SAFE_INTEGER
        ? `It must be a whole number from ${least}.`
        : `It must be a whole number from ${least} to ${most}.`,
    );
  };

const PAIRS = pairsOfSet(EVERY_PERMISSION);

const pairOf = (text: string, before: readonly PermissionPair[] = []): PermissionPair[] => {
  const pair = PAIRS.find(({ resource, action }) => `${resource}:${action}` === text);
  if (pair === undefined)
    throw new InvalidArgumentError(`It must be one of ${permissionsOf(EVERY_PERMISSION).join(", ")}.`);
  return [...before, pair];
};

/** `--permission`, which can be given more than once and takes several at a time. */
export const permissionOption = (otherwise: string): Option =>
  new Option("--permission <pairs...>", `such as vehicles:read; ${otherwise}`).argParser(pairOf);

/** `--json`, for programs. */
export const jsonOption = (): Option => new Option("--json", "write JSON");

/** The number of a record, as a command's argument. */
export const withId = (command: Command, what: string): Command =>
  command.argument("<id>", `the number of the ${what}`, wholeNumber(1));

/** Options of a command that makes a record. */
export interface RecordOptions {
  readonly json?: true;
  readonly permission?: readonly PermissionPair[];
  readonly [field: string]: unknown;
}

/** The fields of a record as core takes them: `--app-type` becomes `app_type`, options not given are left out. */
export const fieldsOf = ({ json: _, permission, ...options }: RecordOptions): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
      value,
    ]),
  ),
  ...(permission !== undefined && { permissions: permission }),
});
