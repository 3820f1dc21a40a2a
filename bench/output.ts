import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PUBLISHED = join(import.meta.dir, "results");

/** Prints the progress. */
export const printProgress = (line: string): void => void process.stderr.write(`${line}\n`);

/** The results of a run: as JSON for programs, as text for people, and as a picture if there is one. */
export interface Results {
  readonly json: object;
  readonly md: string;
  readonly svg?: string;
}

/**
 * Writes results under this name and prints the text. Published results replace the earlier ones in `bench/results`.
 * Others are written into a new temporary folder. Returns and prints the folder.
 */
export const writeResults = async (name: string, { json, md, svg }: Results, published: boolean): Promise<string> => {
  const folder = published ? PUBLISHED : await mkdtemp(join(tmpdir(), "vehicle-inventory-bench-results-"));
  await mkdir(folder, { recursive: true });
  await Bun.write(join(folder, `${name}.json`), `${JSON.stringify(json, null, 2)}\n`);
  await Bun.write(join(folder, `${name}.md`), md);
  if (svg !== undefined) await Bun.write(join(folder, `${name}.svg`), svg);
  process.stdout.write(`\n${md}`);
  printProgress(`\nThe results are in ${folder}${published ? "" : "; the published ones are unchanged"}.`);
  return folder;
};
