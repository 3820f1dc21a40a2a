import type { Principal } from "../../../core/access/principal.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { Names } from "../../../core/names/names.ts";
import type { Page } from "../../../core/page.ts";
import { JsonArray } from "../../../core/stored-json.ts";
import type { VehiclePage } from "../../../core/vehicles/vehicle-repository.ts";
import { listHeaders } from "../protocol/links.ts";
import type { ListCursors, ReadList } from "../protocol/list-cursors.ts";
import { LongBody } from "../protocol/long-body.ts";
import { JsonText } from "../protocol/route.ts";

/** The body of a page: its `meta`, and the vehicles as the database wrote them. */
export const pageBody = (meta: object, { vehicles, long }: VehiclePage): JsonText | LongBody => {
  const start = `{"meta":${JSON.stringify(meta)},"vehicles":`;
  return long === undefined
    ? new JsonText(`${start}${vehicles.text}}`)
    : new LongBody(long.slices, { start: `${start}[`, end: "]}", separator: "," });
};

/** The same page with the names of the vehicles' dealers, where they are asked for. */
export const pageWithNames = (
  names: Names,
  page: VehiclePage,
  { principal, include }: { readonly principal: Principal; readonly include: "names" | undefined },
): MaybePromise<VehiclePage> => {
  if (include === undefined) return page;
  const { vehicles, long } = page;
  const add = (texts: readonly string[]): Promise<readonly string[]> => names.addToTexts(principal, texts);
  return add(vehicles.items).then((texts) => ({
    ...page,
    vehicles: new JsonArray(texts),
    ...(long !== undefined && {
      long: { ...long, slices: long.slices.map((read) => () => andThen(read(), add)) },
    }),
  }));
};

/**
 * Pages of vehicles. Besides `limit` and `offset`, every page has a cursor to the next one. A cursor neither repeats
 * nor skips vehicles when others are inserted, and costs the same at any depth.
 */
export const vehiclePager = (cursors: ListCursors) => ({
  positionOf: (read: ReadList, { cursor }: { readonly cursor?: string }) => cursors.positionOf(read, cursor),

  /** The position that the cursor stands for, and the headers of the list. */
  describe(
    read: ReadList,
    { total, more, last }: VehiclePage,
    { page, path }: { readonly page: Page; readonly path: string },
  ): { readonly nextCursor: string | null; readonly headers: Record<string, string> } {
    const nextCursor = last === null ? null : cursors.after(read, last);
    return { nextCursor, headers: listHeaders({ path, search: read.search, page, total, more, cursor: nextCursor }) };
  },
});

export type VehiclePager = ReturnType<typeof vehiclePager>;
