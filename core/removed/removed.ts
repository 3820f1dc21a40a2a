import { scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { useCase } from "../access/use-case.ts";
import { visibilityOfAudit } from "../access/visibility.ts";
import type { Clock } from "../clock.ts";
import { Failure, notFound, type Outcome } from "../failure.ts";
import { type Listing, slicedPageOf } from "../page.ts";
import type { JsonRecord } from "../stored-json.ts";
import { DuplicateVehicle, duplicateFailure } from "../vehicles/duplicates.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { DEALER_GONE, DEALER_INACTIVE, type RemovedRepository, type Unrestorable } from "./removed-repository.ts";
import { oldestRestorable, type RemovedQuery, type RemovedVehicle } from "./removed-vehicle.ts";

/** A page of removed vehicles, and the facts for its `meta`. */
export interface RemovedListing extends Listing<RemovedVehicle> {
  /** True only if the filter comes from the key's binding. */
  readonly filterApplied: boolean;
  /** The one dealer whose vehicles are listed, if any. */
  readonly dealerId: number | null;
}

const REASONS: Readonly<Record<Unrestorable, string>> = {
  [DEALER_INACTIVE]: "The vehicle's dealer is inactive; activate the dealer before you restore the vehicle",
  [DEALER_GONE]: "The vehicle's dealer does not exist any more, so the vehicle cannot be restored",
};

/** Use cases of removed vehicles (interface 6.1). A bound caller learns nothing of other dealers' vehicles. */
export const makeRemoved = ({ removed, clock }: { readonly removed: RemovedRepository; readonly clock: Clock }) => {
  const actionOn = (by: Principal, id: number) => ({
    id,
    scope: scopeOf(by),
    since: oldestRestorable(clock),
    now: clock.now(),
    by,
  });

  return {
    /** What the caller may take back. A bound key's dealer replaces any requested dealer. */
    list: useCase("vehicle.removed", async (principal, query: RemovedQuery): Promise<Outcome<RemovedListing>> => {
      const scope = scopeOf(principal);
      const dealerId = scope ?? query.dealer_id;
      const listing = await removed.list({
        scope,
        visibility: visibilityOfAudit(principal),
        since: oldestRestorable(clock),
        filter: { ...(dealerId !== undefined && { dealerId }), ...(query.q !== undefined && { search: query.q }) },
        page: slicedPageOf(query),
      });
      return { ...listing, filterApplied: scope !== null, dealerId: dealerId ?? null };
    }),

    /** Takes a vehicle back, as it was. */
    restore: useCase("vehicle.restore", async (principal, id: number): Promise<Outcome<JsonRecord<Vehicle>>> => {
      const restored = await removed.restore(actionOn(principal, id));
      if (restored === null) return notFound("vehicle", id);
      if (restored instanceof DuplicateVehicle) return duplicateFailure(restored);
      return typeof restored === "symbol"
        ? new Failure({ kind: "not-restorable", reason: REASONS[restored] })
        : restored;
    }),

    /** Removes a removed vehicle for good, before its time. */
    purge: useCase("vehicle.purge", async (principal, id: number): Promise<Outcome<true>> => {
      return (await removed.purge(actionOn(principal, id))) || notFound("vehicle", id);
    }),
  };
};

export type Removed = ReturnType<typeof makeRemoved>;
