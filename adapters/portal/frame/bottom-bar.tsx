import { IconDots } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { SectionLink, SignedInUser, useSectionGroups } from "./rail.tsx";
import { isWithin } from "./sections.ts";

const VISIBLE_SECTIONS = 4;

/** The bar at the bottom of narrow windows: four sections, and the rest behind a button. */
export const BottomBar = () => {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const moreButton = useRef<HTMLButtonElement>(null);
  const sections = useSectionGroups().flatMap((group) => group.sections);
  const hiddenSections = sections.slice(VISIBLE_SECTIONS);
  const isHiddenSectionOpen = path === "/account" || hiddenSections.some((section) => isWithin(section, path));
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes after each navigation
  useEffect(() => setOpen(false), [path]);
  return (
    <nav
      className="bottom-bar"
      aria-label="Sections"
      onKeyDown={({ key }) => {
        if (key !== "Escape" || !isOpen) return;
        setOpen(false);
        moreButton.current?.focus();
      }}
    >
      {isOpen && (
        <div className="more-sheet" id="more-sections">
          {hiddenSections.map((section) => (
            <SectionLink key={section.to} section={section} />
          ))}
          <SignedInUser />
        </div>
      )}
      <div className="places">
        {sections.slice(0, VISIBLE_SECTIONS).map((section) => (
          <SectionLink key={section.to} section={section} />
        ))}
        <button
          ref={moreButton}
          type="button"
          className="section-link"
          aria-expanded={isOpen}
          aria-controls="more-sections"
          {...(isHiddenSectionOpen && { "data-within": true })}
          onClick={() => setOpen(!isOpen)}
        >
          <IconDots size={18} stroke={1.7} aria-hidden />
          More
        </button>
      </div>
    </nav>
  );
};
