import Type from "typebox";
import { scopeOf } from "../access/decide.ts";
import { whyVehicleMissed } from "../access/missed-vehicle.ts";
import { type CurrentRequest, fairTurns, requesterOf } from "../access/turns.ts";
import { useCase } from "../access/use-case.ts";
import { channelRow } from "../channels/feed-rows.ts";
import type { ReadinessIssue } from "../channels/issue.ts";
import type { ChannelName } from "../channels/titles.ts";
import type { Clock } from "../clock.ts";
import { findOrExplain } from "../crossing-changes.ts";
import { Failure, type Outcome } from "../failure.ts";
import { type Input, id } from "../schema.ts";
import type { SettingsRepository } from "../settings/settings-repository.ts";
import type { VehicleRepository } from "../vehicles/vehicle-repository.ts";
import { comparedWith, dealerQuality, type Quality, qualityCounter } from "./dealer-quality.ts";
import type { FeedsOfVehicle } from "./feeds-of-vehicle.ts";
import type { LotRepository } from "./lot-repository.ts";
import { isFarFromPeers } from "./peers.ts";
import { type JudgingContext, qualityIssues } from "./quality.ts";

/** Query of GET /api/quality. */
export const QualityQuery = Type.Object({
  dealer_id: Type.Optional(
    id({ description: "The dealer whose vehicles are rated. Default: all dealers that the caller can access." }),
  ),
});
export type QualityQuery = Input<typeof QualityQuery>;

/** The issues of a vehicle in a feed. */
export interface FeedReadiness {
  readonly feed_id: number;
  readonly channel: ChannelName;
  /** True if there is no error. */
  readonly ready: boolean;
  readonly issues: readonly ReadinessIssue[];
}

/** What is wrong with a vehicle, as it is answered (interface 6.1). */
export interface VehicleReadiness {
  /** Every feed in the caller's reach that the vehicle belongs to. */
  readonly feeds: readonly FeedReadiness[];
  /** Violations of the service's own rules. */
  readonly quality: readonly ReadinessIssue[];
}

/** The quality of vehicles as it is answered. */
export interface AnsweredQuality extends Quality {
  /** The dealer of the vehicles; `null` if they are those of all dealers. */
  readonly dealer_id: number | null;
}

interface Ports {
  readonly lots: LotRepository;
  readonly feeds: FeedsOfVehicle;
  readonly vehicles: Pick<VehicleRepository, "ownerOf">;
  readonly settings: Pick<SettingsRepository, "read">;
  readonly clock: Clock;
  /** Resolves later, so that other work can run meanwhile. */
  readonly pause: () => Promise<void>;
  /** Returns the current request, which tells whether its client still waits. */
  readonly currentRequest: CurrentRequest;
}

/**
 * The number of requests whose lots are rated at the same time, one of each requester. Each keeps some values of every
 * vehicle in memory.
 */
const CONCURRENT_RATINGS = 2;

/**
 * The issues in each feed, found by the same rules that write the feed. A vehicle that was removed meanwhile is in no
 * feed.
 */
const readinessForFeeds = (matched: Awaited<ReturnType<FeedsOfVehicle["of"]>>): readonly FeedReadiness[] =>
  matched === null
    ? []
    : matched.feeds.map(({ id: feed_id, channel, settings, repeated }) => {
        const { cells, issues } = channelRow(channel, { ...matched.published, settings }, repeated);
        return { feed_id, channel, ready: cells !== null, issues };
      });

/** Use cases of readiness and quality (interface 6.1). */
export const makeReadiness = ({ lots, feeds, vehicles, settings, clock, pause, currentRequest }: Ports) => {
  const inTurn = fairTurns(CONCURRENT_RATINGS, currentRequest);
  const judging = async (): Promise<JudgingContext> => ({
    now: clock.now(),
    distanceUnit: (await settings.read()).distance_unit,
  });

  return {
    vehicle: useCase("vehicle.readiness", async (principal, vehicleId: number): Promise<Outcome<VehicleReadiness>> => {
      const vehicle = await findOrExplain(
        () => lots.find(vehicleId, scopeOf(principal)),
        () => whyVehicleMissed(vehicles, { principal, operation: "vehicle.readiness", id: vehicleId }),
      );
      if (vehicle instanceof Failure) return vehicle;
      const { shared, peerPrices } = await lots.peersOf({ ...vehicle, id: vehicleId });
      const isPriceOff = isFarFromPeers(Math.round(vehicle.price * 100), peerPrices);
      return {
        feeds: readinessForFeeds(await feeds.of(vehicleId, scopeOf(principal))),
        quality: qualityIssues(vehicle, await judging(), { ...comparedWith(vehicle, shared), isPriceOff }),
      };
    }),

    /**
     * If the caller is bound to a dealer, that dealer is rated whatever `dealer_id` says. Requests of different dealers
     * take turns.
     */
    quality: useCase("vehicle.quality", async (principal, query: QualityQuery): Promise<Outcome<AnsweredQuality>> => {
      const dealerId = scopeOf(principal) ?? query.dealer_id ?? null;
      return inTurn(requesterOf(principal), async () => {
        const [by, counter] = [await judging(), qualityCounter()];
        // Dealers are rated one by one: a vehicle is compared with those of its dealer only, and no more than one lot
        // is kept in memory.
        for (const dealer of dealerId === null ? await lots.dealers() : [dealerId]) {
          const lot = dealerQuality(by, await lots.shared(dealer));
          for await (const some of lots.lot(dealer)) {
            for (const vehicle of some) lot.add(vehicle);
            await pause();
          }
          await lot.addTo(counter, pause);
        }
        return { dealer_id: dealerId, ...counter.quality() };
      });
    }),
  };
};

export type Readiness = ReturnType<typeof makeReadiness>;
