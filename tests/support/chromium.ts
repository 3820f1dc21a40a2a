import { afterAll, beforeAll } from "bun:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../bench/chromium.ts";

/** Starts a browser before the tests of a file or a `describe`, and ends it after them. */
export const useChromium = (): (() => Browser) => {
  let started: Browser | null = null;
  beforeAll(async () => {
    started = await launchBrowser();
  });
  afterAll(() => started?.close());
  return () => {
    if (started === null) throw new Error("the browser is started before the first test");
    return started;
  };
};
