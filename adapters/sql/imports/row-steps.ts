import { sql } from "kysely";
import type { RowReads, RowStep, RowTransactions } from "../../../core/imports/import-repository.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import type { VehicleTransactions } from "../../../core/vehicles/vehicle-transactions.ts";
import { within } from "../audit/audited-change.ts";
import { imageChanges } from "../images/changes.ts";
import { photoFacts } from "../images/photo-facts.ts";
import { photosOfAddresses } from "../photos/photos-of-addresses.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { param, sqlStatement, statement } from "../query/statement.ts";
import type { VehicleWords } from "../search/vehicle-words.ts";
import { vehicleChanges } from "../vehicles/changes.ts";
import { vehicleDuplicates } from "../vehicles/duplicates.ts";
import { recordOf, vehicleById } from "../vehicles/records.ts";
import { vehicleRemoval } from "../vehicles/removal.ts";
import { storedBases } from "./bases.ts";

interface RowStepOptions {
  readonly words: VehicleWords;
  /** Lets other work run between the changes of a step, the update of its search words, and its commit. */
  readonly pause: () => Promise<void>;
}

/**
 * Collects the changed vehicles of a step, and updates all their search words at its end: the index can take many at
 * once cheaply.
 */
const deferredWords = (words: VehicleWords) => {
  const changed = new Set<number>();
  const add = (...ids: readonly number[]): void => {
    for (const id of ids) changed.add(id);
  };
  return {
    deferred: {
      ...words,
      inserted: (vehicle) => words.inserted(vehicle) && (async (_, rows) => add(...rows.map((row) => row.resource_id))),
      keep: async (_, ...ids) => add(...ids),
    } satisfies VehicleWords,
    /** Updates the search words within the transaction of the step. */
    make: (tx: Tx) => words.keep(tx, ...changed),
    forget: () => changed.clear(),
  };
};

const statementsOf = (db: SqlDatabase) => {
  const keys = db.jsonRows(param<string>("keys"), { vin: "text", stock_number: "text" });
  return {
    dealer: statement(() =>
      db.selectFrom("dealers").select("id").where("id", "=", param("id")).modifyEnd(db.forKeyShare),
    ),
    coded: sqlStatement(
      db,
      sql<{ folded: string; dealer_id: number }>`SELECT folded, dealer_id FROM dealer_codes WHERE folded IN (
        SELECT folded FROM ${db.jsonRows(param<string>("codes"), { folded: "text" })} AS given)`,
    ),
    // Like in all changes of vehicles, they are locked first, in the order of their ids.
    vehicles: sqlStatement(
      db,
      sql<{ id: number }>`SELECT id FROM vehicles WHERE id IN (
          SELECT found.id FROM ${keys} AS given CROSS JOIN vehicles AS found
            WHERE lower(found.vin) = given.vin AND found.dealer_id = ${param("dealer")}
          UNION SELECT found.id FROM ${keys} AS given CROSS JOIN vehicles AS found
            WHERE lower(found.stock_number) = given.stock_number AND found.dealer_id = ${param("dealer")}
          UNION SELECT found.id FROM ${keys} AS given CROSS JOIN vehicle_spellings AS spelled CROSS JOIN vehicles AS found
            WHERE spelled.field = 'stock_number' AND spelled.folded = given.stock_number
              AND lower(found.stock_number) = lower(spelled.value) AND found.dealer_id = ${param("dealer")}
          UNION SELECT found.id FROM ${db.jsonRows(param<string>("ids"), { id: "integer" })} AS given
            CROSS JOIN vehicles AS found WHERE found.id = given.id AND found.dealer_id = ${param("dealer")})
        ORDER BY id ${db.forUpdate}`,
    ),
    images: sqlStatement(
      db,
      sql<{
        id: number;
        vehicle_id: number;
        image_url: string;
        is_primary: number;
      }>`SELECT id, vehicle_id, image_url, is_primary FROM vehicle_images
        WHERE vehicle_id IN (SELECT id FROM ${db.jsonRows(param<string>("ids"), { id: "integer" })} AS given)
        ORDER BY vehicle_id, display_order, id`,
    ),
    soldPrices: sqlStatement(
      db,
      sql<{ vehicle_id: number; sold_cents: number }>`SELECT vehicle_id, sold_cents FROM vehicle_sales
        WHERE vehicle_id IN (SELECT id FROM ${db.jsonRows(param<string>("ids"), { id: "integer" })} AS given)
          AND present = 1 AND sold_cents IS NOT NULL`,
    ),
    documents: sqlStatement(
      db,
      sql<{ document: string }>`SELECT document FROM vehicle_documents
        WHERE id IN (SELECT id FROM ${db.jsonRows(param<string>("ids"), { id: "integer" })} AS given) ORDER BY id`,
    ),
  };
};

/** Makes steps that process rows within the caller's transactions. */
export const rowSteps = (db: SqlDatabase, parts: RowStepOptions) => {
  const statements = statementsOf(db);
  const duplicates = vehicleDuplicates(db);
  const bases = storedBases(db);
  const factsOfPhoto = photoFacts(db);
  const photosOf = photosOfAddresses(db);
  const changeImages = imageChanges(db);
  const found = vehicleById(db);
  const removed = vehicleRemoval(db);

  const documentsOf = async (tx: Tx, ids: readonly { readonly id: number }[]): Promise<readonly Vehicle[]> => {
    if (ids.length === 0) return [];
    const rows = await tx.all(statements.documents, { ids: JSON.stringify(ids.map(({ id }) => [id])) });
    return rows.map(({ document }) => JSON.parse(document) as Vehicle);
  };

  const readsIn = (tx: Tx): Omit<RowReads, "basesOf"> => ({
    hasDealer: async (dealer) => (await tx.all(statements.dealer, { id: dealer })).length > 0,
    async dealersWithCodes(folded) {
      const rows = await tx.all(statements.coded, { codes: JSON.stringify(folded.map((code) => [code])) });
      return new Map(rows.map((row) => [row.folded, row.dealer_id]));
    },
    async vehiclesWith(dealer, { keys, ids }) {
      const values = {
        dealer,
        keys: JSON.stringify(keys.map(({ vin, stock_number }) => [vin, stock_number])),
        ids: JSON.stringify(ids.map((one) => [one])),
      };
      return documentsOf(tx, await tx.all(statements.vehicles, values));
    },
    async imagesOf(vehicleIds) {
      const rows = await tx.all(statements.images, { ids: JSON.stringify(vehicleIds.map((one) => [one])) });
      const byVehicle = Map.groupBy(rows, ({ vehicle_id }) => vehicle_id);
      return new Map(
        [...byVehicle].map(([vehicle, some]) => [
          vehicle,
          some.map((one) => ({ id: one.id, address: one.image_url, isPrimary: one.is_primary === 1 })),
        ]),
      );
    },
    async soldPricesOf(vehicleIds) {
      const rows = await tx.all(statements.soldPrices, { ids: JSON.stringify(vehicleIds.map((one) => [one])) });
      return new Map(rows.map(({ vehicle_id, sold_cents }) => [vehicle_id, sold_cents / 100]));
    },
    refusedDuplicates: (vehicle, except) => duplicates.refused(tx, vehicle, except),
    hasPhoto: async (dealer, address) => (await factsOfPhoto(tx, dealer, address)) !== null,
    photosOf: (dealer, addresses) => photosOf(tx, dealer, addresses),
  });

  const stepIn = (tx: Tx, vehicles: ReturnType<typeof vehicleChanges>): RowStep => {
    const { basesOf, storeBases } = bases(tx);
    return {
      reads: { ...readsIn(tx), basesOf },
      vehicles: {
        ...vehicles(within(tx)),
        find: async (id, scope) => recordOf(id, (await tx.all(found(scope), { id, scope }))[0]),
        remove: (removal) => removed(tx, removal),
      },
      images: { change: (change, decide) => changeImages(tx, change, decide) },
      storeBases,
    };
  };

  return {
    /** The vehicles with these ids, in the order of their ids. */
    documentsOf,
    /** Runs the steps of one sender one after another. Statements are compiled only once for all of them. */
    join() {
      const words = deferredWords(parts.words);
      const vehicles = vehicleChanges(db, words.deferred);
      return {
        async within<Result>(tx: Tx, work: (step: RowStep) => Promise<Result>): Promise<Result> {
          words.forget();
          const result = await work(stepIn(tx, vehicles));
          await parts.pause();
          await words.make(tx);
          await parts.pause();
          return result;
        },
      };
    },
  };
};

/** Processes the vehicles of a request as rows, in SQL; see the port for what it guarantees. */
export const makeRowWork = (db: SqlDatabase, parts: RowStepOptions): RowTransactions & VehicleTransactions => {
  const steps = rowSteps(db, parts);
  // Each of them remembers what it has stored, so that one whose transaction failed is not used again.
  const idle: ReturnType<typeof steps.join>[] = [];
  return {
    async once(work) {
      const own = idle.pop() ?? steps.join();
      const result = await db.write((tx) => own.within(tx, work));
      idle.push(own);
      return result;
    },
    begin() {
      const own = steps.join();
      return (work) => db.write((tx) => own.within(tx, work));
    },
  };
};
