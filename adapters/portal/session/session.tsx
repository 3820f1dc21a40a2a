import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext } from "react";
import { holds, type Permission, setOfPairs } from "../../../core/permissions.ts";
import { ApiError, read } from "../api/client.ts";
import { BRANDING_PATH, SESSION_KEY } from "../api/queries.ts";
import type { Session } from "../api/responses.ts";

const SIGNED_IN_KEY = "portal-signed-in";

/** True if this browser's last request had a session: then the frame appears before the answer. */
export const wasSignedIn = (): boolean => localStorage.getItem(SIGNED_IN_KEY) !== null;

const readSession = async (): Promise<Session | null> => {
  try {
    const session = await read<Session>("/session");
    localStorage.setItem(SIGNED_IN_KEY, "yes");
    return session;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    localStorage.removeItem(SIGNED_IN_KEY);
    return null;
  }
};

/** The session; `null` if nobody is signed in. Read once, and again after changes. */
export const useSessionQuery = () => useQuery({ queryKey: SESSION_KEY, queryFn: readSession });

const Context = createContext<Session | null>(null);

/** Provides the signed-in user to its children. */
export const SessionProvider = ({ session, children }: { session: Session; children: ReactNode }) => (
  <Context value={session}>{children}</Context>
);

/** The signed-in user. Only for pages behind the sign-in. */
export const useSession = (): Session => {
  const session = useContext(Context);
  if (session === null) throw new Error("nobody is signed in");
  return session;
};

/** True when the signed-in user has a permission. Hides what they may not do; the server decides anyway. */
export const useMay = (): ((permission: Permission) => boolean) => {
  const held = setOfPairs(useSession().user.permissions);
  return (permission) => holds(held, permission);
};

/** Clears everything that was read for a user from the cache. */
export const useClearCache = (): (() => void) => {
  const client = useQueryClient();
  return useCallback(
    () =>
      client.removeQueries({ predicate: ({ queryKey: [path] }) => path !== SESSION_KEY[0] && path !== BRANDING_PATH }),
    [client],
  );
};

/** Clears the cache of the previous user, and reads who is signed in. */
export const useReloadSession = (): (() => Promise<void>) => {
  const client = useQueryClient();
  const clearCache = useClearCache();
  return async () => {
    clearCache();
    await client.invalidateQueries({ queryKey: SESSION_KEY });
  };
};
