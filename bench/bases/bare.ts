import { INSERT, SELECTED, type SentVehicle, type Value, type VehicleRow, valuesOf, vehicleOf } from "./vehicle.ts";

/** A prepared statement, as both drivers have it. */
interface Statement {
  all(...values: Value[]): unknown[];
}

/** As durable as the service, and as strict with references. */
export const DURABILITY = ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"] as const;

const NEWEST_FIRST = "ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?";
const OF_MODEL = "WHERE make_folded = ? AND model_folded = ? AND price_cents >= ? AND price_cents <= ?";
const LANDMARK = "SELECT id, make, model, year, created_at FROM vehicles WHERE dealer_id = ?";
const STATISTICS = `SELECT count(*) AS total_vehicles,
  sum(status = 'available') AS available_vehicles,
  sum(status = 'sold') AS sold_vehicles,
  sum(status = 'pending') AS pending_vehicles,
  coalesce(avg(CASE WHEN status <> 'sold' THEN price_cents END), 0) / 100 AS average_price,
  coalesce(sum(CASE WHEN status <> 'sold' THEN price_cents END), 0) / 100.0 AS inventory_value
  FROM vehicles WHERE dealer_id = ?`;

const JSON_TYPE = { headers: { "content-type": "application/json" } };
const CREATED = { status: 201, ...JSON_TYPE };
const answer = (body: unknown): Response => new Response(JSON.stringify(body), JSON_TYPE);
const missing = (): Response => new Response('{"error":"not found"}', { status: 404, ...JSON_TYPE });

/** Serves the measured paths over prepared statements and does nothing else: no keys, no limits, no checks, no log. */
export const serveBare = (prepare: (text: string) => Statement): void => {
  const one = prepare(`SELECT ${SELECTED} FROM vehicles WHERE id = ?`);
  const ofDealer = prepare(`SELECT ${SELECTED} FROM vehicles WHERE dealer_id = ? ${NEWEST_FIRST}`);
  const countOfDealer = prepare("SELECT count(*) AS total FROM vehicles WHERE dealer_id = ?");
  const ofModel = prepare(`SELECT ${SELECTED} FROM vehicles ${OF_MODEL} ${NEWEST_FIRST}`);
  const countOfModel = prepare(`SELECT count(*) AS total FROM vehicles ${OF_MODEL}`);
  const statistics = prepare(STATISTICS);
  const newest = prepare(`${LANDMARK} ORDER BY created_at DESC, id DESC LIMIT 1`);
  const oldest = prepare(`${LANDMARK} ORDER BY created_at, id LIMIT 1`);
  const insert = prepare(INSERT);
  const changePrice = prepare(`UPDATE vehicles SET price_cents = ?, updated_at = ? WHERE id = ? RETURNING ${SELECTED}`);

  const list = (page: Statement, count: Statement, filters: Value[], query: URLSearchParams): Response => {
    const rows = page.all(...filters, Number(query.get("limit") ?? 100), Number(query.get("offset") ?? 0));
    const [counted] = count.all(...filters) as { total: number }[];
    const meta = { total: counted?.total, timestamp: new Date().toISOString() };
    return answer({ meta, vehicles: (rows as VehicleRow[]).map(vehicleOf) });
  };

  const search = (query: URLSearchParams): Response => {
    const dealer = query.get("dealer_id");
    if (dealer !== null) return list(ofDealer, countOfDealer, [Number(dealer)], query);
    const make = query.get("make")?.toLowerCase() ?? "";
    const model = query.get("model")?.toLowerCase() ?? "";
    const prices = [Number(query.get("min_price")) * 100, Number(query.get("max_price")) * 100];
    return list(ofModel, countOfModel, [make, model, ...prices], query);
  };

  const read = (id: number, known: string | null): Response => {
    const [row] = one.all(id) as VehicleRow[];
    if (row === undefined) return missing();
    return known === `"${row.updated_at}"` ? new Response(null, { status: 304 }) : answer(vehicleOf(row));
  };

  const readStatistics = (dealer: number): Response => {
    const [totals] = statistics.all(dealer);
    const [newest_vehicle] = newest.all(dealer);
    const [oldest_vehicle] = oldest.all(dealer);
    const timestamp = new Date().toISOString();
    return answer({ dealer_id: dealer, ...(totals as object), newest_vehicle, oldest_vehicle, timestamp });
  };

  const create = async (request: Request): Promise<Response> => {
    const sent = (await request.json()) as SentVehicle;
    const now = new Date().toISOString();
    // Read to its end: an INSERT … RETURNING left unfinished keeps the log from being copied back.
    const [row] = insert.all(...valuesOf(sent, now)) as { id: number }[];
    return new Response(JSON.stringify({ id: row?.id, ...sent, created_at: now, updated_at: now }), CREATED);
  };

  const update = async (request: Request, id: number): Promise<Response> => {
    const { price } = (await request.json()) as { price: number };
    const [row] = changePrice.all(Math.round(price * 100), new Date().toISOString(), id) as VehicleRow[];
    return row === undefined ? missing() : answer(vehicleOf(row));
  };

  Bun.serve({
    hostname: "127.0.0.1",
    port: Number(process.env.PORT),
    fetch(request) {
      const { url } = request;
      const start = url.indexOf("/api/");
      const mark = url.indexOf("?", start);
      const [, , resource, id, part] = (mark === -1 ? url.slice(start) : url.slice(start, mark)).split("/");
      const query = new URLSearchParams(mark === -1 ? "" : url.slice(mark));
      if (resource === "vehicles") {
        if (request.method === "POST") return create(request);
        if (id === undefined) return search(query);
        if (request.method === "PUT") return update(request, Number(id));
        return read(Number(id), request.headers.get("if-none-match"));
      }
      if (resource !== "dealers") return missing();
      return part === "stats" ? readStatistics(Number(id)) : list(ofDealer, countOfDealer, [Number(id)], query);
    },
  });
};
