import { Failure } from "./failure.ts";

/** The maximum numbers of records. Existing records above a quota stay, but no more can be added. */
export interface Quotas {
  /** Keys that are tied to one dealer, including ended ones. Keys of the dealer's users are not included. */
  readonly keysPerDealer: number;
  readonly keysPerUser: number;
  /** Users of one dealer, including deactivated ones. */
  readonly usersPerDealer: number;
  readonly imagesPerVehicle: number;
  /** Mebibytes that are kept for one dealer: files and results of its imports, and its audit entries of a day. */
  readonly keptMibPerDealer: number;
  /** Answers to repeatable requests that are kept for one dealer, and how many mebibytes they may take. */
  readonly keptAnswersPerDealer: number;
  readonly keptAnswersMibPerDealer: number;
  /** Invitations that one caller may make in an hour. */
  readonly invitationsPerHour: number;
}

export const DEFAULT_QUOTAS: Quotas = {
  keysPerDealer: 1000,
  keysPerUser: 1000,
  usersPerDealer: 1000,
  imagesPerVehicle: 100,
  keptMibPerDealer: 4096,
  keptAnswersPerDealer: 50_000,
  keptAnswersMibPerDealer: 128,
  invitationsPerHour: 20,
};

/** The quotas that limit the records of a dealer or a user. */
export type CountQuota = "keysPerDealer" | "keysPerUser" | "usersPerDealer";

/** The sentences that say which quota is reached, and what the client can do. */
const FULL: Readonly<Record<CountQuota, (limit: number) => string>> = {
  keysPerDealer: (limit) =>
    `The dealer has the ${limit} keys that a dealer may have: delete one that is not needed, or have MAX_KEYS_PER_DEALER raised`,
  keysPerUser: (limit) =>
    `The user has the ${limit} keys that a user may have: delete one that is not needed, or have MAX_KEYS_PER_USER raised`,
  usersPerDealer: (limit) =>
    `The dealer has the ${limit} users that a dealer may have, deactivated ones included: have MAX_USERS_PER_DEALER raised`,
};

/** The failure of a creation beyond a quota. It names the limit and says what the client can do. */
export const quotaExceeded = (quota: CountQuota, limit: number): Failure =>
  new Failure({ kind: "quota-exceeded", reason: FULL[quota](limit) });
