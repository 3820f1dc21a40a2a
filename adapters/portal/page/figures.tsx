import type { ReactNode } from "react";
import { Link } from "wouter";
import { formatNumber } from "./counts.ts";

export { formatCount, formatNumber } from "./counts.ts";

interface FiguresProps {
  /** Names the figures for screen readers. */
  readonly label: string;
  /** Numbers and texts appear large; other nodes stay as they are. With `to`, a figure leads to that page. */
  readonly figures: readonly (readonly [name: string, value: ReactNode, to?: string])[];
}

/** The figures without a card, for a card with other content. */
export const FigureRow = ({ figures: all }: Pick<FiguresProps, "figures">) => (
  <dl className="figures">
    {all.map(([name, value, to]) => {
      const shown = typeof value === "number" ? formatNumber(value) : value;
      return (
        <div key={name}>
          <dt>{name}</dt>
          <dd {...(typeof value === "object" && { className: "in-words" })}>
            {to === undefined ? (
              shown
            ) : (
              <Link className="figure-link" href={to} aria-label={`${name}: ${shown}`}>
                {shown}
              </Link>
            )}
          </dd>
        </div>
      );
    })}
  </dl>
);

/** The figures of a record or page in a card, in one row on wide windows. */
export const Figures = ({ label, figures }: FiguresProps) => (
  <section className="card" aria-label={label}>
    <FigureRow figures={figures} />
  </section>
);
