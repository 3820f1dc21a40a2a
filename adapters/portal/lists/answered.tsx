import { Alert, Button, Skeleton, Stack, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError } from "../api/client.ts";

/** Shown when something could not be read. */
export const Unread = ({ error, onRetry }: { error: Error; onRetry: () => unknown }) => (
  <Alert color="red" variant="light" title="This could not be loaded" role="alert">
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{error instanceof ApiError ? error.sentence : "Something went wrong in this page."}</Text>
      <Button size="compact-sm" variant="default" onClick={() => onRetry()}>
        Try again
      </Button>
    </Stack>
  </Alert>
);

/** The shape of rows while something loads. */
export const Loading = ({ lines = 5 }: { lines?: number }) => (
  <div className="shape" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <div key={line} className="shape-row">
        <Skeleton height={12} width={`${30 - ((line * 7) % 12)}%`} />
        <Skeleton height={12} width="20%" />
        <Skeleton height={12} width="14%" ml="auto" />
      </div>
    ))}
  </div>
);

interface AnsweredProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly lines?: number;
  /** Shown while it loads, in place of the shape of rows. */
  readonly meanwhile?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the result of a query, its progress, or why it failed. */
export const Answered = <Data,>({ query, lines, meanwhile, children }: AnsweredProps<Data>) => {
  if (query.data !== undefined && !query.isLoadingError && !(query.isError && query.isPlaceholderData))
    return children(query.data);
  if (query.isError) return <Unread error={query.error} onRetry={query.refetch} />;
  if (meanwhile !== undefined) return meanwhile;
  return <Loading {...(lines !== undefined && { lines })} />;
};
