/** Exit codes of the program, for scripts. */
export const EXIT = {
  ok: 0,
  /** It could not be done; the message says why. */
  failed: 1,
  /** The command line itself is wrong; nothing was changed. */
  usage: 2,
} as const;

/** What a command cannot do, in words for the person at the keyboard. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
  ) {
    super(message);
  }
}

/** The error of a command line that is wrong, whatever is wrong with it; the message names the option or argument. */
export const mistyped = (message: string): CommandError => new CommandError(message, EXIT.usage);
