import { Follow, type FollowOptions } from "./follow.ts";
import type { StreamChangesOptions } from "./made/records.ts";
import { ChangesOperations } from "./made/resources.ts";
import type { CallOptions } from "./options.ts";
import { ChangeStream } from "./stream.ts";

/** The changes of the inventory, for those who keep a copy. */
export class Changes extends ChangesOperations {
  /**
   * What a copy must do to be up to date, for ever: the whole inventory first, and then each change when it is made.
   * It goes on after whatever happens to the service or the network. Keep the cursor of each page with the copy, and give
   * it as `after` when your program starts again.
   */
  follow(options: FollowOptions = {}): Follow {
    return new Follow(this, options);
  }

  /**
   * The same one by one over one open connection, to be read in a loop. With `after: "now"`, only what changes from now
   * on. As a promise it is the answer of the API itself. See `ChangeStream`.
   */
  override stream(query: StreamChangesOptions = {}, options?: CallOptions): ChangeStream {
    return new ChangeStream((from, how) => super.stream(from, how), query, options);
  }
}
