import { type DealerScope, scopeOf } from "../access/decide.ts";
import type { Actor, Principal } from "../access/principal.ts";
import { useCase } from "../access/use-case.ts";
import { visibilityOfActors } from "../access/visibility.ts";
import { recordNameIn } from "../audit/actions.ts";
import { actorOf } from "../audit/audit-entry.ts";
import { beginChange } from "../changes/named-change.ts";
import type { Clock } from "../clock.ts";
import { Failure, notFound, type Outcome } from "../failure.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { pageOf } from "../page.ts";
import { oldestRestorable } from "../removed/removed-vehicle.ts";
import { fieldsToBeUnique } from "../vehicles/duplicates.ts";
import { checkedChanges } from "../vehicles/vehicles.ts";
import {
  isRevertible,
  type RecentChange,
  type RecentChangesQuery,
  type RevertQuery,
  recentChangeOf,
  type StoredChange,
} from "./recent-change.ts";
import type { ChangePosition, RecentChangeRepository, ReversalStep } from "./recent-change-repository.ts";
import { type ReversalOutcome, reversalOf, type VehicleTrail } from "./reversal.ts";

/** The number of vehicles that are reverted in one transaction. On SQLite, other changes wait for its end. */
const PART = 20;
/** The time after which other work may run in between, even within a transaction. */
const TURN_MS = 2;

/** A page of changes. */
export interface RecentChangePage {
  readonly changes: readonly RecentChange[];
  /** The number of changes on all pages. */
  readonly total: number;
  /** The position of the last change; `null` if no changes follow. */
  readonly last: ChangePosition | null;
}

interface RevertedVehicle {
  readonly id: number;
  readonly outcome: ReversalOutcome;
  /** The fields that got their old values. */
  readonly fields: readonly string[];
  /** What the vehicle is called, such as `2024 Toyota Camry`; `null` if it is not there. Only if asked for. */
  readonly name?: string | null;
  readonly stock_number?: string | null;
}

/** The result of a reversal for each vehicle. */
export interface RevertAnswer {
  /** The reversal, which is a change itself; `null` if it changed nothing. */
  readonly change_id: string | null;
  readonly reverts: string;
  readonly total: number;
  readonly results: readonly RevertedVehicle[];
  /** The last of the vehicles, if the request ended before all of them: ask again, with `after`. Otherwise `null`. */
  readonly next: number | null;
}

interface Parts {
  readonly changes: RecentChangeRepository;
  readonly clock: Clock;
  /** For how many milliseconds one request may begin parts, so that its answer still reaches the client. */
  readonly maxMs: number;
  /** True if the changes so far keep everybody else from changing anything. */
  readonly holdsOthersUp: () => boolean;
  /** Lets other work run in between. */
  readonly pause: () => Promise<void>;
  /** True if the database was unavailable, so that nobody knows whether a part was made. */
  readonly isUnavailable: (error: unknown) => boolean;
}

const isBy = ({ by }: StoredChange, principal: Principal): boolean => {
  const { type, id } = actorOf(principal);
  return by.type === type && by.id === id;
};

/** The change that is to be reverted. */
interface Reversal {
  readonly id: string;
  readonly query?: RevertQuery;
  /** True while the caller has the same rights. */
  readonly mayGoOn: () => MaybePromise<boolean>;
}

/** A dealer sees of vehicles that moved only that they did, as in the audit log. */
const withoutMoved = (change: StoredChange): StoredChange =>
  change.fields.includes("dealer_id") ? { ...change, fields: ["dealer_id"] } : change;

const namesOf = ({ present }: VehicleTrail): Pick<RevertedVehicle, "name" | "stock_number"> => ({
  name: recordNameIn("vehicles", { ...present }),
  stock_number: present?.stock_number ?? null,
});

const whyNotRevertible = ({ kind }: Pick<StoredChange, "kind">): string =>
  kind === "reversal"
    ? "This change is a reversal, which is not reverted: make the change again instead"
    : "This change changed no field that can be reverted: it created, removed or moved vehicles";

/** Use cases of recent changes (interface 6.1). A bound caller learns nothing of changes at other dealers. */
export const makeRecentChanges = ({ changes, clock, maxMs, holdsOthersUp, pause, isUnavailable }: Parts) => {
  const readerOf = (principal: Principal) => ({
    scope: scopeOf(principal),
    visibility: visibilityOfActors(principal),
    since: oldestRestorable(clock),
  });

  /** Reverts the change for one vehicle, if it may be. */
  const revertOne = async (step: ReversalStep, changeId: string, trail: VehicleTrail): Promise<RevertedVehicle> => {
    const reversal = reversalOf(changeId, trail);
    const { outcome, fields } = reversal;
    if (outcome !== "reverted" || trail.present === null) return { id: trail.id, outcome, fields };
    const kept: RevertedVehicle = { id: trail.id, outcome: "changed_since", fields: [] };
    // Old values are valid together; beside values that were kept they may not be.
    const judged = checkedChanges(trail.present, reversal.changes, {
      now: clock.now(),
      resaleDays: Number.POSITIVE_INFINITY,
    });
    if (judged instanceof Failure) return kept;
    const unique = fieldsToBeUnique(trail.present, reversal.changes);
    return (await step.revert(trail, reversal, unique)) ? { id: trail.id, outcome, fields } : kept;
  };

  /** Reverts the change for some vehicles, in one transaction. */
  const revertSome = (
    ids: readonly number[],
    { isNamed, ...part }: { change: StoredChange; scope: DealerScope; by: Actor; isNamed: boolean },
  ): Promise<readonly RevertedVehicle[]> =>
    changes.revertPart({ ...part, now: clock.now() }, async (step) => {
      const results: RevertedVehicle[] = [];
      let since = clock.steadyMs();
      for (const trail of await step.trails(ids)) {
        if (clock.steadyMs() - since >= TURN_MS) {
          await pause();
          since = clock.steadyMs();
        }
        const result = await revertOne(step, part.change.id, trail);
        results.push(isNamed ? { ...result, ...namesOf(trail) } : result);
      }
      return results;
    });

  return {
    /** The changes of the last 30 days. A bound key's dealer replaces any requested dealer. */
    list: useCase(
      "vehicle.recent-changes",
      async (
        principal,
        query: RecentChangesQuery,
        after: ChangePosition | null = null,
      ): Promise<Outcome<RecentChangePage>> => {
        const reader = readerOf(principal);
        const { limit } = pageOf(query);
        const dealerId = reader.scope ?? query.dealer_id ?? null;
        const found = await changes.list({ ...reader, dealerId, limit, after });
        const total = await changes.count({ ...reader, dealerId });
        const page = found.slice(0, limit);
        const last = found.length > limit ? page.at(-1) : undefined;
        return {
          changes: page.map((change) => recentChangeOf(reader.scope === null ? change : withoutMoved(change))),
          total,
          last: last === undefined ? null : { at: last.at, id: last.id },
        };
      },
    ),

    /** Reverts a change, part by part, for the vehicles in the caller's reach. */
    revert: useCase(
      "vehicle.revert",
      async (principal, { id, query = {}, mayGoOn }: Reversal): Promise<Outcome<RevertAnswer>> => {
        const begunAt = clock.steadyMs();
        const { after = 0, dealer_id, include } = query;
        const reader = readerOf(principal);
        const scope = reader.scope ?? dealer_id ?? null;
        const change = await changes.find(id, { ...reader, scope });
        if (change === null) return notFound("change", id);
        if (!isRevertible(change)) return new Failure({ kind: "not-revertible", reason: whyNotRevertible(change) });
        const begun = beginChange(clock, "reversal", principal);
        // A request that goes on belongs to the reversal that it goes on with, if the same caller began that.
        const former = after > 0 && change.revertedBy !== null ? await changes.find(change.revertedBy, reader) : null;
        const named = former !== null && isBy(former, principal) ? { ...begun, id: former.id, at: former.at } : begun;
        const by: Actor = { ...principal, change: { ...named, reverts: id } };
        const results: RevertedVehicle[] = [];
        const reached = (): number => results.at(-1)?.id ?? after;
        const answer = (next: number | null): RevertAnswer => ({
          change_id: results.some(({ outcome }) => outcome === "reverted") ? named.id : null,
          reverts: id,
          total: results.length,
          results,
          next,
        });
        for (;;) {
          const ids = await changes.vehiclesOf(id, scope, { after: reached(), limit: PART });
          if (ids.length === 0) return answer(null);
          if (results.length > 0) {
            await pause();
            if (clock.steadyMs() - begunAt >= maxMs || holdsOthersUp() || !(await mayGoOn())) return answer(reached());
          }
          try {
            results.push(...(await revertSome(ids, { change, scope, by, isNamed: include === "names" })));
          } catch (error) {
            if (results.length === 0 || !isUnavailable(error)) throw error;
            return answer(reached());
          }
        }
      },
    ),
  };
};

export type RecentChanges = ReturnType<typeof makeRecentChanges>;
