import type { Caller } from "../../../core/access/use-case.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { Names } from "../../../core/names/names.ts";
import type { Page } from "../../../core/page.ts";
import { JsonArray } from "../../../core/stored-json.ts";
import type { VehiclePage } from "../../../core/vehicles/vehicle-repository.ts";
import { listHeaders } from "../protocol/links.ts";
import type { ListCursors, ListRequest } from "../protocol/list-cursors.ts";
import { LongBody } from "../protocol/long-body.ts";
import { JsonText } from "../protocol/route.ts";

/** The body of a page: its `meta`, and the vehicles as the database has written them. */
export const pageBody = (meta: object, { vehicles, long }: VehiclePage): JsonText | LongBody => {
  const start = `{"meta":${JSON.stringify(meta)},"vehicles":`;
  return long === undefined
    ? new JsonText(`${start}${vehicles.text}}`)
    : new LongBody(long.slices, { start: `${start}[`, end: "]}", separator: "," });
};

/** The number of vehicles for which additions are looked up at a time. */
const PART_SIZE = 100;

/** The additions to vehicles, by their names in `include`, in the order of answers. */
type Additions = Readonly<Record<"names" | "primary_image" | "images", Pick<Names, "addToTexts">>>;

/** What `include` asks for. What is not for the vehicles belongs to the page's `meta`. */
type Included = readonly (keyof Additions | "understood")[];

/** The page with additions to its vehicles. */
const pageWith = (
  page: VehiclePage,
  add: (texts: readonly string[]) => Promise<readonly string[]>,
): MaybePromise<VehiclePage> => {
  const { vehicles, long } = page;
  if (long !== undefined)
    return { ...page, long: { slices: [...long.slices].map((read) => () => andThen(read(), add)) } };
  const { items } = vehicles;
  if (items.length <= PART_SIZE) return add(items).then((texts) => ({ ...page, vehicles: new JsonArray(texts) }));
  const parts = Array.from({ length: Math.ceil(items.length / PART_SIZE) }, (_, part) =>
    items.slice(part * PART_SIZE, (part + 1) * PART_SIZE),
  );
  return { ...page, long: { slices: parts.map((part) => () => add(part)) } };
};

/**
 * Pages of vehicles. Besides `limit` and `offset`, every page has a cursor to the next one. A cursor neither repeats
 * nor skips vehicles when others are inserted, and costs the same at any depth.
 */
export const vehiclePager = (cursors: ListCursors, additions: Additions) => ({
  /** Vehicles as JSON texts, with the additions that `include` asks for. */
  async textsWith(
    texts: readonly string[],
    { principal, include }: { readonly principal: Caller; readonly include: Included },
  ): Promise<readonly string[]> {
    let added = texts;
    for (const name of Object.keys(additions) as (keyof Additions)[])
      if (include.includes(name)) added = await additions[name].addToTexts(principal, added);
    return added;
  },

  /** The page with the additions that `include` asks for. */
  withAdditions(
    page: VehiclePage,
    { principal, include }: { readonly principal: Caller; readonly include: Included | undefined },
  ): MaybePromise<VehiclePage> {
    return include === undefined ? page : pageWith(page, (texts) => this.textsWith(texts, { principal, include }));
  },

  positionOf: (read: ListRequest, { cursor }: { readonly cursor?: string }) => cursors.positionOf(read, cursor),

  /** The position that the cursor stands for, and the headers of the list. */
  describe(
    read: ListRequest,
    { total, more, last }: VehiclePage,
    { page, path }: { readonly page: Page; readonly path: string },
  ): { readonly nextCursor: string | null; readonly headers: Record<string, string> } {
    const nextCursor = last === null ? null : cursors.after(read, last);
    return { nextCursor, headers: listHeaders({ path, search: read.search, page, total, more, cursor: nextCursor }) };
  },
});

export type VehiclePager = ReturnType<typeof vehiclePager>;
