import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser } from "../../bench/chromium.ts";
import { DEEP } from "../support/depth.ts";
import { pagesWithout } from "../support/portal-pages.ts";
import { PICTURES } from "./catalogue.ts";
import { draw, FOLDER, fileOf, pictureFiles } from "./draw.ts";
import { isDrawnFromPresent, partsDrawnFrom, recordDrawn } from "./drawn-from.ts";
import { difference } from "./pixels.ts";

setDefaultTimeout(900_000);

/** Starts of keys and shades of letters differ by less than this; one row more or less differs by more. */
const TOLERATED = 0.004;

test("every page has a picture, except the invitation page, whose address differs each time, and the way to a walk", async () => {
  expect(await pagesWithout(PICTURES.map(({ path }) => path))).toEqual(["/to-walk/:id", "/invitations/:token"]);
});

/** The width and height that a PNG names in its header. */
const sizeOf = async (name: string): Promise<readonly [number, number]> => {
  const header = new DataView(await Bun.file(join(FOLDER, name)).slice(0, 24).arrayBuffer());
  return [header.getUint32(16), header.getUint32(20)];
};

test("docs/screenshots has the pictures of the catalogue, as large as their windows, and no others", async () => {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".png"));
  const sizes = await Promise.all(names.map(async (name) => [name, await sizeOf(name)] as const));
  expect(Object.fromEntries(sizes)).toEqual(Object.fromEntries(pictureFiles()));
});

test("what pictures are drawn from includes the portal's page, scripts, styles and font", async () => {
  const ends = (await partsDrawnFrom()).map(({ name }) => name.split(".").at(-1));
  expect(ends).toEqual(expect.arrayContaining(["html", "js", "css", "woff2"]));
});

const isKnown = !DEEP && (await isDrawnFromPresent());

if (isKnown)
  test("nothing has changed from which the pictures are drawn, so they are not drawn again", () => {
    expect(isKnown).toBe(true);
  });
else
  test("every page and main dialog looks like its pictures in docs/screenshots: light, dark and on a phone", async () => {
    const browser = await launchBrowser();
    const differing: string[] = [];
    let folder: string | null = null;
    for (const { name, png } of await draw(browser)) {
      const part = await difference(browser, png, await Bun.file(fileOf(name)).bytes());
      if (part <= TOLERATED) continue;
      folder ??= await mkdtemp(join(tmpdir(), "pictures-"));
      await Bun.write(join(folder, `${name}.png`), png);
      differing.push(`${name}: ${(part * 100).toFixed(2)} % differs from docs/screenshots, see ${folder}`);
    }
    await browser.close();
    expect(differing).toEqual([]);
    // They look as before, so the next run need not draw them. The file belongs into the commit.
    await recordDrawn();
  });
