import type { FaultyServer, Row } from "./server.ts";

const STATUSES = ["available", "sold", "pending"];

/** Dealers whose stored counts differ from a recount. */
const WRONG_COUNTS = `
  SELECT kept.dealer_id FROM dealer_inventory kept
  LEFT JOIN vehicles ON vehicles.dealer_id = kept.dealer_id
  GROUP BY kept.dealer_id HAVING ${STATUSES.map(
    (status) => `
    kept.${status} <> count(*) FILTER (WHERE status = '${status}') OR
    kept.${status}_cents <> COALESCE(sum(price_cents) FILTER (WHERE status = '${status}'), 0)`,
  ).join(" OR ")}`;

/** Vehicles with images of which not exactly one is primary. */
const WRONG_PRIMARIES = "SELECT vehicle_id FROM vehicle_images GROUP BY vehicle_id HAVING sum(is_primary) <> 1";

/** Vehicles whose document differs from their row. */
const WRONG_DOCUMENTS = `
  SELECT id FROM vehicles
  WHERE document IS NULL OR document::json ->> 'updated_at' <> updated_at OR (document::json ->> 'id')::bigint <> id
    OR (document::json ->> 'dealer_id')::bigint <> dealer_id OR document::json ->> 'status' <> status`;

/** What incomplete changes have left; empty if nothing. */
export const partlyMade = async (server: FaultyServer): Promise<Row[]> => [
  ...(await server.query(WRONG_COUNTS)),
  ...(await server.query(WRONG_PRIMARIES)),
  ...(await server.query(WRONG_DOCUMENTS)),
];
