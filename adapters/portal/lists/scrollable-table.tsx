import type { ReactNode } from "react";

/** Scrolls a wide element, also by keyboard. A group, because a page has too many of them for landmarks. */
export const ScrollableTable = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll here
  <div role="group" className="table-scroll as-cards" tabIndex={0} aria-label={label}>
    {children}
  </div>
);
