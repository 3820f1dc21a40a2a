import { Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ListResult } from "../api/client.ts";
import { QueryResult } from "../page/query-result.tsx";
import { type Column, RecordTable, type RowSelection, type Sorting } from "./record-table.tsx";

/** An empty place on the lot, between two lines. */
const EmptyPlace = () => (
  <svg className="empty-drawing" viewBox="0 0 120 56" aria-hidden>
    <path d="M6 52 24 6M114 52 96 6M2 52h116" />
    <path d="M40 40v-9l8-11q1-2 4-2h16q3 0 4 2l8 11v9M40 40h40M44 31h32" strokeDasharray="4 4" />
    <path d="M46 40v4M74 40v4" />
  </svg>
);

/** Replaces an empty list: says what is missing and what to do. */
export const EmptyState = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
    <EmptyPlace />
    <Title order={2} size="h4">
      {title}
    </Title>
    <div className="empty-rest">{children}</div>
  </div>
);

export interface RecordListProps<Row> {
  /** The table's name for screen readers. */
  readonly caption: string;
  readonly query: UseQueryResult<ListResult<Row>>;
  /** The first column names the row. */
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly empty: ReactNode;
  readonly sorting?: Sorting;
  readonly selection?: RowSelection<Row>;
  /** The menu at the end of a row. */
  readonly menu?: (row: Row) => ReactNode;
  /** Content below the table. */
  readonly below?: (page: ListResult<Row>) => ReactNode;
}

/** A list of records: loading, failed, empty or loaded. */
export const RecordList = <Row,>({ query, empty, below, ...table }: RecordListProps<Row>) => (
  <QueryResult query={query} lines={8}>
    {(page) =>
      page.items.length === 0 && page.total === 0 ? (
        empty
      ) : (
        <div aria-busy={query.isPlaceholderData}>
          <RecordTable {...table} rows={page.items} />
          {below?.(page)}
        </div>
      )
    }
  </QueryResult>
);
