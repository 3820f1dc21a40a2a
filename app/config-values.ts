import { isVaried } from "../adapters/system/variety.ts";
import { ConfigError, type Environment } from "./config-error.ts";

/** The maximum duration that can be configured. */
export const MAX_TIMEOUT_MS = 600_000;

/** The example for variables that are secrets. It says how to make a good one. */
export const RANDOM_HEX = "<the output of: openssl rand -hex 32>";

/** Refuses a secret that is easy to guess. The message never contains the secret. */
export const requireVariety = (variable: string, secret: string): void => {
  if (!isVaried(secret))
    throw new ConfigError(
      variable,
      "must have more variety to be a secret: it has few different characters, repetitions or runs of neighbours",
      RANDOM_HEX,
    );
};

/** The items of a comma-separated list, without surrounding blanks. */
export const list = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** A whole number of at most 6 digits up to `largest`; `null` for any other text. */
export const wholeNumber = (text: string, largest: number): number | null =>
  /^(?:0|[1-9]\d{0,5})$/.test(text) && Number(text) <= largest ? Number(text) : null;

const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ["on", true],
  ["off", false],
]);

/** A duration of at least 1 millisecond. */
export const milliseconds = (environment: Environment, variable: string, fallback: number): number => {
  const text = environment[variable];
  if (text === undefined) return fallback;
  const value = wholeNumber(text, MAX_TIMEOUT_MS);
  if (value === null || value === 0)
    throw new ConfigError(
      variable,
      `must be a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`,
      String(fallback),
    );
  return value;
};

/** A switch that is on unless it is set to off. */
export const switchOf = (environment: Environment, variable: string): boolean => {
  const value = SWITCH.get((environment[variable] ?? "on").toLowerCase());
  if (value === undefined) throw new ConfigError(variable, "must be on or off", "off");
  return value;
};
