import { scopeOf } from "../../core/access/decide.ts";
import type { Principal } from "../../core/access/principal.ts";
import { invalid, type Outcome } from "../../core/failure.ts";
import type { JsonArray } from "../../core/json-array.ts";
import type { Page } from "../../core/page.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import type { Position, VehiclePage } from "../../core/vehicles/vehicle-repository.ts";
import type { Cursors } from "./cursor.ts";
import { listHeaders } from "./links.ts";
import type { Sent } from "./parameters.ts";
import { JsonText } from "./route.ts";

/** The body of a page: what is said of it, and its vehicles as the database wrote them. */
export const pageBody = (meta: object, vehicles: JsonArray<Vehicle>): JsonText =>
  new JsonText(`{"meta":${JSON.stringify(meta)},"vehicles":${vehicles.text}}`);

const PAGING = new Set(["limit", "offset", "cursor"]);

/** Names the list a cursor belongs to: whose it is, who may see what of it, and its filters. */
const bindingOf = (principal: Principal, list: string, search: Sent): string => {
  const filters = search.filter(([name]) => !PAGING.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([list, scopeOf(principal), filters]);
};

/**
 * Pages of vehicles. Beside `limit` and `offset` every page has a cursor to the next one, which neither repeats nor
 * misses a vehicle however many are inserted meanwhile, and costs the same at any depth.
 */
export const vehiclePager = (cursors: Cursors) => ({
  /** Where the page asked for begins; `null` without a cursor, a failure for one that is not of this list. */
  positionOf(
    principal: Principal,
    list: string,
    { cursor }: { readonly cursor?: string },
    search: Sent,
  ): Outcome<Position | null> {
    if (cursor === undefined) return null;
    return (
      cursors.read(cursor, bindingOf(principal, list, search)) ??
      invalid({ path: "cursor", message: "must be the next_cursor of a page of this very list, filters included" })
    );
  },

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
    const nextCursor = last === undefined ? null : cursors.make(last, bindingOf(principal, list, search));
    return { nextCursor, headers: listHeaders(path, search, page, total, more, nextCursor) };
  },
});

export type VehiclePager = ReturnType<typeof vehiclePager>;
