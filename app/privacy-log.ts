import type { Log } from "../adapters/http/request-log.ts";
import type { Tightened } from "../adapters/sql/private-files.ts";

/** Says in one line which files were made private at the start, and in another which could not be. */
export const privacyLog =
  (events: Log["events"]) =>
  ({ changed, refused }: Tightened): void => {
    if (changed.length > 0)
      events.warn({ files: changed }, "other users of this machine could read the database; its files are private now");
    if (refused.length > 0)
      events.warn(
        { files: refused },
        "other users of this machine can read the database: its files belong to another user",
      );
  };
