import { admit, scopeOf } from "../access/decide.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import type { FeedVehicle } from "../channels/channel.ts";
import { feedFile } from "../channels/feed-file.ts";
import { type FeedRow, feedRows } from "../channels/feed-rows.ts";
import type { Clock } from "../clock.ts";
import { Failure, notFound, type Outcome } from "../failure.ts";
import type { CursorPage, ListPosition } from "../imports/import-repository.ts";
import { LONG_BYTES } from "../page.ts";
import { countReadiness, type ReadinessCounts } from "../readiness/count.ts";
import type { ReadinessIssue } from "../readiness/issue.ts";
import { type CurrentRequest, fairTurns, partyOf } from "../turns.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { type FindingsQuery, feedFilterOf, type PreviewQuery } from "./feed.ts";
import type { FeedRepository, FeedService } from "./feed-repository.ts";

/** Whole feeds are looked at two at a time, one of each party; others wait for their turn. */
const AT_ONCE = 2;

/** The first rows of a feed, by their headings. */
export interface FeedPreview {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** How many vehicles were looked at for these rows, and how many of them are left out. */
  readonly looked_at: number;
  readonly left_out: number;
}

/** A vehicle of a feed that breaks rules. */
export interface FeedFinding
  extends Pick<Vehicle, "dealer_id" | "year" | "make" | "model" | "trim" | "vin" | "stock_number"> {
  readonly vehicle_id: number;
  /** True if no error leaves it out. */
  readonly ready: boolean;
  readonly issues: readonly ReadinessIssue[];
}

interface Parts {
  readonly feeds: Pick<FeedRepository, "stored">;
  readonly service: Pick<FeedService, "read">;
  readonly clock: Clock;
  /** How long one request may look at vehicles, in milliseconds. */
  readonly mostMs: number;
  /** Lets the work of others come between. */
  readonly pause: () => Promise<void>;
  /** Tells whether anybody still waits for a turn. */
  readonly currentRequest?: CurrentRequest;
}

/** Takes one vehicle of a feed, with its row; false if it wants no more. */
type Visit = (of: FeedVehicle, row: FeedRow) => boolean;

/** Looks at what feeds have now. Nothing of it counts as a fetch. */
export const makeSurveys = ({ feeds, service, clock, mostMs, pause, currentRequest }: Parts) => {
  const inTurn = fairTurns(AT_ONCE, currentRequest);

  /** Reads a feed from its beginning, for a caller who may do this; its channel. */
  const survey = async (
    { principal, operation, id }: { readonly principal: Principal; readonly operation: Operation; readonly id: number },
    visit: Visit,
  ) => {
    const refused = admit(principal, operation);
    if (refused !== null) return refused;
    const endsMs = clock.steadyMs() + mostMs;
    const stored = await feeds.stored(id, scopeOf(principal));
    if (stored === null) return notFound("feed", id);
    const { channel, dealer_ids: dealerIds, filters } = stored.fields;
    const filter = feedFilterOf(filters, clock);
    if (filter instanceof Failure) return filter;
    await inTurn(partyOf(principal), async () => {
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
    /** The first rows that the channel would get; fewer than `limit` where they are long. */
    async preview(principal: Principal, id: number, { limit = 10 }: PreviewQuery): Promise<Outcome<FeedPreview>> {
      const stored = await feeds.stored(id, scopeOf(principal));
      const file = stored && feedFile(stored.fields.channel, "ndjson");
      const rows: Record<string, unknown>[] = [];
      let [lookedAt, leftOut, characters] = [0, 0, 0];
      const refused = await survey({ principal, operation: "feed.preview", id }, (_, { cells }) => {
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

    /** How many of its vehicles are ready, and which rules the others break. */
    async readiness(principal: Principal, id: number): Promise<Outcome<ReadinessCounts>> {
      const counted = countReadiness();
      const refused = await survey({ principal, operation: "feed.readiness", id }, (_, { issues }) => {
        counted.add(issues);
        return true;
      });
      return refused ?? counted.counts();
    },

    /** The vehicles that break a rule, the newest first, behind a position. */
    async findings(
      principal: Principal,
      id: number,
      { rule, severity, field, limit = 100, after = null }: FindingsQuery & { readonly after?: ListPosition | null },
    ): Promise<Outcome<CursorPage<FeedFinding, ListPosition>>> {
      const found: { readonly finding: FeedFinding; readonly at: string }[] = [];
      let total = 0;
      const isBehind = ({ id: number, created_at }: Vehicle): boolean =>
        after === null || created_at < after.at || (created_at === after.at && number < after.id);
      const refused = await survey({ principal, operation: "feed.findings", id }, ({ vehicle }, { cells, issues }) => {
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
          found.push({ finding: { ...named, ready: cells !== null, issues }, at: vehicle.created_at });
        }
        return true;
      });
      if (refused !== null) return refused;
      const items = found.slice(0, limit);
      const last = items.at(-1);
      return {
        items: items.map(({ finding }) => finding),
        total,
        next: found.length > limit && last !== undefined ? { id: last.finding.vehicle_id, at: last.at } : null,
      };
    },
  };
};

export type Surveys = ReturnType<typeof makeSurveys>;
