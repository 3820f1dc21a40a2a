import { useCallback, useEffect, useRef } from "react";

/** What was typed for the search everywhere before its field was there. */
export interface EarlyKeys {
  readonly text: string;
  /** True if Enter followed. */
  readonly isEntered: boolean;
}

const NOTHING: EarlyKeys = { text: "", isEntered: false };

const after = ({ text, isEntered }: EarlyKeys, key: string): EarlyKeys | null => {
  if (isEntered) return null;
  if (key === "Enter") return { text, isEntered: true };
  if (key === "Backspace") return { text: text.slice(0, -1), isEntered };
  return [...key].length === 1 ? { text: text + key, isEntered } : null;
};

/**
 * Keeps what is typed while the search everywhere is being loaded, so that no letter is lost. `takeEarly` returns it as
 * soon as the field can take the rest.
 */
export const useEarlyKeys = (isOpen: boolean, onEscape: () => void): { readonly takeEarly: () => EarlyKeys } => {
  const early = useRef<EarlyKeys | null>(null);
  useEffect(() => {
    if (!isOpen) return;
    early.current = NOTHING;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (early.current === null || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") onEscape();
      const kept = after(early.current, event.key);
      if (kept === null) return;
      event.preventDefault();
      event.stopPropagation();
      early.current = kept;
    };
    window.addEventListener("keydown", onKeyDown, true);
    return () => window.removeEventListener("keydown", onKeyDown, true);
  }, [isOpen, onEscape]);
  const takeEarly = useCallback((): EarlyKeys => {
    const kept = early.current ?? NOTHING;
    early.current = null;
    return kept;
  }, []);
  return { takeEarly };
};
