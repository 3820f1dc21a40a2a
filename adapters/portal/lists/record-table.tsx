import { Checkbox, Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { ScrollableTable } from "./scrollable-table.tsx";

/** A column of a table of records. */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** The value of `sort` for this column. */
  readonly sort?: string;
  /** The order after the first click on the heading; descending by default. */
  readonly firstOrder?: "asc" | "desc";
  readonly numeric?: boolean;
  /** True if only screen readers get the heading. */
  readonly isHeadHidden?: boolean;
  /** When the column leaves a table that has no room for all of its columns. */
  readonly leaves?: "first" | "second";
  /** True if the column is hidden until the user chooses it. */
  readonly hiddenByDefault?: boolean;
}

/** The order of a table, and how to change it. */
export interface Sorting {
  readonly by: string;
  readonly order: "asc" | "desc";
  readonly onChange: (by: string, order: "asc" | "desc") => void;
}

/** The selected rows of a table, and how to change the selection. */
export interface RowSelection<Row> {
  readonly isSelected: (row: Row) => boolean;
  readonly setSelected: (rows: readonly Row[], isSelected: boolean) => void;
  readonly nameOf: (row: Row) => string;
}

interface RecordTableProps<Row> {
  readonly caption: string;
  /** The first column names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly sorting?: Sorting;
  readonly selection?: RowSelection<Row>;
  /** The menu at the end of a row. */
  readonly menu?: (row: Row) => ReactNode;
}

const SORTS = { asc: "ascending", desc: "descending" } as const;

const Head = <Row,>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) => {
  if (column.isHeadHidden) return <VisuallyHidden>{column.head}</VisuallyHidden>;
  if (column.sort === undefined || sorting === undefined) return column.head;
  const { sort, firstOrder = "desc" } = column;
  const isSorted = sorting.by === sort;
  const Icon = isSorted ? (sorting.order === "asc" ? IconArrowUp : IconArrowDown) : IconArrowsSort;
  const next = isSorted ? (sorting.order === "desc" ? "asc" : "desc") : firstOrder;
  return (
    <UnstyledButton className="sort" onClick={() => sorting.onChange(sort, next)}>
      {column.head} <Icon size={14} className="sort-mark" aria-hidden />
    </UnstyledButton>
  );
};

const SelectAll = <Row,>({ rows, selection }: { rows: readonly Row[]; selection: RowSelection<Row> }) => {
  const selectedCount = rows.filter(selection.isSelected).length;
  return (
    <Checkbox
      size="xs"
      aria-label="Select all on this page"
      checked={rows.length > 0 && selectedCount === rows.length}
      indeterminate={selectedCount > 0 && selectedCount < rows.length}
      onChange={({ currentTarget }) => selection.setSelected(rows, currentTarget.checked)}
    />
  );
};

const look = ({ numeric, leaves }: Pick<Column<never>, "numeric" | "leaves">) => ({
  ...(numeric && { ta: "right" as const, className: "numeric" }),
  ...(leaves !== undefined && { "data-leaves": leaves }),
});

/** Puts the focus into the bar of actions, which is at the end of the page. */
const focusBulkBar = (): void => document.querySelector<HTMLElement>(".bulk-bar button")?.focus();

interface RowProps<Item> extends Pick<RecordTableProps<Item>, "columns"> {
  readonly row: Item;
  readonly menu: RecordTableProps<Item>["menu"] | undefined;
  /** `undefined` if rows cannot be selected. */
  readonly isSelected: boolean | undefined;
  readonly onSelect: RowSelection<Item>["setSelected"] | undefined;
  readonly nameOf: RowSelection<Item>["nameOf"] | undefined;
}

const RowCells = <Item,>({ row, columns, isSelected, onSelect, nameOf, menu }: RowProps<Item>) => (
  <Table.Tr {...(isSelected && { "data-selected": true })}>
    {isSelected !== undefined && (
      <Table.Td className="select-cell">
        <Checkbox
          size="xs"
          aria-label={`Select ${nameOf?.(row)}`}
          checked={isSelected}
          onChange={({ currentTarget }) => onSelect?.([row], currentTarget.checked)}
        />
        {isSelected && (
          <button type="button" className="to-actions" onClick={focusBulkBar}>
            Go to the actions
          </button>
        )}
      </Table.Td>
    )}
    {columns.map((column, at) =>
      at === 0 ? (
        <Table.Th key={column.head} scope="row" fw={400}>
          <div>{column.cell(row)}</div>
        </Table.Th>
      ) : (
        <Table.Td key={column.head} {...look(column)} {...(!column.isHeadHidden && { "data-head": column.head })}>
          <div>{column.cell(row)}</div>
        </Table.Td>
      ),
    )}
    {menu !== undefined && <Table.Td className="row-menu">{menu(row)}</Table.Td>}
  </Table.Tr>
);

/** A row, memoized because the list renders again with each letter typed above it. */
const Row = memo(RowCells) as typeof RowCells;

/** Records as a table; on narrow windows each row is a card. */
export const RecordTable = <Row,>({
  caption,
  columns,
  rows,
  keyOf,
  sorting,
  selection,
  menu,
}: RecordTableProps<Row>) => (
  <ScrollableTable label={`${caption}, table`}>
    <Table>
      <Table.Caption className="hidden-caption">{caption}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          {selection !== undefined && (
            <Table.Td className="select-cell">
              <SelectAll rows={rows} selection={selection} />
            </Table.Td>
          )}
          {columns.map((column) => (
            <Table.Th
              key={column.head}
              scope="col"
              {...look(column)}
              {...(sorting !== undefined &&
                column.sort === sorting.by && { "aria-sort": sorting.order === "asc" ? SORTS.asc : SORTS.desc })}
            >
              <Head column={column} sorting={sorting} />
            </Table.Th>
          ))}
          {menu !== undefined && (
            <Table.Th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Row
            key={keyOf(row)}
            row={row}
            columns={columns}
            isSelected={selection?.isSelected(row)}
            onSelect={selection?.setSelected}
            nameOf={selection?.nameOf}
            menu={menu}
          />
        ))}
      </Table.Tbody>
    </Table>
  </ScrollableTable>
);
