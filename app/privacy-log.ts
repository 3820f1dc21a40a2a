import type { Log } from "../adapters/http/server/request-log.ts";
import type { PermissionChanges } from "../adapters/sql/sqlite/private-files.ts";

/** Logs which files were made private at the start, and which could not be. */
export const privacyLog =
  (events: Log["events"]) =>
  ({ changed, refused }: PermissionChanges): void => {
    if (changed.length > 0)
      events.warn({ files: changed }, "other users of this machine could read the database; its files are private now");
    if (refused.length > 0)
      events.warn(
        { files: refused },
        "other users of this machine can read the database: its files belong to another user",
      );
  };
