/**
 * After this time a test hangs. It is the only limit of time that tests have, and says nothing about how fast anything
 * is.
 */
export const HUNG_MS = 280_000;
