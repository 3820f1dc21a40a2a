import { isAdoptable } from "../adapters/system/secrets.ts";
import { isVaried } from "../adapters/system/variety.ts";
import { ConfigError, type Environment } from "./config-error.ts";

const VARIABLE = "BOOTSTRAP_API_KEY";
const MIN_KEY_LENGTH = 32;
const EXAMPLE = "<the output of: openssl rand -hex 32>";

/** The first key as the operator chose it; `null` when the service makes it. Neither is ever in the message of a fault. */
export const bootstrapKeyOf = (environment: Environment): string | null => {
  const key = environment[VARIABLE];
  if (key === undefined) return null;
  if (!isAdoptable(key))
    throw new ConfigError(
      VARIABLE,
      `must be ${MIN_KEY_LENGTH} to 256 visible ASCII characters without commas`,
      EXAMPLE,
    );
  if (!isVaried(key))
    throw new ConfigError(
      VARIABLE,
      "must have more variety to be a secret: it has few different characters, repetitions or runs of neighbours",
      EXAMPLE,
    );
  return key;
};
