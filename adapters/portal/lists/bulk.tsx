import { VisuallyHidden } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { sayWhyNot } from "../shell/done.ts";
import { inFigures } from "../shell/figures.tsx";
import type { Ticks } from "./record-table.tsx";

/** The ticked rows that a dialog is about, and how it ends. */
export interface Asked<Row> {
  /** As they were last read. */
  readonly rows: readonly Row[];
  /** Closes the dialog; the rows stay ticked. */
  readonly onClose: () => void;
  /** Closes the dialog and unticks the rows. */
  readonly onDone: () => void;
}

/** Something that can be done with several records at once. */
export interface BulkAction<Row> {
  readonly label: string;
  /** The dialog that asks first, and does it: a `BulkChange`. */
  readonly dialog: (asked: Asked<Row>) => ReactNode;
}

type Key = string | number;

interface TickedProps<Row> {
  readonly keyOf: (row: Row) => Key;
  readonly nameOf: (row: Row) => string;
  /** What the list is narrowed to, as one text. */
  readonly filters: string;
  /** The rows of the present page. */
  readonly shown: readonly Row[];
}

/** The ticked rows, over all pages of a list; changed filters untick them. */
export const useTicks = <Row,>({ keyOf, nameOf, filters, shown }: TickedProps<Row>) => {
  const [kept, setKept] = useState<ReadonlyMap<Key, Row>>(new Map());
  const clear = (): void => setKept(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is about other records
  useEffect(clear, [filters]);
  const tick = useCallback(
    (rows: readonly Row[], isTicked: boolean): void =>
      setKept((before) => {
        const after = new Map(before);
        for (const row of rows)
          if (isTicked) after.set(keyOf(row), row);
          else after.delete(keyOf(row));
        return after;
      }),
    [keyOf],
  );
  const ticks: Ticks<Row> = { isTicked: (row) => kept.has(keyOf(row)), tick, nameOf };
  const here = shown.filter(ticks.isTicked);
  // What is on the page is newer than what was there when the row was ticked.
  const newest = new Map(here.map((row) => [keyOf(row), row]));
  return {
    ticks,
    ticked: [...kept].map(([key, row]) => newest.get(key) ?? row),
    elsewhere: kept.size - here.length,
    others: shown.filter((row) => !ticks.isTicked(row)),
    clear,
  };
};

/** Every row that the list finds, where those are few enough to be changed together. */
export interface Whole<Row> {
  readonly total: number;
  readonly noun: string;
  readonly read: () => Promise<readonly Row[]>;
}

interface BulkBarProps<Row> {
  readonly ticked: readonly Row[];
  /** How many of them are on other pages of the list. */
  readonly elsewhere: number;
  /** The rows of this page that are not ticked. */
  readonly others: readonly Row[];
  readonly onTick: (rows: readonly Row[], isTicked: boolean) => void;
  readonly whole: Whole<Row> | null;
  readonly actions: readonly BulkAction<Row>[];
  readonly onClear: () => void;
  /** The list, in which the focus stays when the bar goes. */
  readonly list: RefObject<HTMLElement | null>;
}

/** The dark bar at the foot while rows are ticked: how many, and what can be done with them. */
export const BulkBar = <Row,>({
  ticked,
  elsewhere,
  others,
  onTick,
  whole,
  actions,
  onClear,
  list,
}: BulkBarProps<Row>) => {
  const [asking, setAsking] = useState<BulkAction<Row> | null>(null);
  const reading = useQueryClient();
  const tickWhole = async ({ read }: Whole<Row>): Promise<void> => {
    try {
      onTick(await reading.fetchQuery({ queryKey: ["whole list"], queryFn: read, staleTime: 0, gcTime: 0 }), true);
    } catch (error) {
      sayWhyNot(error, "They could not be read. Try again.");
    }
  };
  const isLeft = useRef(false);
  const leave = (): void => {
    isLeft.current = true;
    setAsking(null);
    onClear();
  };
  useEffect(() => {
    if (!isLeft.current) return;
    isLeft.current = false;
    // The box of all rows, the first row's where that is not seen, the search where no row is left.
    const fields = [...(list.current?.querySelectorAll("input") ?? [])].filter((field) =>
      field.checkVisibility({ visibilityProperty: true }),
    );
    (fields.find(({ type }) => type === "checkbox") ?? fields[0])?.focus();
  });
  return (
    <>
      {/* Always there: what appears together with its text is not read out. */}
      <VisuallyHidden role="status">{ticked.length > 0 && `${ticked.length} selected`}</VisuallyHidden>
      {ticked.length > 0 && (
        <section className="bulk-bar" aria-label="Selected">
          <strong>
            {ticked.length} selected{elsewhere > 0 && `, ${elsewhere} on other pages`}
          </strong>
          {actions.map((action) => (
            <button key={action.label} type="button" onClick={() => setAsking(action)}>
              {action.label}
            </button>
          ))}
          {others.length > 0 && (
            <button type="button" onClick={() => onTick(others, true)}>
              All on this page
            </button>
          )}
          {others.length === 0 && whole !== null && whole.total > ticked.length && (
            <button type="button" onClick={() => tickWhole(whole)}>
              All {inFigures(whole.total)} {whole.noun}
            </button>
          )}
          <button type="button" aria-label="Clear the selection" onClick={leave}>
            <IconX size={16} aria-hidden />
          </button>
        </section>
      )}
      {asking?.dialog({ rows: ticked, onClose: () => setAsking(null), onDone: leave })}
    </>
  );
};
