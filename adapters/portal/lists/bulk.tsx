import { IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import type { Ticks } from "./record-table.tsx";

/** Something that can be done with several records at once. */
export interface BulkAction<Row> {
  readonly label: string;
  /** Does it, or asks first; `done` unticks the rows. */
  readonly run: (rows: readonly Row[], done: () => void) => void;
}

type KeyOf<Row> = (row: Row) => string | number;

/** The ticked rows, over all pages of a list; changed filters untick them. */
export const useTicks = <Row,>({
  keyOf,
  nameOf,
  filters,
}: {
  readonly keyOf: KeyOf<Row>;
  readonly nameOf: (row: Row) => string;
  /** What the list is narrowed to, as one text. */
  readonly filters: string;
}) => {
  const [ticked, setTicked] = useState<ReadonlyMap<string | number, Row>>(new Map());
  const clear = (): void => setTicked(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is about other records
  useEffect(clear, [filters]);
  const ticks: Ticks<Row> = {
    isTicked: (row) => ticked.has(keyOf(row)),
    tick: (rows, isTicked) =>
      setTicked((before) => {
        const after = new Map(before);
        for (const row of rows)
          if (isTicked) after.set(keyOf(row), row);
          else after.delete(keyOf(row));
        return after;
      }),
    nameOf,
  };
  return { ticks, ticked: [...ticked.values()], clear };
};

interface BulkBarProps<Row> {
  readonly ticked: readonly Row[];
  readonly actions: readonly BulkAction<Row>[];
  readonly onClear: () => void;
}

/** The dark bar at the foot while rows are ticked: how many, and what can be done with them. */
export const BulkBar = <Row,>({ ticked, actions, onClear }: BulkBarProps<Row>) => {
  if (ticked.length === 0) return null;
  return (
    <section className="bulk-bar" aria-label="Selected">
      <strong role="status">{ticked.length} selected</strong>
      {actions.map(({ label, run }) => (
        <button key={label} type="button" onClick={() => run(ticked, onClear)}>
          {label}
        </button>
      ))}
      <button type="button" aria-label="Clear the selection" onClick={onClear}>
        <IconX size={16} aria-hidden />
      </button>
    </section>
  );
};
