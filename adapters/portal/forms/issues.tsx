import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useContext,
  useEffect,
  useMemo,
} from "react";
import type { Issue } from "../api/client.ts";

interface Fields {
  readonly issues: readonly Issue[];
  readonly setClaimed: Dispatch<SetStateAction<readonly string[]>>;
}

const Context = createContext<Fields>({ issues: [], setClaimed: () => {} });

/** True when the server speaks of this field or of a part of it. */
export const isAbout = (issue: Issue, path: string): boolean =>
  issue.path === path || issue.path.startsWith(`${path}.`) || issue.path.startsWith(`${path}[`);

/** Brings the server's words to the fields within, which say what they answer for. */
export const FieldsProvider = ({ issues, setClaimed, children }: Fields & { children: ReactNode }) => {
  const fields = useMemo(() => ({ issues, setClaimed }), [issues, setClaimed]);
  return <Context value={fields}>{children}</Context>;
};

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What the server said about the field at this path; `undefined` when nothing. */
export const useIssue = (path: string): string | undefined => {
  const { issues, setClaimed } = useContext(Context);
  useEffect(() => {
    setClaimed((claimed) => [...claimed, path]);
    return () => setClaimed((claimed) => claimed.filter((other) => other !== path));
  }, [path, setClaimed]);
  const own = issues.filter((issue) => isAbout(issue, path));
  return own.length === 0 ? undefined : capitalised(own.map(({ message }) => message).join("; "));
};
