import { Failure } from "./failure.ts";

/** How many records of a kind there may be. Records above a quota stay, but no more are added. */
export interface Quotas {
  /** Keys tied to one dealer, ended ones included. Keys of its users count for the users. */
  readonly keysPerDealer: number;
  readonly keysPerUser: number;
  /** Users of one dealer, deactivated ones included. */
  readonly usersPerDealer: number;
  readonly imagesPerVehicle: number;
  /** Invitations that one caller may make in an hour. */
  readonly invitationsPerHour: number;
}

export const DEFAULT_QUOTAS: Quotas = {
  keysPerDealer: 1000,
  keysPerUser: 1000,
  usersPerDealer: 1000,
  imagesPerVehicle: 100,
  invitationsPerHour: 20,
};

/** The quotas on records of a dealer or a user. */
export type CountQuota = "keysPerDealer" | "keysPerUser" | "usersPerDealer";

/** Says which quota is full, and what to do about it. */
const FULL: Readonly<Record<CountQuota, (limit: number) => string>> = {
  keysPerDealer: (limit) =>
    `The dealer has the ${limit} keys that a dealer may have: delete one that is not needed, or have MAX_KEYS_PER_DEALER raised`,
  keysPerUser: (limit) =>
    `The user has the ${limit} keys that a user may have: delete one that is not needed, or have MAX_KEYS_PER_USER raised`,
  usersPerDealer: (limit) =>
    `The dealer has the ${limit} users that a dealer may have, deactivated ones included: have MAX_USERS_PER_DEALER raised`,
};

/** The failure of a creation above a quota. It names the limit and what to do. */
export const quotaExceeded = (quota: CountQuota, limit: number): Failure =>
  new Failure({ kind: "quota-exceeded", reason: FULL[quota](limit) });
