import type { TSchema } from "typebox";
import { REPRESENTATION } from "./etag.ts";

/** The headers of an answer about one dealer's inventory: clients keep it, and ask each time whether it is still right. */
const CACHED = { "cache-control": "private, max-age=0, must-revalidate" };

/** The address that a request asks for. The host is left out: it may be another one behind a proxy. */
export const addressOf = (url: string): string => url.slice(url.indexOf("/", url.indexOf("//") + 2));

/**
 * Makes the tags of one route's answers. They are weak, as an answer says when it was made. A tag differs by the name,
 * which has the version and the address, and by the form that this release answers.
 */
export const listTags = (answer: TSchema): ((name: string) => string) => {
  let form: string | undefined;
  return (name) => {
    form ??= Bun.hash(JSON.stringify(answer)).toString(36);
    return `"${REPRESENTATION}-${Bun.hash(`${form} ${name}`).toString(36)}"`;
  };
};

/** The headers of an answer with this tag. */
export const listHeadersOf = (tag: string) => ({ ...CACHED, etag: `W/${tag}` });
