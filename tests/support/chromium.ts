import { afterAll, beforeAll } from "bun:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../bench/chromium.ts";

/** Nobody looks at the pages: they are drawn by the browser's own process, with fewer dots (`openContext`). */
const BRIEF = ["--in-process-gpu"];
/** Scripts that run for seconds never earn back the last of the compilers. axe runs longer: it does without this. */
const SHORT_SCRIPTS = ["--js-flags=--no-opt"];

/** Starts a browser before the tests of a file or a `describe`, and ends it after them; `flags` are further ones. */
export const useChromium = (flags: readonly string[] = SHORT_SCRIPTS): (() => Browser) => {
  let started: Browser | null = null;
  beforeAll(async () => {
    started = await launchBrowser([...BRIEF, ...flags]);
  });
  afterAll(() => started?.close());
  return () => {
    if (started === null) throw new Error("the browser is started before the first test");
    return started;
  };
};
