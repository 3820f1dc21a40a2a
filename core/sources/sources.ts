import { scopeOf } from "../access/decide.ts";
import {
  missingDealerIssues,
  newRecordsBelongToTheCallersDealer,
} from "../access/rules/new-records-belong-to-the-callers-dealer.ts";
import { endedByAfter, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { scopedChanges } from "../access/scoped-change.ts";
import { useCase } from "../access/use-case.ts";
import { type Clock, type Timestamp, timestampAt } from "../clock.ts";
import { cronOf, followingTick, type TimeZone, tickAfter } from "../cron/cron.ts";
import { type Egress, targetFailure } from "../egress/egress.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import type { CursorPage, ListPosition } from "../imports/import-repository.ts";
import { photosOffFailure } from "../imports/reception.ts";
import type { Issue } from "../issues.ts";
import { requireChange } from "../validation.ts";
import { UNKNOWN_DEALER } from "../vehicles/vehicle-repository.ts";
import { unknownDealer } from "../vehicles/vehicles.ts";
import { issuesOf, newSource, type Source, type SourceListQuery, sourceChanges } from "./source.ts";
import { rightsFailure, runRefusal, sourceChanged } from "./source-changes.ts";
import { type SourceFields, type SourceRepository, type StoredSource, TOO_MANY_SOURCES } from "./source-repository.ts";

interface Parts {
  readonly sources: SourceRepository;
  readonly clock: Clock;
  /** Finds a time zone by its name; `null` if the name is unknown. */
  readonly timeZone: (name: string) => TimeZone | null;
  readonly egress: Pick<Egress, "refusal">;
  /** Why no photos are taken; `null` if they are. */
  readonly photosOff?: string | null;
  /** Tells the job runner that there is work. */
  readonly nudge: () => void;
}

/** The maximum number of sources of a dealer. */
const MAX_SOURCES = 50;

const TOO_MANY = invalid({
  path: "dealer_id",
  message: `has ${MAX_SOURCES} sources already, as many as a dealer may have`,
});

/** The address in a body, valid or not. */
const addressIn = (input: unknown): string | null =>
  typeof input === "object" && input !== null && "url" in input && typeof input.url === "string" ? input.url : null;

/** Use cases of sources: files that are fetched on a schedule and imported. */
export const makeSources = ({ sources, clock, timeZone, egress, photosOff = null, nudge }: Parts) => {
  const clockIssues = ({ schedule, timezone }: Partial<SourceFields>): Issue[] => {
    const cron = schedule === undefined ? null : cronOf(schedule);
    return [
      ...(typeof cron === "string" ? [{ path: "schedule", message: cron }] : []),
      ...(timezone !== undefined && timeZone(timezone) === null
        ? [{ path: "timezone", message: "must be a time zone of the IANA database, such as Europe/Berlin" }]
        : []),
    ];
  };
  const issues = (fields: Readonly<Record<string, unknown>>): readonly Issue[] => [
    ...issuesOf(fields),
    ...clockIssues(fields as Partial<SourceFields>),
  ];

  /** The failure of an invalid body, which also says what is wrong with its address. */
  const withTarget = (failure: Failure, input: unknown): Failure => {
    const address = addressIn(input);
    const refused = address === null ? null : targetFailure(egress, address);
    if (refused?.cause.kind !== "target-refused" || failure.cause.kind !== "invalid") return failure;
    const others = failure.cause.issues.filter(({ path }) => path !== "url");
    if (others.length === 0) return refused;
    return new Failure({ ...failure.cause, issues: [refused.cause.issue, ...others] });
  };

  /** The first tick after a time. With `followingTick`, `at` must be a tick, and the result is the next one. */
  const nextTick = (
    { schedule, timezone, active }: Pick<SourceFields, "schedule" | "timezone" | "active">,
    at: number,
    next = tickAfter,
  ): Timestamp | null => {
    const [cron, zone] = [cronOf(schedule), timeZone(timezone)];
    const tick = !active || typeof cron === "string" || zone === null ? null : next(cron, zone, at);
    return tick === null ? null : timestampAt(tick);
  };

  const changing = scopedChanges(clock);

  /** Requests a fetch of every source that is due. */
  const tickAll = async (): Promise<void> => {
    const now = clock.now();
    const due = await sources.due(now);
    for (const source of due) {
      if (source.nextAt === null) continue;
      // If ticks were missed because no process ran, there is only one fetch.
      await sources.tick(source.id, source.nextAt, nextTick(source, clock.nowMs(), followingTick));
    }
    if (due.length > 0) nudge();
  };

  return {
    create: useCase("source.create", async (principal, input: unknown): Promise<Outcome<Source>> => {
      const scope = scopeOf(principal);
      const body = newSource.parse(input, (fields) => [...issues(fields), ...missingDealerIssues(scope, input)]);
      if (body instanceof Failure) return withTarget(body, input);
      const refusedTarget = targetFailure(egress, body.url);
      if (refusedTarget !== null) return refusedTarget;
      const { dealer_id, auth, timezone = "UTC", options = {}, field_owners = {}, active = true, ...others } = body;
      const dealerId = newRecordsBelongToTheCallersDealer(scope, dealer_id);
      if (dealerId === undefined) throw new Error("the schema and the rule let a source without a dealer pass");
      const lacking = rightsFailure(principal, options) ?? photosOffFailure(options, photosOff);
      if (lacking !== null) return lacking;
      const fields = { ...others, timezone, options, field_owners, active };
      const made = await sources.insert({
        dealerId,
        most: MAX_SOURCES,
        source: {
          ...fields,
          auth: auth ?? null,
          endedBy: endedByAfter(rankOf(principal), null, { active, endedAgain: false }),
          nextAt: nextTick(fields, clock.nowMs()),
          isReset: true,
          failures: 0,
          failingSince: null,
        },
        now: clock.now(),
        by: principal,
      });
      if (made === TOO_MANY_SOURCES) return TOO_MANY;
      return made === UNKNOWN_DEALER ? unknownDealer(dealerId) : made;
    }),

    list: useCase(
      "source.list",
      async (
        principal,
        { dealer_id, limit = 100 }: SourceListQuery,
        after: ListPosition | null = null,
      ): Promise<Outcome<CursorPage<Source, ListPosition>>> => {
        const scope = scopeOf(principal);
        return sources.list({ scope, ...(dealer_id !== undefined && { dealerId: dealer_id }), limit, after });
      },
    ),

    get: useCase(
      "source.read",
      async (principal, id: number): Promise<Outcome<Source>> =>
        (await sources.find(id, scopeOf(principal))) ?? notFound("source", id),
    ),

    /** Changes a source. The person who changed it last makes its imports. */
    update: useCase("source.update", async (principal, id: number, input: unknown): Promise<Outcome<Source>> => {
      const body = requireChange(sourceChanges.parse(input, issues));
      if (body instanceof Failure) return withTarget(body, input);
      const decide = (stored: StoredSource) =>
        sourceChanged(stored, body, {
          by: principal,
          photosOff,
          targetFailure: (address) => targetFailure(egress, address),
          nextTick: (fields) => nextTick(fields, clock.nowMs()),
        });
      return (await sources.change(changing(principal, id), decide)) ?? notFound("source", id);
    }),

    /** Removes a source. Its imports are kept. */
    remove: useCase("source.delete", async (principal, id: number): Promise<Outcome<true>> => {
      return (await sources.remove(changing(principal, id))) || notFound("source", id);
    }),

    /** Requests a fetch now. The source may be switched off, unless a higher rank did so. */
    run: useCase("source.run", async (principal, id: number): Promise<Outcome<Source>> => {
      const requested = await sources.request(id, scopeOf(principal), (stored) => runRefusal(stored, principal));
      if (requested === null) return notFound("source", id);
      if (!(requested instanceof Failure)) nudge();
      return requested;
    }),

    tickAll,
  };
};

export type Sources = ReturnType<typeof makeSources>;
