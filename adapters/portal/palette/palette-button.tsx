import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useState } from "react";

// Loaded when the user first needs it.
const loadPalette = () => import("./palette.tsx").then(({ Palette }) => ({ default: Palette }));
const Palette = lazy(loadPalette);

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The button that opens the search everywhere. Ctrl K or ⌘ K opens it too, unless a dialog is open. */
export const PaletteButton = () => {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (document.querySelector("[role=dialog]") === null) setOpen(true);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        className="palette-button"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={loadPalette}
        onFocus={loadPalette}
        onClick={() => setOpen(true)}
      >
        <IconSearch size={16} aria-hidden />
        <span className="palette-words">Search everywhere</span>
        <kbd aria-hidden>{isApple ? "⌘ K" : "Ctrl K"}</kbd>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};
