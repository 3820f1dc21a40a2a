/**
 * Keeps the vehicles that are for sale in a Meilisearch index, for the search of a website. It runs until it is stopped,
 * and goes on where the index is. Run one of it, with Node 22.18 or newer or with Bun:
 *
 *     SERVICE=http://localhost:3000 API_KEY=vis_... SEARCH=http://localhost:7700 SEARCH_KEY=... node meilisearch-copy.ts
 */
import { type CopyPage, VehicleInventory } from "vehicle-inventory-client";

interface Task {
  readonly taskUid: number;
}
interface TaskState {
  readonly status: "enqueued" | "processing" | "succeeded" | "failed" | "canceled";
  readonly error: unknown;
}

const { SERVICE = "", API_KEY = "", SEARCH = "", SEARCH_KEY = "" } = process.env;
const inventory = new VehicleInventory({ baseUrl: SERVICE, apiKey: API_KEY });
const VEHICLES = "/indexes/vehicles/documents";
/** The cursor is a document of an index of its own, so that a backup of the search has both. */
const PLACES = "/indexes/inventory_places/documents";

const ask = async (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(SEARCH + path, {
    method,
    headers: { authorization: `Bearer ${SEARCH_KEY}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Changes the index, and waits until that is done: Meilisearch only queues what it is told. */
const change = async (method: string, path: string, body?: unknown): Promise<void> => {
  const queued = await ask(method, path, body);
  if (!queued.ok) throw new Error(`${method} ${path}: ${queued.status} ${await queued.text()}`);
  const { taskUid } = (await queued.json()) as Task;
  for (;;) {
    const answer = await ask("GET", `/tasks/${taskUid}`);
    if (!answer.ok) throw new Error(`task ${taskUid}: ${answer.status} ${await answer.text()}`);
    const { status, error } = (await answer.json()) as TaskState;
    if (status === "succeeded") return;
    if (status === "failed" || status === "canceled") throw new Error(`${path}: ${status} ${JSON.stringify(error)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const keptCursor = async (): Promise<string | null> => {
  const answer = await ask("GET", `${PLACES}/vehicles`);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`${PLACES}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { cursor: string | null }).cursor;
};

/** Makes the changes of a page, and keeps its cursor after that: what is done twice does no harm. */
const take = async ({ reset, changes, cursor }: CopyPage): Promise<void> => {
  if (reset) await change("DELETE", VEHICLES);
  const put = changes.flatMap(({ kind, record }) =>
    kind === "vehicle" && record?.status === "available" ? [record] : [],
  );
  const kept = new Set(put.map(({ id }) => id));
  const removed = changes.map(({ id }) => id).filter((id) => !kept.has(id));
  if (put.length > 0) await change("POST", `${VEHICLES}?primaryKey=id`, put);
  if (removed.length > 0) await change("POST", `${VEHICLES}/delete-batch`, removed);
  await change("POST", `${PLACES}?primaryKey=id`, [{ id: "vehicles", cursor }]);
};

const after = await keptCursor();
await change("PATCH", "/indexes/vehicles/settings", {
  filterableAttributes: ["make", "model", "year", "price", "dealer_id"],
  sortableAttributes: ["price", "year"],
});
// Without a cursor everything comes: what an earlier beginning has left is removed.
if (after === null) await change("DELETE", VEHICLES);
for await (const page of inventory.changes.follow({ after, kinds: ["vehicle"] }).pages()) await take(page);
