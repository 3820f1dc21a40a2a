import type { Reply } from "./client.ts";

/** The targets of a Link header by their relation. */
export const linksOf = ({ headers }: Reply): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...(headers.get("link") ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target = "", relation = ""]) => [
      relation,
      target,
    ]),
  );
