import { type Caller, readerScopeOf } from "../../../core/access/use-case.ts";
import { invalid, type Outcome } from "../../../core/failure.ts";
import type { Position } from "../../../core/vehicles/vehicle-order.ts";
import type { Cursors } from "./cursor.ts";
import type { SentParameters } from "./parameters.ts";

const PAGING = new Set(["limit", "offset", "cursor"]);

/** A request for a list, with its reader and its filters. */
export interface ListRequest {
  readonly principal: Caller;
  readonly list: string;
  readonly search: SentParameters;
}

/** Describes the list that a cursor belongs to: its scope, what its reader may see, and its filters. */
const bindingOf = ({ principal, list, search }: ListRequest): string => {
  const filters = search
    .filter(([name]) => !PAGING.has(name))
    .sort(([a, one], [b, other]) => (a < b || (a === b && one < other) ? -1 : 1));
  return JSON.stringify([list, readerScopeOf(principal), filters]);
};

/** Cursors that are valid for one list only: for its name, its filters, and the scope of its reader. */
export const listCursors = (cursors: Cursors) => ({
  /**
   * The position at which the requested page begins: `null` without a cursor, and a failure if the cursor belongs to
   * another list.
   */
  positionOf(read: ListRequest, cursor: string | undefined): Outcome<Position | null> {
    if (cursor === undefined) return null;
    return (
      cursors.read(cursor, bindingOf(read)) ??
      invalid({ path: "cursor", message: "must be the next_cursor of a page of this very list, filters included" })
    );
  },

  /** The cursor with which a list continues after a position. */
  after: (read: ListRequest, position: Position): string => cursors.make(position, bindingOf(read)),
});

export type ListCursors = ReturnType<typeof listCursors>;
