import { type RawBuilder, sql } from "kysely";
import { AS_STORED, type ShownAddresses } from "../../../core/images/own-address.ts";
import type { LotVehicle, SharedValues } from "../../../core/readiness/dealer-quality.ts";
import type { LotRepository } from "../../../core/readiness/lot-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import { readerByCost } from "../query/reader-by-cost.ts";
import {
  param,
  type Statement,
  scopedStatement,
  sqlStatement,
  statementCache,
  type Values,
} from "../query/statement.ts";
import { LISTED_AT } from "../vehicles/columns.ts";

/**
 * The number of vehicles that are read at once. Judging them takes some milliseconds, even if their descriptions are
 * long.
 */
const ROWS_PER_STEP = 100;
/** The time to read a vehicle with its images, in µs. */
const MICROSECONDS_PER_VEHICLE = 20;
/** The time to read the price of a vehicle, in µs. */
const PEER_US = 2;
/** The maximum number of photos that are considered for each vehicle. */
const MAX_PHOTOS = 30;
/** The number of vehicles that may have the same photo. */
const MAX_VEHICLES_PER_PHOTO = 3;

/** The statuses of vehicles on the lot. The index is read for one status at a time. */
const ON_LOT = ["available", "pending"] as const;

interface LotRow extends Omit<LotVehicle, "price" | "images" | "imageCount" | "isOfImport"> {
  readonly id: number;
  readonly dealer_id: number;
  readonly price_cents: number;
  readonly image_count: number;
  readonly of_import: number;
  /** The addresses of its images, separated by spaces. No address contains a space. */
  readonly images: string | null;
}

const IMAGES = sql`(SELECT string_agg(image_url, ' ' ORDER BY display_order, id) FROM
  (SELECT image_url, display_order, id FROM vehicle_images WHERE vehicle_id = vehicles.id
    ORDER BY display_order, id LIMIT ${sql.lit(MAX_PHOTOS)}) AS first_images)`;

/** Whether an import made or changed the vehicle; 0 where it does not matter, as the listed date is usual. */
const OF_IMPORT = sql`CASE WHEN (listed_at > created_at OR substr(listed_at, 1, 4) < substr(created_at, 1, 4))
  AND EXISTS (SELECT 1 FROM audit_entries WHERE resource = 'vehicles' AND resource_id = vehicles.id
    AND import_id IS NOT NULL) THEN 1 ELSE 0 END`;

const COLUMNS = sql`vehicles.id, dealer_id, make, model, year, price_cents, title, "trim", mileage, vin,
  description, condition, status, ${LISTED_AT} AS listed_at, sold_at,
  created_at, updated_at, make_folded, model_folded, ${IMAGES} AS images,
  (SELECT count(*) FROM vehicle_images WHERE vehicle_id = vehicles.id) AS image_count,
  ${OF_IMPORT} AS of_import`;

const vehicleFrom =
  (shown: ShownAddresses) =>
  ({ price_cents: cents, images, image_count: count, of_import: ofImport, ...row }: LotRow): LotRow & LotVehicle =>
    ({
      ...row,
      price: cents / 100,
      images: images === null ? [] : shown(images).split(" "),
      imageCount: Number(count),
      isOfImport: Number(ofImport) === 1,
    }) as never;

interface Text {
  readonly text: string;
}

/**
 * The photos and VINs that several vehicles on a dealer's lot have in common. `isMeant` restricts them to those of one
 * vehicle.
 */
const sharedStatements = (db: SqlDatabase, isMeant: Readonly<Record<"photo" | "vin", RawBuilder<unknown>>>) => {
  const onLot = sql`vehicles.dealer_id = ${param("dealer")} AND vehicles.status <> 'sold'`;
  return {
    photos: sqlStatement<Text>(
      db,
      sql`SELECT image_url AS text FROM vehicles JOIN vehicle_images ON vehicle_images.vehicle_id = vehicles.id
        WHERE ${onLot} AND ${isMeant.photo} GROUP BY image_url HAVING count(DISTINCT vehicles.id) > ${sql.lit(MAX_VEHICLES_PER_PHOTO)}`,
    ),
    vins: sqlStatement<Text>(
      db,
      sql`SELECT lower(vin) AS text FROM vehicles WHERE ${onLot} AND ${isMeant.vin} GROUP BY lower(vin) HAVING count(*) > 1`,
    ),
  };
};

/** Vehicles on a dealer's lot in SQL; see the port for what it guarantees. */
export const makeLotRepository = (db: SqlDatabase, shown: ShownAddresses = AS_STORED): LotRepository => {
  const vehicleOf = vehicleFrom(shown);
  const readerByVehicles = readerByCost(db);
  const one = scopedStatement<LotRow>((narrowed) => ({
    compile: () =>
      sql<LotRow>`SELECT ${COLUMNS} FROM vehicles WHERE vehicles.id = ${param("id")} ${
        narrowed ? sql`AND dealer_id = ${param("scope")}` : sql``
      }`.compile(db),
  }));
  const ofLot = sharedStatements(db, { photo: sql`TRUE`, vin: sql`vin IS NOT NULL` });
  const ofVehicle = sharedStatements(db, {
    photo: sql`image_url IN (SELECT image_url FROM vehicle_images WHERE vehicle_id = ${param("id")})`,
    vin: sql`lower(vin) = ${param("vin")}`,
  });
  // The result is a single text: if all vehicles of a lot are alike, reading a row for each would block the event loop.
  const peers = sqlStatement<{ prices: string | null }>(
    db,
    sql`SELECT string_agg(CAST(price_cents AS TEXT), ',' ORDER BY price_cents) AS prices FROM vehicles
      WHERE dealer_id = ${param("dealer")} AND make_folded = ${param("make")} AND model_folded = ${param("model")}
      AND year BETWEEN ${param("year")} - 1 AND ${param("year")} + 1 AND status <> 'sold' AND id <> ${param("id")}
      AND price_cents > 0`,
  );
  const dealers = sqlStatement<{ dealer_id: number }>(
    db,
    sql`SELECT dealer_id FROM dealer_inventory WHERE available + pending > 0 ORDER BY dealer_id`,
  );
  const steps = statementCache<LotRow>();
  const stepAfter = (position: Values): Statement<LotRow> => {
    const isBehind = "after.id" in position;
    return steps(`${isBehind}`, () => {
      const behind = isBehind
        ? sql`AND (created_at, vehicles.id) < (${param("after.created_at")}, ${param("after.id")})`
        : sql``;
      const rows = sql<LotRow>`SELECT ${COLUMNS} FROM vehicles
        WHERE dealer_id = ${param("dealer")} AND status = ${param("status")} ${behind}
        ORDER BY created_at DESC, vehicles.id DESC LIMIT ${sql.lit(ROWS_PER_STEP)}`;
      return { compile: () => rows.compile(db) };
    });
  };

  const sharedBy = async (statements: typeof ofLot, values: Values, dealer: number): Promise<SharedValues> => {
    const reader = await readerByVehicles(dealer, MICROSECONDS_PER_VEHICLE);
    // The queries run one after the other: see `longReads`.
    const photos = await reader.all(statements.photos, values);
    const vins = await reader.all(statements.vins, values);
    return { photos: new Set(photos.map(({ text }) => shown(text))), vins: new Set(vins.map(({ text }) => text)) };
  };

  return {
    async find(id, scope) {
      const row = await db.first(one(scope), { id, ...(scope !== null && { scope }) });
      return row === null ? null : vehicleOf(row);
    },

    async peersOf({ id, dealer_id: dealer, vin, make_folded: make, model_folded: model, year }) {
      const reader = await readerByVehicles(dealer, PEER_US);
      const shared = await sharedBy(ofVehicle, { dealer, id, vin: (vin ?? "").toLowerCase() }, dealer);
      const [of] = await reader.all(peers, { dealer, id, make, model, year });
      return { shared, peerPrices: JSON.parse(`[${of?.prices ?? ""}]`) as readonly number[] };
    },

    async dealers() {
      return (await db.all(dealers, {})).map(({ dealer_id }) => dealer_id);
    },

    shared: (dealer) => sharedBy(ofLot, { dealer }, dealer),

    async *lot(dealer) {
      const reader = await readerByVehicles(dealer, MICROSECONDS_PER_VEHICLE);
      for (const status of ON_LOT) {
        let position: Values = {};
        for (let read = ROWS_PER_STEP; read === ROWS_PER_STEP; ) {
          const rows = await reader.all(stepAfter(position), { dealer, status, ...position });
          read = rows.length;
          const last = rows.at(-1);
          if (last !== undefined) position = { "after.created_at": last.created_at, "after.id": last.id };
          yield rows.map(vehicleOf);
        }
      }
    },
  };
};
