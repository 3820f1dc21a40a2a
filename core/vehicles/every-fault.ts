import type { DealerScope } from "../access/decide.ts";
import type { Clock } from "../clock.ts";
import type { Failure } from "../failure.ts";
import type { Issue } from "../issues.ts";
import { unknownRecords, withIssues } from "../named-records.ts";
import { lotStateIssues } from "./lot-state.ts";
import { undoSaleIssues } from "./resale.ts";
import { type Vehicle, withTimestamps } from "./vehicle.ts";
import type { VehicleUpdate } from "./vehicle-repository.ts";

/** The ports with which the faults are found that a body alone does not show. */
export interface FaultFinding {
  readonly dealers: { exists(id: number): Promise<boolean> };
  readonly clock: Clock;
}

/** A body that was refused, and the vehicle that it was to change; `null` for a new one, or one out of reach. */
export interface RefusedBody {
  readonly input: unknown;
  readonly scope: DealerScope;
  readonly present: Vehicle | null;
  readonly isNew: boolean;
}

/** The failure for a vehicle that is to belong to a dealer that does not exist. */
export const unknownDealerIssue = (dealerId: number | null | undefined): Issue =>
  unknownRecords({ path: "dealer_id", word: "dealer" }, [dealerId]);

/** The fields on which it depends whether these are right. If one of them is not known, nothing is said of the others. */
const JUDGED_BY: Readonly<Record<string, readonly string[]>> = {
  status: ["stage", "sold_at", "sold_price", "undo_sale", "listed_at"],
  sold_at: ["listed_at"],
  listed_at: ["sold_at"],
};

/** The fields of a refused body that are not at fault, and do not depend on one that is. */
const soundFields = (input: object, issues: readonly Issue[]): VehicleUpdate => {
  const faulty = new Set(issues.map(({ path }) => path.split(/[.[]/, 1)[0] ?? ""));
  const unjudged = new Set([...faulty, ...[...faulty].flatMap((name) => JUDGED_BY[name] ?? [])]);
  return Object.fromEntries(Object.entries(input).filter(([name]) => !unjudged.has(name)));
};

/**
 * A refusal of a vehicle's body that names every offending field: beside those that a schema finds, those that are wrong
 * only together or for this vehicle, and a dealer that does not exist. Nothing is added for a field that is named already,
 * nor to a refusal that leaves some of its issues out: which fields are right is then not known.
 */
export const withEveryFault = async (
  refusal: Failure,
  { input, scope, present, isNew }: RefusedBody,
  { dealers, clock }: FaultFinding,
): Promise<Failure> => {
  if (refusal.cause.kind !== "invalid" || refusal.cause.omitted > 0) return refusal;
  if (typeof input !== "object" || input === null) return refusal;
  const sound = withTimestamps(clock, soundFields(input, refusal.cause.issues));
  const issues = isNew || present !== null ? lotStateIssues(present, sound, clock.now()) : [];
  if (present !== null) issues.push(...undoSaleIssues(present, sound));
  const dealerId = scope === null ? sound.dealer_id : null;
  if (typeof dealerId === "number" && !(await dealers.exists(dealerId))) issues.push(unknownDealerIssue(dealerId));
  const named = new Set(refusal.cause.issues.map(({ path }) => path));
  return withIssues(
    refusal,
    issues.filter(({ path }) => !named.has(path)),
  );
};
