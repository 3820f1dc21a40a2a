import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser as Chromium } from "playwright-core";
import { launchBrowser } from "../../bench/chromium.ts";
import { pagesWithout } from "../support/portal-pages.ts";
import { PICTURES } from "./catalogue.ts";
import { draw, FOLDER } from "./draw.ts";
import { difference } from "./pixels.ts";

setDefaultTimeout(900_000);

/** Starts of keys and shades of letters differ by less than this; one row more or less differs by more. */
const TOLERATED = 0.004;

let chromium: Chromium;
beforeAll(async () => {
  chromium = await launchBrowser();
});
afterAll(() => chromium.close());

test("every page has a picture, except the invitation page, whose address differs each time", async () => {
  expect(await pagesWithout(PICTURES.map(({ path }) => path))).toEqual(["/invitations/:token"]);
});

test("every page and main dialog looks like its pictures in docs/screenshots: light, dark and on a phone", async () => {
  const drawn = await draw(chromium);
  expect((await readdir(FOLDER)).sort()).toEqual(drawn.map(({ name }) => `${name}.png`).sort());
  const differing: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), "pictures-"));
  for (const { name, png } of drawn) {
    const part = await difference(chromium, png, await Bun.file(join(FOLDER, `${name}.png`)).bytes());
    if (part <= TOLERATED) continue;
    await Bun.write(join(folder, `${name}.png`), png);
    differing.push(`${name}: ${(part * 100).toFixed(2)} % differs from docs/screenshots, see ${folder}`);
  }
  expect(differing).toEqual([]);
});
