import type { TSchema } from "typebox";
import { REPRESENTATION } from "./etag.ts";

/** The headers of an answer about one dealer's inventory: clients keep it, and ask each time whether it is still right. */
const CACHED = { "cache-control": "private, max-age=0, must-revalidate" };

/**
 * Makes the tags of one route's answers. They are weak, as an answer says when it was made. A tag differs by the
 * address, by the version, and by the form that this release answers.
 */
export const listTags = (answer: TSchema): ((url: string, version: string) => string) => {
  let form: string | undefined;
  return (url, version) => {
    form ??= Bun.hash(JSON.stringify(answer)).toString(36);
    // The host is left out: it may be another one behind a proxy.
    const request = url.slice(url.indexOf("/", url.indexOf("//") + 2));
    return `"${REPRESENTATION}-${Bun.hash(`${form} ${version} ${request}`).toString(36)}"`;
  };
};

/** The headers of an answer with this tag. */
export const listHeadersOf = (tag: string) => ({ ...CACHED, etag: `W/${tag}` });
