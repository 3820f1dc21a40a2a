import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  replaceEqualDeep,
  useQueries,
  useQuery,
} from "@tanstack/react-query";
import { ApiError, copyVersion, isDeleted, type ListResult, type Query, read, readList } from "./client.ts";

/** The cache key of the signed-in user. */
export const SESSION_KEY = ["/session"] as const;

/** The path to the installation's name and logo, readable without a session. */
export const BRANDING_PATH = "/branding";

const MAX_RETRIES = 2;

/** True if the request had no valid session. */
const isSignedOut = (error: Error): boolean => error instanceof ApiError && error.code === "signed_out";

/** Retries only lost connections and server errors: another try would not change other refusals. */
const isRetryable = (error: Error): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** Reads everything on the screen anew that still exists. */
export const refetchAll = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey: [path] }) => !isDeleted(String(path)) });

/**
 * Caches what was read. A refused request after a sign-out elsewhere clears the session. Every successful change
 * refetches everything on the screen that still exists.
 */
export const makeQueryClient = (): QueryClient => {
  const onError = (error: Error): void => {
    if (!isSignedOut(error)) return;
    client.setQueryData(SESSION_KEY, null);
  };
  const onSuccess = (): void => void refetchAll(client);
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError, onSuccess }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < MAX_RETRIES && isRetryable(error),
        staleTime: 5_000,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
  return client;
};

/** Options of a query. */
interface QueryChoices<Data> {
  readonly enabled?: boolean;
  /** The milliseconds between reads while the page is visible; `null` if the data no longer changes. */
  readonly refetchAfterMs?: (data: Data) => number | null;
  /** How long an answer stays fresh; "static" means until the portal reloads. */
  readonly staleMs?: number | "static";
}

const optionsOf = <Data>({ enabled, refetchAfterMs, staleMs }: QueryChoices<Data>) => ({
  ...(enabled !== undefined && { enabled }),
  ...(staleMs !== undefined && { staleTime: staleMs }),
  ...(refetchAfterMs !== undefined && {
    refetchInterval: ({ state: { data } }: { state: { data: Data | undefined } }) =>
      (data === undefined ? null : refetchAfterMs(data)) ?? (false as const),
  }),
});

/** The cache key of one record. */
export const recordKey = (path: string, query: Query = {}) => [path, query] as const;

const recordQuery = <Body>(path: string, query: Query, choices: QueryChoices<Body>) => ({
  queryKey: recordKey(path, query),
  queryFn: ({ signal }: { signal: AbortSignal }) => read<Body>(path, query, signal),
  structuralSharing: (before: unknown, now: unknown) => copyVersion(replaceEqualDeep(before, now), now),
  ...optionsOf(choices),
});

/** One record, by its URL. */
export const useRecord = <Body>(path: string, query: Query = {}, choices: QueryChoices<Body> = {}) =>
  useQuery(recordQuery<Body>(path, query, choices));

/** Several records, each by its URL. */
export const useRecords = <Body>(paths: readonly string[], choices: QueryChoices<Body> = {}) =>
  useQueries({ queries: paths.map((path) => recordQuery<Body>(path, {}, choices)) });

const listQuery = <Item>(path: string, query: Query, choices: QueryChoices<ListResult<Item>>) => ({
  queryKey: [path, "list", query],
  queryFn: ({ signal }: { signal: AbortSignal }) => readList<Item>(path, query, signal),
  ...optionsOf(choices),
});

/** One page of a list, by its URL; the previous page stays on the screen until the next arrives. */
export const useList = <Item>(path: string, query: Query = {}, choices: QueryChoices<ListResult<Item>> = {}) =>
  useQuery({ ...listQuery<Item>(path, query, choices), placeholderData: keepPreviousData });

const EMPTY_LIST: ListResult<never> = { items: [], total: 0, next: null };
/** Characters that make a word: letters, digits, and signs that the search takes literally. */
const PART_OF_WORD = /[\p{L}\p{N}%_*\\]/u;
const hasWord = (q: string): boolean => PART_OF_WORD.test(q);

/** The same for a list that `q` searches. A search without a word, such as `--`, finds nothing and sends no request. */
export const useSearchedList = <Item>(
  path: string,
  query: Query & { readonly q: string },
  {
    isSearchable = hasWord,
    ...choices
  }: QueryChoices<ListResult<Item>> & { readonly isSearchable?: (q: string) => boolean } = {},
) => {
  const isWordless = query.q !== "" && !isSearchable(query.q);
  return useQuery({
    ...listQuery<Item>(path, query, isWordless ? { ...choices, enabled: false } : choices),
    placeholderData: keepPreviousData,
    ...(isWordless && { initialData: EMPTY_LIST }),
  });
};

/** One page of each of several lists. */
export const useLists = <Item>(
  lists: readonly { readonly path: string; readonly query: Query }[],
  choices: QueryChoices<ListResult<Item>>,
) => useQueries({ queries: lists.map(({ path, query }) => listQuery<Item>(path, query, choices)) });
