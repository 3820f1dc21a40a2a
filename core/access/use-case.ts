import type { Failure } from "../failure.ts";
import { admit, type DealerScope, scopeOf } from "./decide.ts";
import type { Operation } from "./policy.ts";
import type { Powers, Principal } from "./principal.ts";

/**
 * A caller as entry points know it: who it is, and how it came. What it may do is read after the policy has admitted
 * it, and only then it is a `Principal`.
 */
export type Caller = Omit<Principal, keyof Powers>;

/** What a caller can do with the service. It refuses a caller that the policy does not admit. */
export type UseCase<Sent extends readonly unknown[], Result> = (caller: Caller, ...sent: Sent) => Result | Failure;

/** True if the policy admits the caller to the operation. It is for what a use case answers besides. */
export const isAdmitted = (caller: Caller, operation: Operation): caller is Principal =>
  // Entry points know every principal, and only hide what it may do.
  admit(caller as Principal, operation) === null;

/** The scope of a caller, to tell apart cursors of readers who see different records. */
export const readerScopeOf = (caller: Caller): DealerScope => scopeOf(caller as Principal);

/**
 * Declares a use case by its operation of the policy. `perform` never begins for a caller that is not admitted. Entry
 * points have a `Caller` only, so a use case without an operation does not compile where it is called.
 */
export const useCase =
  <Sent extends readonly unknown[], Result>(
    operation: Operation,
    perform: (principal: Principal, ...sent: Sent) => Result,
  ): UseCase<Sent, Result> =>
  (caller, ...sent) => {
    const principal = caller as Principal;
    return admit(principal, operation) ?? perform(principal, ...sent);
  };
