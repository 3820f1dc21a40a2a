const groupOf = (caller: string): string => caller.split(" ", 1)[0] ?? caller;

/** True if a caller is the named one, or one of the named group. */
export const isOf = (caller: string, name: string): boolean => caller === name || caller.startsWith(`${name} `);

/** The name with fewest under way; among equals the first. */
const fewest = (names: Iterable<string>, underWay: (name: string) => number): string | null => {
  let next: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const count = underWay(name);
    if (count === 0) return name;
    if (count < least) [next, least] = [name, count];
  }
  return next;
};

/** The waiting items of callers, in the order in which the callers were served last. */
type Lines<Item> = Map<string, Item[]>;

const sizeOf = (lines: Lines<unknown>): number => [...lines.values()].reduce((sum, { length }) => sum + length, 0);

/** Of equal ones the last. */
const largest = <Each>(all: Iterable<Each>, size: (one: Each) => number): Each | undefined => {
  let found: Each | undefined;
  for (const one of all) if (found === undefined || size(one) >= size(found)) found = one;
  return found;
};

/**
 * A waiting line in which nobody is behind another's crowd. A caller's name may have its group before it, as in
 * `dealer:1 key:2`: groups take turns, and in a group its callers, so that many callers of one group are no crowd
 * either. Each caller's items keep their order. The next item is that of the group, and in it of the caller, that has
 * fewest under way; among equals, of the one that was served longest ago.
 */
export class FairLine<Item> {
  /** How many items wait. */
  size = 0;
  /** In the order in which the groups were served last. */
  private readonly groups = new Map<string, Lines<Item>>();

  constructor(private readonly most: number) {}

  /** Adds an item. If the line is full, the last item of the longest crowd has to go: it is returned. */
  add(caller: string, item: Item): Item | null {
    const group = groupOf(caller);
    const lines = this.groups.get(group) ?? new Map<string, Item[]>();
    this.groups.set(group, lines);
    const line = lines.get(caller);
    if (line === undefined) lines.set(caller, [item]);
    else line.push(item);
    this.size++;
    return this.size > this.most ? this.dismissed() : null;
  }

  /**
   * Removes and returns the next item; `null` if none waits. `underWay` is asked for groups and for callers; whoever has
   * endlessly many is passed over.
   */
  take(underWay: (name: string) => number): Item | null {
    const group = fewest(this.groups.keys(), underWay);
    const lines = group === null ? undefined : this.groups.get(group);
    const caller = lines === undefined ? null : fewest(lines.keys(), underWay);
    const line = caller === null ? undefined : lines?.get(caller);
    const item = line?.shift();
    if (group === null || lines === undefined || caller === null || line === undefined || item === undefined)
      return null;
    this.size--;
    lines.delete(caller);
    if (line.length > 0) lines.set(caller, line);
    this.groups.delete(group);
    if (lines.size > 0) this.groups.set(group, lines);
    return item;
  }

  /** Removes and returns the items for which this is true. */
  remove(isOut: (item: Item) => boolean): Item[] {
    const removed: Item[] = [];
    for (const [group, lines] of this.groups) {
      for (const [caller, line] of lines) {
        const kept: Item[] = [];
        for (const item of line) (isOut(item) ? removed : kept).push(item);
        if (kept.length === line.length) continue;
        if (kept.length === 0) lines.delete(caller);
        else lines.set(caller, kept);
      }
      if (lines.size === 0) this.groups.delete(group);
    }
    this.size -= removed.length;
    return removed;
  }

  private dismissed(): Item | null {
    const [group, lines] = largest(this.groups, ([, all]) => sizeOf(all)) ?? [];
    const [caller, line] = largest(lines ?? [], ([, items]) => items.length) ?? [];
    if (group === undefined || lines === undefined || caller === undefined || line === undefined) return null;
    this.size--;
    const item = line.pop() ?? null;
    if (line.length === 0) lines.delete(caller);
    if (lines.size === 0) this.groups.delete(group);
    return item;
  }
}
