import { Stack, Text, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Listed } from "../api/client.ts";
import { Answered } from "./answered.tsx";
import { type Column, RecordTable, type Sorting } from "./record-table.tsx";

/** Shown instead of an empty list: what is missing, and what to do. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <Stack align="center" gap="xs" py="xl" className="empty">
    <Title order={2} size="h4">
      {title}
    </Title>
    <Text size="sm" component="div" ta="center">
      {children}
    </Text>
  </Stack>
);

interface RecordListProps<Row> {
  readonly caption: string;
  readonly query: UseQueryResult<Listed<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly empty: ReactNode;
  readonly sorting?: Sorting;
  /** Content below the table. */
  readonly below?: (page: Listed<Row>) => ReactNode;
}

/** A list of records in every state: loading, failed, empty, loaded. */
export const RecordList = <Row,>({ query, empty, below, ...table }: RecordListProps<Row>) => (
  <Answered query={query} lines={8}>
    {(page) =>
      page.items.length === 0 && page.total === 0 ? (
        empty
      ) : (
        <Stack gap="sm" aria-busy={query.isPlaceholderData}>
          <RecordTable {...table} rows={page.items} />
          {below?.(page)}
        </Stack>
      )
    }
  </Answered>
);
