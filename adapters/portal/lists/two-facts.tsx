import type { ReactNode } from "react";

interface TwoFactsProps {
  readonly first: ReactNode;
  readonly second: ReactNode;
  /** True where neither ever needs a second line, as dates. */
  readonly isShort?: boolean;
}

/** Two facts in one cell of a table: the second below the first, small and grey. */
export const TwoFacts = ({ first, second, isShort = false }: TwoFactsProps) => (
  <div {...(!isShort && { className: "wraps" })}>
    {first}
    <span className="second-fact">{second}</span>
  </div>
);
