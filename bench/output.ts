import { mkdir } from "node:fs/promises";
import { join } from "node:path";

const RESULTS = join(import.meta.dir, "results");

/** Tells whoever waits how far it is. */
export const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** What is kept of a run: everything for programs, a text for people, and a picture where there is one. */
export interface Results {
  readonly json: object;
  readonly md: string;
  readonly svg?: string;
}

/** Writes results under this name, in place of earlier ones, and prints the text. */
export const writeResults = async (name: string, { json, md, svg }: Results): Promise<void> => {
  await mkdir(RESULTS, { recursive: true });
  await Bun.write(join(RESULTS, `${name}.json`), `${JSON.stringify(json, null, 2)}\n`);
  await Bun.write(join(RESULTS, `${name}.md`), md);
  if (svg !== undefined) await Bun.write(join(RESULTS, `${name}.svg`), svg);
  process.stdout.write(`\n${md}`);
};
