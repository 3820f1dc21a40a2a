import { Failure } from "./failure.ts";

/** How many of something there may be at most. What is there above a quota stays; it only does not become more. */
export interface Quotas {
  /** Keys tied to one dealer, ended ones included. Those of its users count for the users. */
  readonly keysPerDealer: number;
  readonly keysPerUser: number;
  /** Users of one dealer, deactivated ones included. */
  readonly usersPerDealer: number;
  readonly imagesPerVehicle: number;
  /** Invitations that one caller makes in an hour. */
  readonly invitationsPerHour: number;
}

export const DEFAULT_QUOTAS: Quotas = {
  keysPerDealer: 1000,
  keysPerUser: 1000,
  usersPerDealer: 1000,
  imagesPerVehicle: 100,
  invitationsPerHour: 20,
};

/** The quotas on what is tied to a dealer or a user. */
export type CountQuota = "keysPerDealer" | "keysPerUser" | "usersPerDealer";

/** What is full, and what to do about it. */
const FULL: Readonly<Record<CountQuota, (limit: number) => string>> = {
  keysPerDealer: (limit) =>
    `The dealer has the ${limit} keys that a dealer may have: delete one that is not needed, or have MAX_KEYS_PER_DEALER raised`,
  keysPerUser: (limit) =>
    `The user has the ${limit} keys that a user may have: delete one that is not needed, or have MAX_KEYS_PER_USER raised`,
  usersPerDealer: (limit) =>
    `The dealer has the ${limit} users that a dealer may have, deactivated ones included: have MAX_USERS_PER_DEALER raised`,
};

/** The failure of who would make more than a quota allows; it names the limit and what to do. */
export const quotaExceeded = (quota: CountQuota, limit: number): Failure =>
  new Failure({ kind: "quota-exceeded", reason: FULL[quota](limit) });
