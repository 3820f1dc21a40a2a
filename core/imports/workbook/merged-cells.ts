import type { SheetValue } from "./cell-values.ts";
import { WORKBOOK_LIMITS } from "./limits.ts";
import type { Merge } from "./merges.ts";

/** A merge that reaches into the present row, in one of its columns. */
interface Reaching {
  readonly merge: Merge;
  /** The value that counts for all its rows; `undefined` if it counts for the first cell only. */
  value: SheetValue | undefined;
}

/**
 * Gives merged cells the value of their first one. If they are all in one column, it counts for each of their rows;
 * otherwise it counts for the first cell only. Rows must be given from the top down.
 */
export class MergedCells {
  private readonly reaching = new Map<number, Reaching>();
  private next = 0;

  /** Merges that begin up to row `heading` give their values to their first cell only. */
  constructor(
    private readonly merges: readonly Merge[],
    private readonly heading: number,
  ) {}

  /** The values of a row as they count, and a column to which one came from above; `null` if there is none. */
  applyTo(
    line: number,
    values: readonly (SheetValue | undefined)[],
  ): {
    readonly values: readonly (SheetValue | undefined)[];
    readonly filled: number | null;
  } {
    if (this.next === this.merges.length && this.reaching.size === 0) return { values, filled: null };
    this.begin(line);
    const counting = [...values];
    const others = new Set<number>();
    let filled: number | null = null;
    for (const [column, reaching] of this.reaching) {
      const { merge } = reaching;
      if (merge.bottom < line) {
        this.reaching.delete(column);
        continue;
      }
      const isFirst = merge.top === line && merge.left === column;
      if (isFirst && merge.left === merge.right && line > this.heading) reaching.value = values[column];
      if (isFirst) continue;
      others.add(column);
      counting[column] = reaching.value;
      if (reaching.value !== undefined) filled ??= column;
    }
    // Cells that only belong to those above make no row.
    const hasOwn = values.some((value, column) => value !== undefined && !others.has(column));
    return hasOwn ? { values: counting, filled } : { values: [], filled: null };
  }

  /** Takes the merges that begin up to a row. */
  private begin(line: number): void {
    for (
      let merge = this.merges[this.next];
      merge !== undefined && merge.top <= line;
      merge = this.merges[++this.next]
    ) {
      const last = Math.min(merge.right, WORKBOOK_LIMITS.columns - 1);
      for (let column = merge.left; column <= last; column++) this.reaching.set(column, { merge, value: undefined });
    }
  }
}
