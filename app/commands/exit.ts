/** The exit codes of the program. */
export const EXIT = {
  ok: 0,
  /** The command failed. The message says why. */
  failed: 1,
  /** The command line is wrong. Nothing was changed. */
  usage: 2,
  /** The command was done, except for some rows of an import. */
  partly: 3,
  /** An import was done, with assumptions or something left undone that its warnings name. */
  warned: 4,
} as const;

/** An expected failure of a command. The message is for the person who typed it. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
  ) {
    super(message);
  }
}

/** The error for a wrong command line. The message names the option or argument. */
export const usageError = (message: string): CommandError => new CommandError(message, EXIT.usage);

/** Both values. If one or both cannot be read, one error contains all messages. */
export const readBoth = <One, Other>(one: () => One, other: () => Other): readonly [One, Other] => {
  const errors: CommandError[] = [];
  const tried = <Value>(read: () => Value): readonly Value[] => {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      errors.push(error);
      return [];
    }
  };
  const [first, second] = [tried(one), tried(other)];
  if (first.length === 1 && second.length === 1) return [first[0] as One, second[0] as Other];
  throw new CommandError(errors.map(({ message }) => message).join("\n  "), errors[0]?.exitCode);
};
