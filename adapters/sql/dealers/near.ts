import type { DealerScope } from "../../../core/access/decide.ts";
import { placeOfDealer } from "../../../core/dealers/location.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { kilometresBetween } from "../../../core/places/places.ts";
import type { SearchArea } from "../../../core/vehicles/vehicle-filter.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, scopedStatement } from "../query/statement.ts";

/** A dealer with its distance. */
export interface NearDealer {
  readonly id: number;
  readonly metres: number;
}

/**
 * Finds the dealers in scope within a distance of a place. Dealers are read each time, so that changes count at once.
 */
export const dealersNear = (
  db: SqlDatabase,
): ((scope: DealerScope, around: SearchArea) => MaybePromise<readonly NearDealer[]>) => {
  const places = scopedStatement((narrowed) =>
    db
      .selectFrom("dealers")
      .select(["id", "zip", "latitude", "longitude"])
      .$if(narrowed, (query) => query.where("id", "=", param("scope"))),
  );
  return (scope, around) =>
    andThen(db.all(places(scope), { scope }), (dealers) =>
      dealers.flatMap((dealer) => {
        const place = placeOfDealer(dealer);
        const distanceKm = place === null ? Number.POSITIVE_INFINITY : kilometresBetween(around, place);
        return distanceKm <= around.kilometres ? [{ id: dealer.id, metres: Math.round(distanceKm * 1000) }] : [];
      }),
    );
};
