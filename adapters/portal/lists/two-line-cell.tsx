import type { ReactNode } from "react";

interface TwoLineCellProps {
  readonly first: ReactNode;
  readonly second: ReactNode;
  /** True where neither ever needs a second line, as dates. */
  readonly noWrap?: boolean;
}

/** Two facts in one cell of a table: the second below the first, small and grey. */
export const TwoLineCell = ({ first, second, noWrap = false }: TwoLineCellProps) => (
  <div {...(!noWrap && { className: "wraps" })}>
    {first}
    <span className="second-line">{second}</span>
  </div>
);
