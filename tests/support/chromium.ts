import { afterAll, beforeAll } from "bun:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../bench/chromium.ts";

/**
 * What saves CPU seconds where nobody looks at the pages: they are drawn by the browser's own process, and scripts that run
 * for seconds never earn back the last of the compilers. Together with fewer dots (`openContext`) that is a tenth.
 */
const BRIEF = ["--in-process-gpu", "--js-flags=--no-opt"];

/** Starts a browser before the tests of a file or a `describe`, and ends it after them. */
export const useChromium = (): (() => Browser) => {
  let started: Browser | null = null;
  beforeAll(async () => {
    started = await launchBrowser(BRIEF);
  });
  afterAll(() => started?.close());
  return () => {
    if (started === null) throw new Error("the browser is started before the first test");
    return started;
  };
};
