/** A variable has an unusable value; the message is the one line that the user sees. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(
    variable: string,
    /** What is wrong with the value, without the variable's name. */
    readonly fault: string,
    example: string,
  ) {
    super(`${variable} ${fault}; for example ${variable}=${example}`);
  }
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;
