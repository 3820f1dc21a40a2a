import { type ClipboardEvent, type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import type { Vehicle } from "../../../core/vehicles/fields.ts";
import { labelOf } from "../vehicles/vehicle-draft.ts";
import { titleWithStockNumber } from "../vehicles/vehicle-words.ts";
import {
  cellsOf,
  clipboardText,
  type Edits,
  filledDown,
  type Place,
  pastedInto,
  rangeBetween,
  SHEET_COLUMNS,
  SHEET_FIELDS,
  type SheetField,
  shownText,
  textsIn,
  withBlock,
} from "./cells.ts";

/** The keys that move the active cell: by rows and columns. */
const MOVES: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-20, 0],
  PageDown: [20, 0],
};

const within = (place: number, count: number): number => Math.max(0, Math.min(count - 1, place));

interface CellFieldProps {
  readonly label: string;
  /** What the field begins with: what was typed to open it, or the whole value. */
  readonly text: string;
  readonly onDone: (text: string | null, move: readonly [down: number, right: number]) => void;
}

/** The field of a cell that is being edited. Enter and Tab take it over, Escape leaves the cell as it was. */
const CellField = ({ label, text, onDone }: CellFieldProps) => {
  const [typed, setTyped] = useState(text);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape") onDone(null, [0, 0]);
    else if (event.key === "Enter") onDone(typed, [event.shiftKey ? -1 : 1, 0]);
    else if (event.key === "Tab") onDone(typed, [0, event.shiftKey ? -1 : 1]);
    else return;
    event.preventDefault();
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the user opened it to type
      autoFocus
      className="sheet-input"
      aria-label={label}
      autoComplete="off"
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => onDone(typed, [0, 0])}
    />
  );
};

interface RowProps {
  readonly vehicle: Vehicle;
  readonly row: number;
  readonly edited: Readonly<Partial<Record<SheetField, string>>> | undefined;
  /** Why the vehicle was not saved. */
  readonly refusal: string | undefined;
  /** The first and last selected column of this row, and the active one; `null` if there is none. */
  readonly selected: readonly [from: number, to: number] | null;
  readonly active: number | null;
  /** What the field of the active cell begins with; `null` while it is not open. */
  readonly opened: string | null;
  readonly onDone: CellFieldProps["onDone"];
}

const SheetRow = memo(({ vehicle, row, edited, refusal, selected, active, opened, onDone }: RowProps) => (
  <tr aria-rowindex={row + 2} {...(refusal !== undefined && { "data-refused": true })}>
    <th scope="row" className="sheet-name">
      {titleWithStockNumber(vehicle)}
      {refusal !== undefined && <span className="sheet-refusal">{refusal}</span>}
    </th>
    {SHEET_FIELDS.map((field, column) => {
      const isActive = column === active;
      const isSelected = selected !== null && column >= selected[0] && column <= selected[1];
      const label = `${labelOf(field)} of ${titleWithStockNumber(vehicle)}`;
      return (
        <td
          key={field}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it is edited in place
          role="gridcell"
          data-cell={`${row} ${column}`}
          tabIndex={isActive ? 0 : -1}
          aria-selected={isSelected}
          {...(SHEET_COLUMNS[field] === "number" && { className: "numeric" })}
          {...(edited?.[field] !== undefined && { "data-edited": true })}
        >
          {isActive && opened !== null ? (
            <CellField label={label} text={opened} onDone={onDone} />
          ) : (
            (edited?.[field] ?? shownText(vehicle, field, NO_EDITS))
          )}
        </td>
      );
    })}
  </tr>
));

const NO_EDITS: Edits = new Map();
const START: Place = { row: 0, column: 0 };

interface SheetGridProps {
  readonly vehicles: readonly Vehicle[];
  readonly edits: Edits;
  readonly refusals: ReadonlyMap<number, string>;
  readonly onChange: (edits: Edits) => void;
}

/**
 * The vehicles as a grid of cells. Arrow keys move, with Shift they select; typing, Enter and F2 edit; Ctrl+D fills the
 * selection with its first line; what a spreadsheet copied is pasted.
 */
export const SheetGrid = ({ vehicles, edits, refusals, onChange }: SheetGridProps) => {
  const grid = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState(START);
  const [anchor, setAnchor] = useState(START);
  const [opened, setOpened] = useState<string | null>(null);
  const takesFocus = useRef(false);
  const range = rangeBetween(active, anchor);

  useEffect(() => {
    if (!takesFocus.current || opened !== null) return;
    takesFocus.current = false;
    const cell = grid.current?.querySelector<HTMLElement>(`[data-cell="${active.row} ${active.column}"]`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  const go = (to: Place, extends_ = false): void => {
    const place = { row: within(to.row, vehicles.length), column: within(to.column, SHEET_FIELDS.length) };
    takesFocus.current = true;
    setActive(place);
    if (!extends_) setAnchor(place);
  };
  const put = (texts: readonly (readonly string[])[]): void =>
    onChange(withBlock(edits, vehicles, { at: range.from, texts }));
  const textOf = ({ row, column }: Place): string => {
    const [vehicle, field] = [vehicles[row], SHEET_FIELDS[column]];
    return vehicle === undefined || field === undefined ? "" : shownText(vehicle, field, edits);
  };
  const done: CellFieldProps["onDone"] = (text, [down, right]) => {
    if (opened === null) return;
    setOpened(null);
    if (text !== null) onChange(withBlock(edits, vehicles, { at: active, texts: [[text]] }));
    go({ row: active.row + down, column: active.column + right });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, shiftKey } = event;
    const hasControl = event.ctrlKey || event.metaKey;
    const move = MOVES[key];
    if (move !== undefined) go({ row: active.row + move[0], column: active.column + move[1] }, shiftKey);
    else if (key === "Home") go({ row: hasControl ? 0 : active.row, column: 0 }, shiftKey);
    else if (key === "End")
      go({ row: hasControl ? vehicles.length - 1 : active.row, column: SHEET_FIELDS.length - 1 }, shiftKey);
    else if (key === "Enter" || key === "F2") setOpened(textOf(active));
    else if (hasControl && key.toLowerCase() === "d") put(filledDown(textsIn(range, vehicles, edits)));
    else if (key === "Delete" || key === "Backspace")
      put(textsIn(range, vehicles, edits).map((line) => line.map(() => "")));
    else if (key.length === 1 && !hasControl && !event.altKey) setOpened(key);
    else return;
    event.preventDefault();
  };

  const onPaste = (event: ClipboardEvent): void => {
    if (opened !== null) return;
    event.preventDefault();
    const texts = pastedInto(range, cellsOf(event.clipboardData.getData("text/plain")));
    put(texts);
    takesFocus.current = true;
    setAnchor(range.from);
    setActive({
      row: within(range.from.row + texts.length - 1, vehicles.length),
      column: within(range.from.column + Math.max(...texts.map(({ length }) => length)) - 1, SHEET_FIELDS.length),
    });
  };
  const onCopy = (event: ClipboardEvent): void => {
    if (opened !== null) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", clipboardText(textsIn(range, vehicles, edits)));
  };
  const placeOf = (target: EventTarget): Place | null => {
    const [row, column] = (target as HTMLElement).closest<HTMLElement>("[data-cell]")?.dataset.cell?.split(" ") ?? [];
    return row === undefined || column === undefined ? null : { row: Number(row), column: Number(column) };
  };

  return (
    <div className="sheet">
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are edited in place
        role="grid"
        aria-label="Vehicles"
        aria-rowcount={vehicles.length + 1}
        aria-multiselectable
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onCopy={onCopy}
        onMouseDown={(event) => {
          const place = placeOf(event.target);
          if (place === null || (opened !== null && place.row === active.row && place.column === active.column)) return;
          if (event.shiftKey) event.preventDefault();
          go(place, event.shiftKey);
        }}
        onDoubleClick={(event) => placeOf(event.target) !== null && opened === null && setOpened(textOf(active))}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className="sheet-head sheet-corner">
              Vehicle
            </th>
            {SHEET_FIELDS.map((field) => (
              <th
                key={field}
                scope="col"
                className={SHEET_COLUMNS[field] === "number" ? "sheet-head numeric" : "sheet-head"}
              >
                {labelOf(field)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {vehicles.map((vehicle, row) => {
            const isIn = row >= range.from.row && row <= range.to.row;
            const isActive = row === active.row;
            return (
              <SheetRow
                key={vehicle.id}
                vehicle={vehicle}
                row={row}
                edited={edits.get(vehicle.id)}
                refusal={refusals.get(vehicle.id)}
                selected={isIn ? [range.from.column, range.to.column] : null}
                active={isActive ? active.column : null}
                opened={isActive ? opened : null}
                onDone={done}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
};
