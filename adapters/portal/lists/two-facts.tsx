import type { ReactNode } from "react";

/** Two facts in one cell of a table: the second below the first, small and grey. */
export const TwoFacts = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <div className="wraps">
    {first}
    <span className="second-fact">{second}</span>
  </div>
);
