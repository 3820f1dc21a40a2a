import type { ReactNode } from "react";

/** A row's name, and a note about it. */
export interface RowLine {
  readonly key: string | number;
  readonly name: ReactNode;
  readonly note: ReactNode;
}

/** The rows that a change is about, a line each. */
export const RowLines = ({ label, lines }: { label: string; lines: readonly RowLine[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll here
  <ul className="bulk-lines" aria-label={label} tabIndex={0}>
    {lines.map(({ key, name, note }) => (
      <li key={key}>
        <strong>{name}</strong> <span>{note}</span>
      </li>
    ))}
  </ul>
);
