import { Failure, type Outcome } from "../../../core/failure.ts";
import type { CursorPage, ListPosition } from "../../../core/imports/import-repository.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import { cursorListHeaders } from "./links.ts";
import type { ListCursors } from "./list-cursors.ts";
import type { SentParameters } from "./parameters.ts";
import { pathOf } from "./request-path.ts";
import { type Answer, type Call, ok } from "./route.ts";

interface PageRequest {
  readonly url: string;
  readonly search: SentParameters;
  readonly query: { readonly limit?: number };
}

/** A page of a list that is read only with cursors. `cursor` leads to the next page; it is `null` on the last page. */
interface AnsweredPage {
  readonly items: readonly unknown[];
  readonly total: number;
  readonly cursor: string | null;
}

/** The answer for a page: `{"data", "meta": {"next_cursor", "total"}}`, with the headers that every list has. */
export const cursorPage = (
  { url, search, query: { limit = 100 } }: PageRequest,
  { items, total, cursor }: AnsweredPage,
): Answer =>
  ok(
    { data: items, meta: { next_cursor: cursor, total } },
    { headers: cursorListHeaders({ path: pathOf(url), search, limit, total, cursor }) },
  );

/** The query of a list that is read with cursors. */
interface CursorQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

/** A list that is read with cursors, newest first. */
interface CursorList<Params, Query extends CursorQuery, Page extends CursorPage<unknown, ListPosition>> {
  readonly cursors: ListCursors;
  /** Its name, to which its cursors are bound. */
  readonly list: string | ((params: Params) => string);
  /** Reads the page behind a position. */
  readonly page: (call: Call<Params, Query>, after: ListPosition | null) => MaybePromise<Outcome<Page>>;
  /** Makes the answer, if it is not that of `cursorPage`. */
  readonly answer?: (call: Call<Params, Query>, page: Page, cursor: string | null) => Answer | Promise<Answer>;
}

/** Handles the requests for a list that is read with cursors. */
export const cursorList =
  <Params, Query extends CursorQuery, Page extends CursorPage<unknown, ListPosition>>({
    cursors,
    list,
    page: pageAfter,
    answer = (call, { items, total }, cursor) => cursorPage(call, { items, total, cursor }),
  }: CursorList<Params, Query, Page>) =>
  async (call: Call<Params, Query>): Promise<Outcome<Answer>> => {
    const { principal, params, query, search } = call;
    const read = { principal, list: typeof list === "string" ? list : list(params), search };
    const from = cursors.positionOf(read, query.cursor);
    if (from instanceof Failure) return from;
    const page = await pageAfter(call, from && { id: from.id, at: String(from.value) });
    if (page instanceof Failure) return page;
    const { next } = page;
    return answer(call, page, next && cursors.after(read, { id: next.id, value: next.at }));
  };
