import { requestsOf, sumByHour } from "../../core/keys/usage.ts";
import {
  KEPT_DENIALS,
  type LastUse,
  type SeenKey,
  type UsageRepository,
  type UsageWindow,
} from "../../core/keys/usage-repository.ts";
import type { UsageWriter } from "./writer.ts";

const TRIES = 3;

const latest = (uses: readonly (LastUse | null)[]): LastUse | null =>
  uses.reduce((one, other) => (one === null || (other !== null && other.at > one.at) ? other : one), null);

const isWithin =
  ({ first, last }: UsageWindow) =>
  ({ hour }: { readonly hour: string }): boolean =>
    first <= hour && hour <= last;

/** Whether something of a moment, or of the hour that began then, is told of a key. */
const isTold = ({ after }: SeenKey, moment: string): boolean => moment > after;

/** Which counts of hours are those of these keys, and told. */
const toldOf = (keys: readonly SeenKey[]) => {
  const seen = new Map(keys.map((key) => [key.id, key]));
  return ({ keyId, hour }: { readonly keyId: number; readonly hour: string }): boolean => {
    const key = seen.get(keyId);
    return key !== undefined && isTold(key, hour);
  };
};

/** The use of keys as it was written, and what this process has counted and not written yet: a request just made is seen. */
export const withUnwritten = (
  written: UsageRepository,
  writer: Pick<UsageWriter, "unwritten" | "idle" | "writes">,
): UsageRepository => {
  /** What `read` reads, at a time when nothing moves from memory into the database: nothing is missed or counted twice. */
  const undisturbed = async <Result>(read: () => Promise<Result>, tries = TRIES): Promise<Result> => {
    await writer.idle();
    const { writes } = writer;
    const result = await read();
    return writer.writes === writes || tries <= 1 ? result : undisturbed(read, tries - 1);
  };

  return {
    among: written.among,

    async of(key, window) {
      const usage = await undisturbed(() => written.of(key, window));
      const { hours, uses, denials } = writer.unwritten(key.id);
      const use = latest([usage.lastUse, ...uses.filter(({ at }) => isTold(key, at))]);
      const counted = hours.filter(isWithin(window)).filter(({ hour }) => isTold(key, hour));
      const refused = denials.filter(({ at }) => isTold(key, at));
      return {
        hours: sumByHour([...usage.hours, ...counted]),
        lastUse: use === null ? null : { at: use.at, address: use.address, user_agent: use.user_agent },
        denials: [...refused.map(({ keyId: _, ...denial }) => denial).reverse(), ...usage.denials].slice(
          0,
          KEPT_DENIALS,
        ),
      };
    },

    async byKey(keys, window) {
      const rows = await undisturbed(() => written.byKey(keys, window));
      const { hours } = writer.unwritten();
      const added = hours.filter(isWithin(window)).filter(toldOf(keys));
      return [...rows, ...added.map((row) => ({ keyId: row.keyId, hour: row.hour, requests: requestsOf(row) }))];
    },

    async totals(sight, window) {
      const counted = writer.unwritten().hours.filter(isWithin(window));
      const seen = await written.among(sight, [...new Set(counted.map(({ keyId }) => keyId))]);
      const rows = await undisturbed(() => written.totals(sight, window));
      const hours = writer.unwritten().hours.filter(isWithin(window));
      return sumByHour([...rows, ...hours.filter(toldOf(seen))]);
    },
  };
};
