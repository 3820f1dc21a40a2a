import type { ReactNode } from "react";
import { BottomBar } from "./frame/bottom-bar.tsx";
import { Rail } from "./frame/rail.tsx";
import { Brand } from "./page/brand.tsx";
import { PaletteButton } from "./palette/palette-button.tsx";

const MAIN = "content";
const PAGE = "page";

/** The frame of every page: navigation at the left, or at the bottom of narrow windows. */
export const Shell = ({ children }: { children: ReactNode }) => (
  <div className="frame">
    <a href={`#${PAGE}`} className="skip-link">
      Skip to the content
    </a>
    <Rail />
    {/* The bar is within the main part: outside of it, it would be a banner, and a dialog's header a second one. */}
    <main id={MAIN} tabIndex={-1} className="frame-page">
      <div className="top-bar">
        <Brand />
        <PaletteButton />
      </div>
      {/* Without the search everywhere, which has a key of its own. */}
      <div id={PAGE} tabIndex={-1} className="content">
        {children}
      </div>
    </main>
    <BottomBar />
  </div>
);
