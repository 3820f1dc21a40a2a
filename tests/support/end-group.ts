import { afterExit } from "./after-exit.ts";

const END = `
  kill -TERM "-$1"
  for moment in $(seq 100); do kill -0 "-$1" 2>/dev/null || exit; sleep 0.1; done
  kill -KILL "-$1"
`;

/**
 * Ends a group of processes (a child that was started with `detached`, and all that it started) as soon as this process
 * has ended, even if it was killed. Returns a function that ends it immediately.
 */
export const endGroupAfterExit = (child: { readonly pid: number }): (() => Promise<void>) =>
  afterExit(END, String(child.pid));
