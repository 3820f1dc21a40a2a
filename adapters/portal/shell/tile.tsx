import { inFigures } from "./figures.tsx";

/** A number with its label. */
export const Tile = ({ label, value }: { label: string; value: number | string }) => (
  <div className="card section">
    <div className="page-line">{label}</div>
    <div className="tile-value">{typeof value === "number" ? inFigures(value) : value}</div>
  </div>
);
