import type { Principal } from "../../../core/access/principal.ts";
import { isUnchanged } from "../../../core/access/warrant.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { limitedAddress } from "../protocol/addresses.ts";
import { Problem } from "../protocol/problem.ts";
import { type Identified, RefusedKey } from "./authentication.ts";
import type { EntryPoint } from "./entry-point.ts";
import type { Exchange, Step } from "./exchange.ts";

type Identifies = Pick<EntryPoint, "identify">;

const identified = (entryPoint: Identifies, exchange: Exchange): MaybePromise<Identified> =>
  entryPoint.identify(exchange.request, () => limitedAddress(exchange.address));

/** The caller with what the audit log says of where a request came from. */
export const located = (caller: Principal, { address, requestId }: Exchange): Principal => ({
  ...caller,
  address,
  requestId,
});

/**
 * Finds out who sends a request, and answers one who is not let in. Taken again, it finds the caller as it is at that
 * moment: a body takes time to arrive, and the right to the change may end meanwhile.
 */
export const identify =
  (entryPoint: Identifies, isChange: boolean): Step =>
  (exchange) =>
    andThen(identified(entryPoint, exchange), (found) => {
      if (found === exchange.identified && exchange.caller !== null) return undefined;
      exchange.caller = null;
      if (found instanceof Problem) return found;
      if (found instanceof RefusedKey) {
        exchange.refused = found;
        return found.problem;
      }
      exchange.identified = found;
      // Only changes are recorded with where they came from; reads are spared the copy.
      exchange.caller = isChange ? located(found, exchange) : found;
      return undefined;
    });

/** True while the caller may do what it could when it was let in. Known from memory while nothing has changed. */
export const mayGoOn = (entryPoint: Identifies, exchange: Exchange, before: Principal): MaybePromise<boolean> =>
  andThen(
    identified(entryPoint, exchange),
    (now) => !(now instanceof Problem || now instanceof RefusedKey) && isUnchanged(before, now),
  );
