import type { DealerScope } from "../../../core/access/decide.ts";
import type { FeedPlace, WalkPlace } from "../../../core/change-feed/feed-place.ts";
import { FIRST_VEHICLE } from "../../../core/change-feed/feed-place.ts";
import { invalid, type Outcome } from "../../../core/failure.ts";
import type { Cursors } from "./cursor.ts";

const SEPARATOR = ",";

const walkText = (walk: WalkPlace | null): readonly (string | number)[] => {
  if (walk === null) return [];
  if (walk.stage === "dealers") return ["dealers", walk.id];
  const { vehicle, image } = walk;
  return vehicle === null ? ["vehicles"] : ["vehicles", vehicle.created_at, vehicle.id, image ?? ""];
};

const walkIn = ([stage, first = "", id = "", image = ""]: readonly string[]): WalkPlace | null => {
  if (stage === "dealers") return { stage, id: Number(first) };
  if (stage !== "vehicles") return null;
  if (first === "") return FIRST_VEHICLE;
  return { stage, vehicle: { created_at: first, id: Number(id) }, image: image === "" ? null : Number(image) };
};

/**
 * The cursors of the change feed. They are sealed to the dealer whose records the reader may see, and to nothing else: another
 * key that sees the same can continue.
 */
export const feedCursors = (cursors: Cursors) => {
  const bindingOf = (scope: DealerScope): string => JSON.stringify(["changes", scope]);
  return {
    make: ({ numbering, since, behind, walk }: FeedPlace, scope: DealerScope): string =>
      cursors.make(
        { value: [numbering, behind.tx, ...walkText(walk)].join(SEPARATOR), id: behind.number, asOf: since },
        bindingOf(scope),
      ),

    /** The place that a cursor stands for: `null` without one, and a failure if it belongs to another binding. */
    read(cursor: string | null, scope: DealerScope): Outcome<FeedPlace> | null {
      if (cursor === null) return null;
      const position = cursors.read(cursor, bindingOf(scope));
      if (position === null)
        return invalid({
          path: "after",
          message: "must be the next of a page, or the id of an event, that a key with the same binding was given",
        });
      const { value, id, asOf = "" } = position;
      const [numbering = "", tx = "", ...walk] = String(value).split(SEPARATOR);
      return { numbering, since: asOf, behind: { tx: Number(tx), number: id }, walk: walkIn(walk) };
    },
  };
};

export type FeedCursors = ReturnType<typeof feedCursors>;
