/** Exit codes of the program, for scripts. */
export const EXIT = {
  ok: 0,
  /** It could not be done; the message says why. */
  failed: 1,
  /** The command line itself is wrong. */
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
