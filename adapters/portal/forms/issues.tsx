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

/** True when the server speaks of this field or of a part of it. */
export const isAbout = (issue: Issue, path: string): boolean =>
  issue.path === path || issue.path.startsWith(`${path}.`) || issue.path.startsWith(`${path}[`);

/** Brings the server's words to the fields within, which say what they answer for. */
export const FieldsProvider = ({ issues, setClaimed, children }: Fields & { children: ReactNode }) => {
  const fields = useMemo(() => ({ issues, setClaimed }), [issues, setClaimed]);
  return <Context value={fields}>{children}</Context>;
};

/** What was refused about the field at this path, in words for its user; `undefined` when nothing was. */
export const useIssue = (path: string, field: InvalidField = { label: labelOfPath(path) }): string | undefined => {
  const { issues, setClaimed } = useContext(Context);
  // The words are about what was sent, and stay while it is mended.
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
