/** A variable that cannot be used; the message is the one line that the user sees. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(variable: string, fault: string, example: string) {
    super(`${variable} ${fault}; for example ${variable}=${example}`);
  }
}

/** Variables as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;
