/**
 * Keeps a device's copy of the vehicles current with few bytes: what changed since the last time, and from time to time
 * everything. Run it here with Node 22.18 or newer or with Bun; in an app, keep the copy where the app keeps its data:
 *
 *     SERVICE=http://localhost:3000 API_KEY=vis_mobile_... node mobile-sync.ts copy.json
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";

interface Vehicle {
  readonly id: number;
  readonly title: string | null;
  readonly updated_at: string;
}
interface Page {
  readonly vehicles: readonly Vehicle[];
  readonly meta: { readonly timestamp: string; readonly next_cursor: string | null };
}
/** What the device keeps. The times are the service's, so that the device's clock does not matter. */
interface Copy {
  /** When everything was last read. */
  readonly completeAt: string;
  /** Changes up to this time are in the copy. */
  readonly changedUntil: string;
  readonly vehicles: Readonly<Record<string, Vehicle>>;
}

const { SERVICE = "", API_KEY = "" } = process.env;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Changes that were made while the last answer was read are read twice rather than missed. */
const OVERLAP_MS = 60_000;

const read = async (parameters: URLSearchParams): Promise<Page> => {
  const headers = { "X-API-Key": API_KEY, "X-App-Type": "mobile" };
  const response = await fetch(`${SERVICE}/api/vehicles?${parameters}`, { headers });
  // The app tries again the next time: nothing of the copy was changed yet.
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Page;
};

/** The vehicles that changed since a time, or all of them, and the time at which reading began. */
const readAll = async (since: string | null) => {
  const parameters = new URLSearchParams({ limit: "200", ...(since !== null && { updated_since: since }) });
  const first = await read(parameters);
  const vehicles = [...first.vehicles];
  for (let cursor = first.meta.next_cursor; cursor !== null; ) {
    parameters.set("cursor", cursor);
    const page = await read(parameters);
    vehicles.push(...page.vehicles);
    cursor = page.meta.next_cursor;
  }
  return { at: first.meta.timestamp, changed: Object.fromEntries(vehicles.map((one) => [one.id, one])) };
};

const complete = async (): Promise<Copy> => {
  const { at, changed } = await readAll(null);
  return { completeAt: at, changedUntil: at, vehicles: changed };
};

/** `updated_since` does not tell which vehicles were deleted, so everything is read once a day. */
const update = async (copy: Copy): Promise<Copy> => {
  const since = new Date(Date.parse(copy.changedUntil) - OVERLAP_MS).toISOString();
  const { at, changed } = await readAll(since);
  return Date.parse(at) - Date.parse(copy.completeAt) > DAY_MS
    ? complete()
    : { ...copy, changedUntil: at, vehicles: { ...copy.vehicles, ...changed } };
};

const [file = "copy.json"] = process.argv.slice(2);
const copy = existsSync(file) ? await update(JSON.parse(await readFile(file, "utf8")) as Copy) : await complete();
await writeFile(file, JSON.stringify(copy));
process.stdout.write(`${Object.keys(copy.vehicles).length} vehicles\n`);
