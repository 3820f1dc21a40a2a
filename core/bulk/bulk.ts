import { admit, scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { dealersKeyMayNotMoveVehicle } from "../access/rules/dealers-key-may-not-move-vehicle.ts";
import type { Clock, Timestamp } from "../clock.ts";
import type { DealerRepository } from "../dealers/dealer-repository.ts";
import { Failure, invalid, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { retryOnConflict } from "../retry.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { UNKNOWN_DEALER, type VehicleRepository, type VehicleUpdate } from "../vehicles/vehicle-repository.ts";
import { checkedChanges, unknownDealer, type Vehicles, vehicleUpdateOf } from "../vehicles/vehicles.ts";
import {
  asksRemoval,
  type BulkRequest,
  bulkRequestIn,
  MOST_CHANGED,
  type WantedChanges,
  within,
} from "./bulk-change.ts";
import { changedPrice } from "./price-change.ts";

/** What became of a vehicle, or would in a dry run. */
export const BULK_OUTCOMES = ["updated", "unchanged", "removed", "failed", "not_found"] as const;
type BulkOutcome = (typeof BULK_OUTCOMES)[number];

interface BulkResult {
  readonly id: number;
  readonly outcome: BulkOutcome;
  /** Why it failed; empty for other outcomes. */
  readonly issues: readonly Issue[];
}

/** What became of all of them. */
export interface BulkAnswer {
  readonly dry_run: boolean;
  readonly total: number;
  readonly results: readonly BulkResult[];
}

/** So many are changed at once: requests of others come between, and take their turns at the database. */
const AT_ONCE = 16;

interface Parts {
  readonly vehicles: Pick<VehicleRepository, "find" | "update" | "remove">;
  readonly list: Vehicles["list"];
  readonly dealers: Pick<DealerRepository, "exists">;
  readonly clock: Clock;
  /** How long one request may begin changes, in milliseconds: its answer must still reach the client. */
  readonly maxMs: number;
  /** Lets the work of others come between. */
  readonly pause: () => Promise<void>;
  /** True for an error of the database that says nothing about the change itself. */
  readonly isUnavailable: (error: unknown) => boolean;
}

/** Whose request it is, and whether the caller may still do what it could. */
interface Asked {
  readonly principal: Principal;
  readonly mayGoOn: () => MaybePromise<boolean>;
}

/** One vehicle of a request. */
interface One {
  readonly principal: Principal;
  readonly id: number;
  /** It must be of this version, if there is one. */
  readonly version: Timestamp | undefined;
  readonly isDryRun: boolean;
  /** True if a dry run moves it to a dealer that does not exist. A change finds that out as it is made. */
  readonly movesNowhere: boolean;
}

const isOther = ({ updated_at }: { readonly updated_at: Timestamp }, version: Timestamp | undefined): boolean =>
  version !== undefined && updated_at !== version;

const failed = (id: number, ...issues: readonly Issue[]): BulkResult => ({ id, outcome: "failed", issues });
const became = (id: number, outcome: BulkOutcome): BulkResult => ({ id, outcome, issues: [] });

const NOT_BEGUN = "was not reached in time and is unchanged; ask again for this vehicle";
const NOT_ALLOWED = "was not reached and is unchanged, as the caller's rights have changed";
const OTHER_VERSION = { path: "versions", message: "is of another version by now, and unchanged" };
const UNCONFIRMED = "may have been changed, as the database did not answer; read the vehicle before you ask again";

const differs = (present: Vehicle, changes: VehicleUpdate): boolean =>
  Object.entries(changes).some(([name, value]) => present[name as keyof Vehicle] !== value);

/** Use case of changing many vehicles (interface 6.1). Each succeeds or fails by itself, as if it were asked for alone. */
export const makeBulk = ({ vehicles, list, dealers, clock, maxMs, pause, isUnavailable }: Parts) => {
  /** The ids of the vehicles that are meant; those of a filter are in reach of the caller. */
  const idsOf = async (principal: Principal, which: BulkRequest["which"]): Promise<Outcome<readonly number[]>> => {
    if ("ids" in which) return which.ids;
    const listed = within("filter", await list(principal, { ...which.filter, limit: MOST_CHANGED }));
    if (listed instanceof Failure) return listed;
    const texts = [...listed.vehicles.items];
    for (const read of listed.long?.slices ?? []) texts.push(...(await read()));
    const { total } = listed;
    const expected = which.expectedTotal ?? total;
    if (total !== expected) return new Failure({ kind: "confirmation-stale", expected, total });
    if (total > MOST_CHANGED)
      return invalid({
        path: "filter",
        message: `finds ${total} vehicles; one request changes ${MOST_CHANGED} at most`,
      });
    const ids = texts.map((text) => (JSON.parse(text) as Vehicle).id);
    return ids.length === expected ? ids : new Failure({ kind: "confirmation-stale", expected, total: ids.length });
  };

  const removeOne = async ({ principal, id, version, isDryRun }: One): Promise<BulkResult> => {
    const scope = scopeOf(principal);
    const versions = version === undefined ? null : [version];
    const isRemoved = !isDryRun && (await vehicles.remove({ id, scope, versions, now: clock.now(), by: principal }));
    if (isRemoved) return became(id, "removed");
    const present = isDryRun || version !== undefined ? await vehicles.find(id, scope) : null;
    if (present === null) return became(id, "not_found");
    return isDryRun && !isOther(present, version) ? became(id, "removed") : failed(id, OTHER_VERSION);
  };

  /** Decides beside what the vehicle is, and changes it only if it is still that. */
  const changeOne = (
    { principal, id, version, isDryRun, movesNowhere }: One,
    wanted: WantedChanges,
  ): Promise<BulkResult> => {
    const scope = scopeOf(principal);
    const update = vehicleUpdateOf(clock, wanted.fields);
    return retryOnConflict<BulkResult>(async () => {
      const record = await vehicles.find(id, scope);
      if (record === null) return became(id, "not_found");
      if (isOther(record, version)) return failed(id, OTHER_VERSION);
      if (dealersKeyMayNotMoveVehicle(scope, update.dealer_id) !== null)
        return failed(id, { path: "dealer_id", message: "cannot be changed by a caller that is bound to a dealer" });
      const present = record.parse();
      const price = wanted.price === null ? null : changedPrice(present.price, wanted.price);
      if (typeof price === "object" && price !== null) return failed(id, price);
      const now = clock.now();
      const changes = checkedChanges(present, price === null ? update : { ...update, price }, now);
      if (changes instanceof Failure)
        return failed(id, ...(changes.cause.kind === "invalid" ? changes.cause.issues : []));
      if (!differs(present, changes)) return became(id, "unchanged");
      if (movesNowhere) return failed(id, ...issuesOf(unknownDealer(changes.dealer_id)));
      if (isDryRun) return became(id, "updated");
      const versions = [record.updated_at];
      const updated = await vehicles.update({ id, scope, changes, now, versions, by: principal });
      if (updated === UNKNOWN_DEALER) return failed(id, ...issuesOf(unknownDealer(changes.dealer_id)));
      return updated === null ? null : became(id, "updated");
    });
  };

  return {
    async change({ principal, mayGoOn }: Asked, input: unknown): Promise<Outcome<BulkAnswer>> {
      const begunAt = clock.steadyMs();
      const request = bulkRequestIn(input, clock);
      const refused = admit(principal, asksRemoval(input) ? "vehicle.delete" : "vehicle.update");
      if (refused !== null) return refused;
      if (request instanceof Failure) return request;
      const { what, isDryRun } = request;
      const versions = "versions" in request.which ? request.which.versions : undefined;
      const ids = await idsOf(principal, request.which);
      if (ids instanceof Failure) return ids;
      const dealerId = what === "remove" ? undefined : what.fields.dealer_id;
      const movesNowhere = isDryRun && dealerId !== undefined && !(await dealers.exists(dealerId));
      const one = (id: number): Promise<BulkResult> => {
        const asked = { principal, id, version: versions?.get(id), isDryRun, movesNowhere };
        return what === "remove" ? removeOne(asked) : changeOne(asked, what);
      };

      const results: BulkResult[] = [];
      const rest = (message: string): void => {
        for (const id of ids.slice(results.length)) results.push(failed(id, { path: "", message }));
      };
      while (results.length < ids.length) {
        const isFirst = results.length === 0;
        if (!isFirst) {
          await pause();
          if (clock.steadyMs() - begunAt >= maxMs) rest(NOT_BEGUN);
          else if (!(await mayGoOn())) rest(NOT_ALLOWED);
        }
        const some = ids.slice(results.length, results.length + AT_ONCE);
        const outcomes = await Promise.allSettled(some.map(one));
        const lost = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
        const isNoneDone = isFirst && outcomes.every(({ status }) => status === "rejected");
        if (lost !== undefined && (isNoneDone || !isUnavailable(lost.reason))) throw lost.reason;
        for (const [place, outcome] of outcomes.entries())
          results.push(
            outcome.status === "fulfilled"
              ? outcome.value
              : failed(some[place] ?? 0, { path: "", message: UNCONFIRMED }),
          );
        if (lost !== undefined) rest(NOT_BEGUN);
      }
      return { dry_run: isDryRun, total: results.length, results };
    },
  };
};

export type Bulk = ReturnType<typeof makeBulk>;

const issuesOf = ({ cause }: Failure): readonly Issue[] => (cause.kind === "invalid" ? cause.issues : []);
