import type { KeyRepository, WantedKeys } from "../../core/keys/key-repository.ts";
import { refusedOf, requestsOf } from "../../core/keys/refusals.ts";
import { sumByHour } from "../../core/keys/usage.ts";
import {
  type LastUse,
  MAX_STORED_DENIALS,
  OUTCOMES,
  type UsageCounts,
  type UsageRepository,
  type UsageWindow,
  type VisibleKey,
} from "../../core/keys/usage-repository.ts";
import type { UsageWriter } from "./writer.ts";

const MAX_TRIES = 3;

const latest = (uses: readonly (LastUse | null)[]): LastUse | null =>
  uses.reduce((one, other) => (one === null || (other !== null && other.at > one.at) ? other : one), null);

const isWithin =
  ({ first, last }: UsageWindow) =>
  ({ hour }: { readonly hour: string }): boolean =>
    first <= hour && hour <= last;

/** True if the reader may see a key's usage of this time, or of the hour that began then. */
const isVisible = ({ after }: VisibleKey, moment: string): boolean => moment > after;

/** Selects those hourly counts of these keys that the reader may see. */
const visibleOf = (keys: readonly VisibleKey[]) => {
  const seen = new Map(keys.map((key) => [key.id, key]));
  return ({ keyId, hour }: { readonly keyId: number; readonly hour: string }): boolean => {
    const key = seen.get(keyId);
    return key !== undefined && isVisible(key, hour);
  };
};

/** Adds up the counts of each key. */
const sumByKey = (rows: Iterable<UsageCounts & { readonly keyId: number }>) => {
  const sums = new Map<number, UsageCounts & { readonly keyId: number }>();
  for (const row of rows) {
    const sum = sums.get(row.keyId);
    const added = OUTCOMES.map((outcome) => [outcome, row[outcome] + (sum?.[outcome] ?? 0)]);
    sums.set(row.keyId, { keyId: row.keyId, ...(Object.fromEntries(added) as unknown as UsageCounts) });
  }
  return [...sums.values()];
};

/**
 * The lists of keys that also know what this process has not stored yet: it is stored before a list that depends on
 * usage is read. What cannot be stored now is left out; the writer reports it, and tries again.
 */
export const listsIncludingUnsaved = <Keys extends Pick<KeyRepository, "list" | "all">>(
  keys: Keys,
  writer: Pick<UsageWriter, "write" | "whenIdle">,
): Keys => {
  const isOfUsage = ({ filter, usageFrom }: WantedKeys & { readonly usageFrom?: string }): boolean =>
    filter.refusedSince !== undefined || usageFrom !== undefined;
  return {
    ...keys,
    async list(query) {
      if (isOfUsage(query)) {
        await writer.whenIdle();
        await writer.write().catch(() => {});
      }
      return keys.list(query);
    },
  };
};

/**
 * The stored usage of keys, plus the usage that this process has not stored yet, so that every request is visible at
 * once.
 */
export const includingUnsaved = (
  written: UsageRepository,
  writer: Pick<UsageWriter, "unsaved" | "whenIdle" | "writes">,
): UsageRepository => {
  /** Repeats `read` until no batch was written meanwhile, so that nothing is missed or counted twice. */
  const readStable = async <Result>(read: () => Promise<Result>, tries = MAX_TRIES): Promise<Result> => {
    await writer.whenIdle();
    const { writes } = writer;
    const result = await read();
    return writer.writes === writes || tries <= 1 ? result : readStable(read, tries - 1);
  };

  return {
    visibleKeys: written.visibleKeys,

    async of(key, window) {
      const usage = await readStable(() => written.of(key, window));
      const { hours, uses, denials } = writer.unsaved(key.id);
      const use = latest([usage.lastUse, ...uses.filter(({ at }) => isVisible(key, at))]);
      const counted = hours.filter(isWithin(window)).filter(({ hour }) => isVisible(key, hour));
      const refused = denials.filter(({ at }) => isVisible(key, at));
      return {
        hours: sumByHour([...usage.hours, ...counted]),
        lastUse: use === null ? null : { at: use.at, address: use.address, user_agent: use.user_agent },
        denials: [...refused.map(({ keyId: _, ...denial }) => denial).reverse(), ...usage.denials].slice(
          0,
          MAX_STORED_DENIALS,
        ),
      };
    },

    async byKey(keys, window) {
      const rows = await readStable(() => written.byKey(keys, window));
      const { hours } = writer.unsaved();
      const added = hours.filter(isWithin(window)).filter(visibleOf(keys));
      return [
        ...rows,
        ...added.map((row) => ({
          keyId: row.keyId,
          hour: row.hour,
          requests: requestsOf(row),
          refused: refusedOf(row),
        })),
      ];
    },

    async sums(keys, window) {
      const rows = await readStable(() => written.sums(keys, window));
      const added = writer.unsaved().hours.filter(isWithin(window)).filter(visibleOf(keys));
      return sumByKey([...rows, ...added]);
    },

    async totals(visibility, window) {
      const counted = writer.unsaved().hours.filter(isWithin(window));
      const seen = await written.visibleKeys(visibility, [...new Set(counted.map(({ keyId }) => keyId))]);
      const rows = await readStable(() => written.totals(visibility, window));
      const hours = writer.unsaved().hours.filter(isWithin(window));
      return sumByHour([...rows, ...hours.filter(visibleOf(seen))]);
    },
  };
};
