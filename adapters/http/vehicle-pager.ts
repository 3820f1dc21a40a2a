import type { Principal } from "../../core/access/principal.ts";
import type { Page } from "../../core/page.ts";
import type { JsonArray } from "../../core/stored-json.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import type { VehiclePage } from "../../core/vehicles/vehicle-repository.ts";
import { listHeaders } from "./links.ts";
import type { ListCursors } from "./list-cursors.ts";
import type { Sent } from "./parameters.ts";
import { JsonText } from "./route.ts";

/** The body of a page: what is said of it, and its vehicles as the database wrote them. */
export const pageBody = (meta: object, vehicles: JsonArray<Vehicle>): JsonText =>
  new JsonText(`{"meta":${JSON.stringify(meta)},"vehicles":${vehicles.text}}`);

/**
 * Pages of vehicles. Beside `limit` and `offset` every page has a cursor to the next one, which neither repeats nor
 * misses a vehicle however many are inserted meanwhile, and costs the same at any depth.
 */
export const vehiclePager = (cursors: ListCursors) => ({
  positionOf: (principal: Principal, list: string, { cursor }: { readonly cursor?: string }, search: Sent) =>
    cursors.positionOf(principal, list, cursor, search),

  /** The cursor behind a page and the headers of the list. */
  describe(
    principal: Principal,
    list: string,
    page: Page,
    { total, vehicles, more }: VehiclePage,
    search: Sent,
    path: string,
  ): { readonly nextCursor: string | null; readonly headers: Record<string, string> } {
    const last = more ? vehicles.last : undefined;
    const nextCursor = last === undefined ? null : cursors.after(principal, list, last, search);
    return { nextCursor, headers: listHeaders(path, search, page, total, more, nextCursor) };
  },
});

export type VehiclePager = ReturnType<typeof vehiclePager>;
