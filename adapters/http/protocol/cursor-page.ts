import { cursorListHeaders } from "./links.ts";
import type { SentParameters } from "./parameters.ts";
import { pathOf } from "./request-path.ts";
import { type Answer, ok } from "./route.ts";

interface PageRequest {
  readonly url: string;
  readonly search: SentParameters;
  readonly query: { readonly limit?: number };
}

/** A page of a list that is read only with cursors. `cursor` leads to the next page; it is `null` on the last page. */
interface CursorPage {
  readonly items: readonly unknown[];
  readonly total: number;
  readonly cursor: string | null;
}

/** The answer for a page: `{"data", "meta": {"next_cursor", "total"}}`, with the headers that every list has. */
export const cursorPage = (
  { url, search, query: { limit = 100 } }: PageRequest,
  { items, total, cursor }: CursorPage,
): Answer =>
  ok(
    { data: items, meta: { next_cursor: cursor, total } },
    { headers: cursorListHeaders({ path: pathOf(url), search, limit, total, cursor }) },
  );
