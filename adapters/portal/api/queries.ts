import { keepPreviousData, MutationCache, QueryCache, QueryClient, useQuery } from "@tanstack/react-query";
import { ApiError, type Query, read, readList } from "./client.ts";

/** Under which the signed-in user is kept. */
export const SESSION = ["/session"] as const;

const MAX_TRIES = 2;

/** True when the server no longer, or not yet, knows who asks. */
const isSignedOut = (error: Error): boolean => error instanceof ApiError && error.code === "signed_out";

/** What the server has refused it refuses again; only lost connections and failures of its own are tried again. */
const isPassing = (error: Error): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/**
 * Keeps what was read. Whoever is signed out elsewhere is shown the sign-in at the next click, whatever it was, and nothing that was read stays; every
 * change that succeeded makes what is on the screen be read anew.
 */
export const makeQueryClient = (): QueryClient => {
  const onError = (error: Error): void => {
    if (!isSignedOut(error)) return;
    client.setQueryData(SESSION, null);
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError, onSuccess: () => void client.invalidateQueries() }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < MAX_TRIES && isPassing(error),
        staleTime: 5_000,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
  return client;
};

/** How a query differs from the ordinary. */
interface Choices {
  readonly enabled?: boolean;
  readonly staleMs?: number;
}

const optionsOf = ({ enabled, staleMs }: Choices) => ({
  ...(enabled !== undefined && { enabled }),
  ...(staleMs !== undefined && { staleTime: staleMs }),
});

/** One record, by its address. */
export const useRecord = <Body>(path: string, query: Query = {}, choices: Choices = {}) =>
  useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => read<Body>(path, query, signal),
    ...optionsOf(choices),
  });

/** One page of a list, by its address; the page before stays on the screen until the next is there. */
export const useListed = <Item>(path: string, query: Query = {}, choices: Choices = {}) =>
  useQuery({
    queryKey: [path, "list", query],
    queryFn: ({ signal }) => readList<Item>(path, query, signal),
    placeholderData: keepPreviousData,
    ...optionsOf(choices),
  });
