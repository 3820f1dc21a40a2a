import type { ReactNode } from "react";

/** A wide element that scrolls horizontally, by keyboard as well. A group: there are too many to be landmarks. */
export const ScrollableTable = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll here
  <div role="group" className="table-scroll as-cards" tabIndex={0} aria-label={label}>
    {children}
  </div>
);
