import type { FeedVehicle } from "../../../core/channels/channel.ts";
import type { Clock } from "../../../core/clock.ts";
import type { ExportedVehicle } from "../../../core/export/vehicle-file.ts";
import type { FeedService } from "../../../core/feeds/feed-repository.ts";
import { AS_STORED, type ShownAddresses } from "../../../core/images/own-address.ts";
import type { Slice } from "../../../core/long-items.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { hasDocument, READ_SIZES, type ReadSizes, vehicleWalk, type WalkedRow } from "../export/walk.ts";
import { DatabaseUnavailable, type Sql, type SqlDatabase } from "../query/database.ts";
import { holdSnapshot } from "../query/held-snapshot.ts";
import { type FilterPlan, locatedFilters, rowPlanOf } from "../vehicles/filter-plan.ts";
import { feedDealerIn, feedDealerStatement } from "./feed-dealer.ts";

/** The walk through the vehicles of one dealer, or of all dealers. */
interface Walk {
  readonly dealer: number | null;
  plan: FilterPlan | null;
  after: WalkedRow | undefined;
  /** Visited vehicles that were not returned yet. */
  rest: readonly WalkedRow[];
  isOver: boolean;
}

const isNewer = (one: WalkedRow, other: WalkedRow): boolean =>
  one.created_at > other.created_at || (one.created_at === other.created_at && one.id > other.id);

/** The number of rows per step, such that all walks together keep about as much in memory as a single walk. */
const stepOf = (walks: number, step: number): number => Math.max(5, Math.floor(step / walks));

/**
 * Reads the vehicles of feeds, newest first. It walks through each dealer separately, so that other dealers' vehicles
 * cost nothing.
 */
export const feedReading = (
  db: SqlDatabase,
  { steadyMs, shown = AS_STORED }: Pick<Clock, "steadyMs"> & { readonly shown?: ShownAddresses },
  { rowsPerStep: maxRowsPerStep, longBytes }: ReadSizes = READ_SIZES,
): FeedService["read"] => {
  const located = locatedFilters(db);
  const dealerOf = feedDealerStatement(db);

  return ({ dealerIds, filter, endsMs = Number.POSITIVE_INFINITY }) => {
    const step = stepOf(dealerIds?.length ?? 1, maxRowsPerStep);
    const { isLong, one, next: nextOf } = vehicleWalk(db, { rowsPerStep: step, longBytes });
    const snapshot = holdSnapshot(db);
    const dealers = new Map<number, FeedVehicle["dealer"]>();

    const readStep = async (on: Sql, walk: Walk): Promise<void> => {
      walk.plan ??= rowPlanOf(db, walk.dealer, await located(walk.dealer, filter));
      const { statement, values, rows } = nextOf(walk.plan, {
        dealer: walk.dealer ?? filter.dealer_id,
        after: walk.after,
      });
      walk.rest = await on.all(statement, values);
      walk.after = walk.rest.at(-1);
      walk.isOver = walk.rest.length < rows;
    };

    const feedVehicles = async (on: Sql, found: readonly ExportedVehicle[]): Promise<FeedVehicle[]> => {
      const made: FeedVehicle[] = [];
      for (const { document, images } of found) {
        const vehicle = JSON.parse(document) as Vehicle;
        let dealer = dealers.get(vehicle.dealer_id);
        if (dealer === undefined) {
          const [row] = await on.all(dealerOf, { id: vehicle.dealer_id });
          dealer = row && feedDealerIn(row);
          if (dealer === undefined) throw new Error(`vehicle ${vehicle.id} has no dealer`);
          dealers.set(dealer.id, dealer);
        }
        made.push({ vehicle, images: images === null ? [] : shown(images).split(" "), dealer });
      }
      return made;
    };

    /**
     * The next vehicles: those before the point where a walk needs another step, or before a long vehicle, which is
     * read alone.
     */
    const take = async (on: Sql, walks: readonly Walk[]): Promise<readonly FeedVehicle[]> => {
      const short: ExportedVehicle[] = [];
      for (;;) {
        let newest: Walk | null = null;
        for (const walk of walks) {
          const [head] = walk.rest;
          const [other] = newest?.rest ?? [];
          if (head !== undefined && (other === undefined || isNewer(head, other))) newest = walk;
        }
        const [row] = newest?.rest ?? [];
        if (newest === null || row === undefined) break;
        if (isLong(row) && short.length > 0) break;
        newest.rest = newest.rest.slice(1);
        if (isLong(row)) return feedVehicles(on, await on.all(one, { id: row.id }));
        if (hasDocument(row)) short.push(row);
        if (newest.rest.length === 0 && !newest.isOver) break;
      }
      return feedVehicles(on, short);
    };

    return {
      *vehicles(): Generator<Slice<FeedVehicle>> {
        const walks = (dealerIds ?? [null]).map(
          (dealer): Walk => ({ dealer, plan: null, after: undefined, rest: [], isOver: false }),
        );
        const waiting = (): Walk | undefined => walks.find(({ rest, isOver }) => rest.length === 0 && !isOver);
        while (walks.some(({ rest, isOver }) => rest.length > 0 || !isOver))
          yield async () => {
            if (steadyMs() > endsMs)
              throw new DatabaseUnavailable("a feed has more vehicles than one request looks at");
            const on = await snapshot.sql;
            const walk = waiting();
            if (walk !== undefined) await readStep(on, walk);
            return waiting() === undefined ? take(on, walks) : [];
          };
      },
      release: snapshot.release,
    };
  };
};
