import type { ReactNode } from "react";

interface TwoLineCellProps {
  readonly first: ReactNode;
  readonly second: ReactNode;
  /** True if neither fact wraps, such as dates. */
  readonly noWrap?: boolean;
}

/** Two facts in one cell: the second below the first, small and grey. */
export const TwoLineCell = ({ first, second, noWrap = false }: TwoLineCellProps) => (
  <div {...(!noWrap && { className: "wraps" })}>
    {first}
    <span className="second-line">{second}</span>
  </div>
);
