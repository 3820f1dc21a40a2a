import { CommandError } from "../../app/commands/exit.ts";
import { run } from "../../app/commands/program.ts";

/** Why a command was refused: its exit code, and its message without the program's name and hint. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
}

/**
 * Runs a command that must be refused, in this process: starting the program for each would take most of the time.
 * `tests/commands/command-line.test.ts` starts it for one refusal of each kind.
 */
export const refusalOf = async (databaseUrl: string, ...line: readonly string[]): Promise<Refusal> => {
  const { DATABASE_URL } = process.env;
  process.env.DATABASE_URL = databaseUrl;
  try {
    await run(line);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { code: error.exitCode, message: error.message };
  } finally {
    if (DATABASE_URL === undefined) delete process.env.DATABASE_URL;
    else process.env.DATABASE_URL = DATABASE_URL;
  }
  throw new Error(`it was not refused: ${line.join(" ")}`);
};
