import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { useEarlyKeys } from "./early-keys.ts";
import { COMMAND_KEY, useShortcuts } from "./shortcuts.ts";

// Loaded when the user first needs them.
const loadPalette = () => import("./palette.tsx").then(({ Palette }) => ({ default: Palette }));
const Palette = lazy(loadPalette);
const ShortcutList = lazy(() => import("./shortcut-list.tsx").then((list) => ({ default: list.ShortcutList })));

/** The button that opens the search everywhere, and the shortcuts of every page: Ctrl K or ⌘ K opens it too. */
export const PaletteButton = () => {
  const [open, setOpen] = useState<"palette" | "shortcuts" | null>(null);
  const close = useCallback(() => setOpen(null), []);
  const searchEverywhere = useCallback(() => setOpen("palette"), []);
  const showShortcuts = useCallback(() => setOpen("shortcuts"), []);
  const { takeEarly } = useEarlyKeys(open === "palette", close);
  useShortcuts({ searchEverywhere, showShortcuts });
  return (
    <>
      <button
        type="button"
        className="palette-button"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={loadPalette}
        onFocus={loadPalette}
        onClick={searchEverywhere}
      >
        <IconSearch size={16} aria-hidden />
        <span className="palette-words">Search everywhere</span>
        <kbd aria-hidden>{COMMAND_KEY} K</kbd>
      </button>
      <Suspense fallback={null}>
        {open === "palette" && <Palette onClose={close} takeEarly={takeEarly} />}
        {open === "shortcuts" && <ShortcutList onClose={close} />}
      </Suspense>
    </>
  );
};
