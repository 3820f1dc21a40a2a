/**
 * Asks what has changed since the last run and prints it, a change a line, as automation tools poll. Run it every few
 * minutes, with Node 22.18 or newer or with Bun. The first run begins with the whole inventory:
 *
 *     SERVICE=http://localhost:3000 API_KEY=vis_... node polling.ts cursor.txt
 */
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";

interface Change {
  readonly kind: "vehicle";
  readonly op: "upsert" | "remove";
  readonly id: number;
  readonly record: object | null;
}
interface Page {
  readonly data: readonly Change[];
  readonly meta: { readonly next: string; readonly more: boolean };
}

const { SERVICE = "", API_KEY = "" } = process.env;
const [file = "cursor.txt"] = process.argv.slice(2);

/** One page of changes. What is left comes with the next run. */
const read = async (after: string | null): Promise<Page> => {
  const query = new URLSearchParams({ kinds: "vehicle", limit: "100", ...(after !== null && { after }) });
  const response = await fetch(`${SERVICE}/api/changes?${query}`, { headers: { "X-API-Key": API_KEY } });
  // Not asked for 30 days: what happened meanwhile is no longer known, so the whole inventory comes again.
  if (response.status === 410 && after !== null) return read(null);
  // The next run asks again: the cursor is still that of before.
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Page;
};

const { data, meta } = await read(existsSync(file) ? await readFile(file, "utf8") : null);
for (const { op, id, record } of data) process.stdout.write(`${JSON.stringify({ op, id, record })}\n`);
// Only now: a run that ends before this tells the same once more, and nothing is missed.
await writeFile(`${file}.new`, meta.next);
await rename(`${file}.new`, file);
