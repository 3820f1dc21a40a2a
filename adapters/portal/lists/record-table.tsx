import { Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Scrolling } from "./scrolling.tsx";

/** A column of a table of records. */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** The value of `sort` for this column. */
  readonly sort?: string;
  readonly numeric?: boolean;
  /** True when the heading is for screen readers only. */
  readonly silent?: boolean;
}

/** The order of a table, and how to change it. */
export interface Sorting {
  readonly by: string;
  readonly order: string;
  readonly onChange: (by: string, order: "asc" | "desc") => void;
}

interface RecordTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly sorting?: Sorting;
}

const SORTS = { asc: "ascending", desc: "descending" } as const;

const Head = <Row,>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) => {
  if (column.silent) return <VisuallyHidden>{column.head}</VisuallyHidden>;
  if (column.sort === undefined || sorting === undefined) return column.head;
  const { sort } = column;
  const isSorted = sorting.by === sort;
  const Icon = isSorted ? (sorting.order === "asc" ? IconArrowUp : IconArrowDown) : IconArrowsSort;
  return (
    <UnstyledButton
      className="sort"
      onClick={() => sorting.onChange(sort, isSorted && sorting.order === "desc" ? "asc" : "desc")}
    >
      {column.head} <Icon size={14} aria-hidden />
    </UnstyledButton>
  );
};

/** Records as a table that scrolls horizontally on narrow screens; the first column names the row. */
export const RecordTable = <Row,>({ caption, columns, rows, keyOf, sorting }: RecordTableProps<Row>) => (
  <Scrolling label={`${caption}, table`}>
    <Table verticalSpacing="xs" highlightOnHover>
      <Table.Caption className="hidden-caption">{caption}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th
              key={column.head}
              scope="col"
              {...(column.numeric && { ta: "right" as const })}
              {...(sorting !== undefined &&
                column.sort === sorting.by && { "aria-sort": sorting.order === "asc" ? SORTS.asc : SORTS.desc })}
            >
              <Head column={column} sorting={sorting} />
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)}>
            {columns.map((column, at) =>
              at === 0 ? (
                <Table.Th key={column.head} scope="row" fw={400}>
                  {column.cell(row)}
                </Table.Th>
              ) : (
                <Table.Td key={column.head} {...(column.numeric && { ta: "right" as const })}>
                  {column.cell(row)}
                </Table.Td>
              ),
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Scrolling>
);
