import { admit } from "../../core/access/decide.ts";
import type { Operation } from "../../core/access/policy.ts";
import type { Principal } from "../../core/access/principal.ts";
import { isUnchanged } from "../../core/access/warrant.ts";
import type { Failure } from "../../core/failure.ts";
import type { KeyRefusal } from "../../core/keys/credentials.ts";
import { after, type Later } from "../../core/later.ts";
import { limitedAddress } from "./addresses.ts";
import { RefusedKey } from "./authentication.ts";
import type { Door } from "./door.ts";
import { Problem } from "./problem.ts";

/** A request, and what is known of who sent it. */
export interface Asking {
  readonly request: Request;
  readonly requestId: string;
  /** Who was let in, if anybody was. */
  caller: Principal | null;
  /** The caller as the door knows it. */
  identified: Principal | null;
  /** The key that was refused because it, or the secret sent, works no more. */
  refusedKeyId: number | null;
  /** Why a key was refused. */
  refusal: KeyRefusal | null;
}

/** The caller with what the audit log says of where a request came from. */
export const located = (caller: Principal, { requestId }: Asking, address: string): Principal => ({
  ...caller,
  address,
  requestId,
});

/** Finds out who sends the requests of one route through one door, as often as they are asked for. */
export const callersOf = <Seen extends Asking>(
  door: Pick<Door, "identify">,
  operation: Operation,
  isChange: boolean,
  addressOf: (asking: Seen) => string,
) => {
  /** The caller, or the answer to one who is not let in. */
  const known = (asking: Seen): Later<Principal | Problem> => {
    const identified = door.identify(asking.request, () => limitedAddress(addressOf(asking)));
    return after(identified, (principal) => {
      if (principal === asking.identified && asking.caller !== null) return asking.caller;
      if (principal instanceof Problem || principal instanceof RefusedKey) {
        asking.caller = null;
        if (principal instanceof Problem) return principal;
        asking.refusedKeyId = principal.keyId;
        asking.refusal = principal.reason;
        return principal.problem;
      }
      asking.identified = principal;
      // For reads it would cost more than it tells.
      asking.caller = isChange ? located(principal, asking, addressOf(asking)) : principal;
      return asking.caller;
    });
  };

  return {
    known,
    /** True while whoever was let in may do what they could then. Known from memory while nothing has changed. */
    isUnchanged: (asking: Seen, before: Principal): Later<boolean> =>
      after(
        door.identify(asking.request, () => limitedAddress(addressOf(asking))),
        (now) => !(now instanceof Problem || now instanceof RefusedKey) && isUnchanged(before, now),
      ),
    /**
     * Goes on with the caller as it is at this moment, if it may still ask for this. While nothing has changed in who
     * may do what, that is known from memory.
     */
    present: <Result>(asking: Seen, work: (caller: Principal) => Later<Result>): Later<Result | Problem | Failure> =>
      after(
        known(asking),
        (caller): Later<Result | Problem | Failure> =>
          caller instanceof Problem ? caller : (admit(caller, operation) ?? work(caller)),
      ),
  };
};
