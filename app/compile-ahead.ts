import { compileNextExpected } from "../core/compiled.ts";

/** The pause between two checks that are compiled ahead, in which requests are answered. */
const PAUSE_MS = 10;

/**
 * Compiles the checks of parameters while the service already answers. Otherwise the first request with many parameters
 * would keep all others waiting. `compileNext` returns false if none is left.
 */
export const compileAhead = (compileNext: () => boolean = compileNextExpected): void => {
  const timer = setInterval(() => {
    if (!compileNext()) clearInterval(timer);
  }, PAUSE_MS);
  timer.unref();
};
