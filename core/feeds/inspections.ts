import { scopeOf } from "../access/decide.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import { feedsAreMadeByThoseWhoMayReadThem } from "../access/rules/feeds-are-made-by-those-who-may-read-them.ts";
import { type CurrentRequest, fairTurns, requesterOf } from "../access/turns.ts";
import { useCase } from "../access/use-case.ts";
import type { FeedVehicle } from "../channels/channel.ts";
import { feedFile } from "../channels/feed-file.ts";
import { type FeedRow, feedRows } from "../channels/feed-rows.ts";
import type { ReadinessIssue } from "../channels/issue.ts";
import type { Clock } from "../clock.ts";
import { Failure, notFound, type Outcome } from "../failure.ts";
import type { CursorPage, ListPosition } from "../imports/import-repository.ts";
import { LONG_BYTES } from "../page.ts";
import { countReadiness, type ReadinessCounts } from "../readiness/count.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { type FindingsQuery, feedFilterOf, type PreviewQuery } from "./feed.ts";
import type { FeedRepository, FeedService } from "./feed-repository.ts";

/** At most two whole feeds are read at the same time, one for each requester. Other requests wait for their turn. */
const CONCURRENT_READINGS = 2;

/** The first rows of a feed. Each is an object whose keys are the headings. */
export interface FeedPreview {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The number of vehicles that were read for these rows, and how many of them are not in the feed. */
  readonly looked_at: number;
  readonly left_out: number;
}

/** A vehicle of a feed that breaks rules. */
export interface FeedFinding
  extends Pick<Vehicle, "dealer_id" | "year" | "make" | "model" | "trim" | "vin" | "stock_number"> {
  readonly vehicle_id: number;
  /** True if no error keeps the vehicle out of the feed. */
  readonly ready: boolean;
  /** The address of its first image; `null` if it has none. */
  readonly image_url: string | null;
  readonly issues: readonly ReadinessIssue[];
}

interface Parts {
  readonly feeds: Pick<FeedRepository, "stored">;
  readonly service: Pick<FeedService, "read">;
  readonly clock: Clock;
  /** The maximum time in milliseconds for which a request may read vehicles. */
  readonly maxMs: number;
  /** Lets other work run between slices. */
  readonly pause: () => Promise<void>;
  /** Returns the current request, which tells whether its client still waits. */
  readonly currentRequest: CurrentRequest;
}

/** Receives a vehicle of a feed with its row. If it returns false, reading ends. */
type Visit = (of: FeedVehicle, row: FeedRow) => boolean;

/** Use cases that examine what feeds contain now. None of them counts as a fetch. */
export const makeFeedInspections = ({ feeds, service, clock, maxMs, pause, currentRequest }: Parts) => {
  const inTurn = fairTurns(CONCURRENT_READINGS, currentRequest);

  /** Visits each vehicle of a feed that the caller may reach. Returns a failure, or `null`. */
  const visitVehicles = async (
    { principal, operation, id }: { readonly principal: Principal; readonly operation: Operation; readonly id: number },
    visit: Visit,
  ) => {
    const endsMs = clock.steadyMs() + maxMs;
    const stored = await feeds.stored(id, scopeOf(principal));
    if (stored === null) return notFound("feed", id);
    const { channel, dealer_ids: dealerIds, filters } = stored.fields;
    // Counts by rule show no vehicle.
    const unreadable = operation === "feed.readiness" ? null : feedsAreMadeByThoseWhoMayReadThem(principal, dealerIds);
    if (unreadable !== null) return unreadable;
    const filter = feedFilterOf(filters, clock);
    if (filter instanceof Failure) return filter;
    await inTurn(requesterOf(principal), async () => {
      const reading = service.read({ dealerIds, filter, endsMs });
      try {
        const { row } = feedRows(channel, stored.fields);
        for (const read of reading.vehicles()) {
          for (const one of await read()) if (!visit(one, row(one))) return;
          await pause();
        }
      } finally {
        reading.release();
      }
    });
    return null;
  };

  return {
    /** The first rows that the channel would get. There are fewer than `limit` if the rows are long. */
    preview: useCase(
      "feed.preview",
      async (principal, id: number, { limit = 10 }: PreviewQuery): Promise<Outcome<FeedPreview>> => {
        const stored = await feeds.stored(id, scopeOf(principal));
        const file = stored && feedFile(stored.fields.channel, "ndjson");
        const rows: Record<string, unknown>[] = [];
        let [lookedAt, leftOut, characters] = [0, 0, 0];
        const refused = await visitVehicles({ principal, operation: "feed.preview", id }, (_, { cells }) => {
          lookedAt++;
          if (cells === null || file === null) {
            leftOut++;
            return true;
          }
          const line = file.line(cells);
          characters += line.length;
          rows.push(JSON.parse(line));
          return rows.length < limit && characters < LONG_BYTES;
        });
        return refused ?? { rows, looked_at: lookedAt, left_out: leftOut };
      },
    ),

    /** The number of the feed's vehicles that are ready, and the rules that its vehicles break. */
    readiness: useCase("feed.readiness", async (principal, id: number): Promise<Outcome<ReadinessCounts>> => {
      const counted = countReadiness();
      const refused = await visitVehicles({ principal, operation: "feed.readiness", id }, (_, { issues }) => {
        counted.add(issues);
        return true;
      });
      return refused ?? counted.counts();
    }),

    /** The vehicles that break a rule, newest first, after a position. */
    findings: useCase(
      "feed.findings",
      async (
        principal,
        id: number,
        { rule, severity, field, limit = 100, after = null }: FindingsQuery & { readonly after?: ListPosition | null },
      ): Promise<Outcome<CursorPage<FeedFinding, ListPosition>>> => {
        const found: { readonly finding: FeedFinding; readonly at: string }[] = [];
        let total = 0;
        const isBehind = ({ id: number, created_at }: Vehicle): boolean =>
          after === null || created_at < after.at || (created_at === after.at && number < after.id);
        const refused = await visitVehicles(
          { principal, operation: "feed.findings", id },
          ({ vehicle, images }, { cells, issues }) => {
            const isWanted = issues.some(
              (issue) =>
                (rule ?? issue.rule) === issue.rule &&
                (severity ?? issue.severity) === issue.severity &&
                (field ?? issue.field) === issue.field,
            );
            if (!isWanted) return true;
            total++;
            if (found.length <= limit && isBehind(vehicle)) {
              const { dealer_id, year, make, model, trim, vin, stock_number } = vehicle;
              const named = { vehicle_id: vehicle.id, dealer_id, year, make, model, trim, vin, stock_number };
              const image_url = images[0] ?? null;
              found.push({ finding: { ...named, ready: cells !== null, image_url, issues }, at: vehicle.created_at });
            }
            return true;
          },
        );
        if (refused !== null) return refused;
        const items = found.slice(0, limit);
        const last = items.at(-1);
        return {
          items: items.map(({ finding }) => finding),
          total,
          next: found.length > limit && last !== undefined ? { id: last.finding.vehicle_id, at: last.at } : null,
        };
      },
    ),
  };
};

export type FeedInspections = ReturnType<typeof makeFeedInspections>;
