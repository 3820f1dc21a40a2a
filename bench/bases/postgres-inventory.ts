import { type Inventory, modelFilters, presentFacets, presentHistory, wordFilters } from "./inventory.ts";
import { POSTGRES_STATEMENTS } from "./statements.ts";
import { type Value, type VehicleRow, valuesOf, vehicleOf } from "./vehicle.ts";

/** A driver's connection pool. */
interface Pool {
  unsafe(text: string, values: Value[]): Promise<unknown[]>;
}

/** The vehicles of a PostgreSQL database, read through a pool. The statements of one answer run concurrently. */
export const postgresInventory = (pool: Pool): Inventory => {
  const ask = (name: keyof typeof POSTGRES_STATEMENTS, ...values: Value[]): Promise<unknown[]> =>
    pool.unsafe(POSTGRES_STATEMENTS[name], values);
  const vehicleIn = ([row]: unknown[]) => (row === undefined ? null : vehicleOf(row as VehicleRow));
  const list = async (page: Promise<unknown[]>, count: Promise<unknown[]>) => {
    const [rows, [counted]] = await Promise.all([page, count]);
    return {
      meta: { total: (counted as { total: number } | undefined)?.total, timestamp: new Date().toISOString() },
      vehicles: (rows as VehicleRow[]).map(vehicleOf),
    };
  };

  return {
    read: async (id) => vehicleIn(await ask("one", id)),
    ofDealer: (dealer, { limit, offset }) => list(ask("ofDealer", dealer, limit, offset), ask("countOfDealer", dealer)),
    ofModel(search, { limit, offset }) {
      const filters = modelFilters(search);
      return list(ask("ofModel", ...filters, limit, offset), ask("countOfModel", ...filters));
    },
    withWords(dealer, words, { limit, offset }) {
      const filters = wordFilters(dealer, words);
      return list(ask("withWords", ...filters, limit, offset), ask("countWithWords", ...filters));
    },
    byPrice: (dealer, { limit, offset }) => list(ask("byPrice", dealer, limit, offset), ask("countOfDealer", dealer)),
    facets: async (dealer) => presentFacets(await ask("facets", dealer)),
    async history(id, { limit, offset }) {
      const [rows, facts] = await Promise.all([ask("changes", id, limit, offset), ask("changeFacts", id, id, id, id)]);
      return facts.length === 0 ? null : presentHistory(rows, facts);
    },
    async statistics(dealer) {
      const [[totals], [newest_vehicle], [oldest_vehicle]] = await Promise.all([
        ask("statistics", dealer),
        ask("newest", dealer),
        ask("oldest", dealer),
      ]);
      const timestamp = new Date().toISOString();
      return { dealer_id: dealer, ...(totals as object), newest_vehicle, oldest_vehicle, timestamp };
    },
    async create(sent) {
      const now = new Date().toISOString();
      const [row] = (await ask("insert", ...valuesOf(sent, now))) as { id: number }[];
      return { id: row?.id, ...sent, created_at: now, updated_at: now };
    },
    changePrice: async (id, price) =>
      vehicleIn(await ask("changePrice", Math.round(price * 100), new Date().toISOString(), id)),
  };
};
