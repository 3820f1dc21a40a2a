import type { Page } from "../../../core/page.ts";
import type { SentParameters } from "./parameters.ts";

const PAGING = new Set(["limit", "offset", "cursor"]);

/** The filters of a query in the form that every link repeats. Paging parameters follow them. */
const filtersOf = (search: SentParameters): string => {
  let filters = "";
  for (const [name, value] of search)
    if (!PAGING.has(name)) filters += `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`;
  return filters;
};

/**
 * The headers of a list with an offset (interface 8.2): `X-Total-Count`, and `Link` to the first, previous, next and
 * last page. `more` says whether another page follows. `cursor` continues exactly where this page ended, even if items
 * are inserted in between. The links are built as text, which is faster than URLSearchParams.
 */
export const listHeaders = ({
  path,
  search,
  page: { limit, offset },
  total,
  more = offset + limit < total,
  cursor = null,
}: {
  readonly path: string;
  readonly search: SentParameters;
  readonly page: Page;
  readonly total: number;
  readonly more?: boolean;
  readonly cursor?: string | null;
}): Record<string, string> => {
  const stem = `<${path}?${filtersOf(search)}limit=${limit}&offset=`;
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  let link = `${stem}0>; rel="first"`;
  if (offset > 0) link += `, ${stem}${Math.max(0, Math.min(offset - limit, last))}>; rel="prev"`;
  if (more) link += `, ${stem}${offset + limit}${cursor === null ? "" : `&cursor=${cursor}`}>; rel="next"`;
  link += `, ${stem}${last}>; rel="last"`;
  return { "x-total-count": String(total), link };
};

/**
 * The headers of a list that is read only with cursors: `X-Total-Count`, and `Link` to the first page and the next one.
 */
export const cursorListHeaders = ({
  path,
  search,
  limit,
  total,
  cursor,
}: {
  readonly path: string;
  readonly search: SentParameters;
  readonly limit: number;
  readonly total: number;
  readonly cursor: string | null;
}): Record<string, string> => {
  const stem = `<${path}?${filtersOf(search)}limit=${limit}`;
  const next = cursor === null ? "" : `, ${stem}&cursor=${cursor}>; rel="next"`;
  return { "x-total-count": String(total), link: `${stem}>; rel="first"${next}` };
};
