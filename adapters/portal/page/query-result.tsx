import { Alert, Button, Skeleton, Stack, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError } from "../api/client.ts";

/** Shown when a query failed. */
export const LoadError = ({ error, onRetry }: { error: Error; onRetry: () => unknown }) => (
  <Alert color="red" variant="light" title="This could not be loaded" role="alert">
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{error instanceof ApiError ? error.sentence : "Something went wrong in this page."}</Text>
      <Button size="compact-sm" variant="default" onClick={() => onRetry()}>
        Try again
      </Button>
    </Stack>
  </Alert>
);

/** Placeholder rows while something loads. */
export const RowsSkeleton = ({ lines = 5 }: { lines?: number }) => (
  <div className="rows-skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <div key={line} className="skeleton-row">
        <Skeleton height={12} width={`${30 - ((line * 7) % 12)}%`} />
        <Skeleton height={12} width="20%" />
        <Skeleton height={12} width="14%" ml="auto" />
      </div>
    ))}
  </div>
);

interface QueryResultProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly lines?: number;
  /** Shown while it loads instead of the placeholder rows. */
  readonly placeholder?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the result of a query, its progress, or why it failed. */
export const QueryResult = <Data,>({ query, lines, placeholder, children }: QueryResultProps<Data>) => {
  if (query.data !== undefined && !query.isLoadingError && !(query.isError && query.isPlaceholderData))
    return children(query.data);
  if (query.isError) return <LoadError error={query.error} onRetry={query.refetch} />;
  if (placeholder !== undefined) return placeholder;
  return <RowsSkeleton {...(lines !== undefined && { lines })} />;
};
