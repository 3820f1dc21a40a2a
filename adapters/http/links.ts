import type { Page } from "../../core/page.ts";

const linkTo = (path: string, search: URLSearchParams, page: Page, rel: string, cursor?: string | null): string => {
  const target = new URLSearchParams(search);
  target.delete("cursor");
  target.set("limit", String(page.limit));
  target.set("offset", String(page.offset));
  if (cursor) target.set("cursor", cursor);
  return `<${path}?${target}>; rel="${rel}"`;
};

/**
 * The headers of every list: `X-Total-Count`, and `Link` to the first, previous, next and last page (contract of
 * lists). `more`: whether another page follows. `cursor` continues the next page exactly where this one ended, whatever is inserted meanwhile.
 */
export const listHeaders = (
  path: string,
  search: URLSearchParams,
  { limit, offset }: Page,
  total: number,
  more = offset + limit < total,
  cursor: string | null = null,
): Record<string, string> => {
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  const links = [linkTo(path, search, { limit, offset: 0 }, "first")];
  if (offset > 0)
    links.push(linkTo(path, search, { limit, offset: Math.max(0, Math.min(offset - limit, last)) }, "prev"));
  if (more) links.push(linkTo(path, search, { limit, offset: offset + limit }, "next", cursor));
  links.push(linkTo(path, search, { limit, offset: last }, "last"));
  return { "x-total-count": String(total), link: links.join(", ") };
};
