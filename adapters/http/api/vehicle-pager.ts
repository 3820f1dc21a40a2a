import type { Principal } from "../../../core/access/principal.ts";
import type { Page } from "../../../core/page.ts";
import type { VehiclePage } from "../../../core/vehicles/vehicle-repository.ts";
import { listHeaders } from "../protocol/links.ts";
import type { ListCursors } from "../protocol/list-cursors.ts";
import { LongJson } from "../protocol/long-json.ts";
import type { Sent } from "../protocol/parameters.ts";
import { JsonText } from "../protocol/route.ts";

/** The body of a page: what is said of it, and its vehicles as the database wrote them. */
export const pageBody = (meta: object, { vehicles, long }: VehiclePage): JsonText | LongJson => {
  const start = `{"meta":${JSON.stringify(meta)},"vehicles":`;
  return long === undefined ? new JsonText(`${start}${vehicles.text}}`) : new LongJson(`${start}[`, long.slices, "]}");
};

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
    { total, vehicles, long, more }: VehiclePage,
    search: Sent,
    path: string,
  ): { readonly nextCursor: string | null; readonly headers: Record<string, string> } {
    const last = more ? (long?.last ?? vehicles.last) : undefined;
    const nextCursor = last === undefined ? null : cursors.after(principal, list, last, search);
    return { nextCursor, headers: listHeaders(path, search, page, total, more, nextCursor) };
  },
});

export type VehiclePager = ReturnType<typeof vehiclePager>;
