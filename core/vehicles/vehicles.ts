import { type DealerScope, scopeOf } from "../access/decide.ts";
import { type Attempt, whyVehicleMissed } from "../access/missed-vehicle.ts";
import type { Actor, Principal } from "../access/principal.ts";
import { dealersKeyMayNotMoveVehicle } from "../access/rules/dealers-key-may-not-move-vehicle.ts";
import {
  DEALER_MISSING,
  newRecordsBelongToTheCallersDealer,
} from "../access/rules/new-records-belong-to-the-callers-dealer.ts";
import { type Caller, isAdmitted, useCase } from "../access/use-case.ts";
import { namedInPortal } from "../changes/named-change.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { findOrExplain } from "../crossing-changes.ts";
import { Failure, invalid, type Outcome } from "../failure.ts";
import { imagesSet } from "../images/image-changes.ts";
import { type ImageRules, withoutImages } from "../images/image-list.ts";
import type { WantedImage } from "../images/image-plan.ts";
import { andThen, type MaybePromise } from "../maybe-promise.ts";
import { slicedPageOf } from "../page.ts";
import type { Input } from "../schema.ts";
import { type SearchIndex, searchRefusal } from "../search/progress.ts";
import type { Storage } from "../storage.ts";
import { JsonRecord } from "../stored-json.ts";
import { requireChange } from "../validation.ts";
import { DuplicateVehicle, duplicateFailure, duplicateIds, fieldsToBeUnique, mayCoincide } from "./duplicates.ts";
import { type FaultFinding, unknownDealerIssue, withEveryFault } from "./every-fault.ts";
import { type FieldOf, fieldsOf } from "./fields.ts";
import { lotStateAfter, lotStateIssues, needsCurrentVehicle } from "./lot-state.ts";
import { type ReturnRules, undoSaleIssues, withReturn } from "./resale.ts";
import { listUnderstood, type UnderstoodPage } from "./understanding.ts";
import {
  generatedTitle,
  type NewVehicle,
  newVehicle,
  UNSET_VEHICLE,
  type Vehicle,
  type VehicleChanges,
  type VehicleQuery,
  vehicleChanges,
  vehicleFaults,
  vehicleRules,
  withTimestamps,
} from "./vehicle.ts";
import { vehicleFilterOf } from "./vehicle-filter.ts";
import { type Position, vehicleOrderOf } from "./vehicle-order.ts";
import {
  type NewVehicleFields,
  UNKNOWN_DEALER,
  type VehicleRepository,
  type VehicleUpdate,
} from "./vehicle-repository.ts";
import type { VehicleStep, VehicleTransactions } from "./vehicle-transactions.ts";

/** A page of vehicles, and the values of its `meta`. */
export interface VehicleListing extends UnderstoodPage {
  /** True only if the list is filtered because the key is bound to a dealer. */
  readonly filterApplied: boolean;
  /** The dealer whose vehicles are listed, if it is only one. */
  readonly dealerId: number | null;
}

const STALE = new Failure({ kind: "stale", subject: "vehicle" });

const FLAGS: readonly string[] = fieldsOf("flag");

/** The same fields, with flags as 0 or 1. */
const withBits = <Sent extends object>(sent: Sent) => {
  const flags = FLAGS.filter((name) => name in sent).map((name) => [name, sent[name as keyof Sent] ? 1 : 0]);
  return { ...sent, ...Object.fromEntries(flags) } as {
    [Name in keyof Sent]: Name extends FieldOf<"flag"> ? Exclude<Sent[Name], boolean> : Sent[Name];
  };
};

/** The failure if a vehicle is to belong to a dealer that does not exist. */
export const unknownDealer = (dealerId: number | null | undefined): Failure => invalid(unknownDealerIssue(dealerId));

/** Use cases of vehicles (interface 6.1 and 5.5). Each checks the caller's rights itself. */
export const makeVehicles = ({
  vehicles,
  transactions,
  imageRules,
  search,
  storage,
  resaleDays: currentResaleDays,
  dealers,
  clock,
}: {
  vehicles: VehicleRepository;
  transactions: VehicleTransactions;
  imageRules: ImageRules;
  search: SearchIndex;
  storage: Pick<Storage, "recentRefusal">;
  /** The days after a sale within which a vehicle that comes back undoes the sale (setting `resale_days`). */
  resaleDays: () => MaybePromise<number>;
  dealers: FaultFinding["dealers"];
  clock: Clock;
}) => {
  /** Runs a change of a vehicle and its images. What returns by `Undone` is undone before. */
  const atOnce = async <Result>(work: (step: VehicleStep) => Promise<Result>): Promise<Result | Undone["result"]> => {
    try {
      return await transactions.once(work);
    } catch (error) {
      if (error instanceof Undone) return error.result;
      throw error;
    }
  };

  /** The reason why a complete list of images is not taken now: it changes many records at once, as a batch does. */
  const imagesRefusal = (
    principal: Principal,
    images: readonly WantedImage[] | undefined,
  ): MaybePromise<Failure | null> => (images === undefined ? null : storage.recentRefusal(scopeOf(principal)));

  /**
   * The reason why a vehicle was not found. If there is no other reason, the versions that the client sent were out of
   * date.
   */
  const explainMiss = (attempt: Attempt, versions: readonly Timestamp[] | null) => async (): Promise<Failure | null> =>
    (await whyVehicleMissed(vehicles, attempt)) ?? (versions === null ? null : STALE);

  /** The refusal of a new vehicle's body, with all that is wrong with it. */
  const refusedNew = (refusal: Failure, input: unknown, scope: DealerScope): Promise<Failure> =>
    withEveryFault(refusal, { input, scope, present: null, isNew: true }, { dealers, clock });

  /** The refusal of a vehicle's changes, with all that is wrong with them. */
  const refusedChanges = async (
    refusal: Failure,
    { id, input, scope }: { readonly id: number; readonly input: unknown; readonly scope: DealerScope },
  ): Promise<Failure> => {
    if (refusal.cause.kind !== "invalid") return refusal;
    const present = (await vehicles.find(id, scope))?.parse() ?? null;
    return withEveryFault(refusal, { input, scope, present, isNew: false }, { dealers, clock });
  };

  /** Stores a vehicle with its images: all of it, or nothing. */
  const createWithImages = async ({
    fields,
    images,
    scope,
    by,
  }: {
    readonly fields: NewVehicleFields;
    readonly images: readonly WantedImage[];
    readonly scope: DealerScope;
    readonly by: Actor;
  }) => {
    const created = await atOnce(async (step) => {
      const stored = await step.vehicles.insertCompared(fields, by);
      if (stored === UNKNOWN_DEALER || stored instanceof DuplicateVehicle) throw new Undone(stored);
      const now = fields.created_at;
      const change = { field: "images", vehicleId: stored.record.id, scope, isTouched: true, now, by } as const;
      const set = await step.images.change(change, (present) =>
        imagesSet(present, { images, primary: "first" }, imageRules.max),
      );
      if (set === null || set instanceof Failure) throw new Undone(set);
      return stored;
    });
    if (created === null || created instanceof JsonRecord) throw new Error("a vehicle that was created is not there");
    return created;
  };

  return {
    /** The vehicles in the caller's scope. If the key is bound, its dealer replaces the requested dealer. */
    list: useCase(
      "vehicle.list",
      (principal, query: VehicleQuery, from: Position | null = null): MaybePromise<Outcome<VehicleListing>> => {
        const unanswerable = searchRefusal(search, query);
        if (unanswerable !== null) return unanswerable;
        const scope = scopeOf(principal);
        const filter = vehicleFilterOf(scope === null ? query : { ...query, dealer_id: scope }, clock, from?.asOf);
        const order = vehicleOrderOf(query, () => from?.asOf ?? filter.as_of ?? clock.now());
        const asked = { scope, filter, order, page: slicedPageOf(query), from };
        return andThen(listUnderstood(vehicles, asked, query.include), (page) => ({
          ...page,
          filterApplied: scope !== null,
          dealerId: filter.dealer_id ?? null,
        }));
      },
    ),

    get: useCase("vehicle.read", (principal, id: number): MaybePromise<Outcome<JsonRecord<Vehicle>>> => {
      return findOrExplain(
        () => vehicles.find(id, scopeOf(principal)),
        () => whyVehicleMissed(vehicles, { principal, operation: "vehicle.read", id }),
      );
    }),

    /** True if the caller may read the vehicle and would get this version. After false, `get` must decide. */
    isVersion(caller: Caller, id: number, version: Timestamp): MaybePromise<boolean> {
      return isAdmitted(caller, "vehicle.read") && vehicles.isVersion(id, scopeOf(caller), version);
    },

    /** Creates a vehicle. If the caller is bound to a dealer, that dealer replaces the one that was sent. */
    create: useCase("vehicle.create", async (principal, input: unknown): Promise<Outcome<CreatedVehicle>> => {
      const now = clock.now();
      const scope = scopeOf(principal);
      const rules = vehicleRules(clock);
      const { fields: body, images, issues } = withoutImages(input, imageRules);
      const sent = newVehicle.parse(
        body,
        (fields) => [...rules(fields), ...issues, ...(scope === null && !hasDealer(input) ? [DEALER_MISSING] : [])],
        vehicleFaults(clock),
      );
      if (sent instanceof Failure) return refusedNew(sent, body, scope);
      const dealerId = newRecordsBelongToTheCallersDealer(scope, sent.dealer_id);
      if (dealerId === null || dealerId === undefined) return unknownDealer(dealerId);
      const fields = newVehicleFields(withTimestamps(clock, sent), { dealerId, now });
      if (fields instanceof Failure) return refusedNew(fields, body, scope);
      const noRoom = await imagesRefusal(principal, images);
      if (noRoom !== null) return noRoom;
      const by = namedInPortal(principal, clock, "creation");
      const created =
        images === undefined || images.length === 0
          ? await vehicles.insertCompared(fields, by)
          : await createWithImages({ fields, images, scope, by });
      if (created instanceof Failure) return created;
      if (created === UNKNOWN_DEALER) return unknownDealer(dealerId);
      if (created instanceof DuplicateVehicle) return duplicateFailure(created);
      const duplicateOf = duplicateIds(created.others);
      return Object.assign(created.record, { duplicateOf, changeId: by.change?.id });
    }),

    /** Changes the fields that were sent. A bound caller may send the `dealer_id` of its dealer, but no other. */
    update: useCase(
      "vehicle.update",
      (
        principal,
        {
          id,
          input,
          versions = null,
        }: { readonly id: number; readonly input: unknown; readonly versions?: readonly Timestamp[] | null },
      ): MaybePromise<Outcome<ChangedVehicle>> => {
        const now = clock.now();
        const { fields: sent, images, issues } = withoutImages(input, imageRules);
        const rules = vehicleRules(clock);
        const parsed = vehicleChanges.parse(sent, (fields) => [...rules(fields), ...issues], vehicleFaults(clock));
        const body = images === undefined ? requireChange(parsed) : parsed;
        const scope = scopeOf(principal);
        if (body instanceof Failure) return refusedChanges(body, { id, input: sent, scope });
        const moved = dealersKeyMayNotMoveVehicle(scope, body.dealer_id);
        if (moved !== null)
          return andThen(
            whyVehicleMissed(vehicles, { principal, operation: "vehicle.update", id }),
            (missed) => missed ?? moved,
          );
        const changes = vehicleUpdateOf(clock, body);
        const by = namedInPortal(principal, clock, "edit");
        const changeFields = (stored: Pick<VehicleRepository, "find" | "update">): MaybePromise<Updated> => {
          const mayBeRefused = mayCoincide(changes) && vehicles.refusesDuplicates(id, changes.dealer_id ?? null);
          return andThen(mayBeRefused, (isRefusing) =>
            isRefusing || needsCurrentVehicle(changes)
              ? changeCurrent(stored)
              : stored.update({ id, scope, changes, now, versions, by }),
          );
        };
        const changeCurrent = (stored: Pick<VehicleRepository, "find" | "update">): MaybePromise<Updated> =>
          andThen(currentResaleDays(), (resaleDays) =>
            andThen(stored.find(id, scope), (present): MaybePromise<Updated> => {
              if (present === null || versions?.includes(present.updated_at) === false) return null;
              const vehicle = present.parse();
              const judged = checkedChanges(vehicle, changes, { now, resaleDays });
              if (judged instanceof Failure) return judged;
              // The change was validated against this version, so it must not apply to any other.
              const judgedVersions = [present.updated_at];
              const unique = fieldsToBeUnique(vehicle, judged);
              return stored.update({ id, scope, changes: judged, now, versions: judgedVersions, unique, by });
            }),
          );
        const changeAll = (wanted: readonly WantedImage[]): Promise<Updated> =>
          atOnce<Updated>(async (step) => {
            const isTouched = Object.keys(changes).length > 0;
            const changed = isTouched ? await changeFields(step.vehicles) : null;
            if (isTouched && !(changed instanceof JsonRecord)) throw new Undone(changed);
            const change = {
              field: "images",
              vehicleId: id,
              scope,
              isTouched,
              versions: isTouched ? null : versions,
              now,
              by,
            } as const;
            const set = await step.images.change(change, (present) =>
              imagesSet(present, { images: wanted, primary: "first" }, imageRules.max),
            );
            if (set === null || set instanceof Failure) throw new Undone(set);
            return changed ?? step.vehicles.find(id, scope);
          });
        const updated = findOrExplain(
          (): MaybePromise<Updated> =>
            images === undefined
              ? changeFields(vehicles)
              : andThen(imagesRefusal(principal, images), (noRoom) => noRoom ?? changeAll(images)),
          explainMiss({ principal, operation: "vehicle.update", id }, versions),
        );
        return andThen(updated, (hit) => {
          if (hit instanceof DuplicateVehicle) return duplicateFailure(hit);
          if (hit === UNKNOWN_DEALER) return unknownDealer(body.dealer_id);
          if (hit instanceof Failure) return refusedChanges(hit, { id, input: sent, scope });
          return by.change === undefined ? hit : Object.assign(hit, { changeId: by.change.id });
        });
      },
    ),

    remove: useCase(
      "vehicle.delete",
      async (principal, id: number, versions: readonly Timestamp[] | null = null): Promise<Outcome<true>> => {
        const by = namedInPortal(principal, clock, "removal");
        return findOrExplain(
          async () =>
            (await vehicles.remove({ id, scope: scopeOf(principal), versions, now: clock.now(), by })) || null,
          explainMiss({ principal, operation: "vehicle.delete", id }, versions),
        );
      },
    ),
  };
};

export type Vehicles = ReturnType<typeof makeVehicles>;

/** Ends a transaction without any change, with this result. */
class Undone extends Error {
  constructor(readonly result: Updated) {
    super("nothing is changed");
  }
}

/** The result of an update; `null` if no vehicle was found. */
type Updated = Outcome<JsonRecord<Vehicle>> | typeof UNKNOWN_DEALER | DuplicateVehicle | null;

/** A changed vehicle, and the change if it can be reverted. */
export type ChangedVehicle = JsonRecord<Vehicle> & { readonly changeId?: string | undefined };

/** A created vehicle, and the dealer's other unsold vehicles with its VIN or stock number. */
type CreatedVehicle = ChangedVehicle & { readonly duplicateOf: readonly number[] };

/** The fields of a new vehicle from a valid body with timestamps, or the failure that they are not allowed together. */
export const newVehicleFields = (
  body: Input<typeof NewVehicle>,
  { dealerId, now }: { readonly dealerId: number; readonly now: Timestamp },
): Outcome<NewVehicleFields> => {
  const issues = lotStateIssues(null, body, now);
  if (issues.length > 0) return invalid(...issues);
  const { sold_price = null, ...fields } = withBits(body);
  return {
    ...UNSET_VEHICLE,
    ...fields,
    dealer_id: dealerId,
    title: body.title ?? generatedTitle(body),
    ...lotStateAfter(null, body, now),
    created_at: now,
    updated_at: now,
    ...(sold_price !== null && { sold_price }),
  };
};

/**
 * The changes that a valid body asks for. `sold_at: null` changes nothing: the date stays as it is, or is set with the
 * status. Nor does `sold_price: null`: what was entered before is taken back by a PUT of the sale.
 */
export const vehicleUpdateOf = (clock: Pick<Clock, "parse">, body: Input<typeof VehicleChanges>): VehicleUpdate => {
  const { sold_at, sold_price = null, ...rest } = withTimestamps(clock, withBits(body));
  return {
    ...rest,
    ...((sold_at ?? null) !== null && { sold_at }),
    ...(sold_price !== null && { sold_price }),
  };
};

/** Validates a change against the current vehicle. Returns what must be set, or why the change is not allowed. */
export const checkedChanges = (
  present: Vehicle,
  changes: VehicleUpdate,
  rules: ReturnRules,
): Outcome<VehicleUpdate> => {
  const { now } = rules;
  const moves = changes.dealer_id !== undefined && changes.dealer_id !== present.dealer_id;
  const issues = [...lotStateIssues(present, changes, now), ...undoSaleIssues(present, changes)];
  if (issues.length > 0) return invalid(...issues);
  // What a vehicle was sold for is only sent of sold ones, so that this is no change of the status.
  const sent = changes.sold_price === undefined ? changes : { ...changes, status: "sold" as const };
  const returned = withReturn(present, sent, rules);
  const { listed_at, ...rest } = returned;
  if (listed_at !== null) return returned;
  return moves ? rest : { ...rest, listed_at: present.created_at };
};

const hasDealer = (input: unknown): boolean =>
  typeof input === "object" && input !== null && "dealer_id" in input && input.dealer_id !== null;
