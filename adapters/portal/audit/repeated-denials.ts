import { DENIED } from "../../../core/audit/actions.ts";
import type { AuditEntry } from "../../../core/audit/audit-entry.ts";

/** The denials of one key within an hour, newest first: two or more. */
export interface RepeatedDenials<Entry> {
  readonly denials: readonly [Entry, Entry, ...Entry[]];
}

/** "2026-11-27T09" of a timestamp. */
const HOUR_CHARACTERS = 13;

const hourOfKey = ({ action, actor, at }: AuditEntry): string | null =>
  action === DENIED && actor.type === "key" && actor.id !== null ? `${actor.id} ${at.slice(0, HOUR_CHARACTERS)}` : null;

const isRepeated = <Entry>(denials: readonly Entry[]): denials is RepeatedDenials<Entry>["denials"] =>
  denials.length > 1;

/** The same entries, with the denials of a key in an hour as one row in the place of the newest of them. */
export const withDenialsTogether = <Entry extends AuditEntry>(
  entries: readonly Entry[],
): readonly (Entry | RepeatedDenials<Entry>)[] => {
  const hours = Map.groupBy(entries, hourOfKey);
  return entries.flatMap((entry): (Entry | RepeatedDenials<Entry>)[] => {
    const hour = hourOfKey(entry);
    const denials = hour === null ? [] : (hours.get(hour) ?? []);
    if (!isRepeated(denials)) return [entry];
    return denials[0] === entry ? [{ denials }] : [];
  });
};
