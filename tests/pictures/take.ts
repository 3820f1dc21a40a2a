import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { launchBrowser } from "../../bench/chromium.ts";
import { draw, FOLDER, fileOf } from "./draw.ts";
import { recordDrawn } from "./drawn-from.ts";
import { indexedPng } from "./indexed-png.ts";
import { pixelsOf } from "./pixels.ts";

/**
 * Redraws the pictures of the portal in docs/screenshots: `bun run pictures` draws all, `bun run pictures keys` those
 * whose names start with "keys". Look at them before you commit them.
 */
const begins = process.argv.slice(2);
const isWanted = (name: string): boolean => begins.length === 0 || begins.some((begin) => name.startsWith(begin));

const chromium = await launchBrowser();
try {
  const drawn = await draw(chromium, isWanted);
  for (const file of await readdir(FOLDER)) if (isWanted(file)) await rm(join(FOLDER, file));
  let bytes = 0;
  for (const { name, png } of drawn) {
    const picture = indexedPng(await pixelsOf(chromium, png));
    bytes += picture.length;
    await Bun.write(fileOf(name), picture);
  }
  if (begins.length === 0) await recordDrawn();
  process.stdout.write(`${drawn.length} pictures, ${Math.round(bytes / 1000)} kB\n`);
} finally {
  await chromium.close();
}
process.exit();
