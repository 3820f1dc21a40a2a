import { ConfigError } from "../config-error.ts";
import { DatabaseError } from "../database.ts";
import { CommandError, EXIT } from "./exit.ts";

/**
 * The message for an error. It is one line if the user can correct the error, with a hint if the command line is wrong.
 * For a defect, it is the whole error.
 */
const explain = (error: unknown): string => {
  if (error instanceof CommandError && error.exitCode === EXIT.usage)
    return `${error.message}\n(--help explains the commands and options)`;
  if (error instanceof ConfigError || error instanceof DatabaseError || error instanceof CommandError)
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

/** How the program ends because of an error: the line on standard error, and the exit code. */
export const endBecauseOf = (error: unknown) => ({
  line: `vehicle-inventory: ${explain(error)}\n`,
  code: error instanceof CommandError ? error.exitCode : EXIT.failed,
});
