import { Follow, type FollowOptions } from "./follow.ts";
import { ChangesOperations } from "./made/resources.ts";

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
}
