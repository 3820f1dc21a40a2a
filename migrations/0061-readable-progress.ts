import type { Migration } from "./migration.ts";

/**
 * What earlier versions stored of an import may have NUL characters, in headings of a file. PostgreSQL reads them in no
 * JSON: it could not count what the dealer keeps any more.
 */
export const readableProgress: Migration = {
  name: "0061-readable-progress",
  statements: (engine) => {
    const place = engine === "sqlite" ? "instr(progress, '\\u0000')" : "strpos(progress, '\\u0000')";
    return [`UPDATE imports SET progress = replace(progress, '\\u0000', '\\ufffd') WHERE ${place} > 0`];
  },
};
