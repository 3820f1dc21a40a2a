import { isAdoptable } from "../adapters/system/secrets.ts";
import { ConfigError, type Environment } from "./config-error.ts";
import { RANDOM_HEX, requireVariety } from "./config-values.ts";

const VARIABLE = "BOOTSTRAP_API_KEY";
const MIN_KEY_LENGTH = 32;

/**
 * The first key that the operator chose; `null` if the service creates one. The key is never part of an error message.
 */
export const bootstrapKeyOf = (environment: Environment): string | null => {
  const key = environment[VARIABLE];
  if (key === undefined) return null;
  if (!isAdoptable(key))
    throw new ConfigError(
      VARIABLE,
      `must be ${MIN_KEY_LENGTH} to 256 visible ASCII characters without commas`,
      RANDOM_HEX,
    );
  requireVariety(VARIABLE, key);
  return key;
};
