import { andThen, type MaybePromise } from "../maybe-promise.ts";
import { type UnderstoodWord, understoodIn, writtenWords } from "./understood-words.ts";
import type { Vehicle } from "./vehicle.ts";
import type { VehiclePage, VehicleRepository } from "./vehicle-repository.ts";

/** How many vehicles are looked at to tell what words stand for. */
const LOOKED_AT = 10;
/** How many words are left out in turn if nothing was found. Each costs as much as the search. */
const MAX_LEFT_OUT = 4;

/** A word of a search that was asked for. */
export interface AnsweredWord extends UnderstoodWord {
  /**
   * How many vehicles there are without this word. Only there if none has all words; `null` if it was not counted, as
   * only the last words are.
   */
  readonly total_without?: number | null;
}

type Asked = Parameters<VehicleRepository["list"]>[0];

/** A page of vehicles, with what the words of the search stand for if that was asked for. */
export interface UnderstoodPage extends VehiclePage {
  readonly understood?: readonly AnsweredWord[];
}

const firstOf = (items: readonly string[]): readonly Vehicle[] =>
  items.slice(0, LOOKED_AT).map((text) => JSON.parse(text) as Vehicle);

/** What the words stand for, if no vehicle has all of them: as the vehicles have them that lack one. */
const withoutEach = async (
  vehicles: Pick<VehicleRepository, "list">,
  asked: Asked,
): Promise<readonly AnsweredWord[]> => {
  const { q = "", ...others } = asked.filter;
  const words = writtenWords(q);
  const totals = new Map<number, number>();
  const seen: Vehicle[] = [];
  for (const [place, { rest }] of [...words.entries()].slice(-MAX_LEFT_OUT)) {
    const filter = rest === null ? others : { ...others, q: rest };
    const found = await vehicles.list({ ...asked, filter, page: { limit: LOOKED_AT, offset: 0 }, from: null });
    totals.set(place, found.total);
    if (rest !== null) seen.push(...firstOf(found.vehicles.items));
  }
  return words.map((word, place) => ({ ...understoodIn(seen, word), total_without: totals.get(place) ?? null }));
};

const understandingOf = (
  vehicles: Pick<VehicleRepository, "list">,
  asked: Asked,
  page: VehiclePage,
): MaybePromise<readonly AnsweredWord[]> => {
  const { q } = asked.filter;
  if (q === undefined) return [];
  if (page.total === 0) return withoutEach(vehicles, asked);
  const tell = (items: readonly string[]) => writtenWords(q).map((word) => understoodIn(firstOf(items), word));
  if (page.vehicles.items.length > 0) return tell(page.vehicles.items);
  // A long page is read piece by piece, and a page behind the end has no vehicle.
  const first = vehicles.list({ ...asked, page: { limit: LOOKED_AT, offset: 0 }, from: null });
  return andThen(first, (found) => tell(found.vehicles.items));
};

/** Lists vehicles and tells, if `include` asks for it, what the words of the search stand for. */
export const listUnderstood = (
  vehicles: Pick<VehicleRepository, "list">,
  asked: Asked,
  include: readonly string[] | undefined,
): MaybePromise<UnderstoodPage> =>
  andThen(vehicles.list(asked), (page): MaybePromise<UnderstoodPage> => {
    if (!include?.includes("understood")) return page;
    return andThen(understandingOf(vehicles, asked, page), (understood) => ({ ...page, understood }));
  });
