/** Thrown if a variable has an unusable value. The message is the one line that the user sees. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(
    readonly variable: string,
    /** What is wrong with the value. The name of the variable is not included. */
    readonly fault: string,
    example: string,
  ) {
    super(`${variable} ${fault}; for example ${variable}=${example}`);
  }
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;
