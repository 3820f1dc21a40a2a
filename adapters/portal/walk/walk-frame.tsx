import type { ReactNode } from "react";

interface FrameProps {
  /** The page from which walks begin. */
  readonly home?: string;
  readonly subtitle?: string;
  readonly children: ReactNode;
}

/** The frame of a walk's page, for one hand. */
export const WalkFrame = ({ home = "/portal", subtitle = "", children }: FrameProps) => (
  <main className="walk">
    <header className="walk-head">
      <div>
        <h1>Walk the lot</h1>
        <p className="walk-note numeric">{subtitle}</p>
      </div>
      <a className="walk-link" href={home}>
        Leave
      </a>
    </header>
    {children}
  </main>
);
