import type { Logger } from "pino";
import type { DatabaseFileListener } from "../adapters/sql/sqlite/database-file-watch.ts";

/** Logs when the files of the database are lost, and when they are back. */
export const databaseFileLog = (log: Logger): DatabaseFileListener => ({
  lost: (fault) =>
    log.error(
      { fault },
      "the database file is not the one at its path: nothing is read or changed; put the same file back, or put the right one there and start the service anew",
    ),
  regained: () => log.warn("the database file is back at its path: all goes on"),
});
