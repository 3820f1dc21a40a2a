import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { ListResult, Query } from "../api/client.ts";
import { useList } from "../api/queries.ts";
import { formatNumber } from "../page/figures.tsx";
import { RecordList, type RecordListProps } from "./record-list.tsx";

const PAGE_SIZE = 25;

interface CursorListProps<Row> extends Omit<RecordListProps<Row>, "query" | "below" | "selection" | "sorting"> {
  readonly path: string;
  readonly filters?: Query;
  /** The word for the records, such as "rows". */
  readonly noun: string;
  /** The milliseconds between reads of a page; `null` if it no longer changes. */
  readonly refetchAfterMs?: (page: ListResult<Row>) => number | null;
}

/** A list with cursors that shows one page at a time and does not keep the others. */
export const CursorList = <Row,>({ path, filters = {}, noun, refetchAfterMs, ...table }: CursorListProps<Row>) => {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const query = useList<Row>(
    path,
    { ...filters, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
    { ...(refetchAfterMs !== undefined && { refetchAfterMs }) },
  );
  const first = cursors.length * PAGE_SIZE + 1;
  return (
    <RecordList
      {...table}
      query={query}
      below={({ items, total, next }) => (
        <Group className="listing-foot" justify="space-between" component="nav" aria-label={`Pages of ${noun}`}>
          <Text size="sm" role="status">
            {items.length === 0 ? "Nothing" : `${formatNumber(first)} to ${formatNumber(first + items.length - 1)}`} of{" "}
            {formatNumber(total)} {noun}
          </Text>
          {(next !== null || cursors.length > 0) && (
            <Group gap="xs">
              <Button
                variant="default"
                size="xs"
                disabled={cursors.length === 0 || query.isPlaceholderData}
                onClick={() => setCursors(cursors.slice(0, -1))}
              >
                Previous page
              </Button>
              <Button
                variant="default"
                size="xs"
                disabled={next === null || query.isPlaceholderData}
                onClick={() => setCursors([...cursors, new URLSearchParams(next ?? "").get("cursor") ?? ""])}
              >
                Next page
              </Button>
            </Group>
          )}
        </Group>
      )}
    />
  );
};
