import { READERS } from "./config.ts";
import { ConfigError, type Environment } from "./config-error.ts";

/** All faults that one part of the configuration finds, each in one line. */
const faultsOf = (read: (environment: Environment) => unknown, environment: Environment): string[] => {
  let left = environment;
  const found: string[] = [];
  for (;;)
    try {
      read(left);
      return found;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      found.push(error.message);
      // A variable that is missing cannot be left out, so that what else is wrong here stays unknown.
      if (left[error.variable] === undefined) return found;
      left = { ...left, [error.variable]: undefined };
    }
};

/** Everything that is wrong with the configuration, in one line for each variable. A start names only the first. */
export const configFaults = (environment: Environment): readonly string[] => [
  ...new Set(Object.values(READERS).flatMap((read) => faultsOf(read, environment))),
];
