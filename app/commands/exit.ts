/** Exit codes of the program, for scripts. */
export const EXIT = {
  ok: 0,
  /** The command failed; the message says why. */
  failed: 1,
  /** The command line is wrong; nothing was changed. */
  usage: 2,
} as const;

/** An expected failure of a command; the message is for the person at the keyboard. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
  ) {
    super(message);
  }
}

/** The error of a wrong command line; the message names the option or argument. */
export const mistyped = (message: string): CommandError => new CommandError(message, EXIT.usage);
