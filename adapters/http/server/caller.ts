import { hasSamePowers } from "../../../core/access/authorization.ts";
import type { Principal } from "../../../core/access/principal.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { limitedAddress } from "../protocol/addresses.ts";
import { Problem } from "../protocol/problem.ts";
import { type Identified, OutsideNetwork, RefusedKey } from "./authentication.ts";
import type { EntryPoint } from "./entry-point.ts";
import type { Exchange, Step } from "./exchange.ts";

type CallerIdentifier = Pick<EntryPoint, "identify" | "identifyAgain">;

/** The same, by which a caller who is identified has not used their session: a page does that by itself. */
export const withoutUse = (entryPoint: CallerIdentifier): CallerIdentifier => ({
  identify: entryPoint.identifyAgain ?? entryPoint.identify,
});

const identified = (entryPoint: CallerIdentifier, exchange: Exchange): MaybePromise<Identified> =>
  entryPoint.identify(exchange.request, {
    address: () => exchange.address,
    network: () => limitedAddress(exchange.address),
  });

/** The caller, with what the audit log records about where a request comes from. */
export const withOrigin = (caller: Principal, { address, requestId }: Exchange): Principal => ({
  ...caller,
  address,
  requestId,
});

/**
 * Finds out who sends a request, and refuses callers that are not admitted. It can be repeated: the caller's rights may
 * end while the body arrives, so a change looks the caller up again.
 */
export const identify =
  (entryPoint: CallerIdentifier, isChange: boolean): Step =>
  (exchange) =>
    andThen(identified(entryPoint, exchange), (found) => {
      if (found === exchange.identified && exchange.caller !== null) return undefined;
      exchange.caller = null;
      if (found instanceof Problem) return found;
      if (found instanceof OutsideNetwork) {
        exchange.outside = found.principal;
        return found.problem;
      }
      if (found instanceof RefusedKey) {
        exchange.refused = found;
        return found.problem;
      }
      exchange.identified = found;
      // Only changes record where they come from. Reads do not need the copy.
      exchange.caller = isChange ? withOrigin(found, exchange) : found;
      return undefined;
    });

/**
 * True while the caller may still do what it could when it was admitted. It is answered from memory while nothing
 * changes.
 */
export const mayGoOn = (entryPoint: CallerIdentifier, exchange: Exchange, before: Principal): MaybePromise<boolean> =>
  andThen(
    identified(withoutUse(entryPoint), exchange),
    (now) =>
      !(now instanceof Problem || now instanceof RefusedKey || now instanceof OutsideNetwork) &&
      hasSamePowers(before, now),
  );
