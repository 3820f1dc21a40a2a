import { type Inventory, modelFilters, presentFacets, presentHistory, wordFilters } from "./inventory.ts";
import { SQLITE_STATEMENTS } from "./statements.ts";
import { type Value, type VehicleRow, valuesOf, vehicleOf } from "./vehicle.ts";

/** A prepared statement, as far as both drivers have the same methods. */
interface Statement {
  all(...values: Value[]): unknown[];
}

/** The vehicles of a SQLite database, read with prepared statements and answered synchronously. */
export const sqliteInventory = (prepare: (text: string) => Statement) => {
  const one = prepare(SQLITE_STATEMENTS.one);
  const ofDealer = prepare(SQLITE_STATEMENTS.ofDealer);
  const countOfDealer = prepare(SQLITE_STATEMENTS.countOfDealer);
  const ofModel = prepare(SQLITE_STATEMENTS.ofModel);
  const countOfModel = prepare(SQLITE_STATEMENTS.countOfModel);
  const withWords = prepare(SQLITE_STATEMENTS.withWords);
  const countWithWords = prepare(SQLITE_STATEMENTS.countWithWords);
  const byPrice = prepare(SQLITE_STATEMENTS.byPrice);
  const facets = prepare(SQLITE_STATEMENTS.facets);
  const changes = prepare(SQLITE_STATEMENTS.changes);
  const changeFacts = prepare(SQLITE_STATEMENTS.changeFacts);
  const statistics = prepare(SQLITE_STATEMENTS.statistics);
  const newest = prepare(SQLITE_STATEMENTS.newest);
  const oldest = prepare(SQLITE_STATEMENTS.oldest);
  const insert = prepare(SQLITE_STATEMENTS.insert);
  const changePrice = prepare(SQLITE_STATEMENTS.changePrice);

  // Results must be read to the end, because an unfinished INSERT … RETURNING keeps the log from being checkpointed.
  const vehicleIn = ([row]: unknown[]) => (row === undefined ? null : vehicleOf(row as VehicleRow));
  const listIn = (rows: unknown[], [counted]: unknown[]) => ({
    meta: { total: (counted as { total: number } | undefined)?.total, timestamp: new Date().toISOString() },
    vehicles: (rows as VehicleRow[]).map(vehicleOf),
  });

  return {
    read: (id) => vehicleIn(one.all(id)),
    ofDealer: (dealer, { limit, offset }) => listIn(ofDealer.all(dealer, limit, offset), countOfDealer.all(dealer)),
    ofModel(search, { limit, offset }) {
      const filters = modelFilters(search);
      return listIn(ofModel.all(...filters, limit, offset), countOfModel.all(...filters));
    },
    withWords(dealer, words, { limit, offset }) {
      const filters = wordFilters(dealer, words);
      return listIn(withWords.all(...filters, limit, offset), countWithWords.all(...filters));
    },
    byPrice: (dealer, { limit, offset }) => listIn(byPrice.all(dealer, limit, offset), countOfDealer.all(dealer)),
    facets: (dealer) => presentFacets(facets.all(dealer)),
    history(id, { limit, offset }) {
      const facts = changeFacts.all(id, id, id, id);
      return facts.length === 0 ? null : presentHistory(changes.all(id, limit, offset), facts);
    },
    statistics(dealer) {
      const [totals] = statistics.all(dealer);
      const [newest_vehicle] = newest.all(dealer);
      const [oldest_vehicle] = oldest.all(dealer);
      const timestamp = new Date().toISOString();
      return { dealer_id: dealer, ...(totals as object), newest_vehicle, oldest_vehicle, timestamp };
    },
    create(sent) {
      const now = new Date().toISOString();
      const [row] = insert.all(...valuesOf(sent, now)) as { id: number }[];
      return { id: row?.id, ...sent, created_at: now, updated_at: now };
    },
    changePrice: (id, price) => vehicleIn(changePrice.all(Math.round(price * 100), new Date().toISOString(), id)),
  } satisfies Inventory;
};
