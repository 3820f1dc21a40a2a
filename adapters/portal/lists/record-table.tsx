import { Checkbox, Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { Scrolling } from "./scrolling.tsx";

/** A column of a table of records. */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** The value of `sort` for this column. */
  readonly sort?: string;
  /** The order that the first click on its heading asks for; the last first unless it says otherwise. */
  readonly firstOrder?: "asc" | "desc";
  readonly numeric?: boolean;
  /** True when the heading is for screen readers only. */
  readonly silent?: boolean;
  /** True when it is not shown until somebody chooses it. */
  readonly extra?: boolean;
}

/** The order of a table, and how to change it. */
export interface Sorting {
  readonly by: string;
  readonly order: "asc" | "desc";
  readonly onChange: (by: string, order: "asc" | "desc") => void;
}

/** The ticked rows of a table, and how to tick more. */
export interface Ticks<Row> {
  readonly isTicked: (row: Row) => boolean;
  readonly tick: (rows: readonly Row[], isTicked: boolean) => void;
  readonly nameOf: (row: Row) => string;
}

interface RecordTableProps<Row> {
  readonly caption: string;
  /** The first column names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly sorting?: Sorting;
  readonly ticks?: Ticks<Row>;
  /** What can be done with a row, at its end. */
  readonly menu?: (row: Row) => ReactNode;
}

const SORTS = { asc: "ascending", desc: "descending" } as const;

const Head = <Row,>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) => {
  if (column.silent) return <VisuallyHidden>{column.head}</VisuallyHidden>;
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

const TickAll = <Row,>({ rows, ticks }: { rows: readonly Row[]; ticks: Ticks<Row> }) => {
  const ticked = rows.filter(ticks.isTicked).length;
  return (
    <Checkbox
      size="xs"
      aria-label="Select all on this page"
      checked={rows.length > 0 && ticked === rows.length}
      indeterminate={ticked > 0 && ticked < rows.length}
      onChange={({ currentTarget }) => ticks.tick(rows, currentTarget.checked)}
    />
  );
};

const right = ({ numeric }: { readonly numeric?: boolean }) =>
  numeric ? { ta: "right" as const, className: "numeric" } : {};

interface RowProps<Item> extends Pick<RecordTableProps<Item>, "columns"> {
  readonly row: Item;
  readonly menu: RecordTableProps<Item>["menu"] | undefined;
  /** `undefined` where rows cannot be ticked. */
  readonly isTicked: boolean | undefined;
  readonly onTick: Ticks<Item>["tick"] | undefined;
  readonly nameOf: Ticks<Item>["nameOf"] | undefined;
}

const RowCells = <Item,>({ row, columns, isTicked, onTick, nameOf, menu }: RowProps<Item>) => (
  <Table.Tr {...(isTicked && { "data-ticked": true })}>
    {isTicked !== undefined && (
      <Table.Td className="tick">
        <Checkbox
          size="xs"
          aria-label={`Select ${nameOf?.(row)}`}
          checked={isTicked}
          onChange={({ currentTarget }) => onTick?.([row], currentTarget.checked)}
        />
      </Table.Td>
    )}
    {columns.map((column, at) =>
      at === 0 ? (
        <Table.Th key={column.head} scope="row" fw={400}>
          <div>{column.cell(row)}</div>
        </Table.Th>
      ) : (
        <Table.Td key={column.head} {...right(column)} {...(!column.silent && { "data-head": column.head })}>
          <div>{column.cell(row)}</div>
        </Table.Td>
      ),
    )}
    {menu !== undefined && <Table.Td className="row-menu">{menu(row)}</Table.Td>}
  </Table.Tr>
);

/** A row, drawn again only if something of it changed: a list is drawn at each letter that is typed above it. */
const Row = memo(RowCells) as typeof RowCells;

/** Records as a table; on narrow windows each is a card of its facts. */
export const RecordTable = <Row,>({ caption, columns, rows, keyOf, sorting, ticks, menu }: RecordTableProps<Row>) => (
  <Scrolling label={`${caption}, table`}>
    <Table>
      <Table.Caption className="hidden-caption">{caption}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          {ticks !== undefined && (
            <Table.Td className="tick">
              <TickAll rows={rows} ticks={ticks} />
            </Table.Td>
          )}
          {columns.map((column) => (
            <Table.Th
              key={column.head}
              scope="col"
              {...right(column)}
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
            isTicked={ticks?.isTicked(row)}
            onTick={ticks?.tick}
            nameOf={ticks?.nameOf}
            menu={menu}
          />
        ))}
      </Table.Tbody>
    </Table>
  </Scrolling>
);
