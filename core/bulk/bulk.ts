import { admit, scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { dealersKeyMayNotMoveVehicle } from "../access/rules/dealers-key-may-not-move-vehicle.ts";
import { useCase } from "../access/use-case.ts";
import { beginChange } from "../changes/named-change.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { retryOnConflict } from "../crossing-changes.ts";
import type { DealerRepository } from "../dealers/dealer-repository.ts";
import { Failure, invalid, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { LotRepository } from "../readiness/lot-repository.ts";
import { type FixableRule, fixOf } from "../readiness/quality-fix.ts";
import type { SettingsRepository } from "../settings/settings-repository.ts";
import type { Storage } from "../storage.ts";
import type { JsonRecord } from "../stored-json.ts";
import { DuplicateVehicle, duplicateIssues, fieldsToBeUnique, type UniqueField } from "../vehicles/duplicates.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { UNKNOWN_DEALER, type VehicleRepository, type VehicleUpdate } from "../vehicles/vehicle-repository.ts";
import { checkedChanges, unknownDealer, type Vehicles, vehicleUpdateOf } from "../vehicles/vehicles.ts";
import {
  type BulkRequest,
  bulkRequestIn,
  issuesUnder,
  MAX_CHANGED,
  requestsRemoval,
  type WantedChanges,
} from "./bulk-change.ts";
import { changedPrice } from "./price-change.ts";

/** The result for a vehicle; in a dry run, what it would be. */
export const BULK_OUTCOMES = ["updated", "unchanged", "removed", "failed", "not_found"] as const;
type BulkOutcome = (typeof BULK_OUTCOMES)[number];

interface BulkResult {
  readonly id: number;
  readonly outcome: BulkOutcome;
  /** Why it failed; empty for other outcomes. */
  readonly issues: readonly Issue[];
}

/** The results for all vehicles. */
export interface BulkAnswer {
  readonly dry_run: boolean;
  readonly total: number;
  readonly results: readonly BulkResult[];
  /** The change, so that it can be reverted; `null` if it changed nothing. */
  readonly change_id: string | null;
}

/** So many vehicles are changed concurrently, so that other requests get their turns at the database. */
const CONCURRENT_CHANGES = 16;
/** The same for changes with long texts: each takes the time of several others. */
const CONCURRENT_LONG_CHANGES = 4;
/** From this length in characters, the fields of a change are long. */
const LONG_CHANGE = 1000;

interface Parts {
  readonly vehicles: Pick<VehicleRepository, "find" | "update" | "remove">;
  /** Reads what the rules of quality judge. */
  readonly lots: Pick<LotRepository, "find">;
  readonly list: Vehicles["list"];
  readonly dealers: Pick<DealerRepository, "exists">;
  readonly storage: Pick<Storage, "recentRefusal">;
  readonly settings: Pick<SettingsRepository, "read">;
  readonly clock: Clock;
  /** For how many milliseconds one request may begin changes, so that its answer still reaches the client. */
  readonly maxMs: number;
  /** True if the changes so far keep everybody else from changing anything. */
  readonly holdsOthersUp: () => boolean;
  /** Lets other work run in between. */
  readonly pause: () => Promise<void>;
  /** True if the database was unavailable, so that nobody knows whether a change was made. */
  readonly isUnavailable: (error: unknown) => boolean;
}

/** A request to change many vehicles. */
interface SentBulk {
  readonly input: unknown;
  /** True while the caller has the same rights. */
  readonly mayGoOn: () => MaybePromise<boolean>;
}

/** One vehicle of a request. */
interface VehicleTask {
  readonly principal: Principal;
  readonly id: number;
  /** It must be of this version, if there is one. */
  readonly version: Timestamp | undefined;
  readonly isDryRun: boolean;
  /** True if a dry run would move it to a dealer that does not exist. A real change finds that out by itself. */
  readonly hasUnknownDealer: boolean;
}

const isOtherVersion = ({ updated_at }: { readonly updated_at: Timestamp }, version: Timestamp | undefined): boolean =>
  version !== undefined && updated_at !== version;

const failedResult = (id: number, ...issues: readonly Issue[]): BulkResult => ({ id, outcome: "failed", issues });
const resultOf = (id: number, outcome: BulkOutcome): BulkResult => ({ id, outcome, issues: [] });

const issuesOf = ({ cause }: Failure): readonly Issue[] => (cause.kind === "invalid" ? cause.issues : []);

const NOT_BEGUN = "was not reached in time and is unchanged; ask again for this vehicle";
const NOT_ALLOWED = "was not reached and is unchanged, as the caller's rights have changed";
const OTHER_VERSION = { path: "versions", message: "is of another version by now, and unchanged" };
const UNCONFIRMED = "may have been changed, as the database did not answer; read the vehicle before you ask again";

const differs = (present: Vehicle, changes: VehicleUpdate): boolean =>
  Object.entries(changes).some(([name, value]) => present[name as keyof Vehicle] !== value);

/** What is changed in a vehicle, and by which fields it must not be a duplicate then. */
interface DecidedChange {
  readonly changes: VehicleUpdate;
  readonly unique: readonly UniqueField[];
}

/** Decides what a change becomes of a vehicle as it is, or its result if nothing is to be changed. */
const decidedChange = (
  record: JsonRecord<Vehicle>,
  { principal, id, version, hasUnknownDealer }: VehicleTask,
  {
    update,
    price,
    ...context
  }: Pick<WantedChanges, "price"> & {
    readonly update: VehicleUpdate;
    readonly now: Timestamp;
    readonly resaleDays: number;
  },
): DecidedChange | BulkResult => {
  if (isOtherVersion(record, version)) return failedResult(id, OTHER_VERSION);
  if (dealersKeyMayNotMoveVehicle(scopeOf(principal), update.dealer_id) !== null) {
    const message = "cannot be changed by a caller that is bound to a dealer";
    return failedResult(id, { path: "dealer_id", message });
  }
  const present = record.parse();
  const changed = price === null ? null : changedPrice(present.price, price);
  if (typeof changed === "object" && changed !== null) return failedResult(id, changed);
  const changes = checkedChanges(present, changed === null ? update : { ...update, price: changed }, context);
  if (changes instanceof Failure) return failedResult(id, ...issuesOf(changes));
  if (!differs(present, changes)) return resultOf(id, "unchanged");
  if (hasUnknownDealer) return failedResult(id, ...issuesOf(unknownDealer(changes.dealer_id)));
  return { changes, unique: fieldsToBeUnique(present, changes) };
};

/**
 * Use case of changing many vehicles (interface 6.1). Each succeeds or fails by itself, as if it were asked for alone.
 */
export const makeBulk = ({
  vehicles,
  lots,
  list,
  dealers,
  storage,
  settings,
  clock,
  maxMs,
  holdsOthersUp,
  pause,
  isUnavailable,
}: Parts) => {
  /** The ids of the vehicles; those that a filter finds are in the caller's scope. */
  const idsOf = async (principal: Principal, which: BulkRequest["target"]): Promise<Outcome<readonly number[]>> => {
    if ("ids" in which) return which.ids;
    const listed = issuesUnder("filter", await list(principal, { ...which.filter, limit: MAX_CHANGED }));
    if (listed instanceof Failure) return listed;
    const texts = [...listed.vehicles.items];
    for (const read of listed.long?.slices ?? []) texts.push(...(await read()));
    const { total } = listed;
    const expected = which.expectedTotal ?? total;
    if (total !== expected) return new Failure({ kind: "confirmation-stale", expected, total });
    if (total > MAX_CHANGED)
      return invalid({
        path: "filter",
        message: `finds ${total} vehicles; one request changes ${MAX_CHANGED} at most`,
      });
    const ids = texts.map((text) => (JSON.parse(text) as Vehicle).id);
    return ids.length === expected ? ids : new Failure({ kind: "confirmation-stale", expected, total: ids.length });
  };

  const removeOne = async ({ principal, id, version, isDryRun }: VehicleTask): Promise<BulkResult> => {
    const scope = scopeOf(principal);
    const versions = version === undefined ? null : [version];
    const isRemoved = !isDryRun && (await vehicles.remove({ id, scope, versions, now: clock.now(), by: principal }));
    if (isRemoved) return resultOf(id, "removed");
    const present = isDryRun || version !== undefined ? await vehicles.find(id, scope) : null;
    if (present === null) return resultOf(id, "not_found");
    return isDryRun && !isOtherVersion(present, version) ? resultOf(id, "removed") : failedResult(id, OTHER_VERSION);
  };

  /** Changes a vehicle as is decided of its present record, and only if it has not changed since. */
  const changeOne = (task: VehicleTask, wanted: WantedChanges): Promise<BulkResult> => {
    const { principal, id, isDryRun } = task;
    const scope = scopeOf(principal);
    const update = vehicleUpdateOf(clock, wanted.fields);
    return retryOnConflict<BulkResult>(async () => {
      const record = await vehicles.find(id, scope);
      if (record === null) return resultOf(id, "not_found");
      const now = clock.now();
      const { resale_days: resaleDays } = await settings.read();
      const decided = decidedChange(record, task, { update, price: wanted.price, now, resaleDays });
      if ("outcome" in decided) return decided;
      if (isDryRun) return resultOf(id, "updated");
      const { changes, unique } = decided;
      const versions = [record.updated_at];
      const updated = await vehicles.update({ id, scope, changes, now, versions, unique, by: principal });
      if (updated instanceof DuplicateVehicle) return failedResult(id, ...duplicateIssues(updated.duplicates));
      if (updated === UNKNOWN_DEALER) return failedResult(id, ...issuesOf(unknownDealer(changes.dealer_id)));
      return updated === null ? null : resultOf(id, "updated");
    });
  };

  /** Mends what breaks a rule of quality. */
  const mendOne = async (task: VehicleTask, rule: FixableRule): Promise<BulkResult> => {
    const judged = await lots.find(task.id, scopeOf(task.principal));
    if (judged === null) return resultOf(task.id, "not_found");
    const fields = fixOf(rule, judged);
    if (Object.keys(fields).length === 0) return resultOf(task.id, "unchanged");
    // It is mended only as it was judged.
    return changeOne({ ...task, version: task.version ?? judged.updated_at }, { fields, price: null });
  };

  return {
    change: useCase("vehicle.bulk", async (principal, { input, mayGoOn }: SentBulk): Promise<Outcome<BulkAnswer>> => {
      const begunAt = clock.steadyMs();
      const request = bulkRequestIn(input, clock);
      const refused = admit(principal, requestsRemoval(input) ? "vehicle.delete" : "vehicle.update");
      if (refused !== null) return refused;
      if (request instanceof Failure) return request;
      const { change, isDryRun } = request;
      const noRoom = isDryRun ? null : await storage.recentRefusal(scopeOf(principal));
      if (noRoom !== null) return noRoom;
      const versions = "versions" in request.target ? request.target.versions : undefined;
      const ids = await idsOf(principal, request.target);
      if (ids instanceof Failure) return ids;
      const dealerId = change === "remove" || "fix" in change ? undefined : change.fields.dealer_id;
      const hasUnknownDealer = isDryRun && dealerId !== undefined && !(await dealers.exists(dealerId));
      const named = beginChange(clock, change === "remove" ? "removal" : "bulk", principal);
      const by: Principal = { ...principal, change: named };
      const one = (id: number): Promise<BulkResult> => {
        const asked = { principal: by, id, version: versions?.get(id), isDryRun, hasUnknownDealer };
        if (change === "remove") return removeOne(asked);
        return "fix" in change ? mendOne(asked, change.fix) : changeOne(asked, change);
      };

      const isLong = change !== "remove" && "fields" in change && JSON.stringify(change.fields).length >= LONG_CHANGE;
      const atOnce = isLong ? CONCURRENT_LONG_CHANGES : CONCURRENT_CHANGES;
      const results: BulkResult[] = [];
      const rest = (message: string): void => {
        for (const id of ids.slice(results.length)) results.push(failedResult(id, { path: "", message }));
      };
      while (results.length < ids.length) {
        const isFirst = results.length === 0;
        if (!isFirst) {
          await pause();
          if (clock.steadyMs() - begunAt >= maxMs || holdsOthersUp()) rest(NOT_BEGUN);
          else if (!(await mayGoOn())) rest(NOT_ALLOWED);
        }
        const some = ids.slice(results.length, results.length + atOnce);
        const outcomes = await Promise.allSettled(some.map(one));
        const lost = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
        const isNoneDone = isFirst && outcomes.every(({ status }) => status === "rejected");
        if (lost !== undefined && (isNoneDone || !isUnavailable(lost.reason))) throw lost.reason;
        for (const [index, outcome] of outcomes.entries())
          results.push(
            outcome.status === "fulfilled"
              ? outcome.value
              : failedResult(some[index] ?? 0, { path: "", message: UNCONFIRMED }),
          );
        if (lost !== undefined) rest(NOT_BEGUN);
      }
      const isChanged = !isDryRun && results.some(({ outcome }) => outcome === "updated" || outcome === "removed");
      return { dry_run: isDryRun, total: results.length, results, change_id: isChanged ? named.id : null };
    }),
  };
};

export type Bulk = ReturnType<typeof makeBulk>;
