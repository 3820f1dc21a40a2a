import { sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { FeedVehicle } from "../../../core/channels/channel.ts";
import { isOffered } from "../../../core/channels/feed-rows.ts";
import type { Clock } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import { type FeedFields, feedFilterOf } from "../../../core/feeds/feed.ts";
import { AS_STORED, type ShownAddresses } from "../../../core/images/own-address.ts";
import { type FeedsOfVehicle, MAX_FEEDS } from "../../../core/readiness/feeds-of-vehicle.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { isVin } from "../../../core/vin/vin.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, scopedStatement, statement, statementCache } from "../query/statement.ts";
import { conditionOf, locatedFilters, rowPlanOf } from "../vehicles/filter-plan.ts";
import { feedDealerIn, feedDealerStatement } from "./feed-dealer.ts";
import { FEED_COLUMNS, ownerOf, storedOf } from "./stored.ts";

/** A vehicle in a feed: the given vehicle, or one with the same VIN or stock number. */
type FeedCandidate = Pick<Vehicle, "id" | "dealer_id" | "vin" | "stock_number" | "created_at" | "publish" | "stage">;

const isNewer = (one: FeedCandidate, other: FeedCandidate): boolean =>
  one.created_at > other.created_at || (one.created_at === other.created_at && one.id > other.id);

/** The feeds that contain a vehicle, in SQL; see the port for what it guarantees. */
export const makeFeedsOfVehicle = (
  db: SqlDatabase,
  clock: Pick<Clock, "now" | "parse">,
  shown: ShownAddresses = AS_STORED,
): FeedsOfVehicle => {
  const located = locatedFilters(db);
  const documents = scopedStatement<{ document: string }>((narrowed) =>
    db
      .selectFrom("vehicle_documents")
      .select("document")
      .where("id", "=", param("id"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
  );
  const images = statement(() =>
    db
      .selectFrom("vehicle_images")
      .select("image_url")
      .where("vehicle_id", "=", param("id"))
      .orderBy("is_primary", "desc")
      .orderBy("display_order")
      .orderBy("id"),
  );
  const dealers = feedDealerStatement(db);
  const feeds = scopedStatement((narrowed) =>
    db
      .selectFrom("feeds")
      .select(FEED_COLUMNS)
      .where("deleted_at", "is", null)
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope")))
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(sql.lit(MAX_FEEDS)),
  );
  const candidates = statementCache<FeedCandidate>();

  /** The vehicles in the feed that are the given one, or that may have the same VIN or stock number. */
  const foundBy = async (fields: FeedFields, { vehicle }: FeedVehicle): Promise<readonly FeedCandidate[]> => {
    const filter = feedFilterOf(fields.filters, clock);
    if (filter instanceof Failure) return [];
    const scope = ownerOf(fields);
    const plan = rowPlanOf(db, scope, await located(scope, filter));
    const query = candidates(plan.name, () => {
      const rows = sql<FeedCandidate>`SELECT id, dealer_id, vin, stock_number, created_at, publish, stage FROM vehicles
        WHERE (id = ${param("own.id")} OR lower(vin) = ${param("own.vin")}
          OR (lower(stock_number) = ${param("own.stock")} AND dealer_id = ${param("own.dealer")}))
        AND ${conditionOf(plan)}`;
      return { compile: () => rows.compile(db) };
    });
    return db.all(query, {
      ...plan.values,
      "own.id": vehicle.id,
      "own.vin": (vehicle.vin ?? "").toLowerCase(),
      "own.stock": (vehicle.stock_number ?? "").toLowerCase(),
      "own.dealer": vehicle.dealer_id,
    });
  };

  return {
    async of(id: number, scope: DealerScope) {
      const within = scope === null ? {} : { scope };
      const [row] = await db.all(documents(scope), { id, ...within });
      if (row === undefined) return null;
      const vehicle = JSON.parse(row.document) as Vehicle;
      const dealerRow = await db.first(dealers, { id: vehicle.dealer_id });
      if (dealerRow === null) return null;
      const dealer = feedDealerIn(dealerRow);
      const addresses = await db.all(images, { id });
      const published: FeedVehicle = { vehicle, images: addresses.map(({ image_url }) => shown(image_url)), dealer };
      const finding = [];
      for (const { id: feed, fields } of (await db.all(feeds(scope), within)).map(storedOf)) {
        const { channel, dealer_ids: of } = fields;
        if (of !== null && !of.includes(vehicle.dealer_id)) continue;
        const found = (await foundBy(fields, published)).filter((one) => of === null || of.includes(one.dealer_id));
        const inFeed = found.find((one) => one.id === id);
        if (inFeed === undefined) continue;
        // A vehicle that is kept out cannot be a duplicate in the feed.
        const offered = isOffered(inFeed, fields) ? found.filter((one) => isOffered(one, fields)) : [];
        const newer = offered.filter((one) => isNewer(one, inFeed));
        const capitals = (vehicle.vin ?? "").toUpperCase();
        finding.push({
          id: feed,
          channel,
          settings: fields,
          repeated: {
            vin: isVin(capitals) && newer.some(({ vin }) => vin?.toUpperCase() === capitals),
            stock_number:
              vehicle.stock_number !== null &&
              newer.some((one) => one.stock_number === vehicle.stock_number && one.dealer_id === vehicle.dealer_id),
          },
        });
      }
      return { published, feeds: finding };
    },
  };
};
