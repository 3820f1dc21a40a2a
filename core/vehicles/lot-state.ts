import { msOf, type Timestamp, timestampAt } from "../clock.ts";
import type { Issue } from "../issues.ts";
import { STAGES, type Stage, type Status } from "./fields.ts";

/** How far in the future the listing of a vehicle may be. */
const LISTED_AHEAD_MS = 24 * 60 * 60 * 1000;

/** The fields of a vehicle that describe its time on the lot, from its arrival to its sale. */
export interface LotState {
  readonly status: Status;
  readonly stage: Stage | null;
  /** `null` if it is unknown. */
  readonly listed_at: Timestamp | null;
  /** `null` if the vehicle is not sold, or if the date is unknown. */
  readonly sold_at: Timestamp | null;
}

/** A vehicle that a change finds. The dealer is needed only where the change may name another. */
type Present = LotState & { readonly dealer_id?: number };

/** The sent fields that can only be validated together. */
type Sent = { readonly [Name in keyof LotState]?: LotState[Name] | undefined } & {
  readonly dealer_id?: number | null | undefined;
  readonly sold_price?: number | null | undefined;
  readonly undo_sale?: boolean | undefined;
};

/** The state that a change begins with. At another dealer, a vehicle's time on the lot begins anew. */
const standingOf = (present: Present | null, { dealer_id }: Sent, now: Timestamp): LotState | null => {
  const isMoved = present !== null && (dealer_id ?? present.dealer_id) !== present.dealer_id;
  return isMoved ? { ...present, listed_at: now, sold_at: present.status === "sold" ? now : null } : present;
};

/**
 * What becomes of a vehicle's stage and dates with a change at `now`; `present` is `null` for a new vehicle. Another
 * status clears the stage. A vehicle is sold when its status becomes so, and is no longer when the status ends. What is
 * sent decides, where `null` for a date leaves it to the rule. The statement of `VehicleRepository.update` does the same.
 */
export const lotStateAfter = (present: Present | null, sent: Sent, now: Timestamp): LotState => {
  const standing = standingOf(present, sent, now);
  const status = sent.status ?? standing?.status ?? "available";
  const stageThen = standing?.status === status ? standing.stage : null;
  const soldThen = standing?.status === "sold" ? standing.sold_at : now;
  return {
    status,
    stage: sent.stage === undefined ? stageThen : sent.stage,
    listed_at: sent.listed_at ?? (standing === null ? now : standing.listed_at),
    sold_at: status === "sold" ? (sent.sold_at ?? soldThen) : null,
  };
};

/** True if a change of these fields can only be validated against the current vehicle. */
export const needsCurrentVehicle = ({ status, stage, listed_at, sold_at, sold_price, undo_sale }: Sent): boolean =>
  undo_sale !== undefined ||
  // It may come back after a sale.
  (status !== undefined && status !== "sold") ||
  (stage ?? null) !== null ||
  listed_at !== undefined ||
  (sold_at ?? null) !== null ||
  ((sold_price ?? null) !== null && status !== "sold");

const fits = (stage: Stage, status: Status): boolean => STAGES[status].some((word) => word === stage);

/**
 * What is wrong with the sent fields of a vehicle whose state before is `present` (`null` for a new vehicle). Dates
 * that the vehicle already has may be sent again. A vehicle that becomes sold without a date is sold at `now`.
 */
export const lotStateIssues = (present: Present | null, sent: Sent, now: Timestamp): Issue[] => {
  const issues: Issue[] = [];
  const standing = standingOf(present, sent, now);
  const after = lotStateAfter(present, sent, now);
  const { status, sold_at: sold } = after;
  const { stage = null, listed_at = null, sold_at = null, sold_price = null } = sent;
  if (stage !== null && !fits(stage, status))
    issues.push({
      path: "stage",
      message: `must be one of ${STAGES[status].join(", ")} while the status is ${status}`,
    });
  if (sold_at !== null && status !== "sold")
    issues.push({ path: "sold_at", message: `must be null while the status is ${status}` });
  if (sold_price !== null && status !== "sold")
    issues.push({
      path: "sold_price",
      message: `belongs to a sale, and the status is ${status}; send status sold with it`,
    });
  const isListedAnew = listed_at !== null && listed_at !== standing?.listed_at;
  if (isListedAnew && listed_at > timestampAt(msOf(now) + LISTED_AHEAD_MS))
    issues.push({ path: "listed_at", message: "must be at most a day ahead" });
  const listed = after.listed_at ?? now;
  const isSoldAnew = sold_at !== null && sold_at !== standing?.sold_at;
  if ((isListedAnew || isSoldAnew) && sold !== null && listed > sold)
    issues.push(
      isListedAnew
        ? { path: "listed_at", message: `must not be after the sale, which was at ${sold}` }
        : { path: "sold_at", message: `must not be before the vehicle was listed, which was at ${listed}` },
    );
  return issues;
};
