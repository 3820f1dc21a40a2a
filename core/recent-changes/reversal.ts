import type { Timestamp } from "../clock.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { VehicleUpdate } from "../vehicles/vehicle-repository.ts";

/** The result of reverting a change for one of its vehicles. */
export const REVERSAL_OUTCOMES = ["reverted", "changed_since", "not_found", "unchanged"] as const;
export type ReversalOutcome = (typeof REVERSAL_OUTCOMES)[number];

type Fields = Readonly<Record<string, unknown>>;

/** An entry of the audit log about a vehicle. */
export interface TrailEntry {
  readonly id: number;
  readonly changeId: string | null;
  /** The change that it reverts. */
  readonly reverts: string | null;
  readonly dealerId: number | null;
  readonly before: Fields | null;
  readonly after: Fields | null;
}

/** What somebody entered of a sale. */
export interface EnteredSale {
  readonly sold_price: number | null;
  readonly note: string | null;
}

/** A sale that ended because the vehicle was not sold any more. */
export interface EndedSale extends EnteredSale {
  readonly sold_at: Timestamp | null;
  readonly firstCents: number | null;
}

/** What is known of a vehicle that a change changed. */
export interface VehicleTrail {
  readonly id: number;
  /** `null` if it is not there, or out of the caller's reach. */
  readonly present: Vehicle | null;
  /** The present fields of the vehicle and its sale, with texts as long as entries keep them. */
  readonly shown: Fields;
  /** All entries since the change, the oldest first; `null` if there are more than are looked at. */
  readonly entries: readonly TrailEntry[] | null;
  /** The old values of long texts, which entries do not have as a whole. */
  readonly replaced: Fields;
  /** The stage that the change of the status took away. */
  readonly clearedStage: Vehicle["stage"];
  /** The sale that the change of the status ended. */
  readonly endedSale: EndedSale | null;
}

/** So many entries of one vehicle are looked at. */
export const MOST_ENTRIES = 2000;
/** So many are looked at in one transaction, unless one vehicle has more. Everybody waits for it on SQLite. */
export const ENTRIES_AT_ONCE = 500;

/** A vehicle, and how many entries it has since a change. Beyond `MOST_ENTRIES`, the number need not be exact. */
export interface CountedVehicle {
  readonly id: number;
  readonly entries: number;
}

/**
 * The first of these vehicles, whose entries are looked at together: at least one of them. `read` are those of them that
 * do not have too many.
 */
export const vehiclesAtOnce = (
  counted: readonly CountedVehicle[],
): { readonly ids: readonly number[]; readonly read: readonly number[] } => {
  const ids: number[] = [];
  const read: number[] = [];
  let sum = 0;
  for (const { id, entries } of counted) {
    const isRead = entries <= MOST_ENTRIES;
    if (isRead && read.length > 0 && sum + entries > ENTRIES_AT_ONCE) break;
    ids.push(id);
    if (isRead) read.push(id);
    if (isRead) sum += entries;
  }
  return { ids, read };
};

/** What is to be done with a vehicle. */
export interface Reversal {
  readonly outcome: ReversalOutcome;
  /** The fields that get their old values. */
  readonly fields: readonly string[];
  readonly changes: VehicleUpdate;
  /** What the sale gets back. */
  readonly sale: Partial<EnteredSale>;
  /** The sale that begins again. */
  readonly resumedSale: EndedSale | null;
}

const NOTHING = { fields: [], changes: {}, sale: {}, resumedSale: null } as const;
const without = (outcome: ReversalOutcome): Reversal => ({ outcome, ...NOTHING });

/** Fields that only make sense beside a status. They follow it. */
const OF_STATUS = ["stage", "sold_at", "sold_price", "note"] as const;
const OF_SALE: readonly string[] = ["sold_price", "note"];

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The fields that an entry changed. */
const changedBy = ({ before, after }: TrailEntry): readonly string[] =>
  before === null || after === null ? [] : Object.keys(after).filter((name) => !isSame(before[name], after[name]));

interface Replaced {
  readonly before: unknown;
  readonly after: unknown;
}

/** The fields that these entries changed together: as they were before the first, and as the last left them. */
const replacedBy = (own: readonly TrailEntry[]): ReadonlyMap<string, Replaced> => {
  const all = new Map<string, Replaced>();
  for (const entry of own)
    for (const name of changedBy(entry))
      all.set(name, { before: (all.get(name) ?? { before: entry.before?.[name] }).before, after: entry.after?.[name] });
  return new Map([...all].filter(([, { before, after }]) => !isSame(before, after)));
};

/** Which fields somebody changed since, and which were reverted already. A reverted change counts as if it had not been. */
const changesSince = (changeId: string, entries: readonly TrailEntry[]) => {
  const changed = new Map<string, Set<string | null>>();
  const reverted = new Set<string>();
  for (const entry of entries)
    for (const name of changedBy(entry)) {
      if (entry.reverts === changeId) reverted.add(name);
      else if (entry.reverts !== null) changed.get(name)?.delete(entry.reverts);
      else changed.set(name, (changed.get(name) ?? new Set()).add(entry.changeId));
    }
  return { isChanged: (name: string): boolean => (changed.get(name)?.size ?? 0) > 0, reverted };
};

/** Entries keep so many characters of a text. */
const WHOLE_TEXT = 1000;
const isCut = (value: unknown): boolean =>
  typeof value === "string" && value.length > WHOLE_TEXT && [...value].length > WHOLE_TEXT;

/**
 * What reverts a change for a vehicle: the fields that are still as the change left them, and that nobody changed since,
 * get their old values. The others are kept.
 */
export const reversalOf = (changeId: string, trail: VehicleTrail): Reversal => {
  const { present, shown, entries, replaced } = trail;
  if (present === null) return without("not_found");
  if (entries === null) return without("changed_since");
  const own = entries.filter((entry) => entry.changeId === changeId && entry.before !== null && entry.after !== null);
  const [first] = own;
  const wanted = replacedBy(own);
  // A vehicle whose sale stands has begun a second stay, as one that moved.
  const status = wanted.get("status");
  const isReturn = status?.before === "sold" && trail.endedSale === null;
  if (first === undefined || wanted.size === 0 || wanted.has("dealer_id") || isReturn) return without("unchanged");
  const since = changesSince(
    changeId,
    entries.filter((entry) => entry.id > first.id && entry.changeId !== changeId),
  );
  if (first.dealerId !== present.dealer_id || since.isChanged("dealer_id")) return without("changed_since");

  const oldValue = (name: string): unknown => {
    const before = wanted.get(name)?.before;
    return isCut(before) ? replaced[name] : before;
  };
  const isAsLeft = (name: string): boolean =>
    !since.reverted.has(name) &&
    !since.isChanged(name) &&
    isSame(shown[name] ?? null, wanted.get(name)?.after) &&
    oldValue(name) !== undefined;
  // What somebody changed of the stage or the sale since would be lost with the status.
  const isStatusReverted =
    isAsLeft("status") && OF_STATUS.every((name) => !since.isChanged(name) && (!wanted.has(name) || isAsLeft(name)));
  const fields = [...wanted.keys()].filter((name) =>
    wanted.has("status") && ["status", ...OF_STATUS].includes(name) ? isStatusReverted : isAsLeft(name),
  );
  // What was reverted before has nothing left: neither what was kept then, nor a sale that went with its status.
  if (fields.length === 0)
    return without([...wanted.keys()].some((name) => since.reverted.has(name)) ? "unchanged" : "changed_since");

  const old = Object.fromEntries(fields.map((name) => [name, oldValue(name)]));
  const resumedSale = old.status === "sold" ? trail.endedSale : null;
  const { sold_price: _, note: __, ...changes } = old;
  const getsStage = isStatusReverted && !("stage" in old) && trail.clearedStage !== null;
  return {
    outcome: "reverted",
    fields: getsStage ? [...fields, "stage"] : fields,
    changes: {
      ...(changes as VehicleUpdate),
      ...(getsStage && { stage: trail.clearedStage }),
      ...(resumedSale !== null && { sold_at: resumedSale.sold_at }),
    },
    sale: isStatusReverted ? {} : Object.fromEntries(Object.entries(old).filter(([name]) => OF_SALE.includes(name))),
    resumedSale,
  };
};
