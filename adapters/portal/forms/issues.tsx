import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useContext,
  useEffect,
  useMemo,
  useState,
} from "react";
import type { Issue } from "../api/client.ts";
import { type InvalidField, issueMessage, labelOfPath } from "./issue-messages.ts";

interface Fields {
  readonly issues: readonly Issue[];
  readonly setClaimed: Dispatch<SetStateAction<readonly string[]>>;
}

const Context = createContext<Fields>({ issues: [], setClaimed: () => {} });

/** True if the issue is about this field or a part of it. */
export const isAbout = (issue: Issue, path: string): boolean =>
  issue.path === path || issue.path.startsWith(`${path}.`) || issue.path.startsWith(`${path}[`);

/** Gives the server's issues to the fields within it; each field claims its path. */
export const FieldsProvider = ({ issues, setClaimed, children }: Fields & { children: ReactNode }) => {
  const fields = useMemo(() => ({ issues, setClaimed }), [issues, setClaimed]);
  return <Context value={fields}>{children}</Context>;
};

/** The message for the issues at this path; `undefined` if there are none. */
export const useIssue = (path: string, field: InvalidField = { label: labelOfPath(path) }): string | undefined => {
  const { issues, setClaimed } = useContext(Context);
  // The message is about the value that was sent, and stays while the user corrects it.
  const [sent, setSent] = useState({ issues, value: field.value });
  if (sent.issues !== issues) setSent({ issues, value: field.value });
  useEffect(() => {
    setClaimed((claimed) => [...claimed, path]);
    return () => setClaimed((claimed) => claimed.filter((other) => other !== path));
  }, [path, setClaimed]);
  const own = issues.filter((issue) => isAbout(issue, path));
  if (own.length === 0) return undefined;
  return [...new Set(own.map((issue) => issueMessage(issue, { ...field, value: sent.value })))].join(". ");
};
