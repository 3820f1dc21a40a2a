/**
 * Keeps a copy of the vehicles in a PostgreSQL database of yours, as a website or a data warehouse reads it. It runs until
 * it is stopped, and goes on where the copy is. Needs the packages `postgres` and `vehicle-inventory-client`, and Node
 * 22.18 or newer or Bun:
 *
 *     SERVICE=http://localhost:3000 API_KEY=vis_... COPY=postgres://user:password@localhost/website node postgres-copy.ts
 */
import postgres, { type JSONValue } from "postgres";
import { type CopyPage, VehicleInventory } from "vehicle-inventory-client";

const { SERVICE = "", API_KEY = "", COPY = "" } = process.env;
const inventory = new VehicleInventory({ baseUrl: SERVICE, apiKey: API_KEY });
const sql = postgres(COPY, { max: 1, onnotice: () => {} });

await sql.unsafe(`
  CREATE TABLE IF NOT EXISTS inventory_vehicles (
    id integer PRIMARY KEY,
    make text NOT NULL,
    price numeric NOT NULL,
    status text NOT NULL,
    document jsonb NOT NULL
  );
  CREATE TABLE IF NOT EXISTS inventory_place (one boolean PRIMARY KEY CHECK (one), cursor text);
  INSERT INTO inventory_place VALUES (true, NULL) ON CONFLICT DO NOTHING;
`);

/** Makes the changes of a page and keeps its cursor in one transaction: wherever the program ends, the two agree. */
const take = async ({ reset, changes, cursor }: CopyPage): Promise<void> => {
  const put = changes.flatMap(({ kind, record }) => (kind === "vehicle" && record !== null ? [record] : []));
  const removed = changes.flatMap(({ kind, op, id }) => (kind === "vehicle" && op === "remove" ? [id] : []));
  await sql.begin(async (transaction) => {
    if (reset) await transaction`DELETE FROM inventory_vehicles`;
    // A whole page is one statement.
    await transaction`
      INSERT INTO inventory_vehicles
      SELECT (one->>'id')::integer, one->>'make', (one->>'price')::numeric, one->>'status', one
      FROM jsonb_array_elements(${sql.json(put as unknown as JSONValue)}) AS one
      ON CONFLICT (id) DO UPDATE SET
        make = excluded.make, price = excluded.price, status = excluded.status, document = excluded.document`;
    await transaction`DELETE FROM inventory_vehicles WHERE id = ANY(${removed})`;
    await transaction`UPDATE inventory_place SET cursor = ${cursor}`;
  });
};

/** Waits for the next change when the copy is up to date. */
const stop = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort(signal));

const [place] = await sql<{ cursor: string | null }[]>`SELECT cursor FROM inventory_place`;
const follow = inventory.changes.follow({ after: place?.cursor ?? null, kinds: ["vehicle"], signal: stop.signal });
try {
  for await (const page of follow.pages()) {
    await take(page);
    if (!page.more) process.stdout.write(`up to date after ${page.changes.length} changes\n`);
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
}
await sql.end();
