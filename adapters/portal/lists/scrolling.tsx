import type { ReactNode } from "react";

/** A wide element that scrolls horizontally, by keyboard as well. */
export const Scrolling = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll here
  <section className="table-scroll as-cards" tabIndex={0} aria-label={label}>
    {children}
  </section>
);
