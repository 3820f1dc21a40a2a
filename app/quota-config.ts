import { IDLE_NOTICE_DAYS } from "../core/keys/key.ts";
import { DEFAULT_QUOTAS, type Quotas } from "../core/quotas.ts";
import { ConfigError, type Environment } from "./config-error.ts";
import { wholeNumber } from "./config-values.ts";

const MAX_QUOTA = 999_999;
const DEFAULT_MIN_FREE_MIB = 256;

const atLeastOne = (environment: Environment, variable: string, example: number): number | null => {
  const text = environment[variable];
  if (text === undefined) return null;
  const value = wholeNumber(text, MAX_QUOTA);
  if (value === null || value === 0)
    throw new ConfigError(variable, `must be a whole number from 1 to ${MAX_QUOTA}`, String(example));
  return value;
};

/** The name of the variable for each quota. */
const VARIABLES: Readonly<Record<keyof Quotas, string>> = {
  keysPerDealer: "MAX_KEYS_PER_DEALER",
  keysPerUser: "MAX_KEYS_PER_USER",
  usersPerDealer: "MAX_USERS_PER_DEALER",
  imagesPerVehicle: "MAX_IMAGES_PER_VEHICLE",
  keptMibPerDealer: "MAX_KEPT_MIB_PER_DEALER",
  keptAnswersPerDealer: "MAX_KEPT_ANSWERS_PER_DEALER",
  keptAnswersMibPerDealer: "MAX_KEPT_ANSWERS_MIB_PER_DEALER",
  invitationsPerHour: "INVITATIONS_PER_HOUR",
};

/** Reads the quotas. The service and the commands that create records need them. */
export const quotasOf = (environment: Environment): Quotas => {
  const quotas: Record<keyof Quotas, number> = { ...DEFAULT_QUOTAS };
  for (const [quota, variable] of Object.entries(VARIABLES) as [keyof Quotas, string][])
    quotas[quota] = atLeastOne(environment, variable, DEFAULT_QUOTAS[quota]) ?? DEFAULT_QUOTAS[quota];
  return quotas;
};

/** The free space in MiB below which the service takes nothing that would keep much; 0 for no such bound. */
export const minFreeMibOf = (environment: Environment): number => {
  const text = environment.MIN_FREE_MIB;
  if (text === undefined) return DEFAULT_MIN_FREE_MIB;
  const value = wholeNumber(text, MAX_QUOTA);
  if (value === null)
    throw new ConfigError("MIN_FREE_MIB", `must be a whole number up to ${MAX_QUOTA}`, String(DEFAULT_MIN_FREE_MIB));
  return value;
};

/** The number of requests a minute that all keys of a dealer share; `null` if there is no such limit. */
export const dealerRateLimitOf = (environment: Environment): number | null =>
  atLeastOne(environment, "DEALER_RATE_LIMIT", 1000);

const MAX_KEY_DAYS = 36_500;

/** After how many days without a use keys are switched off; `null` if they are not. There is a notice before. */
export const idleKeyDaysOf = ({ IDLE_KEY_DAYS: text }: Environment): number | null => {
  if (text === undefined) return null;
  const days = wholeNumber(text, MAX_KEY_DAYS);
  if (days === null || days <= IDLE_NOTICE_DAYS)
    throw new ConfigError(
      "IDLE_KEY_DAYS",
      `must be a whole number of days from ${IDLE_NOTICE_DAYS + 1} to ${MAX_KEY_DAYS}`,
      "180",
    );
  return days;
};

/** How many days ahead keys may expire at most; `null` if they need not expire. */
export const maxKeyDaysOf = ({ MAX_KEY_DAYS: text }: Environment): number | null => {
  if (text === undefined) return null;
  const days = wholeNumber(text, MAX_KEY_DAYS);
  if (days === null || days === 0)
    throw new ConfigError("MAX_KEY_DAYS", `must be a whole number of days from 1 to ${MAX_KEY_DAYS}`, "365");
  return days;
};
