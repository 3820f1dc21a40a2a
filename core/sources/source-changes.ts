import type { Principal } from "../access/principal.ts";
import { missingVehiclesAreRemovedByThoseWhoMayDelete } from "../access/rules/missing-vehicles-are-removed-by-those-who-may-delete.ts";
import { endingAfter, onlyHigherRankReactivates, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import type { Timestamp } from "../clock.ts";
import { Failure, invalid, type Outcome } from "../failure.ts";
import { photosOffFailure } from "../imports/reception.ts";
import { answeredOptions, changedAuth, originOf, type SourceChanges, type SourceOptions } from "./source.ts";
import type { SourceChange, SourceFields, StoredSource } from "./source-repository.ts";

/** The reason why the caller may not make imports with these options; `null` if they may. */
export const rightsFailure = (principal: Principal, sent: SourceOptions): Failure | null => {
  const options = answeredOptions(sent);
  return options instanceof Failure ? options : missingVehiclesAreRemovedByThoseWhoMayDelete(principal, options);
};

/** True if both lead to the same imports. It does not matter whether defaults are written out. */
const hasSameOptions = (one: SourceOptions, other: SourceOptions): boolean =>
  JSON.stringify(answeredOptions(one)) === JSON.stringify(answeredOptions(other));

/** A source after a change of the fields that were sent, or why the caller may not make the change. */
export const sourceChanged = (
  stored: StoredSource,
  { auth: sent, ...changes }: SourceChanges,
  {
    by,
    photosOff = null,
    targetFailure,
    nextTick,
  }: {
    readonly by: Principal;
    /** Why no photos are taken; `null` if they are. */
    readonly photosOff?: string | null;
    /** The failure if nothing would ever be fetched from an address. */
    readonly targetFailure: (address: string) => Failure | null;
    readonly nextTick: (fields: Pick<SourceFields, "schedule" | "timezone" | "active">) => Timestamp | null;
  },
): Outcome<SourceChange> => {
  const auth = changedAuth(sent, stored.auth);
  if (auth instanceof Failure) return auth;
  const { name, url, schedule, timezone, options, field_owners, active } = { ...stored, ...changes };
  const fields = { name, url, schedule, timezone, options, field_owners, active };
  const lacking = rightsFailure(by, options);
  if (lacking !== null) return lacking;
  const off = stored.options.fetch_images === true ? null : photosOffFailure(options, photosOff);
  if (off !== null) return off;
  // An answer can be sent back as it is, also when EGRESS_ALLOW does not list the network any more.
  const refusedTarget = url === stored.url ? null : targetFailure(url);
  if (refusedTarget !== null) return refusedTarget;
  // Otherwise, changing the address could send the stored credentials to another host.
  if (stored.auth !== null && auth === undefined && originOf(url) !== originOf(stored.url))
    return invalid({ path: "auth", message: "must be sent again, or as null, where the address is on another host" });
  const endedBy = endingAfter(rankOf(by), stored, { active, endedAgain: changes.active !== undefined });
  if (endedBy instanceof Failure) return endedBy;
  const isSame = auth === undefined && url === stored.url && hasSameOptions(options, stored.options);
  const isOn = active && !stored.active;
  const isMoved = isOn || schedule !== stored.schedule || timezone !== stored.timezone || active !== stored.active;
  return {
    ...fields,
    ...(auth !== undefined && { auth }),
    endedBy,
    nextAt: isMoved ? nextTick(fields) : stored.nextAt,
    isReset: !isSame,
    failures: isOn ? 0 : stored.failures,
    failingSince: isOn ? null : stored.failingSince,
  };
};

/** Why the caller may not have a source fetched now. It may be switched off, unless a higher rank did so. */
export const runRefusal = (stored: StoredSource, by: Principal): Failure | null =>
  rightsFailure(by, stored.options) ?? onlyHigherRankReactivates(rankOf(by), stored);
