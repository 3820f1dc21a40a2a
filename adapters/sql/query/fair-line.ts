/**
 * A waiting line in which nobody is behind another's crowd. Each caller's items keep their order. The next item is that
 * of the caller who has fewest under way; among equals, of the one who was served longest ago.
 */
export class FairLine<Item> {
  /** How many items wait. */
  size = 0;
  /** In the order in which the callers were served last. */
  private readonly lines = new Map<string, Item[]>();

  constructor(private readonly most: number) {}

  /** Adds an item. If the line is full, the last item of the longest crowd has to go: it is returned. */
  add(caller: string, item: Item): Item | null {
    const line = this.lines.get(caller);
    if (line === undefined) this.lines.set(caller, [item]);
    else line.push(item);
    this.size++;
    return this.size > this.most ? this.dismissed() : null;
  }

  /** Removes and returns the next item; `null` if none waits. */
  take(underWay: (caller: string) => number): Item | null {
    let next: string | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const caller of this.lines.keys()) {
      const count = underWay(caller);
      if (count >= fewest) continue;
      [next, fewest] = [caller, count];
    }
    const line = next === null ? undefined : this.lines.get(next);
    const item = line?.shift();
    if (next === null || line === undefined || item === undefined) return null;
    this.size--;
    this.lines.delete(next);
    if (line.length > 0) this.lines.set(next, line);
    return item;
  }

  /** Removes and returns the items for which this is true. */
  remove(isOut: (item: Item) => boolean): Item[] {
    const removed: Item[] = [];
    for (const [caller, line] of this.lines) {
      const kept: Item[] = [];
      for (const item of line) (isOut(item) ? removed : kept).push(item);
      if (kept.length === line.length) continue;
      if (kept.length === 0) this.lines.delete(caller);
      else this.lines.set(caller, kept);
    }
    this.size -= removed.length;
    return removed;
  }

  private dismissed(): Item | null {
    let longest: Item[] = [];
    for (const line of this.lines.values()) if (line.length >= longest.length) longest = line;
    this.size--;
    const item = longest.pop() ?? null;
    for (const [caller, line] of this.lines) if (line.length === 0) this.lines.delete(caller);
    return item;
  }
}
