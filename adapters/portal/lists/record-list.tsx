import { Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ListResult } from "../api/client.ts";
import { QueryResult } from "../page/query-result.tsx";
import { type Column, RecordTable, type RowSelection, type Sorting } from "./record-table.tsx";

/** Replaces an empty list: says what is missing and what to do. */
export const EmptyState = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
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
