import { VisuallyHidden } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { formatNumber } from "../page/figures.tsx";
import { notifyFailure } from "../page/notify.tsx";
import type { RowSelection } from "./record-table.tsx";

/** The props of a dialog about the selected rows. */
export interface BulkDialogProps<Row> {
  /** The selected rows, as last read. */
  readonly rows: readonly Row[];
  /** Closes the dialog; the rows stay selected. */
  readonly onClose: () => void;
  /** Closes the dialog and clears the selection. */
  readonly onDone: () => void;
}

/** An action on several records at once. */
export interface BulkAction<Row> {
  readonly label: string;
  /** The dialog that asks for confirmation and makes the change: a `BulkChange`. */
  readonly dialog: (dialogProps: BulkDialogProps<Row>) => ReactNode;
}

type Key = string | number;

interface RowSelectionProps<Row> {
  readonly keyOf: (row: Row) => Key;
  readonly nameOf: (row: Row) => string;
  /** The filters of the list as one text; a new text clears the selection. */
  readonly filters: string;
  /** The rows of the current page. */
  readonly pageRows: readonly Row[];
}

/** The selected rows across all pages of a list; a change of the filters clears them. */
export const useRowSelection = <Row,>({ keyOf, nameOf, filters, pageRows }: RowSelectionProps<Row>) => {
  const [selectedByKey, setSelectedByKey] = useState<ReadonlyMap<Key, Row>>(new Map());
  const clear = (): void => setSelectedByKey(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters list other records
  useEffect(clear, [filters]);
  const setSelected = useCallback(
    (rows: readonly Row[], isSelected: boolean): void =>
      setSelectedByKey((before) => {
        const after = new Map(before);
        for (const row of rows)
          if (isSelected) after.set(keyOf(row), row);
          else after.delete(keyOf(row));
        return after;
      }),
    [keyOf],
  );
  const selection: RowSelection<Row> = { isSelected: (row) => selectedByKey.has(keyOf(row)), setSelected, nameOf };
  const selectedHere = pageRows.filter(selection.isSelected);
  // The row on this page is newer than the one that was selected.
  const newest = new Map(selectedHere.map((row) => [keyOf(row), row]));
  return {
    selection,
    selectedRows: [...selectedByKey].map(([key, row]) => newest.get(key) ?? row),
    countOnOtherPages: selectedByKey.size - selectedHere.length,
    unselectedRows: pageRows.filter((row) => !selection.isSelected(row)),
    clear,
  };
};

/** The rows that match the filters. */
export interface MatchingRows<Row> {
  readonly total: number;
  /** So many are selected at once at most. */
  readonly most: number;
  readonly noun: string;
  readonly read: () => Promise<readonly Row[]>;
}

interface BulkBarProps<Row> {
  readonly selectedRows: readonly Row[];
  /** How many of them are on other pages of the list. */
  readonly countOnOtherPages: number;
  /** The rows of this page that are not selected. */
  readonly unselectedRows: readonly Row[];
  readonly onSelect: (rows: readonly Row[], isSelected: boolean) => void;
  readonly matching: MatchingRows<Row> | null;
  readonly actions: readonly BulkAction<Row>[];
  readonly onClear: () => void;
  /** The list; it gets the focus when the bar disappears. */
  readonly list: RefObject<HTMLElement | null>;
}

/** The bar at the bottom while rows are selected: their number, and the bulk actions. */
export const BulkBar = <Row,>({
  selectedRows,
  countOnOtherPages,
  unselectedRows,
  onSelect,
  matching,
  actions,
  onClear,
  list,
}: BulkBarProps<Row>) => {
  const [openAction, setOpenAction] = useState<BulkAction<Row> | null>(null);
  const queryClient = useQueryClient();
  const selectMatching = async ({ read }: MatchingRows<Row>): Promise<void> => {
    try {
      onSelect(
        await queryClient.fetchQuery({ queryKey: ["whole list"], queryFn: read, staleTime: 0, gcTime: 0 }),
        true,
      );
    } catch (error) {
      notifyFailure(error, "They could not be read. Try again.");
    }
  };
  const isFocusPending = useRef(false);
  const clear = (): void => {
    isFocusPending.current = true;
    setOpenAction(null);
    onClear();
  };
  useEffect(() => {
    if (!isFocusPending.current) return;
    isFocusPending.current = false;
    // Prefer the checkbox of all rows, then the first row's, then the search field.
    const fields = [...(list.current?.querySelectorAll("input") ?? [])].filter((field) =>
      field.checkVisibility({ visibilityProperty: true }),
    );
    (fields.find(({ type }) => type === "checkbox") ?? fields[0])?.focus();
  });
  return (
    <>
      {/* Always mounted: screen readers do not announce a status that appears together with its text. */}
      <VisuallyHidden role="status">{selectedRows.length > 0 && `${selectedRows.length} selected`}</VisuallyHidden>
      {selectedRows.length > 0 && (
        <section className="bulk-bar" aria-label="Selected">
          <strong>
            {selectedRows.length} selected{countOnOtherPages > 0 && `, ${countOnOtherPages} on other pages`}
          </strong>
          {actions.map((action) => (
            <button key={action.label} type="button" onClick={() => setOpenAction(action)}>
              {action.label}
            </button>
          ))}
          {unselectedRows.length > 0 && (
            <button type="button" onClick={() => onSelect(unselectedRows, true)}>
              All on this page
            </button>
          )}
          {unselectedRows.length === 0 &&
            matching !== null &&
            Math.min(matching.total, matching.most) > selectedRows.length && (
              <button type="button" onClick={() => selectMatching(matching)}>
                {matching.total > matching.most
                  ? `The first ${formatNumber(matching.most)} of ${formatNumber(matching.total)} ${matching.noun}`
                  : `All ${formatNumber(matching.total)} ${matching.noun}`}
              </button>
            )}
          <button type="button" aria-label="Clear the selection" onClick={clear}>
            <IconX size={16} aria-hidden />
          </button>
        </section>
      )}
      {openAction?.dialog({ rows: selectedRows, onClose: () => setOpenAction(null), onDone: clear })}
    </>
  );
};
