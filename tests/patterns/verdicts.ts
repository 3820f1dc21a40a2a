import { join } from "node:path";
import { ANALYSER, growthOf, isHarmless } from "./growth.ts";
import type { Pattern } from "./sources.ts";

/** The kept verdicts: first the analyser that gave them, then a line for each pattern, sorted. */
const FILE = join(import.meta.dir, "verdicts.txt");

/** The words that name a pattern in the file. */
export const nameOf = ({ source, flags }: Pick<Pattern, "source" | "flags">): string => `/${source}/${flags}`;

/** The kept verdicts by the names of their patterns. There are none of another version or other parameters. */
export const keptVerdicts = async (): Promise<ReadonlyMap<string, string>> => {
  const [analyser, ...lines] = (await Bun.file(FILE).text()).trimEnd().split("\n");
  if (analyser !== ANALYSER) return new Map();
  return new Map(
    lines.map((line): [string, string] => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), line.slice(end + 1)];
    }),
  );
};

/** Keeps the verdicts of these patterns and no others: the known ones, and new ones unless they are harmful. */
export const keepVerdicts = async (patterns: readonly Pattern[]): Promise<void> => {
  const known = await keptVerdicts();
  const lines = new Set<string>();
  for (const pattern of patterns) {
    const growth = known.get(nameOf(pattern)) ?? growthOf(pattern);
    if (isHarmless(growth)) lines.add(`${nameOf(pattern)} ${growth}`);
  }
  await Bun.write(FILE, `${[ANALYSER, ...[...lines].sort()].join("\n")}\n`);
};
