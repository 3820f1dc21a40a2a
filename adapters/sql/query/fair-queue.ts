const groupOf = (caller: string): string => {
  const end = caller.indexOf(" ");
  return end === -1 ? caller : caller.slice(0, end);
};

/**
 * The caller of work that was not requested by anybody. It is done for many, so the limit for one caller does not
 * apply.
 */
export const NO_CALLER = "";

/** True if the name is that of this caller, or of its group. */
export const matchesCaller = (caller: string, name: string): boolean =>
  caller.startsWith(name) && (caller.length === name.length || caller[name.length] === " ");

/** The entry whose name has the fewest running items. Of equal ones, it is the first. */
const leastBusy = <Value>(
  entries: Iterable<readonly [name: string, Value]>,
  runningOf: (name: string) => number,
): readonly [name: string, Value] | null => {
  let next: readonly [name: string, Value] | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const count = runningOf(entry[0]);
    if (count === 0) return entry;
    if (count < least) [next, least] = [entry, count];
  }
  return next;
};

/** The waiting items of each caller. The caller who was served longest ago comes first. */
type CallerQueues<Item> = Map<string, Item[]>;

const sizeOf = (queues: CallerQueues<unknown>): number =>
  [...queues.values()].reduce((sum, { length }) => sum + length, 0);

/** The largest element; there must be one. Of equal ones, it is the last. */
const largest = <Each>(all: Iterable<Each>, size: (one: Each) => number): Each =>
  [...all].reduce((found, one) => (size(one) >= size(found) ? one : found));

/**
 * A queue that is fair to callers: nobody waits behind the many items of another caller. The name of a caller may begin
 * with its group, as in `dealer:1 key:2`. Groups take turns, and so do the callers within a group. Each caller's items
 * keep their order. The next item is taken from the group with the fewest running items, and there from the caller with
 * the fewest running items. Of equal ones, the one that was served longest ago is chosen.
 */
export class FairQueue<Item> {
  /** The number of waiting items. */
  size = 0;
  /** The group that was served longest ago comes first. */
  private readonly groups = new Map<string, CallerQueues<Item>>();

  constructor(private readonly maxSize: number) {}

  /** Adds an item. If the queue is full, the last item of the caller with the most items is removed and returned. */
  add(caller: string, item: Item): Item | null {
    const group = groupOf(caller);
    const queues = this.groups.get(group) ?? new Map<string, Item[]>();
    this.groups.set(group, queues);
    const queue = queues.get(caller);
    if (queue === undefined) queues.set(caller, [item]);
    else queue.push(item);
    this.size++;
    return this.size > this.maxSize ? this.evict() : null;
  }

  /**
   * Removes and returns the next item; `null` if none is waiting. `runningOf` returns the number of running items of a
   * group or of a caller. If it returns infinity, the group or caller is skipped.
   */
  take(runningOf: (name: string) => number): Item | null {
    const nextGroup = leastBusy(this.groups, runningOf);
    if (nextGroup === null) return null;
    const [group, queues] = nextGroup;
    const nextCaller = leastBusy(queues, runningOf);
    if (nextCaller === null) return null;
    const [caller, queue] = nextCaller;
    this.size--;
    const item = queue.shift() ?? null;
    // Put behind all others: the maps are in the order of the turns.
    queues.delete(caller);
    if (queue.length > 0) queues.set(caller, queue);
    this.groups.delete(group);
    if (queues.size > 0) this.groups.set(group, queues);
    return item;
  }

  /** Removes and returns the items for which `isOut` is true. */
  remove(isOut: (item: Item) => boolean): Item[] {
    const removed: Item[] = [];
    for (const [group, queues] of this.groups) {
      for (const [caller, queue] of queues) {
        const remaining: Item[] = [];
        for (const item of queue) (isOut(item) ? removed : remaining).push(item);
        if (remaining.length === 0) queues.delete(caller);
        else queues.set(caller, remaining);
      }
      if (queues.size === 0) this.groups.delete(group);
    }
    this.size -= removed.length;
    return removed;
  }

  private evict(): Item | null {
    const [group, queues] = largest(this.groups, ([, all]) => sizeOf(all));
    const [caller, queue] = largest(queues, ([, items]) => items.length);
    this.size--;
    const item = queue.pop() ?? null;
    if (queue.length === 0) queues.delete(caller);
    if (queues.size === 0) this.groups.delete(group);
    return item;
  }
}
