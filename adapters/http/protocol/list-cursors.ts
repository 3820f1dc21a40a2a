import { scopeOf } from "../../../core/access/decide.ts";
import type { Principal } from "../../../core/access/principal.ts";
import { invalid, type Outcome } from "../../../core/failure.ts";
import type { Position } from "../../../core/vehicles/vehicle-order.ts";
import type { Cursors } from "./cursor.ts";
import type { SentParameters } from "./parameters.ts";

const PAGING = new Set(["limit", "offset", "cursor"]);

/** A request for a list: the reader, the list and the filters. */
export interface ListRequest {
  readonly principal: Principal;
  readonly list: string;
  readonly search: SentParameters;
}

/** Names the list that a cursor belongs to: its scope, the reader's visibility and the filters. */
const bindingOf = ({ principal, list, search }: ListRequest): string => {
  const filters = search
    .filter(([name]) => !PAGING.has(name))
    .sort(([a, one], [b, other]) => (a < b || (a === b && one < other) ? -1 : 1));
  return JSON.stringify([list, scopeOf(principal), filters]);
};

/** Cursors that hold for one list only: its name, its filters and its reader's scope. */
export const listCursors = (cursors: Cursors) => ({
  /** The position at which the requested page begins: `null` without a cursor, a failure for another list's cursor. */
  positionOf(read: ListRequest, cursor: string | undefined): Outcome<Position | null> {
    if (cursor === undefined) return null;
    return (
      cursors.read(cursor, bindingOf(read)) ??
      invalid({ path: "cursor", message: "must be the next_cursor of a page of this very list, filters included" })
    );
  },

  /** The cursor that continues a list after a position. */
  after: (read: ListRequest, position: Position): string => cursors.make(position, bindingOf(read)),
});

export type ListCursors = ReturnType<typeof listCursors>;
