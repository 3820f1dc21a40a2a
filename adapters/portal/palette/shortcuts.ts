import { useEffect } from "react";

/** The key that is held for shortcuts, as it is written on the keyboard. */
export const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";

const TAKES_TEXT = "input, textarea, select, [contenteditable]";
const IS_OVER_THE_PAGE = "[role=dialog], [role=menu]";

/** True while letters belong to a field, or something lies over the page. */
const isTaken = (event: KeyboardEvent): boolean =>
  (event.target instanceof Element && event.target.closest(TAKES_TEXT) !== null) ||
  document.querySelector(IS_OVER_THE_PAGE) !== null;

/** Puts the focus into the search field of the page's list. Returns false if there is none to be seen. */
const focusListSearch = (): boolean => {
  const field = document.querySelector<HTMLInputElement>(".listing-search input");
  if (field === null || !field.checkVisibility()) return false;
  field.focus();
  field.select();
  return true;
};

interface Shortcuts {
  readonly searchEverywhere: () => void;
  readonly showShortcuts: () => void;
}

/** The shortcuts that work on every page. */
export const useShortcuts = ({ searchEverywhere, showShortcuts }: Shortcuts): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isCommand = event.ctrlKey || event.metaKey;
      if (event.altKey || event.defaultPrevented) return;
      if (isCommand && !event.shiftKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        if (document.querySelector("[role=dialog]") === null) searchEverywhere();
      }
      if (isCommand || isTaken(event)) return;
      if (event.key === "?") showShortcuts();
      if (event.key !== "/") return;
      // Some browsers would search the page's text.
      event.preventDefault();
      if (!focusListSearch()) searchEverywhere();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [searchEverywhere, showShortcuts]);
};
