import { Link } from "wouter";
import type { LinkedFigure } from "./today-words.ts";

/** Figures in one row, each a link to what it counts. */
export const FigureLinks = ({ figures }: { figures: readonly LinkedFigure[] }) => (
  <nav className="card today-figures" aria-label="Figures">
    {figures.map(({ name, value, note, trend, to }) => (
      <Link key={name} href={to} className="today-figure">
        <span className="figure-name">{name}</span>
        <span className="figure-value">{value}</span>
        <span className="figure-note" {...(trend !== null && { "data-trend": trend })}>
          {note}
        </span>
      </Link>
    ))}
  </nav>
);
